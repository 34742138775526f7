import Glibc
import TextSearch
import Traces

/// The folder of the large values of a trace, `NAME.bodies`, to which several processes may write.
///
/// A process that writes to it shares a lock of the folder until its trace is complete. So a value
/// that no trace refers to yet, since its line is still to come, is not removed by another one.
final class BodiesFolder {
  private let trace: String
  private let path: String
  /// The folder as it was opened to lock it.
  private var descriptor: Int32 = -1

  /// Takes the folder of a trace, which need not be there.
  init(of trace: String) {
    self.trace = trace
    path = bodiesFolder(of: trace)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Returns the path of a value's file.
  func file(of hash: String) -> String { path + "/" + hash }

  /// Writes a value. Returns the reason if it cannot be written.
  func write(_ body: TraceBody) -> String? {
    if let message = makeFolder(path[...]) { return message }
    if descriptor < 0 { share() }
    return writeFile(file(of: body.hash), String(decoding: body.bytes, as: UTF8.self))?.message
  }

  /// Removes the values that no trace of this folder refers to any more. If another process writes
  /// here, they stay: the last one removes them.
  func removeUnused() {
    if descriptor < 0 { descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { return }
    defer {
      close(descriptor)
      descriptor = -1
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, let names = folderNames(path) else { return }
    let bodies = names.filter { isHash($0.prefix(64)) }
    if bodies.isEmpty { return }
    let used = usedHashes(among: Set(bodies))
    // What has more than a hash as its name is the beginning of a file, and its process has ended.
    for name in bodies where !used.contains(name) { unlink(file(of: name)) }
    // A folder that holds anything else stays.
    rmdir(path)
  }

  /// Shares the lock. It waits while another process removes values, and that may be the folder.
  private func share() {
    for _ in 0..<BodiesFolder.mostTries {
      let opened = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard opened >= 0 else {
        if makeFolder(path[...]) == nil { continue }
        return
      }
      flock(opened, LOCK_SH)
      if isAt(path, opened) {
        descriptor = opened
        return
      }
      close(opened)
    }
  }

  /// How often a folder is opened that other processes remove meanwhile.
  private static let mostTries = 100

  /// Returns the hashes that the traces of this folder name, and the values that these name.
  private func usedHashes(among bodies: Set<String>) -> Set<String> {
    var used: Set<String> = []
    var unread = BodiesFolder.traces(of: path)
    while let file = unread.popLast() {
      guard case .success(let bytes) = readFile(file) else { continue }
      let new = hashes(in: bytes).intersection(bodies).subtracting(used)
      used.formUnion(new)
      unread += new.map { self.file(of: $0) }
    }
    return used
  }

  /// Returns the paths that traces with this folder may have, complete or not.
  private static func traces(of folder: String) -> [String] {
    let name = folder.dropLast(".bodies".count)
    let complete = [".trace.jsonl", ".jsonl", ""].map { String(name) + $0 }
    return complete + complete.map { $0 + ".partial" }
  }
}

/// Returns whether a path leads to an open file or folder.
func isAt(_ path: String, _ descriptor: Int32) -> Bool {
  var (own, named) = (stat(), stat())
  return fstat(descriptor, &own) == 0 && stat(path, &named) == 0 && own.st_ino == named.st_ino
    && own.st_dev == named.st_dev
}

private func isHash(_ name: Substring) -> Bool {
  name.utf8.count == 64 && name.utf8.allSatisfy(isHexadecimal)
}

/// Returns all that may be a hash in a text, whatever it is there for.
private func hashes(in bytes: [UInt8]) -> Set<String> {
  var hashes: Set<String> = []
  var start = 0
  for position in 0...bytes.count {
    if position < bytes.count, isHexadecimal(bytes[position]) { continue }
    if position - start == 64 {
      hashes.insert(String(decoding: bytes[start..<position], as: UTF8.self))
    }
    start = position + 1
  }
  return hashes
}

private func isHexadecimal(_ byte: UInt8) -> Bool {
  (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
}

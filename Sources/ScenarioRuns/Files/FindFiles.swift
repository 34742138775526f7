import Diagnostics
import Glibc
import LiveWorld
import ScenarioPlan
import Values

/// The files a path stands for.
package enum FoundFiles: Equatable, Sendable {
  case files([String])
  case missing
  /// The path exists but cannot be read, for this reason.
  case unreadable(String)
}

/// Finds the files of a path: a file stands for itself, a folder for each `*.scenario.yaml` below
/// it in the order of names.
///
/// Other YAML files in folders are components, data or examples of mistakes. A file that is named
/// on the command line is always a scenario.
///
/// - Parameter note: Receives each file whose name is nearly that of a scenario.
package func findFiles(
  at path: String, ending suffixes: [String] = scenarioSuffixes,
  noting note: (String) -> Void = { _ in }
) -> FoundFiles {
  var status = stat()
  guard stat(path, &status) == 0 else {
    return errno == ENOENT || errno == ENOTDIR ? .missing : .unreadable(lastSystemError())
  }
  if status.st_mode & S_IFMT == S_IFREG { return .files([path]) }
  guard status.st_mode & S_IFMT == S_IFDIR else { return .unreadable(FileProblem.noFile.message) }
  var walk = FolderWalk(suffixes)
  walk.visit(path, depth: 0)
  if let problem = walk.problem { return .unreadable(problem) }
  walk.near.forEach(note)
  return .files(walk.files)
}

/// The ends of the names that a folder is searched for.
package let scenarioSuffixes = [".scenario.yaml", ".scenario.yml"]
package let traceSuffixes = [".trace.jsonl"]
/// The end of the name of a trace whose run was killed or interrupted, or has not ended.
package let unfinishedTraceSuffix = ".trace.jsonl.partial"

/// Returns the path of a scenario without what its name ends with, for the names of files that
/// belong to it.
func pathWithoutSuffix(_ path: String) -> String {
  let suffix = (scenarioSuffixes + [".yaml", ".yml"]).first { path.hasSuffix($0) }
  return String(path.dropLast(suffix?.count ?? 0))
}

/// The limit of how deep folders nest.
private let maximumFolderDepth = 64

private struct FolderWalk {
  let suffixes: [String]
  var files: [String] = []
  /// The files whose names are nearly those of scenarios.
  var near: [String] = []
  var problem: String?
  /// The folders seen so far. Links may lead back to them, and each is searched once.
  private var seen: Set<[UInt]> = []

  init(_ suffixes: [String]) { self.suffixes = suffixes }

  mutating func visit(_ folder: String, depth: Int) {
    guard depth < maximumFolderDepth, isNew(folder) else { return }
    guard let names = folderNames(folder) else {
      problem = problem ?? "\(folder): \(lastSystemError())"
      return
    }
    for name in names where !name.hasPrefix(".") {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      if isFolder(path) {
        visit(path, depth: depth + 1)
      } else if suffixes.contains(where: name.hasSuffix) {
        files.append(path)
      } else if isNearScenario(name) {
        near.append(path)
      }
    }
  }

  private mutating func isNew(_ folder: String) -> Bool {
    var status = stat()
    guard stat(folder, &status) == 0 else { return true }
    return seen.insert([UInt(status.st_dev), UInt(status.st_ino)]).inserted
  }
}

/// Returns whether a name ends nearly with `.scenario.yaml`: in other letters, as a plural, or with
/// letters that are missing or changed places.
private func isNearScenario(_ name: String) -> Bool {
  let parts = name.lowercased().split(separator: ".").map(String.init)
  // Editors keep the text of before under a name with a tilde.
  guard parts.count > 1, let last = parts.last, !last.hasSuffix("~") else { return false }
  return isNear(last, ["yaml", "yml"]) && isNear(parts[parts.count - 2], ["scenario"])
}

private func isNear(_ name: String, _ known: [String]) -> Bool {
  known.contains(name) || nearestName(to: name, among: known) != nil
}

private func isFolder(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

func folderNames(_ folder: String) -> [String]? {
  guard let handle = opendir(folder) else { return nil }
  defer { closedir(handle) }
  var names: [String] = []
  while let entry = readdir(handle) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != "." && name != ".." { names.append(name) }
  }
  return names.sorted()
}

/// Returns the system's text for the call that failed last.
package func lastSystemError() -> String { String(cString: strerror(errno)) }

/// Reads all bytes of a file.
package func readFile(_ path: String) -> Result<[UInt8], FileProblem> {
  // Opening a pipe that nobody writes to would otherwise wait forever.
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { return .failure(.notOpened(path)) }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else {
    return .failure(FileProblem(message: lastSystemError()))
  }
  let kind = status.st_mode & S_IFMT
  guard kind == S_IFREG || kind == S_IFDIR else { return .failure(.noFile) }
  if Int(status.st_size) > maximumFileSize { return .failure(.tooLarge) }
  return readAll(descriptor, expecting: Int(status.st_size))
}

/// The path that stands for standard input.
package let standardInputPath = "-"

/// Returns whether a path that the command line names leads to standard input, a pipe, a socket or
/// a device, which can be read only once.
package func isPiped(_ path: String) -> Bool {
  if path == standardInputPath { return true }
  var status = stat()
  guard stat(path, &status) == 0 else { return false }
  let kind = status.st_mode & S_IFMT
  return kind != S_IFREG && kind != S_IFDIR
}

/// Reads all bytes of a file that the command line names. Of a pipe, it waits for the end.
package func readInput(_ path: String) -> Result<[UInt8], FileProblem> {
  guard isPiped(path) else { return readFile(path) }
  if let bytes = Supervision.keptInput(of: path) { return .success(bytes) }
  return openPipe(path).flatMap { descriptor in
    defer { close(descriptor) }
    let read = readAll(descriptor, expecting: 0)
    if case .success(let bytes) = read {
      Supervision.keep(input: bytes.count, of: path) { Array(bytes[$0]) }
    }
    return read
  }
}

/// Opens what can be read only once.
func openPipe(_ path: String) -> Result<Int32, FileProblem> {
  let isInput = path == standardInputPath
  let descriptor = isInput ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
  return descriptor < 0 ? .failure(.notOpened(path)) : .success(descriptor)
}

/// The reason why a file could not be read or written.
package struct FileProblem: Error, Equatable, Sendable {
  package var message: String
  /// True if there is no such file.
  package var isMissing = false

  package static let tooLarge = FileProblem(
    message: "it is larger than \(maximumFileSize >> 20) MiB, the limit for one file")
  package static let noFile = FileProblem(message: "it is no file, but a pipe, socket or device")

  fileprivate static func notOpened(_ path: String) -> FileProblem {
    let isMissing = errno == ENOENT
    let reason = lastSystemError()
    guard path.contains("\u{FFFD}") else {
      return FileProblem(message: reason, isMissing: isMissing)
    }
    return FileProblem(message: reason + "; names of files have to be UTF-8")
  }
}

/// The most bytes of a file.
package let maximumFileSize = 64 << 20

private func readAll(_ descriptor: Int32, expecting size: Int) -> Result<[UInt8], FileProblem> {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(size + 1)
  var buffer = [UInt8](repeating: 0, count: max(4096, min(size + 1, 1 << 16)))
  while true {
    let count = read(descriptor, &buffer, buffer.count)
    if count < 0 {
      if errno == EINTR { continue }
      return .failure(FileProblem(message: lastSystemError()))
    }
    if count == 0 { return .success(bytes) }
    bytes += buffer[..<count]
    if bytes.count > maximumFileSize { return .failure(.tooLarge) }
  }
}

/// Reads the value in a JSON file.
@Sendable func readJSON(_ path: String) -> Result<Value, JSONFileFailure> {
  switch readFile(path) {
  case .failure(let problem): .failure(JSONFileFailure(problem.message))
  case .success(let bytes):
    parseJSON(bytes, refusingDuplicateKeys: true).mapError {
      JSONFileFailure($0.text(in: bytes))
    }
  }
}

/// Reads a file that is the body of an answer.
@Sendable func readContents(_ path: String) -> Result<[UInt8], JSONFileFailure> {
  readFile(path).mapError { JSONFileFailure($0.message) }
}

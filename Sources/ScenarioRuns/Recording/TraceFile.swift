import Glibc
import Traces
import Values

/// The file of a trace that is being written.
///
/// Each line is in the file as soon as it is written. The name ends with `.partial` until the trace
/// is complete, so that an older one stays until then.
package final class TraceFile {
  package let path: String
  private let temporary: String
  private let descriptor: Int32
  // A line is written before the next one comes, so no two accesses overlap.
  @exclusivity(unchecked) private var file: GrowingFile
  @exclusivity(unchecked) private var writer = TraceWriter()
  /// The bytes of the line that is written.
  @exclusivity(unchecked) private var line = OutputBytes()
  @exclusivity(unchecked) private var written: Set<String> = []
  /// The reason why something could not be written.
  @exclusivity(unchecked) package private(set) var problem: String?

  package init(_ path: String) {
    self.path = path
    temporary = path + ".partial"
    if let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
      problem = makeFolder(path[..<folder])
    }
    descriptor = open(temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    if descriptor < 0, problem == nil { problem = lastSystemError() }
    file = GrowingFile(descriptor, isMapped: false)
  }

  deinit {
    _ = file.trim()
    if descriptor >= 0 { close(descriptor) }
  }

  /// Writes the header. What happens in real time may be watched meanwhile.
  package func write(_ header: TraceHeader) {
    file = GrowingFile(descriptor, isMapped: header.isVirtual == true)
    writer.write(header).bytes.withUnsafeBufferPointer(put)
  }

  package func write(_ line: TraceLine) {
    self.line.removeBytes()
    let bodies = writer.append(line, to: &self.line)
    guard problem == nil else { return }
    for body in bodies { put(body) }
    self.line.withBytes(put)
  }

  /// Gives a complete trace its name.
  package func complete() {
    guard problem == nil else { return }
    if !file.trim() || rename(temporary, path) != 0 { problem = lastSystemError() }
  }

  /// Removes a trace that is not wanted.
  package func discard() { unlink(temporary) }

  /// Returns what was written, to search it: the lines, and behind them the large values.
  package func contents() -> [UInt8] {
    _ = file.trim()
    let paths = [temporary] + written.sorted().map { bodiesFolder(of: path) + "/" + $0 }
    return paths.flatMap { path -> [UInt8] in
      guard case .success(let bytes) = readFile(path) else { return [] }
      return bytes + [UInt8(ascii: "\n")]
    }
  }

  private func put(_ line: UnsafeBufferPointer<UInt8>) {
    guard problem == nil, !file.append(line) else { return }
    problem = lastSystemError()
  }

  private func put(_ body: TraceBody) {
    guard written.insert(body.hash).inserted else { return }
    problem = writeBody(body, beside: path)
  }
}

/// Writes a body into the folder beside a trace. Returns the reason if it cannot be written.
func writeBody(_ body: TraceBody, beside path: String) -> String? {
  let folder = bodiesFolder(of: path)
  if let message = makeFolder(folder[...]) { return message }
  return writeFile(folder + "/" + body.hash, String(decoding: body.bytes, as: UTF8.self))?.message
}

/// Makes a folder and those around it. Returns the reason if it cannot be made.
private func makeFolder(_ path: Substring) -> String? {
  var status = stat()
  if path.isEmpty || stat(String(path), &status) == 0 { return nil }
  if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
    let problem = makeFolder(path[..<slash])
  {
    return problem
  }
  return mkdir(String(path), 0o755) == 0 || errno == EEXIST ? nil : lastSystemError()
}

/// Returns the folder of the bodies of a trace: `NAME.bodies` beside `NAME.trace.jsonl`.
package func bodiesFolder(of path: String) -> String {
  for ending in [".trace.jsonl", ".jsonl"] where path.hasSuffix(ending) {
    return String(path.dropLast(ending.count)) + ".bodies"
  }
  return path + ".bodies"
}

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
  private let spares: SpareFiles?
  private let bodies: BodiesFolder
  // A line is written before the next one comes, so no two accesses overlap.
  @exclusivity(unchecked) private var file: GrowingFile?
  @exclusivity(unchecked) private var writer = TraceWriter()
  /// The bytes of the line that is written.
  @exclusivity(unchecked) private var line = OutputBytes()
  @exclusivity(unchecked) private var written: Set<String> = []
  /// True if times are those of a machine, so that no two recordings have the same.
  @exclusivity(unchecked) private var isInRealTime = false
  /// The reason why something could not be written.
  @exclusivity(unchecked) package private(set) var problem: String?

  /// - Parameter spares: The files that traces of one suite hand on.
  package init(_ path: String, _ spares: SpareFiles? = nil) {
    self.path = path
    self.spares = spares
    temporary = path + ".partial"
    bodies = BodiesFolder(of: path)
    if let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
      problem = spares.map { $0.makeFolder(path[..<folder]) } ?? makeFolder(path[..<folder])
    }
  }

  /// Opens the file, and writes the header. What happens in real time may be watched meanwhile.
  package func write(_ header: TraceHeader) {
    let isMapped = header.isVirtual == true
    isInRealTime = !isMapped
    file = isMapped ? spares?.take(for: temporary) : nil
    file = file ?? GrowingFile(at: temporary, isMapped: isMapped)
    if file == nil, problem == nil { problem = lastSystemError() }
    writer.write(header).bytes.withUnsafeBufferPointer(put)
    // Without its header it cannot be read. Another process may have a file of this name by now.
    if problem != nil, file?.isAt(temporary) == true { unlink(temporary) }
  }

  package func write(_ line: TraceLine) {
    self.line.removeBytes()
    let bodies = writer.append(line, to: &self.line)
    guard problem == nil else { return }
    for body in bodies { put(body) }
    self.line.withBytes(put)
  }

  /// Gives a complete trace its name, and removes the large values of the one that it replaces.
  ///
  /// - Parameter other: Another path than its own, to which its large values go as well.
  package func complete(at other: String? = nil) {
    guard problem == nil, let file else { return }
    let path = other ?? self.path
    let copies = other.map { BodiesFolder(of: $0) }
    if let copies { problem = copyBodies(to: copies) }
    guard problem == nil else { return }
    if other == nil, isInRealTime, let text = textLikeBefore() {
      problem = text.withUnsafeBytes { replaceFile(path, $0) }?.message
      if file.isAt(temporary) { unlink(temporary) }
    } else if let spares, let contents = file.wholeContents, replaceFile(path, contents) == nil {
      keep(file, in: spares)
      // Else there may be no room for a copy. The trace itself is smaller than the mapped file.
    } else if !file.trim() {
      problem = lastSystemError()
    } else if !file.isAt(temporary) || rename(temporary, path) != 0 || !file.isAt(path) {
      // Another process records the same scenario, and took the name for its own file.
      problem = file.contents().withUnsafeBytes { replaceFile(path, $0) }?.message
    }
    guard problem == nil else { return }
    bodies.removeUnused()
    copies?.removeUnused()
  }

  /// Returns the text with the lines of the trace that it replaces where they are equal; nil if
  /// there is no such trace.
  private func textLikeBefore() -> [UInt8]? {
    guard file?.trim() == true, case .success(let old) = readFile(path),
      case .success(let new) = readFile(temporary), let before = ReadTrace(old).onlyRun,
      let after = ReadTrace(new).onlyRun
    else { return nil }
    return textKeepingLines(of: before, in: after)
  }

  /// Copies the large values. Returns the reason if one cannot be written.
  private func copyBodies(to copies: BodiesFolder) -> String? {
    for hash in written.sorted() {
      guard case .success(let bytes) = readFile(bodies.file(of: hash)) else { continue }
      if let problem = copies.write(TraceBody(hash: hash, bytes: bytes)) { return problem }
    }
    return nil
  }

  /// Removes a trace that is not wanted.
  package func discard() {
    if let spares, let file, file.wholeContents != nil {
      keep(file, in: spares)
    } else {
      unlink(temporary)
    }
    bodies.removeUnused()
  }

  private func keep(_ file: GrowingFile, in spares: SpareFiles) {
    spares.keep(file, at: temporary)
    self.file = nil
  }

  /// Returns what was written, to search it: the lines, and behind them the large values.
  package func contents() -> [UInt8] {
    var all: [UInt8] = []
    var paths = written.sorted().map { bodies.file(of: $0) }
    if let contents = file?.wholeContents {
      all = Array(contents)
    } else {
      _ = file?.trim()
      paths.insert(temporary, at: 0)
    }
    for path in paths {
      guard case .success(let bytes) = readFile(path) else { continue }
      all += bytes + [UInt8(ascii: "\n")]
    }
    return all
  }

  private func put(_ line: UnsafeBufferPointer<UInt8>) {
    guard problem == nil, let file, !file.append(line) else { return }
    problem = lastSystemError()
  }

  private func put(_ body: TraceBody) {
    guard written.insert(body.hash).inserted else { return }
    problem = bodies.write(body)
  }
}

/// Makes a folder and those around it. Returns the reason if it cannot be made.
func makeFolder(_ path: Substring) -> String? {
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
  // A killed run leaves its trace under the name that it has until it is complete.
  let partial = ".partial"
  if path.hasSuffix(partial) { return bodiesFolder(of: withoutEnding(path, partial)) }
  for ending in [".trace.jsonl", ".jsonl"] where path.hasSuffix(ending) {
    return withoutEnding(path, ending) + ".bodies"
  }
  return path + ".bodies"
}

/// Returns a path without an ending in ASCII that it has.
private func withoutEnding(_ path: String, _ ending: String) -> String {
  String(Substring(path.utf8.dropLast(ending.utf8.count)))
}

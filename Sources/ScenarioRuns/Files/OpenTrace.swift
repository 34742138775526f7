import Glibc
import LiveWorld
import Protocols
import Traces
import Values

/// The most bytes of a trace. Its lines stay in a file, so that it may be larger than others.
package let maximumTraceSize = 4 << 30

/// Opens a trace that the command line names, whose lines are read when they are needed. What comes
/// through a pipe or is compressed waits in a file of its own until then.
package func openTrace(_ path: String) -> Result<TraceBytes, FileProblem> {
  if isPiped(path) { return pipedTrace(path) }
  return openBytes(path).flatMap { bytes in
    bytes.bytes(0..<2).elementsEqual(gzipBeginning) ? readPieces(of: path) : .success(bytes)
  }
}

/// How a file of gzip begins.
private let gzipBeginning: [UInt8] = [0x1F, 0x8B]

/// A log that arrives in pieces, which are expanded if it is compressed with gzip.
package struct ArrivingLog {
  private var decoder: ContentDecoder?
  private var isBegun = false
  /// The reason why what follows cannot be read.
  package private(set) var problem: FileProblem?

  package init() {}

  /// Returns what a piece holds.
  package mutating func expanded(_ bytes: [UInt8]) -> [UInt8] {
    if !isBegun, bytes.starts(with: gzipBeginning) {
      decoder = ContentDecoder(.gzip, limit: maximumTraceSize)
    }
    isBegun = isBegun || !bytes.isEmpty
    return decoder?.receive(bytes).flatMap { held(by: $0) } ?? bytes
  }

  /// Ends the log.
  package mutating func finish() { _ = decoder?.finish().flatMap { held(by: $0) } }

  private mutating func held(by item: ContentItem) -> [UInt8] {
    switch item {
    case .bytes(let bytes): return bytes
    case .problem(.expandedBodyTooLarge): problem = .traceTooLarge
    case .problem:
      problem = FileProblem(message: "it is no whole gzip: it ends too early, or was changed")
    }
    return []
  }
}

extension FileProblem {
  fileprivate static let traceTooLarge = FileProblem(
    message: "it is larger than \(maximumTraceSize >> 30) GiB, the limit for one trace")
}

/// Reads a pipe to its end.
private func pipedTrace(_ path: String) -> Result<TraceBytes, FileProblem> {
  if let bytes = Supervision.keptInput(of: path) { return .success(TraceBytes(bytes)) }
  let read = readPieces(of: path)
  if case .success(let bytes) = read, bytes.count <= maximumFileSize {
    Supervision.keep(input: bytes.count, of: path) { bytes.bytes($0) }
  }
  return read
}

private func readPieces(of path: String) -> Result<TraceBytes, FileProblem> {
  openPipe(path).flatMap { descriptor in
    defer { close(descriptor) }
    return spooled { readPiece(descriptor) }
  }
}

extension ArrivingLog {
  /// The bytes that are read at once. They may expand to a thousand times as many.
  fileprivate static let pieceSize = 1 << 14
}

/// Waits for bytes; none at the end.
private func readPiece(_ descriptor: Int32) -> Result<[UInt8], FileProblem> {
  var problem: FileProblem?
  let piece = [UInt8](unsafeUninitializedCapacity: ArrivingLog.pieceSize) { buffer, done in
    var count = read(descriptor, buffer.baseAddress, buffer.count)
    while count < 0, errno == EINTR { count = read(descriptor, buffer.baseAddress, buffer.count) }
    if count < 0 { problem = FileProblem(message: lastSystemError()) }
    done = max(0, count)
  }
  return problem.map { .failure($0) } ?? .success(piece)
}

/// Puts aside what comes until a piece is empty, or until a line is too long to be read.
private func spooled(
  _ next: () -> Result<[UInt8], FileProblem>
) -> Result<TraceBytes, FileProblem> {
  let spool = TraceSpool()
  var log = ArrivingLog()
  while spool.hasRoom, log.problem == nil {
    switch next() {
    case .failure(let problem): return .failure(problem)
    case .success([]):
      log.finish()
      return log.problem.map { .failure($0) } ?? spool.finish()
    case .success(let bytes): spool.append(log.expanded(bytes))
    }
  }
  return log.problem.map { .failure($0) } ?? spool.finish()
}

private func openBytes(_ path: String) -> Result<TraceBytes, FileProblem> {
  // Opening a pipe that nobody writes to would otherwise wait forever.
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  var status = stat()
  guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
    if descriptor >= 0 { close(descriptor) }
    return readFile(path).map { TraceBytes($0) }
  }
  let size = Int(status.st_size)
  guard size <= maximumTraceSize else {
    close(descriptor)
    return .failure(.traceTooLarge)
  }
  return .success(TraceBytes(file: descriptor, count: size))
}

/// A trace that comes through a pipe or is made from another file. A long one waits in a file that
/// has no name, so that it takes no memory and nothing is left of it.
package final class TraceSpool {
  private var bytes: [UInt8] = []
  private var file: Int32?
  private var written = 0
  /// The bytes of the last line so far.
  private var lineLength = 0
  private var problem: FileProblem?
  private static let mostInMemory = 64 << 10

  package init() {}

  deinit { if let file { close(file) } }

  package var count: Int { written + bytes.count }

  /// False if nothing more can be taken, or nothing more would be read.
  package var hasRoom: Bool {
    problem == nil && count <= maximumTraceSize && lineLength <= TraceLimit.lineBytes
  }

  package func append(_ more: [UInt8]) {
    if let end = more.lastIndex(of: UInt8(ascii: "\n")) {
      lineLength = more.count - end - 1
    } else {
      lineLength += more.count
    }
    bytes += more
    if bytes.count > TraceSpool.mostInMemory { write() }
  }

  package func finish() -> Result<TraceBytes, FileProblem> {
    if count > maximumTraceSize { problem = problem ?? .traceTooLarge }
    if file != nil { write() }
    if let problem { return .failure(problem) }
    guard let file else { return .success(TraceBytes(bytes)) }
    self.file = nil
    return .success(TraceBytes(file: file, count: written))
  }

  private func write() {
    defer { bytes.removeAll(keepingCapacity: true) }
    file = file ?? TraceSpool.namelessFile()
    guard problem == nil, let file else { return fail() }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(file, $0.baseAddress! + done, $0.count - done, off_t(written))
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return fail() }
      (done, written) = (done + count, written + count)
    }
  }

  private func fail() {
    problem =
      problem ?? FileProblem(message: "it cannot be put aside to be read: \(lastSystemError())")
  }

  private static func namelessFile() -> Int32? {
    for folder in ["/var/tmp", "/tmp"] {
      var name = Array("\(folder)/rehearse-trace-XXXXXX".utf8CString)
      let file = mkstemp(&name)
      guard file >= 0 else { continue }
      unlink(name)
      _ = fcntl(file, F_SETFD, FD_CLOEXEC)
      return file
    }
    return nil
  }
}

/// Returns when a file was changed last, which is the best guess of when a trace without a date was
/// recorded. What comes out of a pipe was just written.
package func lastChange(of path: String) -> Timestamp {
  var status = stat()
  guard !isPiped(path), stat(path, &status) == 0 else {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Timestamp(seconds: now.tv_sec, nanoseconds: Int32(now.tv_nsec))
  }
  return Timestamp(
    seconds: status.st_mtim.tv_sec, nanoseconds: Int32(status.st_mtim.tv_nsec))
}

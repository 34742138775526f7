import Glibc
import Protocols
import Traces
import Values

/// The most bytes of a trace. Its lines stay in the file, so that it may be larger than others.
package let maximumTraceSize = 4 << 30

/// Opens a trace that the command line names, whose lines are read when they are needed. Standard
/// input and pipes are read to their end.
package func openTrace(_ path: String) -> Result<TraceBytes, FileProblem> {
  if isPiped(path) {
    return readInput(path).flatMap { bytes in
      bytes.starts(with: gzipBeginning) ? expanded(bytes) : .success(bytes)
    }.map { TraceBytes($0) }
  }
  return openBytes(path).flatMap { bytes in
    let isCompressed = bytes.withLine(at: 0) { line, _ in line.starts(with: gzipBeginning) }
    // The zeros at its end are a part of it.
    return isCompressed
      ? readInput(path).flatMap(expanded).map { TraceBytes($0) } : .success(bytes)
  }
}

/// How a file of gzip begins.
private let gzipBeginning: [UInt8] = [0x1F, 0x8B]

/// A log that comes through a pipe: its pieces are expanded if it is compressed with gzip.
package struct ArrivingLog {
  private var decoder: ContentDecoder?
  private var isBegun = false

  package init() {}

  /// Returns what a piece holds. Bytes that are no gzip end the log.
  package mutating func expanded(_ bytes: [UInt8]) -> [UInt8] {
    if !isBegun, bytes.starts(with: gzipBeginning) {
      decoder = ContentDecoder(.gzip, limit: .max)
    }
    isBegun = true
    guard let items = decoder?.receive(bytes) else { return bytes }
    var expanded: [UInt8] = []
    for case .bytes(let bytes) in items { expanded += bytes }
    return expanded
  }
}

/// Expands a file of gzip.
private func expanded(_ bytes: [UInt8]) -> Result<[UInt8], FileProblem> {
  var decoder = ContentDecoder(.gzip, limit: maximumExpandedSize)
  var expanded: [UInt8] = []
  for item in decoder.receive(bytes) + decoder.finish() {
    switch item {
    case .bytes(let bytes): expanded += bytes
    case .problem(.expandedBodyTooLarge):
      return .failure(
        FileProblem(
          message: "it expands to more than \(maximumExpandedSize >> 20) MiB, the limit for one "
            + "that is compressed"))
    case .problem:
      return .failure(
        FileProblem(message: "it is no whole gzip: it ends too early, or was changed"))
    }
  }
  return .success(expanded)
}

/// The most bytes to which a compressed trace may expand, since they lie in memory.
private let maximumExpandedSize = 256 << 20

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
    return .failure(
      FileProblem(
        message: "it is larger than \(maximumTraceSize >> 30) GiB, the limit for one trace"))
  }
  return .success(TraceBytes(file: descriptor, count: size))
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

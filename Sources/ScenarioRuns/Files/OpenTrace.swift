import Glibc
import Traces

/// The most bytes of a trace. Its lines stay in the file, so that it may be larger than others.
package let maximumTraceSize = 4 << 30

/// Opens a trace, whose lines are read when they are needed.
package func openTrace(_ path: String) -> Result<TraceBytes, FileProblem> {
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

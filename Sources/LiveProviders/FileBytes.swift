import Glibc
import Lists

/// The most bytes of a file that a provider reads.
let largestFile = 64 << 20

/// Reads a whole file.
func fileBytes(at path: String) throws(ProviderError) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw fileProblem(errno) }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = Glibc.read(descriptor, &piece, piece.count)
    if count == 0 { return bytes }
    if count < 0 {
      if errno == EINTR { continue }
      throw fileProblem(errno)
    }
    guard bytes.count + count <= largestFile else { throw fileProblem(EFBIG) }
    bytes += piece[..<count]
  }
}

private func fileProblem(_ number: Int32) -> ProviderError {
  let error = SystemError(number: number, description: String(cString: strerror(number)))
  return ProviderError(number == ENOENT ? .fileNotFound : .fileError, cause: error)
}

/// An error of the system, such as a file that may not be read.
public struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The number of the error (`errno`).
  public var number: Int32
  /// The system's text.
  public var description: String
}

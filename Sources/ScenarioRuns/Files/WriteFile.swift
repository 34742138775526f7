import Glibc
import TextSearch

/// A snapshot or a trace that could not be written, and the reason.
package struct UnwrittenFile: Sendable, Equatable {
  package var path: String
  package var message: String
}

/// Writes a file completely or not at all: the old text stays until the new text is complete.
package func writeFile(_ path: String, _ text: String) -> FileProblem? {
  if isSpecialFile(path) { return writeDirectly(path, text) }
  if isLink(path) { return writeFile(behind: path, text) }
  var text = text
  return text.withUTF8 { replaceFile(path, UnsafeRawBufferPointer($0)) }
}

/// Writes a file beside a path, and gives it this name when it is complete.
func replaceFile(_ path: String, _ bytes: UnsafeRawBufferPointer) -> FileProblem? {
  let temporary = "\(path).\(getpid()).partial"
  if let problem = writeDirectly(temporary, bytes) {
    unlink(temporary)
    return problem
  }
  guard rename(temporary, path) == 0 else {
    let problem = FileProblem(message: lastSystemError())
    unlink(temporary)
    return problem
  }
  return nil
}

/// Removes the file of an earlier run, so that nobody reads it as that of the run that begins. If
/// the path is a link, the file behind it is removed. Devices and pipes stay.
package func removeOldFile(_ path: String) {
  if isSpecialFile(path) || isLinkToOpenFile(path) { return }
  guard isLink(path) else {
    unlink(path)
    return
  }
  guard let target = realpath(path, nil) else { return }
  defer { free(target) }
  unlink(target)
}

/// Returns whether the path is a device or a pipe, which can be written but not replaced.
private func isSpecialFile(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
}

private func isLink(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
}

/// Follows a link, so that the link stays. `/dev/stdout` leads to a file that other programs write
/// as well, so that the text goes behind theirs.
private func writeFile(behind link: String, _ text: String) -> FileProblem? {
  if isLinkToOpenFile(link) { return writeDirectly(link, text, how: O_APPEND) }
  guard let target = realpath(link, nil) else { return writeDirectly(link, text) }
  defer { free(target) }
  return writeFile(String(cString: target), text)
}

private func isLinkToOpenFile(_ path: String) -> Bool {
  [path, destination(of: path)].contains { $0.hasPrefix("/dev/") || $0.hasPrefix("/proc/") }
}

private func destination(of link: String) -> String {
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = readlink(link, &buffer, buffer.count)
  return String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
}

private func writeDirectly(
  _ path: String, _ text: String, how: Int32 = O_TRUNC
) -> FileProblem? {
  var text = text
  return text.withUTF8 { writeDirectly(path, UnsafeRawBufferPointer($0), how: how) }
}

private func writeDirectly(
  _ path: String, _ bytes: UnsafeRawBufferPointer, how: Int32 = O_TRUNC
) -> FileProblem? {
  let descriptor = open(path, O_WRONLY | O_CREAT | how | O_CLOEXEC, 0o644)
  guard descriptor >= 0 else { return FileProblem(message: lastSystemError()) }
  var problem: FileProblem?
  if !writeAll(bytes, to: descriptor) { problem = FileProblem(message: lastSystemError()) }
  if close(descriptor) != 0, problem == nil { problem = FileProblem(message: lastSystemError()) }
  return problem
}

/// Writes all of a text. Returns false if the system refuses; `errno` has the reason.
package func writeAll(_ text: String, to descriptor: Int32) -> Bool {
  var text = text
  return text.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
}

/// Writes all of some bytes; see `writeAll` for text.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
}

func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
  var done = 0
  while done < bytes.count {
    let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
    let count = write(descriptor, rest.baseAddress, rest.count)
    if count < 0 {
      if errno == EINTR { continue }
      return false
    }
    done += count
  }
  return true
}

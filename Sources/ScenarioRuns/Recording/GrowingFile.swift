import Glibc
import TextSearch

/// A file that is written at its end. What is appended is in the file at once, also if the process
/// is killed then.
///
/// The end of the file is mapped into memory, since a call of the system for each line would take
/// most of the time. The rest of the mapped part holds zero bytes until the file is trimmed.
final class GrowingFile {
  private let descriptor: Int32
  /// False if each piece is written by a call, as on a file that cannot be mapped.
  private var isMapped: Bool
  private var window: UnsafeMutableRawBufferPointer?
  /// The place of the window in the file.
  private var start = 0
  private var length = 0
  /// The place at which the next call writes.
  private var place = 0

  private static let smallestWindow = 64 << 10
  private static let largestWindow = 1 << 20
  private static let pageSize = sysconf(Int32(_SC_PAGESIZE))

  /// Opens an empty file, in place of the one that is there; nil if the system refuses, with the
  /// reason in `errno`.
  ///
  /// - Parameter isMapped: False if others read the file while it is written.
  init?(at path: String, isMapped: Bool) {
    // Another process may have mapped the file of this name, and would end if it became shorter. So
    // it only loses its name, and may get another one at any moment.
    var opened: Int32 = -1
    for _ in 0..<GrowingFile.mostTries where opened < 0 {
      unlink(path)
      opened = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
      if opened < 0, errno != EEXIST { break }
    }
    descriptor = opened
    self.isMapped = isMapped
    guard descriptor >= 0 else { return nil }
  }

  /// How often a name is tried that other processes take meanwhile.
  private static let mostTries = 100

  /// Returns whether this file has a name, and not one that another process made.
  func isAt(_ path: String) -> Bool { ScenarioRuns.isAt(path, descriptor) }

  deinit {
    _ = trim()
    if descriptor >= 0 { close(descriptor) }
  }

  /// Appends a line. Returns false if the system refuses; `errno` has the reason.
  func append(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard isMapped, let room = room(for: line.count) else { return write(line) }
    // The end of a line is written last, so that a line that has its end is complete.
    let end = line.count - 1
    room.copyBytes(from: line[..<end])
    room[end] = line[end]
    length += line.count
    return true
  }

  /// Cuts off what was mapped and not written. Returns false if the system refuses.
  func trim() -> Bool {
    guard let window else { return true }
    munmap(window.baseAddress, window.count)
    self.window = nil
    return ftruncate(descriptor, off_t(length)) == 0
  }

  /// All that was written, if it is mapped as a whole.
  var wholeContents: UnsafeRawBufferPointer? {
    guard let window, start == 0 else { return nil }
    return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(window)[..<length])
  }

  /// Reads all that was written, whatever name the file has now.
  func contents() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: length) { buffer, done in
      while done < length, let first = buffer.baseAddress {
        let got = pread(descriptor, first + done, length - done, off_t(done))
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { return }
        done += got
      }
    }
  }

  /// Takes back all that was written, which is mapped as a whole.
  func clear() {
    guard let window, start == 0 else { return }
    window.baseAddress?.initializeMemory(as: UInt8.self, repeating: 0, count: length)
    length = 0
  }

  /// Returns the part of the window behind the end of the file; nil if it cannot be mapped.
  private func room(for count: Int) -> UnsafeMutableRawBufferPointer? {
    if let window, length + count <= start + window.count {
      return UnsafeMutableRawBufferPointer(rebasing: window[(length - start)...])
    }
    guard let window = moveWindow(for: count) else {
      isMapped = false
      return nil
    }
    return UnsafeMutableRawBufferPointer(rebasing: window[(length - start)...])
  }

  private func moveWindow(for count: Int) -> UnsafeMutableRawBufferPointer? {
    let doubled = (window?.count ?? GrowingFile.smallestWindow / 2) * 2
    if let window { munmap(window.baseAddress, window.count) }
    window = nil
    start = length / GrowingFile.pageSize * GrowingFile.pageSize
    let wanted = max(min(doubled, GrowingFile.largestWindow), length - start + count)
    let size = (wanted + GrowingFile.pageSize - 1) / GrowingFile.pageSize * GrowingFile.pageSize
    // Without its space on the disk, a mapped page could not be written, which ends the process.
    guard posix_fallocate(descriptor, off_t(start), off_t(size)) == 0,
      let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(start)),
      memory != MAP_FAILED
    else {
      _ = ftruncate(descriptor, off_t(length))
      return nil
    }
    window = UnsafeMutableRawBufferPointer(start: memory, count: size)
    return window
  }

  private func write(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    // What is mapped does not move the place at which the next call writes.
    if place != length { lseek(descriptor, off_t(length), SEEK_SET) }
    length += line.count
    place = length
    return writeAll(UnsafeRawBufferPointer(line), to: descriptor)
  }
}

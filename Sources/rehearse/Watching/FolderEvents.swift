import Glibc

/// The notices of the system that something in a folder has changed.
///
/// Without them, as on some network drives, files are looked at again and again.
final class FolderEvents {
  private let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
  private var watched: Set<String> = []

  /// True if the system gives notices.
  var areAvailable: Bool { descriptor >= 0 }
  /// The number of waits after which files are looked at without a notice.
  var longestQuiet: Int { areAvailable ? 50 : 2 }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func watch(_ folder: String) {
    guard descriptor >= 0, watched.insert(folder).inserted else { return }
    let events =
      IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_MODIFY
    _ = inotify_add_watch(descriptor, folder.isEmpty ? "." : folder, UInt32(events))
  }

  /// Waits for a notice, at most so many milliseconds, and returns whether there was one.
  func wait(atMost milliseconds: Int32) -> Bool {
    guard descriptor >= 0 else {
      usleep(UInt32(milliseconds) * 1_000)
      return false
    }
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) > 0 else { return false }
    var notices = [UInt8](repeating: 0, count: 16_384)
    while read(descriptor, &notices, notices.count) > 0 {}
    return true
  }
}

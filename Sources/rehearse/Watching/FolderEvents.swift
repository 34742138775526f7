import Glibc

/// The notices of the system that something in a folder has changed.
///
/// Without them, as on some network drives, files are looked at again and again.
final class FolderEvents {
  /// The contents of a notice, so that only a few files of a large suite are read.
  struct Notice: Equatable {
    /// The folders in which something has changed; nil stands for all of them.
    var folders: Set<String>? = []
    /// True if files may have come or gone.
    var mayHaveOtherFiles = false

    static let ofAnything = Notice(folders: nil, mayHaveOtherFiles: true)

    var isEmpty: Bool { folders?.isEmpty ?? false }

    mutating func add(_ other: Notice) {
      folders = folders.flatMap { mine in other.folders.map(mine.union) }
      mayHaveOtherFiles = mayHaveOtherFiles || other.mayHaveOtherFiles
    }
  }

  private let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
  private var watched: Set<String> = []
  /// By the number of a watch: its folder, in all ways in which it was named.
  private var folders: [Int32: Set<String>] = [:]
  private static let ofWrites = UInt32(IN_CLOSE_WRITE | IN_ATTRIB | IN_MODIFY)
  private static let ofOtherFiles = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)

  /// True if the system gives notices.
  var areAvailable: Bool { descriptor >= 0 }
  /// The number of waits after which files are looked at without a notice.
  var longestQuiet: Int { areAvailable ? 50 : 2 }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func watch(_ folder: String) {
    guard descriptor >= 0, watched.insert(folder).inserted else { return }
    let events = FolderEvents.ofWrites | FolderEvents.ofOtherFiles
    let number = inotify_add_watch(descriptor, folder.isEmpty ? "." : folder, events)
    // A folder that is not there yet may be there the next time.
    if number < 0 { watched.remove(folder) } else { folders[number, default: []].insert(folder) }
  }

  /// Waits for notices, at most so many milliseconds, and returns what they say.
  func wait(atMost milliseconds: Int32) -> Notice {
    guard descriptor >= 0 else {
      usleep(UInt32(milliseconds) * 1_000)
      return Notice()
    }
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) > 0 else { return Notice() }
    var notice = Notice()
    var bytes = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      if count <= 0 { return notice }
      bytes[..<count].withUnsafeBytes { notice.add(notices(in: $0)) }
    }
  }

  private func notices(in bytes: UnsafeRawBufferPointer) -> Notice {
    var notice = Notice()
    var place = 0
    let size = MemoryLayout<inotify_event>.size
    while place + size <= bytes.count {
      let event = bytes.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
      place += size + Int(event.len)
      notice.add(self.notice(of: event))
    }
    return notice
  }

  private func notice(of event: inotify_event) -> Notice {
    // Notices were lost, or the folder itself is gone.
    guard let names = folders[event.wd], event.mask & UInt32(IN_IGNORED) == 0 else {
      if let gone = folders.removeValue(forKey: event.wd) { watched.subtract(gone) }
      return .ofAnything
    }
    return Notice(
      folders: names, mayHaveOtherFiles: event.mask & FolderEvents.ofOtherFiles != 0)
  }
}

import Glibc
import Synchronization
import TextSearch

/// The state of a file by which a change of it is noticed.
package struct FileStamp: Equatable, Sendable {
  private let file: UInt
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// Returns nil if there is no such file.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    file = UInt(status.st_ino)
    size = Int(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}

/// The files that a load and its runs have looked for, each with its state before it was read.
///
/// An edit that is saved while the file is read is later than this state, so that it is not lost. A
/// file that was not there counts as well: it may be written later.
package final class FileReads: Sendable {
  private let known = Mutex<[String: FileStamp?]>([:])

  package init() {}

  package var stamps: [String: FileStamp?] { known.withLock { $0 } }

  /// Notes the state of a file that is about to be read for the first time.
  package func willRead(_ path: String) {
    // Each command of Git changes its folder, of which only the presence matters.
    if path == ".git" || path.hasSuffix("/.git") { return }
    known.withLock { known in
      if known[path] == nil { known.updateValue(FileStamp(path), forKey: path) }
    }
  }

  /// The files on disk, of which each read is noted.
  package var files: ComponentFiles {
    var files = ComponentFiles(
      read: { [self] path in
        willRead(path)
        return ComponentFiles.onDisk.read(path)
      }, names: ComponentFiles.onDisk.names)
    files.willRead = { [self] in willRead($0) }
    return files
  }
}

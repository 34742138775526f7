import CSQLite

/// The part of a database file's head that changes with every commit to it, read without a lock.
///
/// Asking SQLite whether others have committed takes locks and gives them back. As long as these
/// bytes are the same, nothing was committed; unless the file has a write-ahead log, since commits
/// go there.
struct FileHead: Equatable {
  private var modes: UInt64 = 0
  private var counter: UInt64 = 0

  /// Nil if it cannot be read, or does not tell.
  init?(_ file: UnsafeMutablePointer<sqlite3_file>) {
    let size = Int32(MemoryLayout<FileHead>.size)
    let code = withUnsafeMutableBytes(of: &self) {
      file.pointee.pMethods?.pointee.xRead?(file, $0.baseAddress, size, 16)
    }
    // A file without any content is short, and reads as zeros.
    guard code == SQLITE_OK || code == shortRead, !hasLog else { return nil }
  }

  /// The byte after the page size and the version for writers is the version for readers.
  private var hasLog: Bool { UInt64(littleEndian: modes) >> 24 & 0xff == 2 }

  /// The file behind a connection, which stays the same while that is open.
  static func file(of handle: OpaquePointer) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    return code == SQLITE_OK && file?.pointee.pMethods != nil ? file : nil
  }
}

private let shortRead = SQLITE_IOERR | 2 << 8

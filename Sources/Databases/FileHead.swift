import CSQLite

/// The part of a database file's head that changes with every commit to it, read without a lock.
///
/// Asking SQLite about other commits takes locks and releases them. While these bytes stay the
/// same, nothing was committed. A file with a write-ahead log is the exception, because commits go
/// to the log.
struct FileHead: Equatable {
  private var modes: UInt64 = 0
  private var counter: UInt64 = 0

  /// Reads the head; nil if it cannot be read or does not show commits.
  init?(_ file: UnsafeMutablePointer<sqlite3_file>) {
    let size = Int32(MemoryLayout<FileHead>.size)
    let code = withUnsafeMutableBytes(of: &self) {
      file.pointee.pMethods?.pointee.xRead?(file, $0.baseAddress, size, 16)
    }
    // A file without content is short, and reads as zeros.
    guard code == SQLITE_OK || code == shortRead, !hasLog else { return nil }
  }

  /// True if readers use a write-ahead log. The byte after the page size and the write version has
  /// the read version.
  private var hasLog: Bool { UInt64(littleEndian: modes) >> 24 & 0xff == 2 }

  /// Returns the file of a connection, which stays the same while the connection is open.
  static func file(of handle: OpaquePointer) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    return code == SQLITE_OK && file?.pointee.pMethods != nil ? file : nil
  }
}

private let shortRead = SQLITE_IOERR | 2 << 8

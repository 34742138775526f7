import Glibc
import Synchronization

/// The place where a license is kept between two runs of the program.
///
/// The bytes contain the license key. A storage keeps them from other users of the machine.
public protocol LicenseStorage: Sendable {
  /// Returns what was saved last; nil if there is nothing yet.
  func load() throws -> [UInt8]?

  /// Replaces what is kept, all of it or nothing.
  func save(_ bytes: [UInt8]) throws
}

/// The reason why a file cannot be read or written.
public struct LicenseStorageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The path of the file.
  public var path: String
  /// The system's text.
  public var reason: String

  /// The path and the reason.
  public var description: String { "\(path): \(reason)" }

  fileprivate init(_ path: String) {
    self.path = path
    reason = String(cString: strerror(errno))
  }
}

/// A storage in one file, which only its owner can read.
///
/// A save writes another file and then renames it, so a crash leaves the old content or the new.
public struct FileLicenseStorage: LicenseStorage {
  /// The path of the file.
  public let path: String

  /// Makes a storage. The folder of the file must exist.
  public init(path: String) { self.path = path }

  /// Reads the file; nil if it does not exist.
  public func load() throws -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    if file < 0, errno == ENOENT { return nil }
    guard file >= 0 else { throw LicenseStorageError(path) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16_384)
    while bytes.count <= LicenseCache.mostBytes {
      let count = read(file, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw LicenseStorageError(path) }
      if count == 0 { break }
      bytes += piece[..<count]
    }
    return bytes
  }

  /// Writes the file with mode 600.
  public func save(_ bytes: [UInt8]) throws {
    let draft = "\(path).new"
    // What a crash left there may have another mode.
    unlink(draft)
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw LicenseStorageError(draft) }
    let isWritten = write(bytes, to: file) && fsync(file) == 0
    let failure = isWritten ? nil : LicenseStorageError(draft)
    close(file)
    if let failure {
      unlink(draft)
      throw failure
    }
    guard rename(draft, path) == 0 else { throw LicenseStorageError(path) }
  }

  private func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

/// A storage that ends with the program.
public final class MemoryLicenseStorage: LicenseStorage {
  private let bytes: Mutex<[UInt8]?>

  /// Makes a storage with what an earlier run has left.
  public init(_ bytes: [UInt8]? = nil) { self.bytes = Mutex(bytes) }

  /// Returns what was saved last.
  public func load() -> [UInt8]? { bytes.withLock { $0 } }

  /// Keeps the bytes.
  public func save(_ bytes: [UInt8]) { self.bytes.withLock { $0 = bytes } }
}

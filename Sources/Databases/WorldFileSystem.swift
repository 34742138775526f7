import CSQLite
import Glibc
import Values

/// A file system for SQLite that is the machine's except for clock, randomness and sleep, which are
/// the scenario's. It is registered while this object lives.
final class WorldFileSystem {
  /// The next number of the seeded generator.
  let nextNumber: () -> UInt64
  private let now: () -> Timestamp
  private let files: UnsafeMutablePointer<WorldFiles>

  init?(_ world: DatabaseWorld) {
    _ = WorldFileSystem.hasNoTimeZone
    guard sqlite3_initialize() == SQLITE_OK, let machine = sqlite3_vfs_find(nil) else {
      return nil
    }
    now = world.now
    nextNumber = world.random
    files = .allocate(capacity: 1)
    files.initialize(to: WorldFiles(system: machine.pointee, fileSystem: nil))
    files.pointee.fileSystem = Unmanaged.passUnretained(self)
    files.pointee.system.pNext = nil
    files.pointee.system.zName = UnsafePointer(strdup("rehearsal-\(UInt(bitPattern: files))"))
    replaceSenses()
    sqlite3_vfs_register(system, 0)
  }

  deinit {
    sqlite3_vfs_unregister(system)
    free(UnsafeMutablePointer(mutating: name))
    files.deinitialize(count: 1)
    files.deallocate()
  }

  /// The name by which a connection finds this file system.
  var name: UnsafePointer<CChar>? { files.pointee.system.zName }

  private var system: UnsafeMutablePointer<sqlite3_vfs> {
    UnsafeMutableRawPointer(files).assumingMemoryBound(to: sqlite3_vfs.self)
  }

  private func replaceSenses() {
    files.pointee.system.xSleep = { _, microseconds in microseconds }
    files.pointee.system.xRandomness = { system, count, bytes in
      guard let fileSystem = WorldFileSystem.behind(system), let bytes else { return 0 }
      fileSystem.fill(UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)))
      return count
    }
    files.pointee.system.xCurrentTimeInt64 = { system, time in
      guard let fileSystem = WorldFileSystem.behind(system) else { return SQLITE_ERROR }
      time?.pointee = fileSystem.julianMilliseconds
      return SQLITE_OK
    }
    files.pointee.system.xCurrentTime = { system, time in
      guard let fileSystem = WorldFileSystem.behind(system) else { return SQLITE_ERROR }
      time?.pointee = Double(fileSystem.julianMilliseconds) / 86_400_000
      return SQLITE_OK
    }
  }

  private static func behind(_ system: UnsafeMutablePointer<sqlite3_vfs>?) -> WorldFileSystem? {
    system.flatMap {
      UnsafeMutableRawPointer($0).assumingMemoryBound(to: WorldFiles.self).pointee.fileSystem?
        .takeUnretainedValue()
    }
  }

  /// The present time in SQLite's count: milliseconds since noon of 24 November 4714 BC.
  private var julianMilliseconds: Int64 {
    let now = now()
    let (whole, isBeyond) = Int64(now.seconds).multipliedReportingOverflow(by: 1_000)
    guard !isBeyond, abs(whole) < 1 << 50 else { return -1 }
    return whole + Int64(now.nanoseconds / 1_000_000) + 210_866_760_000_000
  }

  /// Fills memory from the seeded generator, the lowest byte of each number first.
  func fill(_ bytes: UnsafeMutableRawBufferPointer) {
    var number: UInt64 = 0
    for index in bytes.indices {
      number = index % 8 == 0 ? nextNumber() : number >> 8
      bytes[index] = UInt8(truncatingIfNeeded: number)
    }
  }

  /// True after the only call, on first use, which affects the whole process.
  private static let hasNoTimeZone = csqlite_have_no_time_zone() == SQLITE_OK
}

/// SQLite's table of a file system, followed by the pointer to its owner.
private struct WorldFiles {
  var system: sqlite3_vfs
  var fileSystem: Unmanaged<WorldFileSystem>?
}

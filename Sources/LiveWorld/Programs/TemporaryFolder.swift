import CLinux
import Glibc

/// A folder for what a program writes during one run. It is empty at first, and is removed with
/// this object.
///
/// Its path is made of names and not of random letters: a program may write it, and two runs are
/// the same to the byte. If another run has the folder at this time, the next number is taken.
final class TemporaryFolder {
  let path: String
  /// Keeps the lock that says the folder is in use. The system takes it back from a process that
  /// was killed, so that the next run uses the folder again.
  private let lock: Int32

  private static let mostInUse = 10_000

  init?(named names: [String]) {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let own = (base.isEmpty ? "/tmp" : base) + "/rehearse-\(getuid())"
    guard TemporaryFolder.isOwn(own) else { return nil }
    let name = names.map(TemporaryFolder.word).joined(separator: ".")
    for number in 1...TemporaryFolder.mostInUse {
      let path = "\(own)/\(name)" + (number == 1 ? "" : ".\(number)")
      guard let lock = TemporaryFolder.take(path) else { continue }
      (self.path, self.lock) = (path, lock)
      return
    }
    return nil
  }

  deinit {
    _ = clinux_remove_tree(path)
    close(lock)
  }

  /// Makes the folder of a user, and returns whether nobody else can write to it.
  private static func isOwn(_ path: String) -> Bool {
    _ = mkdir(path, 0o700)
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == getuid() && status.st_mode & 0o022 == 0
  }

  /// Makes an empty folder, and returns its lock; nil if another run has it.
  private static func take(_ path: String) -> Int32? {
    let lock = open(path + ".lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard lock >= 0 else { return nil }
    if flock(lock, LOCK_EX | LOCK_NB) == 0, clinux_remove_tree(path) == 0, mkdir(path, 0o700) == 0 {
      return lock
    }
    close(lock)
    return nil
  }

  private static let longestWord = 40

  /// Returns the part of a name that a path may have anywhere.
  private static func word(_ name: String) -> String {
    let scalars = name.unicodeScalars.prefix(longestWord).map { scalar -> Character in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_": Character(scalar)
      default: "-"
      }
    }
    return String(scalars)
  }
}

import Glibc
import World

/// The file of a program, found as a shell finds it.
struct ProgramFile {
  /// The path, absolute or relative to the folder of the program.
  var path: String

  /// Finds a program by its name on the search path, or by its path.
  static func find(
    _ name: String, in folder: String, searching path: String
  ) -> Result<ProgramFile, ProgramStartFailure> {
    if name.isEmpty { return .failure(.notFound(nearest: nil)) }
    if name.contains("/") { return checked(name, in: folder) }
    for place in path.split(separator: ":") {
      let candidate = "\(place)/\(name)"
      if isExecutableFile(absolute(candidate, in: folder)) {
        return .success(ProgramFile(path: candidate))
      }
    }
    return .failure(.notFound(nearest: nearestProgram(to: name, on: path)))
  }

  private static func checked(
    _ name: String, in folder: String
  ) -> Result<ProgramFile, ProgramStartFailure> {
    let full = absolute(name, in: folder)
    var status = stat()
    guard stat(full, &status) == 0 else { return .failure(.notFound(nearest: nil)) }
    if status.st_mode & S_IFMT == S_IFDIR { return .failure(.isFolder(path: name)) }
    guard access(full, X_OK) == 0 else { return .failure(.notExecutable(path: name)) }
    return .success(ProgramFile(path: name))
  }

  private static func absolute(_ path: String, in folder: String) -> String {
    path.hasPrefix("/") ? path : "\(folder)/\(path)"
  }

  private static func isExecutableFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && access(path, X_OK) == 0
  }

  /// Returns the name on the search path that differs in one letter, or in the order of two.
  private static func nearestProgram(to name: String, on path: String) -> String? {
    var nearest: String?
    for place in path.split(separator: ":") {
      guard let folder = opendir(String(place)) else { continue }
      defer { closedir(folder) }
      while let entry = readdir(folder) {
        let known = withUnsafePointer(to: &entry.pointee.d_name) {
          String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
        }
        guard isNear(known, to: name), known < nearest ?? "\u{10FFFF}" else { continue }
        nearest = known
      }
    }
    return nearest
  }

  /// Returns whether one edit makes one name of the other.
  private static func isNear(_ one: String, to other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard abs(one.count - other.count) <= 1, one.count > 2 else { return false }
    let front = zip(one, other).prefix { $0 == $1 }.count
    let shorter = min(one.count, other.count)
    let back = min(
      zip(one.reversed(), other.reversed()).prefix { $0 == $1 }.count, shorter - front)
    let (left, right) = (one[front..<one.count - back], other[front..<other.count - back])
    if left.count <= 1, right.count <= 1 { return true }
    return left.count == 2 && right.count == 2 && left.elementsEqual(right.reversed())
  }
}

/// Returns whether a program is on the search path of this process.
package func isInstalled(_ name: String) -> Bool {
  let path = getenv("PATH").map { String(cString: $0) } ?? ""
  if case .success = ProgramFile.find(name, in: ".", searching: path) { return true }
  return false
}

extension ProgramStartFailure {
  /// Reads why the system did not execute a file that was found.
  init(executing path: String, errno problem: Int32) {
    switch problem {
    case ENOENT: self = .noInterpreter(path: path)
    case ENOEXEC: self = .unknownFormat(path: path)
    case EACCES: self = .notExecutable(path: path)
    default: self = .system(String(cString: strerror(problem)))
    }
  }
}

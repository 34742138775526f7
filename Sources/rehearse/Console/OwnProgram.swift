import Glibc

/// The program that runs here.
enum OwnProgram {
  /// The path of its file; nil if the system does not say it.
  static let path: String? = {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }()
}

import Glibc
import TestKit
import Testing
import Values

/// The data of public conformance suites, which is no part of the package.
///
/// It is read from the folder in the environment variable `CONFORMANCE_DIR`, or from
/// `../shared/conformance` beside the package. Without the data its tests are disabled, and a test
/// run reports them by name. If the variable is set, missing data fails them.
enum ConformanceData {
  static let folder = folderFromEnvironment ?? packageRoot + "/../shared/conformance"

  private static let folderFromEnvironment = getenv("CONFORMANCE_DIR").map { String(cString: $0) }

  /// Returns whether the tests of a suite are to run.
  static func isDemanded(_ suite: String) -> Bool {
    folderFromEnvironment != nil || !files(in: suite).isEmpty
  }

  static func reason(_ suite: String) -> Comment {
    "no data in \(folder)/\(suite); CONFORMANCE_DIR names the folder that holds `\(suite)`"
  }

  /// The absolute paths of all files below a folder of the data.
  static func files(in path: String) -> [String] { filePaths(below: "\(folder)/\(path)") }

  /// The value in a JSON file; nil if it cannot be read.
  static func json(_ path: String) -> Value? {
    guard let bytes = fileBytes(path) else { return nil }
    return try? parseJSON(bytes).get()
  }
}

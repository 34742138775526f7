import Diagnostics
import Glibc
import ScenarioRuns
import Values

/// The runs that failed last, in a file of the folder in which the command runs.
///
/// There is no file while nothing fails, so that a suite that passes leaves nothing behind. Files
/// elsewhere are not noted: nobody would remove them from it.
enum LastFailures {
  static let folder = ".rehearse"
  static let path = ".rehearse/last-failures.json"

  /// Returns the names of the runs that failed last; nil if no failure is known.
  static func read() -> Set<String>? {
    guard case .success(let bytes) = readFile(path),
      case .success(.map(let file)) = parseJSON(bytes), case .list(let names)? = file["failed"]
    else { return nil }
    let failed = Set(names.map(\.plainText))
    return failed.isEmpty ? nil : failed
  }

  /// Notes what a run has found. Failures that it did not select stay in the file.
  ///
  /// A folder that cannot be written loses nothing but this convenience, so there is no complaint.
  static func update(failed: [String], passed: [String]) {
    let known = read() ?? []
    let names = known.subtracting(passed).union(failed.filter(isHere))
    if names == known { return }
    if names.isEmpty {
      unlink(path)
      return
    }
    mkdir(folder, 0o777)
    // What is noted here is of use to nobody else.
    if access("\(folder)/.gitignore", F_OK) != 0 { _ = writeFile("\(folder)/.gitignore", "*\n") }
    let list = Value.list(names.sorted().map { .string($0) })
    var file = ValueMap()
    file["failed"] = list
    _ = writeFile(path, Value.map(file).json(pretty: true) + "\n")
  }

  private static func isHere(_ name: String) -> Bool {
    !name.hasPrefix("/") && !name.hasPrefix("../") && !name.hasPrefix("-::")
  }
}

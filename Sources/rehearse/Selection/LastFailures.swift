import Diagnostics
import Glibc
import ScenarioPlan
import ScenarioRuns
import TextSearch
import Values
import Verdicts

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
    let failed = Set(names.map(\.plainText).filter(hasFile))
    return failed.isEmpty ? nil : failed
  }

  /// Returns whether the file of a run is there. A title and a path may have `::` in them.
  private static func hasFile(_ name: String) -> Bool {
    let pieces = name.pieces(separatedBy: "::")
    return pieces.indices.dropFirst().contains { count in
      access(pieces[..<count].joined(separator: "::"), F_OK) == 0
    }
  }

  /// Returns the runs of a file that failed last and that it does not have any more.
  static func gone(from file: FileResult, among known: Set<String>) -> [String] {
    let start = runName("", row: nil, in: file.path)
    let own = known.filter { $0.hasPrefix(start) }
    // What has errors may be there under its old name.
    guard !own.isEmpty, file.problem == nil, !file.hasBroken, !file.diagnostics.hasErrors else {
      return []
    }
    return own.subtracting(file.plans.flatMap { names(of: $0.plan, in: file.path) }).sorted()
  }

  private static func names(of plan: ScenarioPlan, in path: String) -> [String] {
    let rows: [RowPlan?] = plan.columns.isEmpty ? [nil] : plan.rows
    return rows.map { row in
      let mask = plan.secretMask(of: row)
      return runName(mask.masked(plan.title), row: row.map { mask.masked($0.id) }, in: path)
    }
  }

  /// Notes what a run has found. Failures that it did not select stay in the file, unless the file
  /// does not have them any more, or is gone itself.
  ///
  /// A folder that cannot be written loses nothing but this convenience, so there is no complaint.
  static func update(failed: [String], passed: [String], gone: [String] = []) {
    let known = read()
    let names = (known ?? []).subtracting(passed + gone).union(failed.filter(isHere))
    if names.isEmpty {
      unlink(path)
      return
    }
    if names == known { return }
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

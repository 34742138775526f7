import Diagnostics
import Glibc
import ScenarioPlan
import ScenarioRuns

extension RunArguments {
  /// The complaints about reports that would replace a file of the run, or each other.
  func problemsOfReports(beside selected: SelectedFiles) -> [Diagnostic] {
    let paths = output.written
    if paths.isEmpty { return output.problemsOfEarlierRuns }
    let read = selected.files.map(\.path) + inputs.files
    let known = Set(read.map { identity(of: $0) })
    var seen: Set<String> = []
    let problems: [Diagnostic] = paths.compactMap { path in
      let place = identity(ofNew: path)
      if known.contains(place) || isYAML(path) { return .reportOverInput(path) }
      return seen.insert(place).inserted ? nil : .twoReports(path)
    }
    return problems.isEmpty ? output.problemsOfEarlierRuns : problems
  }
}

/// Returns one text for all paths that lead to the same file, which need not exist yet.
private func identity(ofNew path: String) -> String {
  if access(path, F_OK) == 0 { return identity(of: path) }
  let folder = identity(of: resolve(".", in: enclosingFolder(of: path)))
  return folder + "/" + path.split(separator: "/").suffix(1).joined()
}

private func isYAML(_ path: String) -> Bool {
  access(path, F_OK) == 0 && (path.hasSuffix(".yaml") || path.hasSuffix(".yml"))
}

extension Diagnostic {
  /// Returns the reason why a report cannot be written, as far as it is known before the run.
  static func unwritableReport(_ path: String) -> Diagnostic? {
    var status = stat()
    if stat(path, &status) == 0 {
      let kind = status.st_mode & S_IFMT
      if kind == S_IFDIR { return .unwritable(path, String(cString: strerror(EISDIR))) }
      if kind != S_IFREG { return nil }
    }
    makeFolders(enclosingFolder(of: path))
    // A report is complete before it takes its place, so its folder must take another file.
    let place = identity(ofNew: path)
    if access(enclosingFolder(of: place), W_OK | X_OK) == 0 { return nil }
    return .unwritable(path, lastSystemError())
  }

  static func reportOverInput(_ path: String) -> Diagnostic {
    Diagnostic(
      "report-over-input", "the report would replace `\(path)`",
      help: "write it to another file, such as `report.json`")
  }

  fileprivate static func twoReports(_ path: String) -> Diagnostic {
    Diagnostic(
      "two-reports-in-one-file", "`\(path)` already receives another report",
      help: "write each report to a file of its own")
  }
}

import Diagnostics
import ScenarioPlan
import ScenarioSpec

/// The names of the files of traces: `traces/FILE.TITLE[.ROW].trace.jsonl`.
///
/// Two scenarios never have one file. A name that another one has gets a number, by the order of
/// the files and of the scenarios in a file, so that it does not depend on which runs first.
package struct TraceNames: Sendable {
  /// By path of a scenario's file: the path of its traces, without title, row and ending.
  private let stems: [String: String]

  /// - Parameter folder: The folder of all traces; nil stands for `traces` beside each scenario.
  package init(of paths: [String], in folder: String?) {
    let wanted = paths.map { stem(of: $0, folder) }
    stems = Dictionary(zip(paths, distinct(wanted)), uniquingKeysWith: { first, _ in first })
  }

  /// Returns the file of a run's trace.
  ///
  /// - Parameter plans: All plans of the file.
  package func path(
    of plan: ScenarioPlan, among plans: [ScenarioPlan], _ row: RowPlan?, in sources: SourceMap
  ) -> String {
    path(of: plan, titled: TraceTitles(plans), row, in: sources)
  }

  func path(
    of plan: ScenarioPlan, titled titles: TraceTitles, _ row: RowPlan?, in sources: SourceMap
  ) -> String {
    let title = titles.words[plan.range] ?? titleWord(of: plan)
    let file = sources.file(of: plan.range)?.path ?? "scenario.yaml"
    let words = [stems[file] ?? stem(of: file, nil), title]
    let rows = row.map { [rowName($0, of: plan)] } ?? []
    return (words + rows).joined(separator: ".") + ".trace.jsonl"
  }
}

/// The parts of names that stand for the titles of a file's scenarios.
struct TraceTitles: Sendable {
  fileprivate let words: [SourceRange: String]

  init(_ plans: [ScenarioPlan]) {
    let names = distinct(plans.map(titleWord))
    words = Dictionary(zip(plans.map(\.range), names), uniquingKeysWith: { first, _ in first })
  }
}

private func titleWord(of plan: ScenarioPlan) -> String {
  let word = fileWord(plan.secretMask.masked(plan.title))
  return word.isEmpty ? "scenario" : word
}

private func stem(of path: String, _ folder: String?) -> String {
  let parts = path.split(separator: "/", omittingEmptySubsequences: false)
  let beside = parts.dropLast().map { $0 + "/" }.joined() + "traces"
  let name = pathWithoutSuffix(String(parts.last ?? ""))
  return "\(folder ?? beside)/\(name)"
}

/// Returns the names, each with a number if it or a name in its place comes before.
private func distinct(_ names: [String]) -> [String] {
  guard names.count > 1 else { return names }
  var taken = Set(names)
  var seen: Set<String> = []
  return names.map { name in
    if seen.insert(name).inserted { return name }
    var number = 2
    while taken.contains("\(name)-\(number)") { number += 1 }
    taken.insert("\(name)-\(number)")
    return "\(name)-\(number)"
  }
}

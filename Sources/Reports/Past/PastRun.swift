import Diagnostics
import Secrets
import Values
import Verdicts

/// A run that is over, as its JSON report or a line of a history has it.
package struct PastRun: Sendable {
  /// The most runs of a history that a report shows of a scenario.
  package static let mostShown = 20
  /// The most runs of a history that its file keeps.
  package static let mostKept = 200

  package private(set) var began: String?
  package private(set) var commit: String?
  /// The results by the ids of scenarios and rows; several if `--repeat` ran one several times.
  package private(set) var results: [String: [ScenarioReport]] = [:]

  /// Reads a report; nil if the value is not a report.
  init?(_ report: Value) {
    guard case .list(let scenarios)? = report["scenarios"] else { return nil }
    began = report["run"]?.text("began")
    commit = report["run"]?.text("commit")
    let reader = PartReader(sources: QuotedSources([:]))
    for scenario in scenarios {
      guard let id = scenario.text("id"), scenario["notRun"] == nil else { continue }
      results[id, default: []].append(reader.scenario(scenario, in: []))
    }
  }

  /// Reads a JSON report, or the last runs of a history; nil if the text is neither.
  package static func read(_ bytes: [UInt8]) -> [PastRun]? {
    let lines = bytes.split(separator: UInt8(ascii: "\n")).suffix(mostShown)
    let runs = lines.compactMap(run)
    return runs.count == lines.count ? runs : run(bytes[...]).map { [$0] }
  }

  private static func run(_ json: ArraySlice<UInt8>) -> PastRun? {
    if case .success(let report) = parseJSON(json) { PastRun(report) } else { nil }
  }
}

/// Returns the line of a history for a run: a short report, with the first failure of a scenario
/// alone. It has no command, so that no value of a variable gets in.
package func historyLine(of run: RunReport) -> String {
  JSONWriter.object { writer in
    writer.member("report", jsonReportVersion)
    writer.addContext(of: run, withCommand: false)
    let scenarios = run.files.flatMap { file in file.scenarios.map { ($0, file) } }
    writer.member("scenarios", listOf: scenarios.filter { !$0.0.isNotRun }) { writer, entry in
      writer.object { $0.addHistory(of: entry.0, in: entry.1, withTimes: run.wall != nil) }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func addHistory(
    of scenario: ScenarioReport, in file: FileReport, withTimes: Bool
  ) {
    member("id", scenario.id(in: file))
    member("outcome", word(for: scenario.verdict.outcome))
    if withTimes, let wall = scenario.wall { addMilliseconds(wall) }
    guard let failure = scenario.verdict.firstFailure else { return }
    member("failures", listOf: [failure.shortened(scenario.mask)]) {
      $0.diagnostic($1, in: file, nil)
    }
  }
}

extension Verdict {
  /// The failure that stands for a scenario: its first, or of a flaky one the first of its tries.
  var firstFailure: Diagnostic? { failures.first ?? tries.first?.first }
}

extension Diagnostic {
  /// The most differences, or facts, of a failure in a list of many, and the most letters of each.
  static let mostFirst = 3
  static let longestFirst = 200

  /// The first things that differ, each with its kind: `[".status", "500", "200", "value"]`. If no
  /// part of a value differs, the first facts: `["actual", "3"]`.
  var firstDifferences: [[String]] {
    let parts = listedDifferences.map {
      [$0.path, $0.actual ?? "", $0.expected ?? "", $0.kind.rawValue]
    }
    let shown = parts.isEmpty ? facts.map { [$0.name, $0.text] } : parts
    return shown.prefix(Diagnostic.mostFirst).map { texts in
      texts.map { String($0.prefix(Diagnostic.longestFirst)) }
    }
  }

  /// The failure without its place, its notes, and what no list shows.
  fileprivate func shortened(_ mask: SecretMask) -> Diagnostic {
    let whole = masked(by: mask.masked(page:))
    return Diagnostic(
      id, whole.message,
      facts: whole.facts.prefix(Diagnostic.mostFirst).map {
        Fact($0.name, String($0.text.prefix(Diagnostic.longestFirst)))
      },
      differences: Array(whole.listedDifferences.prefix(Diagnostic.mostFirst)))
  }

  /// The differences of parts whose values are short. A history has no others.
  private var listedDifferences: [Difference] {
    differences.filter { !$0.path.isEmpty && $0.isShort }
  }
}

extension Diagnostic.Difference {
  fileprivate var isShort: Bool {
    [actual, expected].allSatisfy { ($0?.utf8.count ?? 0) <= Diagnostic.longestFirst }
  }
}

import Diagnostics
import Values
import Verdicts

/// The version of the JSON report's format; it grows when a reader would have to change.
package let jsonReportVersion = 1

/// Returns the report for programs: one document, a line per scenario.
package func jsonReport(_ run: RunReport) -> String {
  let tally = Tally(run.files)
  var members = [
    member("report", "\(jsonReportVersion)"), member("passed", "\(tally.passed)"),
    member("failed", "\(tally.failed)"), member("flaky", "\(tally.flaky)"),
    member("skipped", "\(tally.skipped)"),
    member("couldNotRun", "\(tally.couldNotRun)"),
    member("virtualMicroseconds", "\(tally.virtual)"),
  ]
  if let wall = run.wall { members.append(member("wallMilliseconds", milliseconds(wall))) }
  let scenarios = run.files.flatMap { file in
    file.scenarios.map { json(of: $0, in: file, withTimes: run.wall != nil) }
  }
  let diagnostics = run.files.flatMap { file in
    file.diagnostics.map { diagnosticJSON($0, in: file.sources) }
  }
  members.append(member("diagnostics", lines(diagnostics)))
  members.append(member("scenarios", lines(scenarios)))
  let snapshots = run.files.flatMap(\.snapshots).map { note in
    "{" + member("path", quoted(note.path)) + "," + member("change", quoted(note.kind.rawValue))
      + "}"
  }
  if !snapshots.isEmpty { members.append(member("snapshots", lines(snapshots))) }
  return "{" + members.joined(separator: ",\n") + "}\n"
}

private func json(
  of scenario: ScenarioReport, in file: FileReport, withTimes: Bool
) -> String {
  let verdict = scenario.verdict
  var members = [
    member("path", quoted(file.path)), member("line", "\(scenario.line)"),
    member("title", quoted(scenario.mask.masked(scenario.title))),
    member("row", scenario.row.map { quoted(scenario.mask.masked($0)) } ?? "null"),
    member("tags", "[" + scenario.tags.map(quoted).joined(separator: ",") + "]"),
    member("outcome", quoted(word(for: verdict.outcome))),
    member("seed", scenario.seed.map { "\(UInt64(bitPattern: Int64($0)))" } ?? "null"),
    member("virtualMicroseconds", "\(verdict.duration)"),
    member("events", "\(verdict.eventCount)"),
    member("assertions", "\(verdict.assertionsReached)"),
    member("assertionsMet", "\(verdict.assertionsMet)"),
  ]
  if let place = scenario.rowPlace { members.append(member("rowPlace", quoted(place))) }
  if case .skipped(let reason) = verdict.outcome {
    members.append(member("reason", quoted(reason)))
  }
  if withTimes, let wall = scenario.wall {
    members.append(member("wallMilliseconds", milliseconds(wall)))
  }
  let failures = verdict.failures.map { diagnosticJSON($0, in: file.sources) }
  members.append(member("failures", "[" + failures.joined(separator: ",") + "]"))
  members += factMembers(of: verdict, scenario.mask)
  if !verdict.tries.isEmpty { members.append(member("tries", json(of: verdict.tries, in: file))) }
  return "{" + members.joined(separator: ",") + "}"
}

private func json(of tries: [[Diagnostic]], in file: FileReport) -> String {
  let lists = tries.map { failures in
    "[" + failures.map { diagnosticJSON($0, in: file.sources) }.joined(separator: ",") + "]"
  }
  return "[" + lists.joined(separator: ",") + "]"
}

private func word(for outcome: Verdict.Outcome) -> String {
  switch outcome {
  case .passed: "passed"
  case .failed: "failed"
  case .flaky: "flaky"
  case .skipped: "skipped"
  case .couldNotRun: "could-not-run"
  }
}

private func milliseconds(_ wall: Microseconds) -> String {
  let thousandths = String(1000 + wall.magnitude % 1000).dropFirst()
  return "\(wall.magnitude / 1000).\(thousandths)"
}

private func member(_ name: String, _ json: String) -> String { quoted(name) + ":" + json }

private func lines(_ elements: [String]) -> String {
  elements.isEmpty ? "[]" : "[\n" + elements.joined(separator: ",\n") + "\n]"
}

private func quoted(_ text: String) -> String { Value.string(text).json() }

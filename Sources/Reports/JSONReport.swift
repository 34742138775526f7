import Diagnostics
import Secrets
import Values
import Verdicts

/// The version of the JSON report's format; it grows when a reader would have to change.
package let jsonReportVersion = 1

/// Returns the report for programs: one document, a line per scenario.
package func jsonReport(_ run: RunReport) -> String {
  let text = JSONWriter.object(.lines) { writer in
    writer.member("report", jsonReportVersion)
    writer.addContext(of: run)
    writer.addTally(of: run)
    let diagnostics = run.files.flatMap { file in file.diagnostics.map { ($0, file) } }
    writer.member("diagnostics", listOf: diagnostics, .lines) {
      $0.diagnostic($1.0, in: $1.1, $1.1.mask)
    }
    let scenarios = run.files.flatMap { file in file.scenarios.map { ($0, file) } }
    writer.member("scenarios", listOf: scenarios, .lines) {
      $0.scenario($1.0, in: $1.1, withTimes: run.wall != nil)
    }
    writer.addSnapshots(of: run, .lines)
    writer.addCoverage(run.coverage)
    writer.addRules(run.rules)
    writer.addSweep(run.sweep)
  }
  return text + "\n"
}

extension JSONWriter {
  mutating func addTally(of run: RunReport) {
    let tally = Tally(run.files)
    member("passed", tally.passed)
    member("failed", tally.failed)
    member("flaky", tally.flaky)
    member("skipped", tally.skipped)
    member("couldNotRun", tally.couldNotRun)
    addLeftOut(run.leftOut)
    member("virtualMicroseconds", tally.virtual)
    if let wall = run.wall { addMilliseconds(wall) }
  }

  /// Appends what was left out, if anything was.
  mutating func addLeftOut(_ leftOut: LeftOut) {
    let entries = leftOut.entries
    guard !entries.isEmpty else { return }
    member("leftOut") { writer in
      writer.object { for entry in entries { $0.member(entry.reason.rawValue, entry.count) } }
    }
  }

  mutating func addSnapshots(of run: RunReport, _ layout: Layout = .oneLine) {
    let snapshots = run.files.flatMap(\.snapshots)
    if !snapshots.isEmpty { member("snapshots", listOf: snapshots, layout) { $0.snapshot($1) } }
  }

  fileprivate mutating func snapshot(_ note: SnapshotNote) {
    object {
      $0.member("path", note.path)
      $0.member("change", note.kind.rawValue)
    }
  }

  fileprivate mutating func scenario(
    _ scenario: ScenarioReport, in file: FileReport, withTimes: Bool
  ) {
    object { $0.addMembers(of: scenario, in: file, withTimes: withTimes) }
  }

  /// Appends what is known of a scenario that has run.
  ///
  /// - Parameter withTexts: False if failures are without their texts, which are written elsewhere.
  package mutating func addMembers(
    of scenario: ScenarioReport, in file: FileReport, withTimes: Bool, withTexts: Bool = true
  ) {
    let mask = withTexts ? scenario.mask : nil
    let verdict = scenario.verdict
    addHead(of: scenario, in: file)
    addCounts(of: verdict, withTimes: scenario.hasTimes)
    if let place = scenario.rowPlace { member("rowPlace", place) }
    if case .skipped(let reason) = verdict.outcome {
      member("reason", scenario.mask.masked(reason))
      if scenario.isNotRun { member("notRun") { $0.raw("true") } }
    }
    if withTimes, let wall = scenario.wall { addMilliseconds(wall) }
    if let trace = scenario.trace { member("trace", trace) }
    addSweep(scenario.sweep)
    member("failures") { $0.failures(verdict.failures, in: file, mask) }
    if !verdict.warnings.isEmpty {
      member("warnings") { $0.failures(verdict.warnings, in: file, mask) }
    }
    addFacts(of: verdict, scenario.mask, withTimes: scenario.hasTimes)
    if !verdict.tries.isEmpty {
      member("tries", listOf: verdict.tries) { $0.failures($1, in: file, mask) }
    }
  }

  private mutating func addHead(of scenario: ScenarioReport, in file: FileReport) {
    member("id", scenario.id(in: file))
    member("path", file.path)
    member("line", scenario.line)
    member("title", scenario.mask.masked(scenario.title))
    member("row", scenario.row.map { scenario.mask.masked($0) })
    member("tags", listOf: scenario.tags) { $0.text(scenario.mask.masked($1)) }
    member("outcome", word(for: scenario.verdict.outcome))
    member("seed", scenario.seed.map { UInt64(bitPattern: Int64($0)) })
  }

  private mutating func addCounts(of verdict: Verdict, withTimes: Bool) {
    if withTimes {
      member("virtualMicroseconds", verdict.duration)
      member("events", verdict.eventCount)
    }
    member("assertions", verdict.assertionsReached)
    member("assertionsMet", verdict.assertionsMet)
  }

  private mutating func failures(
    _ failures: [Diagnostic], in file: FileReport, _ mask: SecretMask?
  ) {
    list(failures) { $0.diagnostic($1, in: file, mask) }
  }

  /// Appends the diagnostics of reading a file.
  package mutating func addDiagnostics(of file: FileReport) {
    member("diagnostics", listOf: file.diagnostics) { $0.diagnostic($1, in: file, file.mask) }
  }

  /// Appends a diagnostic; with a mask, with its text as the terminal shows it as well.
  mutating func diagnostic(_ diagnostic: Diagnostic, in file: FileReport, _ mask: SecretMask?) {
    self.diagnostic(
      diagnostic, in: file.sources,
      text: mask.map { page(of: [diagnostic], in: file, $0).trimmingLines })
  }

  mutating func addMilliseconds(_ wall: Microseconds) {
    let thousandths = String(1000 + wall.magnitude % 1000).dropFirst()
    member("wallMilliseconds") { $0.raw("\(wall.magnitude / 1000).\(thousandths)") }
  }
}

/// Returns the word by which reports for programs name an outcome.
func word(for outcome: Verdict.Outcome) -> String {
  switch outcome {
  case .passed: "passed"
  case .failed: "failed"
  case .flaky: "flaky"
  case .skipped: "skipped"
  case .couldNotRun: "could-not-run"
  }
}

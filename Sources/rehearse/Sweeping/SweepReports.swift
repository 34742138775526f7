import Diagnostics
import Reports
import ScenarioPlan
import ScenarioRuns
import Verdicts

/// The reports of swept files, in their order: failures that are known are left out, and pins get
/// their names one after the other.
struct SweepReports {
  private let arguments: SweepArguments
  private let inputs: PlanInputs
  private let configurations: Configurations

  init(
    _ arguments: SweepArguments, _ inputs: PlanInputs, _ configurations: Configurations
  ) {
    self.arguments = arguments
    self.inputs = inputs
    self.configurations = configurations
  }

  /// Returns the verdict on a scenario, and the line that says what became of its courses.
  func conclude(
    _ scenario: SweptCase, in file: SweptFile, _ tally: inout SweepTally
  ) -> (Verdict, line: String) {
    switch scenario.end {
    case .notSwept(let reason):
      let line = arguments.scope.listsOnly ? "" : "\(scenario.name): not swept: \(reason)\n"
      return (Verdict(.skipped(reason: reason)), line)
    case .failedUndisturbed(let verdict): return (verdict, "")
    case .listed(let result):
      tally.tried += result.listed.count
      var verdict = result.good
      verdict.warnings += result.warnings
      return (verdict, result.listed.map { $0.commandLine + "\n" }.joined())
    case .swept(let result): return conclude(result, of: scenario, in: file, &tally)
    }
  }

  private func conclude(
    _ result: SweepResult, of scenario: SweptCase, in file: SweptFile,
    _ tally: inout SweepTally
  ) -> (Verdict, line: String) {
    tally.tried += result.places
    tally.left += result.left
    tally.rules.add(
      result.rules.map { RuleTally($0.rule.rawValue, exercised: $0.exercised, broken: $0.broken) })
    let groups = tally.baseline.newGroups(
      result.groups, of: scenario.title, scenario.row, in: file.path)
    var known = result
    known.groups = groups
    var failures = known.failures
    var warnings = result.warnings
    if arguments.isStrict, var undemanded = result.undemanded {
      undemanded.severity = .error
      failures.append(undemanded)
      warnings.removeAll { $0.id == undemanded.id }
    }
    var verdict = Verdict(
      failures.isEmpty ? .passed : .failed, failures: failures,
      assertionsReached: result.places, assertionsMet: result.held,
      duration: result.good.duration, eventCount: result.good.eventCount)
    verdict.secrets = result.good.secrets
    verdict.isInRealTime = result.good.isInRealTime
    verdict.warnings = warnings
    let pinned = pin(groups, isRandom: result.isRandom, of: scenario, in: file)
    verdict.warnings += pinned.warnings
    let knownCount = result.groups.count - groups.count
    return (
      verdict, "\(scenario.name): \(result.summary(known: knownCount))\n" + pinned.lines.joined()
    )
  }

  /// Writes the courses that failed as scenarios, if that is wanted.
  private func pin(
    _ groups: [SweepGroup], isRandom: Bool, of scenario: SweptCase, in file: SweptFile
  ) -> (lines: [String], warnings: [Diagnostic]) {
    guard let (plan, row) = scenario.pinned, let source = file.sources.file(of: plan.range) else {
      return ([], [])
    }
    let seed = arguments.seed.map { Int(truncatingIfNeeded: $0) }
    return CoursePins(
      inputs: inputs, configurations: configurations, seed: seed, isRandom: isRandom
    ).write(groups, of: plan, row, in: source, scenario.mask)
  }
}

extension SweepCounts {
  init(_ result: SweepResult) {
    self.init()
    held = result.held
    failed = result.failed
    notJudged = result.notJudged
    unclear = result.unclear.count
    flaky = result.flaky.count
    notReached = result.missed.count
    leftOut = result.alike + result.left
  }
}

extension SweepResult {
  /// The sources that were demanded although the scenario does not.
  private var tried: [String] { undemanded == nil ? proposed : [] }

  /// Returns the line `23 places, 21 held, 2 failed`.
  func summary(known: Int) -> String {
    var parts = [counted(places, "place"), "\(held) held"]
    if failed > 0 { parts.append("\(failed) failed for \(counted(groups.count, "cause"))") }
    if notJudged > 0 { parts.append("\(notJudged) not judged, since no value is demanded") }
    if known > 0 { parts.append("\(counted(known, "cause")) known") }
    if !unclear.isEmpty {
      parts.append("\(unclear.count) unclear, since a mock or a step could not go on")
    }
    if !flaky.isEmpty { parts.append("\(flaky.count) failed once and held once") }
    if !missed.isEmpty { parts.append("\(missed.count) whose place no run came to") }
    if repeated > 0 { parts.append("\(repeated) of them made the same run as another delay") }
    if withoutNetwork > 0 {
      parts.append("\(counted(withoutNetwork, "connection")) left out, as there was no network")
    }
    if alike > 0 { parts.append("\(counted(alike, "place")) left out, as they are like others") }
    if left > 0 { parts.append("\(left) not tried, since the time was over") }
    if isCut { parts.append("others not tried, since there are too many") }
    if !tried.isEmpty { parts.append("with `same: [\(tried.joined(separator: ", "))]`") }
    if invariantsSampled > 0 {
      parts.append("invariants judged \(counted(invariantsSampled, "time"))")
    }
    return parts.joined(separator: ", ")
  }
}

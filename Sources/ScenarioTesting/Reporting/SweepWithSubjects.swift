import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Verdicts

/// The outcome of a sweep in which Swift objects played parts of the scenario.
public struct SweptScenario: Sendable {
  /// A cause of failures, and the courses that show it.
  public struct Cause: Sendable {
    /// The failure of the shortest course, at its place in the scenario.
    public let failure: ScenarioOutcome.Failure
    /// The names of all courses that fail so.
    public let courses: [String]
    /// The name of the course with the fewest events.
    public let shortest: String
  }

  /// The verdict, with one failure for each cause. If the scenario fails without a disturbance,
  /// these are the failures of that run.
  public let outcome: ScenarioOutcome
  /// The causes of failures in disturbed runs, without those in the baseline.
  public let causes: [Cause]
  /// The number of causes that the baseline has.
  public let knownCount: Int
  /// The number of courses that were tried.
  public let courseCount: Int
  /// The number of courses that ended as they should.
  public let heldCount: Int
  /// The number of courses whose scenario demands no value, so that hardly any could fail.
  public let notJudgedCount: Int
  /// The courses in which the scenario itself could not go on, so that there is no verdict.
  public let unclear: [String]
  /// The reports of courses on which there is no verdict.
  public let warnings: [String]
}

extension Stage {
  /// Runs a scenario once more for each place at which something can go wrong, and returns what
  /// was found. The places come from the run in which nothing goes wrong.
  ///
  /// Each run has objects of its own, so that the result is the same each time. State that the
  /// closures of `bind` share would reach from one run into the next.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - pairs: True if each two disturbances are tried together as well.
  ///   - allPlaces: True if all places are tried, also of many alike places.
  ///   - maxTime: The most real time; what is left then is a warning.
  ///   - baseline: The file with the failures that are known. A relative path is one of the working
  ///     folder, or of the folder of the test.
  ///   - updatesBaseline: True if the file gets the failures of this scenario, which then count as
  /// known.
  ///   - file: The file of the test.
  @MainActor
  public func sweepOutcome(
    of scenario: Scenario, pairs: Bool = false, allPlaces: Bool = false, maxTime: Duration? = nil,
    baseline: String? = nil, updatesBaseline: Bool = false, file: StaticString = #filePath
  ) -> SweptScenario {
    let known = baseline.map { KnownFailuresFile($0, near: "\(file)", isUpdated: updatesBaseline) }
    if let problem = known?.problem {
      return SweptScenario(ScenarioOutcome(failing: scenario, [problem]))
    }
    var options = SweepOptions()
    options.scope.pairs = pairs
    options.scope.allPlaces = allPlaces
    if let limit = maxTime.map({ RunDeadline(of: $0.wholeMicroseconds, then: 0) }) {
      options.isInterrupted = { limit.isReached }
    }
    switch scenario.content {
    case .broken(let reasons): return SweptScenario(ScenarioOutcome(failing: scenario, reasons))
    case .ready(let plan, let row): return sweep(plan, row, scenario, options, known)
    }
  }

  /// Sweeps a scenario and throws `ScenarioFailure` if a course does not hold, for XCTest and
  /// others.
  @MainActor
  public func checkSweep(
    _ scenario: Scenario, pairs: Bool = false, allPlaces: Bool = false, maxTime: Duration? = nil,
    baseline: String? = nil, updatesBaseline: Bool = false, file: StaticString = #filePath
  ) throws {
    let outcome = sweepOutcome(
      of: scenario, pairs: pairs, allPlaces: allPlaces, maxTime: maxTime, baseline: baseline,
      updatesBaseline: updatesBaseline, file: file
    ).outcome
    if outcome.result == .failed { throw ScenarioFailure(outcome: outcome) }
  }

  @MainActor
  private func sweep(
    _ plan: SharedPlan, _ row: RowPlan?, _ scenario: Scenario, _ options: SweepOptions,
    _ known: KnownFailuresFile?
  ) -> SweptScenario {
    if let reason = plan.plan.reasonNotToSweep(hasSubjects: !bindings.isEmpty) {
      return SweptScenario(ScenarioOutcome(skipped: reason))
    }
    if let problem = plan.plan.problemWithSubjects {
      return SweptScenario(ScenarioOutcome(failing: scenario, [problem]))
    }
    let inputs = RunInputs(seed: plan.plan.seed ?? seed, row: row)
    let courses = PlayedCourses(bindings, plan.plan, inputs)
    let mismatches = courses.mismatches
    guard mismatches.isEmpty else {
      return SweptScenario(ScenarioOutcome(failing: scenario, mismatches))
    }
    var result = sweepScenario(
      plan, inputs: inputs, sources: scenario.sources, options: options, subjects: courses)
    let count = result.groups.count
    if let known {
      switch known.newGroups(result.groups, of: scenario.title, row?.id, in: scenario.path) {
      case .success(let groups): result.groups = groups
      case .failure(let problem):
        return SweptScenario(ScenarioOutcome(failing: scenario, [problem.diagnostic]))
      }
    }
    return SweptScenario(result, of: scenario, knownCount: count - result.groups.count)
  }
}

extension SweptScenario {
  /// Makes the outcome of a sweep that did not begin.
  fileprivate init(_ outcome: ScenarioOutcome) {
    self.outcome = outcome
    causes = []
    (courseCount, heldCount, notJudgedCount, knownCount) = (0, 0, 0, 0)
    (unclear, warnings) = ([], [])
  }

  fileprivate init(_ result: SweepResult, of scenario: Scenario, knownCount: Int) {
    var verdict = result.good
    if verdict.outcome == .passed, !result.failures.isEmpty {
      verdict.outcome = .failed
      verdict.failures = result.failures
    }
    var scenario = scenario
    scenario.secrets = verdict.secrets
    outcome = ScenarioOutcome(verdict, of: scenario, trace: "")
    causes = zip(result.groups, outcome.failures).map { group, failure in
      Cause(failure: failure, courses: group.courses.map(\.name), shortest: group.shortest.name)
    }
    (courseCount, heldCount) = (result.places, result.held)
    notJudgedCount = result.notJudged
    self.knownCount = knownCount
    unclear = result.unclear.map(\.name)
    warnings = result.warnings.map { ScenarioOutcome.Failure($0, of: scenario).report }
  }
}

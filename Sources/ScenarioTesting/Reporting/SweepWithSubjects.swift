import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Verdicts

/// The outcome of a sweep in which Swift objects played parts of the scenario.
public struct SweptScenario: Sendable {
  /// What is wrong, and the courses that show it.
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
  /// What is wrong in disturbed runs.
  public let causes: [Cause]
  /// The number of courses that were tried.
  public let courseCount: Int
  /// The number of courses that ended as they should.
  public let heldCount: Int
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
  /// closures of `bind` share would reach from one run into the next. With `pairs`, each two
  /// disturbances are tried together as well.
  @MainActor
  public func sweepOutcome(of scenario: Scenario, pairs: Bool = false) -> SweptScenario {
    switch scenario.content {
    case .broken(let reasons): SweptScenario(ScenarioOutcome(failing: scenario, reasons))
    case .ready(let plan, let row): sweep(plan, row, scenario, pairs)
    }
  }

  /// Sweeps a scenario and throws `ScenarioFailure` if a course does not hold, for XCTest and
  /// others.
  @MainActor
  public func checkSweep(_ scenario: Scenario, pairs: Bool = false) throws {
    let outcome = sweepOutcome(of: scenario, pairs: pairs).outcome
    if outcome.result == .failed { throw ScenarioFailure(outcome: outcome) }
  }

  @MainActor
  private func sweep(
    _ plan: SharedPlan, _ row: RowPlan?, _ scenario: Scenario, _ pairs: Bool
  ) -> SweptScenario {
    if let reason = plan.plan.reasonNotToSweep(hasSubjects: !bindings.isEmpty) {
      return SweptScenario(
        ScenarioOutcome(result: .skipped(reason), failures: [], trace: ""))
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
    var options = SweepOptions()
    options.pairs = pairs
    let result = sweepScenario(
      plan, inputs: inputs, sources: scenario.sources, options: options, subjects: courses)
    return SweptScenario(result, of: scenario)
  }
}

extension SweptScenario {
  /// Makes the outcome of a sweep that did not begin.
  fileprivate init(_ outcome: ScenarioOutcome) {
    self.outcome = outcome
    causes = []
    (courseCount, heldCount) = (0, 0)
    (unclear, warnings) = ([], [])
  }

  fileprivate init(_ result: SweepResult, of scenario: Scenario) {
    var verdict = result.good
    if verdict.outcome == .passed, !result.groups.isEmpty {
      verdict.outcome = .failed
      verdict.failures = result.groups.map(\.diagnostic)
    }
    var scenario = scenario
    scenario.secrets = verdict.secrets
    outcome = ScenarioOutcome(verdict, of: scenario, trace: "")
    causes = zip(result.groups, outcome.failures).map { group, failure in
      Cause(failure: failure, courses: group.courses.map(\.name), shortest: group.shortest.name)
    }
    (courseCount, heldCount) = (result.places, result.held)
    unclear = result.unclear.map(\.name)
    warnings = result.warnings.map { ScenarioOutcome.Failure($0, of: scenario).report }
  }
}

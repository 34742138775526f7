import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import TestKit
import Testing
import Verdicts
import World

/// The kinds of faults of public reports about clients of streams, swept from the plain path on
/// which nothing goes wrong, with everything that a sweep tries by itself.
@Suite(.enabled(if: hasPython, "python3 is not installed"))
struct KindsOfFaultsTests {
  /// A kind of fault: its row, a course that shows it, and what the course breaks.
  typealias Kind = (row: String, course: String, id: DiagnosticID)

  /// The clients with one fault each, by their scenario. The first row has none.
  private static let kinds: [(path: String, scenario: Int, kinds: [Kind])] = [
    (
      "kinds/streams", 0,
      [
        ("01", "rewrite server as bytes", "eventually-failed"),
        ("03", "rewrite server as crlf", "eventually-failed"),
        ("04", "rewrite server as comments", "nothing-left"),
        ("05", "rewrite server as no-blanks", "eventually-failed"),
        ("06", "close within event 2 of server, connection 1", "eventually-failed"),
        ("07", "cut after event 1 of server, connection 1", "eventually-failed"),
        ("08", "cut within event 2 of server, connection 1", "eventually-failed"),
        ("09", "cut after event 1 of server, connection 1", "equal-streams"),
        ("11", "cut after event 1 of server, connection 1", "early-reconnection"),
        ("12", "close after event 1 of server, connection 1", "eventually-failed"),
        ("21", "rewrite server as no-data", "eventually-failed"),
        ("26", "refuse connection 1 of server", "nothing-left"),
      ]
    ),
    (
      "kinds/streams", 1,
      [
        (
          "13", "status 429 for request 1 of server, connection 1, retry after 5s",
          "early-reconnection"
        ),
        ("15", "stall after event 3 of server, connection 1", "check-failed"),
        ("16", "close after event 1 of server, connection 1", "check-failed"),
        ("20", "close after event 1 of server, connection 1", "swept-left-running"),
        ("24", "cut after event 1 of server, connection 1", "check-failed"),
      ]
    ),
    (
      "kinds/rows", 0,
      [
        ("02", "rewrite server as bytes", "check-failed"),
        ("32", "slow event 1 of server, connection 1", "check-failed"),
      ]
    ),
    ("kinds/compressed", 0, [("wrong", "rewrite server as gzip", "check-failed")]),
    (
      "programs/half", 0,
      [("wrong", "end in body of answer 1 of server, connection 1", "check-failed")]
    ),
    (
      "programs/page", 0,
      [("wrong", "status 500 for answer 1 of server, connection 1", "program-failed")]
    ),
  ]

  @Test(arguments: kinds.indices)
  func `a right client is never blamed, and for each fault there is a course that fails`(
    number: Int
  ) throws {
    let (path, scenario, kinds) = Self.kinds[number]
    let loaded = try plan(path, scenario)
    let right = sweep(loaded)
    #expect(right.good.outcome == .passed)
    #expect(right.held == right.places && right.places > 14, "\(right.groups.map(\.diagnostic))")
    var list = SweepScope()
    list.listsOnly = true
    let courses = sweep(loaded, list).listed.map(\.name)
    #expect(loaded.plan.rows.map(\.id) == [loaded.plan.rows[0].id] + kinds.map(\.row))
    for (row, kind) in zip(loaded.plan.rows.dropFirst(), kinds) {
      #expect(courses.contains(kind.course), "\(kind.course)")
      var inputs = RunInputs(seed: 1, row: row)
      inputs.options.disturbances = [try #require(Disturbance(name: kind.course))]
      let run = runDisturbed(SharedPlan(loaded.plan), inputs, loaded.sources, recorders: [])
      #expect(run.verdict.failures.map(\.id).contains(kind.id), "\(kind): \(run.verdict.failures)")
    }
  }

  /// Loads a scenario as its author would write it who knows nothing that may go wrong.
  private func plan(
    _ path: String, _ number: Int
  ) throws -> (plan: ScenarioPlan, sources: SourceMap) {
    let path = "scenarios/sweep/\(path).scenario.yaml"
    let text = try #require(fileText(path))
    let time = text.contains("\ntime: virtual\n") ? "" : "\ntime: virtual\n"
    let loaded = loadScenarios(
      SourceFile(path: path, text: text + time),
      configuration: Corpus.configuration(of: path))
    var plan = try #require(loaded.plans.dropFirst(number).first, "\(loaded.diagnostics)")
    plan = plan.changed { $0.sweep.disturbed = nil }
    return (plan, loaded.sources)
  }

  private func sweep(
    _ loaded: (plan: ScenarioPlan, sources: SourceMap), _ scope: SweepScope = SweepScope()
  ) -> SweepResult {
    var options = SweepOptions()
    options.jobs = 2
    options.scope = scope
    return sweepScenario(
      SharedPlan(loaded.plan), inputs: RunInputs(seed: 1, row: loaded.plan.rows[0]),
      sources: loaded.sources, options: options)
  }
}

private let hasPython = SpawnedCommand(["--version"], program: "python3")?.exitCode() == 0

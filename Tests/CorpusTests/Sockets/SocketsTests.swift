import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Testing
import Verdicts

/// Scenarios of the corpus over sockets of this machine, in real time.
@Suite(.serialized) struct SocketsTests {
  /// Folders whose scenarios have endpoints, and the longest virtual time of one: in real time it
  /// takes as long.
  private static let folders = [
    "scenarios/http/", "scenarios/reactors/", "scenarios/data/", "scenarios/live/",
  ]
  private static let longest: Int64 = 10_000

  static let paths = Corpus.passing.filter { path in folders.contains(where: path.hasPrefix) }

  @Test func `there are scenarios that are quick enough`() {
    #expect(SocketsTests.paths.flatMap(quickRuns).count > 20)
  }

  @Test(arguments: paths)
  func `what passes against its mock passes over sockets`(path: String) {
    for run in quickRuns(of: path) {
      // A machine that runs other tests as well is late now and then: a run that fails by that
      // passes when it is repeated, and its verdict is flaky.
      let verdict = runAgain(atMost: 5) { run.run(in: .sockets).verdict }
      let texts = verdict.failures.map { render($0, in: run.sources) }
      let isPassed = verdict.outcome == .passed || verdict.outcome == .flaky
      #expect(isPassed, "\(run.title): \(verdict.outcome)\n\(texts.joined())")
    }
  }

  @Test(arguments: paths)
  func `the verdict comes of the log alone`(path: String) {
    for run in quickRuns(of: path) {
      let first = run.run(in: .sockets)
      let again = judge(first.log, plan: run.plan, sources: run.sources)
      #expect(again.outcome == first.verdict.outcome, "\(run.title)")
      #expect(again.assertionsMet == first.verdict.assertionsMet, "\(run.title)")
    }
  }

  @Test func `what can never come is reported before the timeout`() throws {
    let file = loadScenarios(
      SourceFile(
        path: "left.yaml",
        text: """
          scenario: Nothing is left
          timeout: 60s
          graph: { count: 0 }
          endpoints: { api: { http: [{ get: /fact, respond: { status: 200 } }] } }
          steps:
            - expect: { count: 1 }
          """))
    let plan = try #require(file.plans.first)
    let verdict = runScenario(plan, inputs: RunInputs(seed: 1), in: .sockets).verdict
    #expect(verdict.failures.map(\.id) == ["nothing-left"])
    #expect(verdict.duration < 30_000_000)
  }

  private func quickRuns(of path: String) -> [CorpusRun] {
    Corpus.runs(of: Corpus.load(path)).filter { run in
      guard !run.plan.endpoints.isEmpty, !run.plan.isInRealTime,
        run.plan.reasonToSkip(in: .sockets) == nil
      else { return false }
      return run.run().verdict.duration <= SocketsTests.longest
    }
  }
}

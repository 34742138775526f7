import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import TestKit
import Testing
import TraceRecording
import Traces
import Values
import Verdicts

/// Each scenario with endpoints, recorded and replayed.
@Suite struct ReplayCorpusTests {
  @Test(arguments: Corpus.recorded)
  func `a recorded run is replayed without a divergence`(path: String) throws {
    for recorded in TracedRun.recorded(path) {
      let one = recorded.run
      // Programs are replayed by the command, whose tests are elsewhere.
      if one.plan.endpoints.isEmpty || !one.plan.programs.isEmpty { continue }
      let replayed = try #require(replay(one, recorded.trace))
      let first = replayed.comparison.divergences.first
      let text = first.map { replayed.comparison.message(of: $0) } ?? ""
      #expect(first == nil, "\(one.title): \(text)")
      #expect(replayed.verdict.outcome == .passed, "\(one.title): \(replayed.verdict.failures)")
    }
  }

  @Test func `what was recorded over sockets is replayed in virtual time`() throws {
    for path in Self.overSockets {
      let runs = TracedRun.runs(of: path)
      #expect(!runs.isEmpty, "\(path) has no scenarios")
      for one in runs {
        let replayed = try #require(replay(one, TracedRun(one, in: .sockets).text))
        let first = replayed.comparison.divergences.first
        let text = first.map { replayed.comparison.message(of: $0) } ?? ""
        #expect(first == nil, "\(one.title): \(text)")
      }
    }
  }

  private static let overSockets = [
    "scenarios/reactors/cat-facts.scenario.yaml", "scenarios/http/request-redirects.scenario.yaml",
    "scenarios/http/request-cookies.scenario.yaml",
  ]

  private func replay(_ one: CorpusRun, _ text: String) -> ReplayedRun? {
    guard let run = ReadTrace(Array(text.utf8)).runs.first else { return nil }
    let inputs = RunInputs(seed: run.header.seed ?? 1, row: one.row)
    return ScenarioRuns.replay(one.plan, by: run, inputs: inputs, sources: one.sources)
  }
}

import Diagnostics
import ScenarioEngine
import ScenarioRuns
import TestKit
import Testing
import TraceRecording
import Traces
import Verdicts

/// Recorded runs of the scenario that judges them.
@Suite struct RejudgeTests {
  @Test(arguments: [
    "network: { loss: 1 }", "network: offline", "network: { api: { latency: 1m } }",
  ])
  func `a recorded request that did not arrive is judged as one that did not`(
    step: String
  ) throws {
    let text = """
      scenario: A
      endpoints: { api: { http: [{ get: /, respond: { json: 1 } }] } }
      providers: { item: { endpoint: api, get: / } }
      reactors: { page: { state: { item: none }, actions: { load: [{ load: { item: item } }] } } }
      steps:
        - ignore: [page.item]
        - \(step)
        - send: page.load
        - never: api
          for: 1s
      """
    let file = loadScenarios(SourceFile(path: "a.scenario.yaml", text: text))
    let one = CorpusRun(plan: try #require(file.plans.first), row: nil, sources: file.sources)
    let run = try #require(ReadTrace(Array(TracedRun(one).text.utf8)).onlyRun)
    let judged = judge(
      one.plan, by: MatchedLines(run, at: "a.trace.jsonl", one.plan, TracedFiles(one.sources)),
      inputs: RunInputs(seed: 1), sources: one.sources)
    #expect(judged.verdict.outcome == .passed, "\(judged.verdict.failures.map(\.message))")
  }

  /// What `docs/traces.md` lists under "What is not judged again", scenario by scenario.
  private static let exceptions = Set(
    (fileText("scenarios/traces/not-judged-again.txt") ?? "").split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map(String.init))

  @Test(arguments: Corpus.recorded)
  func `a recorded run of a shipped scenario is judged as it was when it ran`(
    path: String
  ) throws {
    // A scenario about a trace of another program is never recorded: it has no events of its own.
    for recorded in TracedRun.recorded(path)
    where recorded.run.plan.reasonToSkip(in: .mock) == nil {
      let corpusRun = recorded.run
      let run = try #require(ReadTrace(Array(recorded.trace.utf8)).onlyRun)
      let files = TracedFiles(corpusRun.sources)
      let lines = MatchedLines(run, at: "a.trace.jsonl", corpusRun.plan, files)
      let judged = judge(
        corpusRun.plan, by: lines,
        inputs: RunInputs(seed: run.header.seed ?? 1, row: corpusRun.row),
        sources: corpusRun.sources)
      let isJudgedAlike = judged.verdict.outcome == recorded.outcome
      let name = "\(path): \(corpusRun.title)"
      #expect(
        isJudgedAlike != Self.exceptions.contains(name),
        "\(name) \(judged.verdict.failures.map(\.message))")
    }
  }
}

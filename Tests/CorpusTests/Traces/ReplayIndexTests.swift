import Diagnostics
import ScenarioEngine
import ScenarioRuns
import TestKit
import Testing
import Traces
import Values

@testable import TraceRecording

/// What a replay finds by the index of its trace, and reads when it needs it.
@Suite struct ReplayIndexTests {
  private static let counting = """
    scenario: A counter
    graph: { count: 0 }
    steps:
      - repeat: 100
        steps:
          - set: { count: "${count + 1}" }
          - check: count > 0
    """

  @Test func `assertions of one place are found by their turns, in any order`() throws {
    let replayed = try replay(Self.counting) { trace in
      // The lines of the first and the last turns change places.
      edited(trace, #""kind":"assertion""#) { line in
        line.replacing(#/"turns":\[(\d+)\]/#) { match in
          "\"turns\":[\(101 - (Int(match.output.1) ?? 0))]"
        }
      }
    }
    #expect(replayed.comparison.divergences.isEmpty)
    #expect(replayed.comparison.compared >= 200)
  }

  @Test func `an assertion that came out otherwise is named with its turn`() throws {
    let replayed = try replay(Self.counting) { trace in
      edited(trace, "\"turns\":[70]") {
        $0.replacing("\"held\":true", with: "\"held\":false")
      }
    }
    let comparison = replayed.comparison
    #expect(comparison.divergences.count == 1)
    let recorded = try #require(comparison.divergences.first?.recorded)
    #expect(comparison.run.entries[recorded].line.value?.json["turns"] == [70])
  }

  private static let asking = """
    scenario: Requests
    endpoints: { api: { http: [{ post: /a, respond: { json: "${request.json.n}" } }] } }
    steps:
      - request: { endpoint: api, post: /a, json: { n: 1 }, expect: { json: 1 } }
      - request: { endpoint: api, post: /a, json: { n: 2 }, expect: { json: 2 } }
      - request: { endpoint: api, post: /a, json: { n: 3 }, expect: { json: 3 } }
    """

  @Test func `requests with one path take the recorded answers to their bodies`() throws {
    let replayed = try replay(Self.asking) { $0 }
    #expect(replayed.comparison.divergences.isEmpty)
    #expect(replayed.verdict.outcome == .passed, "\(replayed.verdict.failures.map(\.message))")
  }

  @Test func `a request that the trace lacks is held against the nearest one`() throws {
    let replayed = try replay(Self.asking) { trace in
      edited(trace, "\"kind\":\"request\"") { line in
        line.replacing("\"body\":{\"n\":2}", with: "\"body\":{\"n\":7}")
      }
    }
    let first = try #require(replayed.comparison.divergences.first)
    #expect(first.differences.contains { $0.contains("7") && $0.contains("2") })
  }

  /// Returns a trace with the lines changed that contain a text.
  private func edited(_ trace: String, _ part: String, _ edit: (String) -> String) -> String {
    trace.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.contains(part) ? edit(String($0)) : String($0) }
      .joined(separator: "\n")
  }

  private func replay(_ text: String, altered: (String) -> String) throws -> ReplayedRun {
    let file = loadScenarios(SourceFile(path: "a.scenario.yaml", text: text))
    try #require(file.diagnostics == [])
    let one = CorpusRun(plan: try #require(file.plans.first), row: nil, sources: file.sources)
    let trace = altered(TracedRun(one).text)
    let run = try #require(ReadTrace(Array(trace.utf8)).runs.first)
    return ScenarioRuns.replay(
      one.plan, by: run, inputs: RunInputs(seed: 1), sources: one.sources)
  }
}

import Diagnostics
import Imports
import ScenarioRuns
import TestKit
import Testing
import Traces
import Values
import Verdicts

/// Scenarios that are made from recordings.
@Suite struct ImportTests {
  @Test(arguments: Corpus.recorded)
  func `what is imported from a recorded run passes against its own mocks`(path: String) throws {
    for recorded in TracedRun.recorded(path) where !recorded.run.plan.endpoints.isEmpty {
      let trace = ReadTrace(Array(recorded.trace.utf8))
      let run = try #require(trace.onlyRun)
      guard run.exchanges.contains(where: { _ in true }) else { continue }
      let text = try importScenario(readFlow(of: run, named: "a trace")).get()
      let file = loadScenarios(SourceFile(path: "imported.scenario.yaml", text: text))
      #expect(render(file.complaints, in: file.sources) == "", "\(recorded.run.title)\n\(text)")
      for imported in Corpus.runs(of: file) {
        let verdict = imported.run().verdict
        #expect(
          verdict.outcome == .passed,
          "\(recorded.run.title)\n\(text)\n\(render(verdict.failures, in: file.sources))")
      }
    }
  }

  @Test func `two archives of a flow become a scenario that expects what both have`() throws {
    let flow = try archive("shop.har")
    let noise = try ImportNoise.between(flow, archive("shop-again.har")).get()
    let text =
      "# yaml-language-server: $schema=../../schemas/scenario.schema.json\n"
      + (try importScenario(flow, noise: noise).get())
    #expect(goldenText("scenarios/imports/shop.scenario.yaml", made: text) == text)
  }

  @Test func `no token of an archive is in its scenario`() throws {
    let text = try importScenario(archive("shop.har")).get()
    for token in ["eyJhbGciOiJIUzI1NiJ9", "abcdef0123456789", "hunter2hunter2"] {
      #expect(!text.contains(token))
    }
  }

  private func request(_ value: String) -> String { line("request", "client", value) }

  private func response(_ value: String) -> String { line("response", "server", value) }

  private func line(_ kind: String, _ side: String, _ value: String) -> String {
    #"{"kind":"\#(kind)","source":"api","value":\#(value),"connection":1,"from":"\#(side)"}"#
  }

  @Test func `only the names of secrets that a trace has become variables`() throws {
    let lines = [
      #"{"trace":1,"by":"rehearse 0.1.0","sides":{"api":"client"},"secrets":["key"]}"#,
      request(#"{"headers":{"x-key":"‹key›"},"method":"GET","path":"/a","query":{"q":"‹hello›"}}"#),
      response(
        #"{"body":{"said":"‹hello› and ‹key›","session":"‹session#1›"},"#
          + #""headers":{"content-type":"application/json"},"status":200}"#),
      request(#"{"headers":{"x-session":"‹session#1›"},"method":"GET","path":"/b"}"#),
      response(#"{"headers":{},"status":204}"#),
    ]
    let trace = ReadTrace(Array((lines.joined(separator: "\n") + "\n").utf8))
    let text = try importScenario(readFlow(of: #require(trace.onlyRun), named: "a trace")).get()
    #expect(text.contains("q: ‹hello›"), "\(text)")
    #expect(text.contains("said: \"‹hello› and ${key}\""), "\(text)")
    #expect(text.contains("x-key: \"${key}\""), "\(text)")
    #expect(text.contains("x-session: \"${session}\""), "\(text)")
  }

  @Test(arguments: [
    ("{}", "unreadable-archive"), ("{\"log\":{\"entries\":{}}}", "unreadable-archive"),
    ("{\"log\":{\"entries\":[]}}", "nothing-to-import"),
    ("{\"log\":{\"entries\":[1,{},{\"request\":{\"url\":7}}]}}", "nothing-to-import"),
  ])
  func `an archive without requests is refused by name`(text: String, id: String) throws {
    let json = try parseJSON(text).get()
    let flow = readArchive(json, named: "a.har")
    #expect(problem(flow.flatMap { importScenario($0) })?.id.rawValue == id)
  }

  @Test func `two recordings of different flows are refused with the first difference`() throws {
    let flow = try archive("shop.har")
    var other = flow
    other.exchanges.removeLast()
    let last = try #require(flow.exchanges.last)
    let missing = problem(ImportNoise.between(flow, other))
    #expect(
      missing?.message == "both recordings have to be of the same flow: the second one has no "
        + "\(last.request.method) \(last.request.path)")
    #expect(missing?.notes.map(\.text).first == last.place)
    other = flow
    other.exchanges[1].request.method = "GET"
    let changed = problem(ImportNoise.between(flow, other))
    #expect(changed?.message.hasSuffix("the second one has no POST /login") == true)
    #expect(changed?.notes.first?.text.hasPrefix("shop.har /log/entries/") == true)
  }

  /// What browsers write of a WebSocket: times of the calendar in seconds or in milliseconds, or
  /// none. The last two come from nobody.
  @Test(arguments: [
    ("1795462917.124", "1795462917.324", true), ("1795462917124.9", "1795462917324.9", true),
    ("-1", "-1", false), ("5", "1", false), ("0", "1e300", false), ("null", "\"a\"", false),
  ])
  func `the times of messages are those of the archive, or none`(
    first: String, second: String, isLater: Bool
  ) throws {
    let json = """
      {"log":{"entries":[{"startedDateTime":"2026-01-05T10:00:00Z","time":-1e300,
      "_webSocketMessages":[{"type":"receive","time":\(first),"opcode":1,"data":"a"},
      {"type":"receive","time":\(second),"opcode":1,"data":"b"}],
      "request":{"method":"GET","url":"ws://shop.example/rpc","headers":[]},
      "response":{"status":101,"headers":[],"content":{}}},
      {"startedDateTime":"2026-01-05T10:00:01Z","time":1e300,
      "request":{"method":"GET","url":"http://shop.example/a","headers":[]},
      "response":{"status":204,"headers":[],"content":{}}}]}}
      """
    let archive = try parseJSON(json).get()
    let text = try importScenario(readArchive(archive, named: "a.har").get()).get()
    #expect(text.contains("wait: 200ms") == isLater, "\(text)")
    let file = loadScenarios(SourceFile(path: "imported.scenario.yaml", text: text))
    for imported in Corpus.runs(of: file) {
      #expect(imported.run().verdict.outcome == .passed, "\(text)")
    }
    let watched = try watchArchive(archive, named: "a.har").get()
    #expect(watched.found.isEmpty)
  }

  private func archive(_ name: String) throws -> ImportedFlow {
    let text = try #require(fileText("scenarios/imports/" + name))
    return try readArchive(parseJSON(text).get(), named: name).get()
  }

  private func problem<Success>(_ result: Result<Success, ImportProblem>) -> Diagnostic? {
    if case .failure(let problem) = result { problem.diagnostic } else { nil }
  }
}

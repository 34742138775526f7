import Diagnostics
import Glibc
import ScenarioEngine
import ScenarioRuns
import TestKit
import Testing
import Traces
import Values
import World

/// Random scenarios with streams, retries, cuts and reactors, recorded and replayed.
///
/// Times of steps, mocks, retries and the network are often the same. Those of actions are not: one
/// that has waited leaves no line, so that nothing says whether it came before an input.
@Suite struct RandomReplayTests {
  /// Something that a mock's script does.
  private static let acts = [
    "{ event: a }", "{ event: { data: b, id: \"1\" } }", "{ wait: 1.1ms }", "{ wait: 1003ms }",
    "{ wait: 1ms }", "{ wait: 1s }",
    "{ bytes: \"id: 7\\n\\n\" }", "{ bytes: \"retry: 20\\n\\n\" }", "{ bytes: \": hi\\n\" }",
    "{ bytes: \"id:\\n\\n\" }",
  ]
  private static let ends = [
    "drop", "reset", "{ wait: forever }", "{ wait: 1.9ms }", "{ wait: 10ms }",
  ]
  private static let answers = [
    "{ json: 1 }", "{ json: 2, after: 1017ms }", "{ status: 503 }", "{ json: 3, after: 1.7ms }",
    "{ json: 4, after: 1s }", "{ json: 5, after: 3ms }",
  ]
  private static let steps = [
    "send: both.go", "send: x.go", "send: { x.go: null, y.go: null }", "wait: 1s", "wait: 3ms",
    "network: offline", "network: online", "set: { log: reset }", "connect: stream",
    "disconnect: stream", "send: { socket: hi }",
    "network: { api: { latency: 5.3ms } }", "network: { feed: { latency: 3ms } }",
    "request: { endpoint: api, get: /a }", "send: slow.go",
  ]

  /// Returns a scenario that is another one with each seed.
  private static func text(_ random: inout SeededRandom) -> String {
    func one(_ texts: [String]) -> String { texts[Int(random.next() % UInt64(texts.count))] }
    func some(_ texts: [String], _ most: Int) -> [String] {
      (0...Int(random.next() % UInt64(most))).map { _ in one(texts) }
    }
    func script() -> String { (some(acts, 4) + [one(ends)]).joined(separator: ", ") }
    return """
      scenario: Random
      endpoints:
        api:
          http:
            - { get: /a, respond: \(one(answers)) }
            - { get: /b, respond: \(one(answers)) }
        feed:
          sse:
            - { accept: {}, script: [\(script())] }
            - { accept: {}, script: [\(script())] }
            - { accept: {}, script: [{ wait: forever }] }
        chat:
          websocket:
            - { accept: {}, script: [{ send: a }, { receive: hi }, { send: b }, \(one(ends))] }
            - { accept: {}, script: [{ wait: forever }] }
      connections:
        stream: { sse: { endpoint: feed, path: /e }, retry: { initialDelay: 10ms } }
        socket: { websocket: { endpoint: chat, path: /c }, retry: { initialDelay: 1s } }
      providers: { a: { endpoint: api, get: /a }, b: { endpoint: api, get: /b } }
      graph: { log: "", last: { latest: stream, of: event } }
      reactors:
        x:
          state: { v: none }
          actions:
            go: [{ load: { v: a } }, { set: { log: "${log + 'a'}" } }, { send: x.then }]
            then: [{ set: { log: "${log + 'c'}" } }]
        y:
          state: { v: none }
          actions: { go: [{ load: { v: b } }, { set: { log: "${log + 'b'}" } }] }
        both: { actions: { go: [{ wait: 1007ms }, { send: { x.go: null, y.go: null } }] } }
        slow: { actions: { go: [{ send: y.go }, { wait: 1009ms }, { send: x.go }] } }
      steps:
        - connect: socket
      \(some(steps, 9).map { "  - \($0)" }.joined(separator: "\n"))
        - wait: 3s

      """
  }

  /// What passed and what was emitted, in order, without numbers of lines.
  private static func lines(of run: TraceRun) -> [String] {
    let kinds: Set<TraceKind> = [
      .branch, .read, .idle, .log, .phase, .failure, .network, .fault, .ignored, .problem, .pending,
      .verdict,
    ]
    return run.entries.compactMap { entry in
      var line = entry.line
      guard let kind = line.knownKind, !kinds.contains(kind) else { return nil }
      // In a replay the recorded answers take the place of the mocks' scripts.
      if kind == .assertion, line.step?.hasPrefix("endpoints/") ?? false { return nil }
      (line.number, line.cause) = (nil, nil)
      var writer = TraceWriter()
      return String(decoding: writer.write(line).bytes, as: UTF8.self)
    }
  }

  /// The number of seeds; `RANDOM_REPLAYS` gives another one for a long search.
  private static let seeds =
    getenv("RANDOM_REPLAYS").flatMap { Int(String(cString: $0)) } ?? 60

  @Test(arguments: 0..<seeds)
  func `a random scenario is replayed as it was, to the byte`(seed: Int) throws {
    try replayAll(seed)
  }

  private func replayAll(_ seed: Int) throws {
    for part in 0..<4 {
      var random = SeededRandom(seed: UInt64(seed * 4 + part))
      let text = Self.text(&random)
      let file = loadScenarios(SourceFile(path: "a.scenario.yaml", text: text))
      let plan = try #require(file.plans.first, "\(text)\n\(file.diagnostics.map(\.message))")
      let recorded = TracedRun(CorpusRun(plan: plan, row: nil, sources: file.sources)).text
      let run = try #require(ReadTrace(Array(recorded.utf8)).onlyRun)
      var settings = ReplaySettings()
      (settings.keepsLines, settings.folder) = (true, TracedRun.folder)
      settings.steps = TracedSteps(file.sources).steps(of: plan)
      let replayed = replay(
        plan, by: run, inputs: RunInputs(seed: 1), sources: file.sources, settings)
      var writer = TraceWriter()
      var bytes = writer.write(run.header).bytes
      for line in replayed.lines { bytes += writer.write(line).bytes }
      let again = try #require(ReadTrace(bytes).onlyRun)
      let (before, now) = (Self.lines(of: run), Self.lines(of: again))
      let place = zip(before, now).enumerated().first { $1.0 != $1.1 }?.offset
      let at = place ?? min(before.count, now.count)
      let isSame = before == now
      #expect(
        isSame,
        """
        seed \(seed * 4 + part), line \(at)
        \(before.dropFirst(max(0, at - 2)).prefix(4).joined())now
        \(now.dropFirst(max(0, at - 2)).prefix(4).joined())\(text)
        """)
      let first = replayed.comparison.divergences.first
      #expect(first == nil, "\(first.map { replayed.comparison.message(of: $0) } ?? "") \(text)")
    }
  }
}

import Diagnostics
import ScenarioEngine
import ScenarioRuns
import Testing
import Verdicts

@Suite struct HostileScenarioTests {
  /// Returns the messages of a run's failures.
  private func failures(of text: String) -> [String] {
    let loaded = loadScenarios(SourceFile(path: "x.yaml", text: text))
    return loaded.diagnostics.filter { $0.id != "no-assertions" }.map(\.message)
      + loaded.plans.flatMap { plan in
        runScenario(plan, inputs: RunInputs(seed: 1), sources: loaded.sources).verdict.failures
          .map(\.message)
      }
  }

  @Test(arguments: [
    "steps: [{ repeat: 9223372036854775807, steps: [] }]",
    """
    reactors: { a: { state: { n: 0 }, actions: { go: [{ repeat: 1000000000, steps: [] }] } } }
    steps: [{ send: a.go }]
    """,
  ])
  func `a loop without steps comes to an end`(rest: String) {
    #expect(
      failures(of: "scenario: loop\n\(rest)") == ["a run takes at most this many steps"])
  }

  @Test func `thousands of streams that begin one inside the other leave room on the stack`() {
    let count = 2_000
    let named = (0...count).map { "  x\($0): { from: c, through: [map: value] }" }
    let joining = (0..<count).map {
      "  s\($0): { from: x\($0 + 1), through: [withLatest: c, merge: x\($0)] }"
    }
    let text = (["streams:", "  c: { marble: a }"] + named + joining).joined(separator: "\n")
    #expect(failures(of: "scenario: stack\n\(text)\nsteps: [expect: { c: a }]") == [])
  }

  @Test(arguments: [
    // Each value makes a thousand more, three times over, and none of them is an event.
    """
    streams:
      go: subject
      many: { items: [\((0..<1_000).map(String.init).joined(separator: ", "))] }
      made:
        from: go
        through:
          - flatMap: { stream: many }
          - flatMap: { stream: many }
          - flatMap: { stream: many }
          - last
    steps: [{ send: { go: 1 } }]
    """,
    """
    streams:
      bad: { marble: "#" }
      again: { from: bad, through: [{ retry: 1000000000 }] }
    steps: [{ wait: 1s }]
    """,
    """
    streams: { again: { items: [1], through: [{ map: value / 0 }, { retry: 1000000000 }] } }
    steps: [{ wait: 1s }]
    """,
  ])
  func `streams that make more and more at one instant come to an end`(rest: String) {
    #expect(
      failures(of: "scenario: bomb\n\(rest)")
        == ["streams make more and more values at one instant"])
  }

  @Test func `what doubles with each stream ends where the limit is reached`() throws {
    let streams = (1..<40).map { "  s\($0): { from: [s\($0 - 1), s\($0 - 1)] }\n" }.joined()
    let text = "scenario: twice\nstreams:\n  s0: subject\n\(streams)steps: [{ send: { s0: 1 } }]"
    let loaded = loadScenarios(SourceFile(path: "x.yaml", text: text))
    let run = runScenario(try #require(loaded.plans.first), inputs: RunInputs(seed: 1))
    #expect(run.verdict.failures.map(\.id) == ["limit-exceeded"])
    #expect(run.log.events.count < 100_100)
  }

  @Test(.timeLimit(.minutes(5)))
  func `tens of thousands of computed nodes are looked up at once`() {
    let nodes = (1...30_000).map { "  n\($0): { computed: n0 + 1 }\n" }.joined()
    #expect(failures(of: "scenario: x\ngraph:\n  n0: 0\n\(nodes)steps: [check: n7 == 1]") == [])
  }

  @Test func `more connections than a machine has room for reach a limit`() {
    let text = """
      scenario: x
      endpoints: { api: { http: [{ get: /, respond: { after: 1h } }] } }
      providers: { slow: { endpoint: api, get: / } }
      reactors: { r: { state: { x: none }, actions: { go: [{ load: { x: slow } }] } } }
      steps: [{ repeat: 30000, steps: [{ send: r.go }] }]
      """
    #expect(failures(of: text) == ["at most this many connections are open at once"])
  }

  @Test func `more connections than a run can have are refused when the file is loaded`() {
    let connections = (0...20_000).map { "  c\($0): { sse: { endpoint: feed, path: / } }\n" }
    let text = """
      scenario: x
      endpoints: { feed: { sse: [{ accept: {}, script: [{ wait: forever }] }] } }
      connections:
      \(connections.joined())steps: [{ connect: c0 }]
      """
    let loaded = loadScenarios(SourceFile(path: "x.yaml", text: text))
    #expect(loaded.diagnostics.map(\.id) == ["too-many-connections"])
    let place = loaded.diagnostics.first?.labels.first?.range
    #expect(place.flatMap(loaded.sources.placeText) == "x.yaml:20004:3")
  }

  @Test func `groups without end reach a limit, and those that have ended count no more`() {
    let many =
      "items: { params: [n], interval: 1us, through: [map: value, prefix: 6000, \(groups)] }"
    let text = { (steps: String) in
      "scenario: x\nstreams:\n  asked: subject\n  \(many)\n"
        + "  found: { from: asked, through: [flatMap: items] }\nsteps: [\(steps)]"
    }
    let ask = "send: { asked: 1 }"
    #expect(failures(of: text("\(ask), wait: 1s, \(ask), wait: 1s")) == [])
    #expect(
      failures(of: text("\(ask), \(ask), wait: 1s")) == [
        "the streams with `groupBy` keep at most this many groups at once; is each key new?"
      ])
  }

  private var groups: String { "{ groupBy: value, through: [removeDuplicates] }" }

  @Test func `a burst of events of one cause is no loop`() {
    let text = """
      scenario: x
      endpoints:
        feed:
          ndjson:
            - accept: {}
              script: [{ repeat: 110000, steps: [{ event: 1 }] }, { wait: forever }]
      connections: { rows: { ndjson: { endpoint: feed, path: / } } }
      steps:
        - connect: rows
        - wait: 1s
        - check: count(rows) == 110000
      """
    #expect(failures(of: text) == [])
  }

  @Test func `a log of large values reaches a limit`() {
    let text = """
      scenario: large
      vars: { large: \(String(repeating: "x", count: 4_000_000)) }
      graph: { text: "" }
      steps:
        - repeat: 1000
          steps: [{ set: { text: "${large}" } }, { set: { text: "" } }]
        - never: [text]
      """
    #expect(
      failures(of: text) == [
        "a run logs at most this much, unless `--log-limit` allows more; does a value keep growing?"
      ])
  }

  @Test(arguments: [
    ("i: why", "an event was not followed by the event it must lead to"),
    ("i: { $as: number }", "at most this many events may wait for what they lead to"),
  ])
  func `unanswered events without end are judged soon`(when: String, message: String) {
    let rule = when == "i: why" ? "'why'" : "value"
    let text = """
      scenario: unanswered
      streams: { i: { interval: 1us, through: [{ map: "\(rule)" }] } }
      invariants:
        - leadsTo: { when: { \(when) }, then: { i: never } }
      steps: [{ wait: 20ms }]
      """
    #expect(failures(of: text) == [message])
  }

  @Test func `a branch that fails ends the action around it`() {
    let text = """
      scenario: branches of an action
      reactors:
        r:
          state: { n: 0 }
          actions:
            go: [{ parallel: [[{ wait: 5s }], [{ wait: 1s }, { fail: x }]] }]
      steps: [{ send: r.go }, { wait: 10s }]
      """
    #expect(failures(of: text).count == 1)
  }
}

import TestKit
import Testing
import Verdicts

/// A scenario is held against events that some program recorded.
@Suite struct JudgeTraceTests {
  private static let shop = """
    scenario: A shop
    sources: { cart.total: { initial: 0 }, payments: {}, page: { from: web-page } }
    graph: { isEmpty: { computed: cart.total == 0 } }
    invariants: [INVARIANT]
    steps: [STEPS]
    """

  private func failures(
    _ steps: String, _ lines: [String], invariant: String = "{ always: cart.total >= 0 }"
  ) -> [String]? {
    let text = Self.shop.replacing("STEPS", with: steps).replacing("INVARIANT", with: invariant)
    let verdict = Loading(text).judge((["{\"trace\":1}"] + lines).map { $0 + "\n" }.joined())
    return verdict?.failures.map(\.id.rawValue)
  }

  private static let bought = [
    #"{"us":0,"source":"cart.total","value":20}"#,
    #"{"us":1000,"source":"cart.total","value":45}"#,
    #"{"us":1000,"source":"payments","value":{"key":"k-1"}}"#,
    #"{"us":3000000,"source":"payments","value":{"key":"k-1"}}"#,
    #"{"us":3000000,"source":"cart.total","value":0}"#,
  ]

  @Test(arguments: [
    "{ expect: { cart.total: [20, 45, 0] } }",
    "{ expect: [{ cart.total: 20 }, { payments: { key: { $as: key } } }] , ignore: [] }"
      .replacing(" , ignore: []", with: ""),
    "{ check: isEmpty && cart.total == 0 }",
    "{ expect: [{ cart.total: 20 }, { cart.total: 45 }] }, { check: \"!isEmpty\" }, "
      + "{ expect: { cart.total: 0 } }",
    "{ expect: [{ cart.total: 20 }, { cart.total: 45 }] }, { check: payments == null }, "
      + "{ ignore: [cart.total] }",
    "{ send: nobody }".replacing("send: nobody", with: "wait: 1h"),
    "{ eventually: count(payments) == 2 }",
    "{ never: [page] }",
  ])
  func `these steps hold for the trace`(_ steps: String) {
    let isPartOfList = steps.contains("$as")
    let lines = isPartOfList ? [Self.bought[0], Self.bought[2]] : Self.bought
    #expect(failures(steps, lines) == [])
  }

  @Test(arguments: [
    ("{ expect: { cart.total: [20, 44] } }", "unexpected-event"),
    ("{ expect: { cart.total: [20, 45, 0, 1] } }", "trace-ended"),
    ("{ expect: [{ payments: { $any: true } }, { cart.total: 20 }] }", "out-of-order"),
    ("{ expect: { cart.total: 20 } }", "unaccounted-events"),
    ("{ expect: [{ cart.total: 20 }, { cart.total: 45, within: 500us }] }", "not-in-time"),
    ("{ eventually: cart.total == 46 }", "trace-ended"),
    ("{ never: [page], for: 1m }", "trace-too-short"),
    ("{ never: [payments], for: 1m }", "never-broken"),
    ("{ check: cart.total == 1 }", "check-failed"),
  ])
  func `these steps fail with this id`(_ steps: String, _ id: String) {
    #expect(failures(steps, Self.bought) == [id])
  }

  @Test(
    arguments: [
      ("{ always: cart.total <= 20 }", ["invariant-broken"]),
      ("{ never: cart.total == 45 }", ["invariant-broken"]),
      ("{ leadsTo: { when: { payments: {} }, then: { cart.total: 0 }, within: 5s } }", []),
      (
        "{ leadsTo: { when: { payments: {} }, then: { cart.total: 0 }, within: 2s } }",
        ["invariant-unanswered"]
      ),
      ("{ leadsTo: { when: { cart.total: 0 }, then: { page: x } } }", ["invariant-unanswered"]),
    ] as [(String, [String])])
  func `an invariant is sampled after each change`(_ invariant: String, _ ids: [String]) {
    #expect(failures("{ check: true }", Self.bought, invariant: invariant) == ids)
  }

  @Test func `a change of several lines is complete with its last`() {
    let lines = [
      #"{"us":0,"source":"cart.total","value":-1}"#,
      #"{"us":0,"source":"cart.total","value":1,"settled":true}"#,
    ]
    #expect(failures("{ check: true }", lines) == [])
    #expect(failures("{ check: true }", [lines[0]]) == ["invariant-broken"])
  }

  @Test func `a trace with a verdict is known to be silent after its end`() {
    let lines = [
      #"{"us":0,"source":"cart.total","value":1}"#, #"{"us":5,"kind":"verdict","value":"passed"}"#,
    ]
    #expect(failures("{ never: [page], for: 1m }", lines) == [])
    let answer = "{ leadsTo: { when: { cart.total: 1 }, then: { page: x }, within: 1m } }"
    #expect(failures("{ check: true }", lines, invariant: answer) == ["invariant-unanswered"])
    #expect(failures("{ check: true }", [lines[0]], invariant: answer) == ["trace-too-short"])
  }

  @Test(
    arguments: Corpus.passing.filter {
      $0.hasPrefix("scenarios/traces/") && $0.hasSuffix(".scenario.yaml")
    })
  func `a shipped scenario holds for the trace of its name`(_ path: String) throws {
    let trace = try #require(fileText(path.replacing(".scenario.yaml", with: ".trace.jsonl")))
    let verdict = Loading(try #require(fileText(path)), path: path).judge(trace)
    #expect(verdict?.outcome == .passed)
  }

  @Test(arguments: [
    ("scenarios/live/prices.scenario.yaml", "prices."),
    ("scenarios/reactors/cat-facts.scenario.yaml", "cat-facts."),
    ("scenarios/live/chat.scenario.yaml", "chat."),
  ])
  func `a recorded run is judged as it was when it ran`(_ path: String, _ name: String) throws {
    let traces = filePaths(below: "scenarios/traces").filter { $0.hasSuffix(".trace.jsonl") }
    let trace = try #require(traces.first { $0.hasPrefix("scenarios/traces/" + name) })
    let verdict = Loading(try #require(fileText(path)), path: path).judge(
      try #require(fileText(trace)))
    #expect(verdict?.failures.map(\.message) == [])
  }
}

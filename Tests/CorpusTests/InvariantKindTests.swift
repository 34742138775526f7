import Diagnostics
import ScenarioEngine
import ScenarioRuns
import TestKit
import Testing
import Verdicts

/// Invariants about the order and the number of events, and about values that stay.
@Suite struct InvariantKindTests {
  private func verdict(_ invariant: String, _ steps: [String]) throws -> Verdict {
    let text = """
      scenario: x
      graph: { a: { stored: {} }, b: { stored: {} }, n: 0, on: false }
      invariants: [\(invariant)]
      steps: [\(steps.joined(separator: ", "))]
      """
    let loaded = loadScenarios(SourceFile(path: "x.yaml", text: text))
    let plan = try #require(loaded.plans.first)
    return runScenario(plan, inputs: RunInputs(seed: 1), sources: loaded.sources).verdict
  }

  @Test func `a change is one event for all invariants that read it`() throws {
    let one = try verdict("{ always: n < 9 }", ["set: { n: 1 }", "set: { n: 2 }"])
    let three = try verdict(
      "{ always: n < 9 }, { always: n < 8 }, { never: n == 7 }", ["set: { n: 1 }", "set: { n: 2 }"])
    #expect(one.eventCount == three.eventCount)
  }

  private func ids(_ invariant: String, _ steps: [String]) throws -> [String] {
    try verdict(invariant, steps).failures.map(\.id.rawValue)
  }

  private static let precededBy = """
    precededBy: { when: { b: { id: { $as: id } } }, once: { a: { id: "${id}" } }, within: 10s }
    """

  @Test(
    arguments: [
      (["set: { a: { id: 1 } }", "set: { b: { id: 1 } }"], []),
      (["set: { a: { id: 1 } }", "wait: 10s", "set: { b: { id: 1 } }"], []),
      (
        ["set: { a: { id: 1 } }", "wait: 11s", "set: { b: { id: 1 } }"], ["invariant-not-preceded"]
      ),
      (["set: { a: { id: 1 } }", "set: { b: { id: 2 } }"], ["invariant-not-preceded"]),
      (["set: { b: { id: 1 } }", "set: { a: { id: 1 } }"], ["invariant-not-preceded"]),
      (["set: { b: { id: 1 }, a: { id: 1 } }"], []),
    ] as [([String], [String])])
  func `an event is preceded by one with the same key`(_ steps: [String], _ found: [String]) throws
  {
    #expect(try ids("{ \(Self.precededBy) }", steps.map { "{ \($0) }" }) == found)
  }

  @Test(
    arguments: [
      ("never: { n: 3 }", ["a: { id: 1 }", "n: 2", "b: { id: 1 }", "n: 3"], []),
      ("never: { n: 3 }", ["a: { id: 1 }", "n: 3"], ["invariant-interrupted"]),
      ("never: { n: 3 }", ["a: { id: 1 }", "b: { id: 2 }", "n: 3"], ["invariant-interrupted"]),
      ("never: { b: { id: \"${id}\" } }", ["a: { id: 1 }", "b: { id: 1 }"], []),
      ("always: n < 3", ["n: 3", "n: 2", "a: { id: 1 }", "b: { id: 1 }", "n: 3"], []),
      ("always: n < 3", ["n: 3", "a: { id: 1 }, n: 0", "b: { id: 1 }, n: 5"], []),
      ("always: n < 3", ["n: 3", "a: { id: 1 }"], ["invariant-interrupted"]),
      ("always: n < id", ["a: { id: 1 }", "b: { id: 1 }", "a: { id: 4 }", "n: 3"], []),
      ("always: n < id", ["a: { id: 1 }", "a: { id: 4 }", "n: 3"], ["invariant-interrupted"]),
    ] as [(String, [String], [String])])
  func `something holds between two events`(
    _ rule: String, _ writes: [String], _ found: [String]
  ) throws {
    let between =
      "{ between: { when: { a: { id: { $as: id } } }, until: { b: { id: \"${id}\" } }, \(rule) } }"
    #expect(try ids(between, writes.map { "{ set: { \($0) } }" }) == found)
  }

  @Test(
    arguments: [
      ("of: n, while: on", ["n: 1", "on: true, n: 2", "on: false, n: 3"], []),
      ("of: n, while: on", ["on: true", "n: 1"], ["invariant-changed"]),
      ("of: n, while: on", ["on: true", "on: false", "n: 1", "on: true"], []),
      ("of: n / 0, while: on", ["on: true"], ["evaluation-failed"]),
      ("of: n, while: on, when: { a: {} }", ["on: true", "a: { id: 1 }", "n: 2"], []),
      (
        "of: value.n, while: value.on, when: { a: { id: { $as: id } } }",
        ["a: { id: 1, n: 1, on: true }", "a: { id: 2, n: 2, on: true }"], []
      ),
      (
        "of: value.n, while: value.on, when: { a: { id: { $as: id } } }",
        ["a: { id: 1, n: 1, on: true }", "a: { id: 1, n: 2, on: false }"], []
      ),
      (
        "of: value.n, while: value.on, when: { a: { id: { $as: id } } }",
        ["a: { id: 1, n: 1, on: true }", "a: { id: 1, n: 2, on: true }"], ["invariant-changed"]
      ),
    ] as [(String, [String], [String])])
  func `a value stays while a condition holds`(
    _ rule: String, _ writes: [String], _ found: [String]
  ) throws {
    #expect(try ids("{ unchanged: { \(rule) } }", writes.map { "{ set: { \($0) } }" }) == found)
  }

  @Test(
    arguments: [
      ("per: 10s, atMost: 1", ["n: 1", "wait: 10s", "n: 2"], []),
      ("per: 10s, atMost: 1", ["n: 1", "wait: 9s", "n: 2"], ["invariant-count"]),
      ("per: 10s, atMost: 0", ["n: 1"], ["invariant-count"]),
      ("atMost: 1", ["n: 1", "wait: 1h", "n: 2"], ["invariant-count"]),
      ("per: 10s, atLeast: 1", ["n: 1", "wait: 10s"], []),
      ("per: 10s, atLeast: 1", ["n: 1", "wait: 11s"], ["invariant-count"]),
      ("per: 10s, atLeast: 1", ["n: 1", "wait: 10s", "n: 2", "wait: 10s"], []),
      ("per: 10s, atLeast: 2", ["n: 1", "wait: 5s", "n: 2", "wait: 6s"], ["invariant-count"]),
      ("per: 10s, atLeast: 2", ["n: 1", "wait: 5s", "n: 2", "wait: 5s", "n: 3"], []),
    ] as [(String, [String], [String])])
  func `events are counted in any time of one length`(
    _ rule: String, _ steps: [String], _ found: [String]
  ) throws {
    let all = steps.map { $0.hasPrefix("wait") ? "{ \($0) }" : "{ set: { \($0) } }" }
    #expect(try ids("{ count: { when: { n: { $any: true } }, \(rule) } }", all) == found)
  }

  @Test(arguments: [
    precededBy, "between: { when: { a: 1 }, until: { b: 1 }, never: { n: 1 } }",
    "unchanged: { of: n, while: on }", "count: { when: { a: 1 }, atMost: 3 }",
  ])
  func `what never began is never exercised`(_ invariant: String) throws {
    let verdict = try verdict("{ \(invariant) }", ["{ set: { n: 1 } }"])
    #expect(verdict.outcome == .passed)
    let verb = invariant.prefix { $0 != ":" }
    #expect(verdict.neverExercised.map(\.part) == ["invariant `\(verb)`"])
  }

  @Test(
    arguments: [
      ("between: { when: { a: { id: { $as: id } } }, until: { b: 1 }, never: { n: 9 } }", 2_000),
      ("count: { when: { a: { id: { $as: id } } }, atMost: 1 }", 100_000),
      (
        "precededBy: { when: { b: { id: { $as: id } } }, once: { a: { id: \"${id}\" } } }", 100_000
      ),
    ].prefix(Corpus.everyTenth ? 1 : 3))
  func `what an invariant keeps has a limit with a name`(_ invariant: String, _ most: Int) throws {
    let text = """
      scenario: x
      sources: { a: {}, b: {}, n: {} }
      invariants: [{ \(invariant) }]
      steps: [{ check: true }]
      """
    func found(_ count: Int) -> [String]? {
      let lines = (1...count).map { "{\"us\":0,\"source\":\"a\",\"value\":{\"id\":\($0)}}\n" }
      return Loading(text).judge("{\"trace\":1}\n" + lines.joined())?.failures.map(\.id.rawValue)
    }
    #expect(found(most) == [])
    #expect(found(most + 1) == ["limit-exceeded"])
  }

  @Test func `values whose time is over make room`() throws {
    let text = """
      scenario: x
      sources: { a: {} }
      invariants: [{ count: { when: { a: { id: { $as: id } } }, per: 1s, atMost: 1 } }]
      steps: [{ check: true }]
      """
    let lines = (1...120_000).map {
      "{\"us\":\($0 * 1000),\"source\":\"a\",\"value\":{\"id\":\($0)}}\n"
    }
    let verdict = Loading(text).judge("{\"trace\":1}\n" + lines.joined())
    #expect(verdict?.failures.map(\.id.rawValue) == [])
  }

  @Test func `a failure shows the events that prove it`() throws {
    let steps = ["{ set: { a: { id: 1 } } }", "{ wait: 11s }", "{ set: { b: { id: 1 } } }"]
    let facts = try verdict("{ \(Self.precededBy) }", steps).failures.first?.facts
    #expect(
      facts?.map { "\($0.name) \($0.text)" } == [
        "event b { id: 1 }   event 3, at 11s", "awaited a { id: 1 }",
        "once a { id: 1 }   event 1, at 0ms, 1s too early",
      ])
  }
}

import Diagnostics
import ScenarioEngine
import ScenarioRuns
import TestKit
import Testing
import Values
import Verdicts

/// Actions that wait for others.
@Suite struct AwaitTests {
  /// A reactor with these actions, and steps.
  private static func text(_ actions: String, _ steps: String) -> String {
    """
    scenario: s
    reactors:
      r:
        state: { log: [] }
        actions:
    \(indented(actions, 6))
    steps:
    \(indented(steps, 2))
    """
  }

  private static func indented(_ text: String, _ count: Int) -> String {
    text.split(separator: "\n").map { String(repeating: " ", count: count) + $0 }
      .joined(separator: "\n")
  }

  private static func log(_ word: String) -> String { "{ set: { log: \"${log + ['\(word)']}\" } }" }

  private func failures(_ text: String) throws -> [Diagnostic] {
    let loading = Loading(text)
    #expect(loading.complaints == [])
    return try #require(loading.run()).verdict.failures
  }

  /// A step and the words that the actions have noted when it is over.
  @Test(arguments: [
    ("- { send: r.slow }", "['sent', 'slow']"),
    ("- { send: r.slow, await: true }", "['slow', 'sent']"),
    ("- parallel: [[{ send: r.slow, await: true }], [{ wait: 9s }]]", "['slow', 'sent']"),
    ("- try: [{ send: r.slow, await: true }]", "['slow', 'sent']"),
    ("- { send: { r.slow: 1, r.quick: 2 }, await: true }", "['quick', 'slow', 'sent']"),
  ])
  func `the script continues after the end of what it awaits`(
    step: String, words: String
  ) throws {
    let text = Self.text(
      """
      slow: [{ wait: 5s }, \(Self.log("slow"))]
      quick: [\(Self.log("quick"))]
      ask:
        \(step)
        - \(Self.log("sent"))
      """, "- send: r.ask\n- wait: 10s\n- check: r.log == \(words)")
    #expect(try failures(text).map(\.message) == [])
  }

  @Test func `a failure that nobody waits for any more is one of the scenario`() throws {
    let text = Self.text(
      """
      bad: [{ wait: 5s }, { fail: broken }]
      ask:
        inFlight: ask
        params: [n]
        steps: [{ if: n == 1, then: [{ send: r.bad, await: true }] }]
      """, "- send: { r.ask: 1 }\n- send: { r.ask: 2 }\n- wait: 10s")
    #expect(try failures(text).map(\.id) == ["action-failed"])
  }

  @Test func `a failure passes through all actions that wait, to its own place`() throws {
    let text = Self.text(
      """
      bad: [{ fail: broken }]
      middle: [{ send: r.bad, await: true }, \(Self.log("not reached"))]
      outer: [{ send: r.middle, await: true }, \(Self.log("not reached"))]
      """, "- fails: { send: r.outer }\n  error: broken\n- check: r.log == []\n- send: r.outer")
    let found = try failures(text)
    #expect(found.map(\.id) == ["action-failed"])
    #expect(found.first?.message.contains("r.bad") == true)
  }

  @Test func `of several failures the first one counts`() throws {
    let text = Self.text(
      """
      late: [{ wait: 5s }, { fail: late }]
      early: [{ wait: 1s }, { fail: early }]
      ask:
        - try: [{ send: { r.late: 1, r.early: 2 }, await: true }]
          catch: [{ set: { log: "${log + [error]}" } }]
      """,
      "- send: r.ask\n- expect: [{ r.log: [early], after: 5s }]")
    #expect(try failures(text).map(\.message) == [])
  }

  @Test func `what the end of a life cycle takes out of a queue is no longer awaited`() throws {
    let text = Self.text(
      """
      save: { queue: q, lifecycle: true, steps: [{ wait: 5s }] }
      ask: [{ send: r.save, await: true }, \(Self.log("over"))]
      """,
      "- send: r.save\n- send: r.ask\n- terminate: r\n- expect: [{ r.log: [over], after: 0s }]")
    #expect(try failures(text).map(\.message) == [])
  }

  @Test func `an action that is awaited under a condition may send itself`() throws {
    let down = """
      down:
        params: [n]
        steps:
          - { if: n > 0, then: [{ send: { r.down: "${n - 1}" }, await: true }] }
          - { set: { log: "${log + [n]}" } }
      """
    let text = Self.text(down, "- send: { r.down: 3 }\n- check: r.log == [0, 1, 2, 3]")
    #expect(try failures(text).map(\.message) == [])
    let endless = Self.text(down, "- send: { r.down: 1000000 }")
    #expect(try failures(endless).map(\.id) == ["limit-exceeded"])
  }

  /// Actions whose waits depend on a condition, and the way that the failure names.
  @Test(arguments: [
    (
      "a: { queue: q, steps: [{ if: true, then: [{ send: r.b, await: true }] }] }\n"
        + "b: [{ if: true, then: [{ send: r.a, await: true }] }]",
      "`r.b` → `r.a` → `r.a` → `r.b`"
    ),
    (
      "a: { join: j, steps: [{ if: true, then: [{ send: r.b, await: true }] }] }\n"
        + "b: [{ if: true, then: [{ send: r.a, await: true }] }]",
      "`r.b` → `r.a` → `r.b`"
    ),
  ])
  func `a wait that closes a circle fails its step in the run`(
    actions: String, way: String
  ) throws {
    let found = try failures(Self.text(actions, "- send: r.a"))
    #expect(found.count == 1)
    #expect(found.first?.message.contains("would wait for its own end: \(way)") == true)
  }

  /// Actions that can never end, and those that can.
  @Test(arguments: [
    ("a: [{ send: r.a, await: true }]", 1),
    ("a: [{ send: r.b, await: true }]\nb: [{ send: r.a, await: true }]", 1),
    (
      "a: { queue: q, steps: [{ if: false, then: [{ send: r.b, await: true }] }] }\n"
        + "b: { queue: q, steps: [] }", 1
    ),
    ("a: [{ send: r.a }]", 0),
    ("a: { inFlight: i, steps: [{ wait: 1s }, { send: r.a, await: true }] }", 0),
    ("a: [{ if: 'log == []', then: [{ fail: x }] }, { send: r.a, await: true }]", 0),
    ("a: [{ send: r.b, await: true }]\nb: [{ wait: 1s }]", 0),
  ])
  func `a circle that each run comes to is found when the file is loaded`(
    actions: String, errors: Int
  ) {
    let ids = Loading(Self.text(actions, "- wait: 1s")).file.complaints.map(\.id)
    #expect(ids == Array(repeating: "await-circle", count: errors))
  }

  @Test func `a run with actions that wait has the same log each time`() throws {
    let text = Self.text(
      """
      save: { queue: q, params: [n], steps: [{ wait: 1s }, { set: { log: "${log + [n]}" } }] }
      ask:
        params: [n]
        steps: [{ send: { r.save: "${n}" }, await: true }, { send: { r.save: 9 } }]
      """, "- send: { r.ask: 1 }\n- send: { r.ask: 2 }\n- wait: 10s")
    let logs = try (0..<2).map { _ in try #require(Loading(text).run()).log }
    #expect("\(logs[0])" == "\(logs[1])")
  }
}

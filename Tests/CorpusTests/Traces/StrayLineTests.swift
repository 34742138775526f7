import TestKit
import Testing
import Verdicts

/// Traces that hold because they say nothing about the scenario.
@Suite struct StrayLineTests {
  private func warnings(_ scenario: String, _ lines: String...) -> [String]? {
    Loading(scenario).judge((["{\"trace\":1}"] + lines).map { $0 + "\n" }.joined())?
      .warnings.map(\.id.rawValue)
  }

  private static let stage = "scenario: x\nsources: { a: { initial: 0 }, b: {} }\n"
  private static let event = #"{"source":"a","value":0}"#

  @Test(
    arguments: [
      ("invariants: [{ never: a == 7 }]", ["no-invariant-exercised"], []),
      (
        "invariants: [{ always: a2 == 0 }]\ngraph: { a2: { computed: a * 2 } }",
        ["no-invariant-exercised"], []
      ),
      ("invariants: [{ never: a == 7 }, { never: b == 7 }]", ["no-invariant-exercised"], []),
      (
        "invariants: [{ leadsTo: { when: { a: 0 }, then: { b: 1 }, within: 1m } }]",
        ["no-invariant-exercised", "source-without-events"], nil
      ),
      (
        "invariants: [{ count: { when: { a: 7 }, atMost: 0 } }]",
        ["no-invariant-exercised", "source-without-events"], ["no-invariant-exercised"]
      ),
      (
        "invariants: [{ between: { when: { a: 0 }, until: { a: 1 }, never: { b: 1 } } }]",
        ["no-invariant-exercised", "source-without-events"], []
      ),
      ("steps: [{ never: [a] }]", [], nil),
      (
        "steps: [{ if: a == 3, then: [{ expect: { a: 3 } }] }]",
        ["no-assertions", "source-without-events"], ["no-assertions"]
      ),
      ("steps: [{ if: a == 3, then: [{ check: a == 3 }] }]", ["no-assertions"], ["no-assertions"]),
      ("steps: [{ check: a == 0 }]", [], []),
    ] as [(String, [String], [String]?)])
  func `a trace for which the scenario says nothing is warned of`(
    _ rest: String, _ silent: [String], _ told: [String]?
  ) {
    #expect(warnings(Self.stage + rest) == silent)
    if let told { #expect(warnings(Self.stage + rest, Self.event) == told) }
  }
}

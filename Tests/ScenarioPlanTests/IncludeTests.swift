import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import TestKit
import Testing
import Values
import Verdicts

@Suite struct IncludeTests {
  private static let add = "params: { by: 1 }\nsteps: [{ set: { n: '${n + by}' } }]"

  /// The steps in each list of steps that another step holds.
  @Test(arguments: [
    "- include: add.steps.yaml",
    "- parallel: [[{ include: add.steps.yaml }], [{ wait: 1s }]]",
    "- { repeat: 1, steps: [{ include: add.steps.yaml }] }",
    "- { forEach: { each: [1] }, steps: [{ include: add.steps.yaml }] }",
    "- { if: n == 0, then: [{ include: add.steps.yaml }] }",
    "- { if: n != 0, then: [{ wait: 1s }], else: [{ include: add.steps.yaml }] }",
    "- { retry: { until: n == 1 }, steps: [{ include: add.steps.yaml }] }",
  ])
  func `steps are included wherever steps of a scenario stand`(step: String) throws {
    let text = "scenario: s\ngraph: { n: 0 }\nsteps:\n  \(step)\n  - check: n == 1\n"
    #expect(try failures(text, ["add.steps.yaml": Self.add]) == [])
  }

  @Test func `a step that must fail may be an included one, and finally includes as well`() throws {
    let text = """
      scenario: s
      graph: { n: 0 }
      steps:
        - fails: { include: { path: add.steps.yaml, with: { by: "${[1][n + 1]}" } } }
      finally:
        - include: { path: add.steps.yaml, with: { by: 5 } }
        - check: n == 5
      """
    #expect(try failures(text, ["add.steps.yaml": Self.add]) == [])
  }

  @Test func `captures go out, parameters and the names around do not go in or out`() throws {
    let take = "params: [x]\nsteps: [{ set: { n: '${x}' } }, { expect: { n: { $as: got } } }]"
    let text = """
      scenario: s
      graph: { n: 0 }
      steps:
        - forEach: { item: [7] }
          steps:
            - include: { path: take.steps.yaml, with: { x: "${item}" } }
        - check: got == 7
      """
    #expect(try failures(text, ["take.steps.yaml": take]) == [])
    let leak = text + "\n  - check: x == 7"
    #expect(Loading(leak, components: ["take.steps.yaml": take]).ids == ["unknown-name"])
    let peek = "params: [x]\nsteps: [{ check: item == 7 }, { set: { n: 1 } }, { expect: { n: 1 } }]"
    #expect(Loading(text, components: ["take.steps.yaml": peek]).ids.first == "unknown-name")
  }

  @Test func `a parameter is what its type says, also where it is known only in the run`() throws {
    let wait = "params: { pause: { type: duration } }\nsteps: [{ wait: '${pause}' }]"
    let text = """
      scenario: s
      graph: { n: 2s }
      steps:
        - include: { path: wait.steps.yaml, with: { pause: 1s } }
        - include: { path: wait.steps.yaml, with: { pause: "${n}" } }
        - check: now() == timestamp('2000-01-01T00:00:03Z')
      """
    #expect(try failures(text, ["wait.steps.yaml": wait]) == [])
    let wrong = text.replacing("graph: { n: 2s }", with: "graph: { n: soon }")
    #expect(try failures(wrong, ["wait.steps.yaml": wait]) == ["step-failed"])
    let early = text.replacing("pause: 1s }", with: "pause: [1] }")
    #expect(Loading(early, components: ["wait.steps.yaml": wait]).ids == ["parameter-type"])
  }

  @Test func `a row of a table fills in a parameter`() throws {
    let text = """
      scenario: s
      cases: [{ id: a, by: 1 }, { id: b, by: 2 }]
      graph: { n: 0 }
      steps:
        - include: { path: add.steps.yaml, with: { by: "${by}" } }
        - check: n == by
      """
    #expect(try failures(text, ["add.steps.yaml": Self.add]) == [])
  }

  @Test func `files that include each other do not load for ever`() {
    let text = "scenario: s\nsteps: [{ include: a.steps.yaml }]"
    let circle = [
      "a.steps.yaml": "steps: [{ include: b.steps.yaml }]",
      "b.steps.yaml": "steps: [{ include: a.steps.yaml }]",
    ]
    #expect(Loading(text, components: circle).ids == ["include-cycle"])
  }

  @Test func `there is an end to how deep and how many files are included`() {
    let text = "scenario: s\nsteps: [{ include: 0.steps.yaml }]"
    let deep = chain(20) { "steps: [{ include: \($0).steps.yaml }]" }
    #expect(Loading(text, components: deep).ids == ["includes-too-deep"])
    let wide = chain(12) { "steps: [{ include: \($0).steps.yaml }, { include: \($0).steps.yaml }]" }
    #expect(Loading(text, components: wide).ids == ["too-many-includes"])
  }

  @Test func `a failure inside reports the way there`() throws {
    let files = [
      "a.steps.yaml": "steps: [{ include: b.steps.yaml }]",
      "b.steps.yaml": "steps: [{ check: n == 1 }]",
    ]
    let loading = Loading(
      "scenario: s\ngraph: { n: 0 }\nsteps: [{ include: a.steps.yaml }]", components: files)
    let run = runScenario(
      try #require(loading.plan), inputs: RunInputs(seed: 1), sources: loading.file.sources)
    let places = run.verdict.failures[0].labels.map { label in
      loading.file.sources.file(of: label.range)?.path
    }
    #expect(places == ["b.steps.yaml", "a.steps.yaml", "a.yaml"])
  }

  private func chain(_ count: Int, _ text: (Int) -> String) -> [String: String] {
    let links = (0..<count).map { ("\($0).steps.yaml", text($0 + 1)) }
    return Dictionary(uniqueKeysWithValues: links + [("\(count).steps.yaml", "steps: []")])
  }

  /// Returns the ids of the failures of all runs of a scenario.
  private func failures(_ text: String, _ files: [String: String]) throws -> [String] {
    let loading = Loading(text, components: files)
    #expect(loading.complaints == [])
    let plan = try #require(loading.plan)
    return (plan.columns.isEmpty ? [nil] : plan.rows.map(Optional.some)).flatMap { row in
      runScenario(plan, inputs: RunInputs(seed: 1, row: row)).verdict.failures.map(\.id)
    }
  }
}

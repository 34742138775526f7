import CEL
import ScenarioPlan
import TestKit
import Testing

@Suite struct InferredTypesTests {
  /// A stage with an int, a text, and a node that steps set to another kind.
  private static func scenario(_ expression: String) -> String {
    """
    scenario: s
    graph:
      count: 0
      title: A title
      choice: 0
      list: []
      twice: { computed: count * 2 }
      probe: { computed: "\(expression)" }
    providers: { p: { items: [1] } }
    reactors:
      r:
        state: { size: 1, loaded: 1, label: text }
        actions:
          go: [{ set: { size: 2 } }, { load: { loaded: p } }, { set: { label: "${payload}" } }]
    steps:
      - set: { count: 5, title: Another, list: [1] }
      - repeat: 2
        steps: [{ if: "true", then: [], else: [{ transaction: [{ set: { choice: text } }] }] }]
    """
  }

  @Test(arguments: [
    ("count + title", "wrong-types"), ("count + 1.5", "wrong-types"),
    ("count.field", "wrong-types"),
    ("title.contains(count)", "wrong-arguments"), ("twice + title", "wrong-types"),
    ("r.size == title", "wrong-types"), ("title.fist(1)", "unknown-function"),
    ("cuont + 1", "unknown-name"),
  ])
  func `what is known of a node is checked when the file is loaded`(
    expression: String, id: String
  ) {
    #expect(Loading(InferredTypesTests.scenario(expression)).ids == [id])
  }

  @Test(arguments: [
    "choice + title", "choice + 1.5", "choice.field", "list[0] + 'x'", "r.loaded + 'x'",
    "r.label + 1", "kind(r.loaded) == 'none'",
  ])
  func `a node that anything else is written to may hold anything`(expression: String) {
    #expect(Loading(InferredTypesTests.scenario(expression)).complaints == [])
  }

  @Test(
    arguments: [
      ("count + 1", .int), ("title", .string), ("twice", .int), ("choice", .dyn), ("r.size", .int),
      ("r.loaded", .dyn), ("count == 1", .bool),
    ] as [(String, CELType)])
  func `a rule's type is what its parts tell`(expression: String, type: CELType) throws {
    let loading = Loading(InferredTypesTests.scenario(expression))
    let plan = try #require(loading.plan)
    let probe = try #require(plan.nodes.first { $0.name == "probe" })
    guard case .computed(let rule) = probe.rule else {
      Issue.record("the probe is not computed")
      return
    }
    #expect(rule.program.type == type)
  }

  @Test func `within its reactor a field goes by its own name and has its type`() {
    let loading = Loading(
      """
      scenario: s
      reactors:
        r:
          state: { size: 1 }
          actions: { go: [{ if: "size == 'one'", then: [] }, { set: { size: "${r.size + 1}" } }] }
      """)
    #expect(loading.complaints == [])
    let typed = Loading(
      """
      scenario: s
      reactors:
        r: { state: { size: 1 }, actions: { go: [{ if: "size == 'one'", then: [] }] } }
      """)
    #expect(typed.ids == ["wrong-types"])
  }
}

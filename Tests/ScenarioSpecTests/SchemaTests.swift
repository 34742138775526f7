import Diagnostics
import Explanations
import ScenarioSpec
import Testing
import Values
import YAMLSyntax

private let pages = diagnosticPages(on: .documents)

@Suite struct SchemaTests {
  @Test(arguments: examples)
  func `the schema accepts every example of the table`(example: Example) throws {
    #expect(refusal(of: example.document) == nil, "\(example.document)")
  }

  @Test(arguments: pages.map(\.id.rawValue))
  func `the schema accepts the right example of every page`(id: String) throws {
    let page = try #require(pages.first { $0.id.rawValue == id })
    #expect(refusal(of: page.right) == nil)
  }

  @Test(arguments: [
    "unknown-key", "missing-key", "conflicting-keys", "wrong-type", "unknown-word", "out-of-range",
    "empty-map", "several-entries", "node-is-map", "bad-name",
    "reserved-name", "path-without-slash", "bare-number-duration", "bad-duration",
    "bad-timestamp", "unknown-step", "no-verb", "two-verbs", "misplaced-step", "empty-sequence",
    "mixed-operators", "unknown-operator", "entry-without-source",
    "unknown-stream-operator", "two-operators",
  ])
  func `the schema refuses what can be seen from the structure`(id: String) throws {
    let page = try #require(pages.first { $0.id.rawValue == id })
    #expect(refusal(of: page.wrong) != nil)
  }

  @Test(arguments: examples.filter { $0.wrong != nil })
  func `the schema refuses a value of another shape`(example: Example) throws {
    #expect(refusal(of: example.withValue(try #require(example.wrong))) != nil)
  }

  @Test(
    arguments: [
      ("[{ set: { a: 1 } }, { send: r.go }]", false), ("[{ wait: 1s }]", true),
      ("[{ send: r.go, await: true }]", true),
      ("[{ if: a == 1, then: [{ send: r.go, await: true }] }]", true),
      ("[{ repeat: 2, steps: [{ wait: 1s }] }]", true),
    ])
  func `in a transaction the schema and the decoder refuse what takes time`(
    steps: String, isRefused: Bool
  ) {
    let text = """
      scenario: A
      graph: { a: 0 }
      reactors: { r: { actions: { go: [{ transaction: \(steps) }] } } }
      steps: [{ check: a == 0 }]
      """
    #expect((refusal(of: text) != nil) == isRefused)
    #expect(Reading(text).complaints.isEmpty != isRefused)
  }

  @Test func `a component has a stage and no steps`() throws {
    let check = try SchemaCheck(root: schema(componentSchema()))
    #expect(check.refusal(of: ["component": "A", "params": ["a"], "graph": ["b": 1]]) == nil)
    #expect(check.refusal(of: ["component": "A", "steps": []]) != nil)
  }

  private func refusal(of text: String) -> String? { scenarioCheck?.refusal(of: value(of: text)) }
}

/// The scenario schema, read once.
let scenarioCheck = try? SchemaCheck(root: schema(scenarioSchema()))

/// Returns a document as plain data.
func value(of text: String) -> Value {
  let file = SourceFile(path: "a.yaml", text: text)
  return parseYAML(file, index: 0).value.first?.root.value ?? .null
}

private func schema(_ text: String) throws -> Value { value(of: text) }

import Diagnostics
import ScenarioPlan
import ScenarioRuns
import Testing

/// Which sources keep no events once a step has ignored them.
@Suite struct ForgottenSourcesTests {
  @Test(
    arguments: [
      ("[{ expect: { a: 1 } }, { ignore: a }, { wait: 1s }]", ["a"]),
      ("[{ expect: { a: 1 } }, { ignore: [a, b] }, { expect: { b: 1 } }]", ["a"]),
      ("[{ ignore: a }, { expect: { a: 1 } }, { ignore: a }]", []),
      ("[{ repeat: 2, steps: [{ expect: { a: 1 } }] }, { ignore: a }]", ["a"]),
      ("[{ repeat: 2, steps: [{ expect: { a: 1 } }, { ignore: a }] }]", []),
      ("[{ parallel: [[{ expect: { a: 1 } }], [{ ignore: a }]] }]", []),
      ("[{ expect: { a: 1 } }, { ignore: a }]\nfinally: [{ expect: { a: 2 } }]", []),
      ("[{ expect: { a: 1 } }, { ignore: a }]\ninvariants: [{ leadsTo: \(answer) }]", []),
      ("[{ never: [a], for: 1s }, { ignore: a }, { eventually: a == 1 }]", ["a"]),
    ] as [(String, [String])])
  func `a source is forgotten if no later part asks for its events`(
    steps: String, names: [String]
  ) throws {
    let text = "scenario: A\ngraph: { a: 0, b: 0 }\nsteps: \(steps)\n"
    let file = loadScenarios(SourceFile(path: "a.yaml", text: text))
    #expect(!file.diagnostics.hasErrors)
    let plan = try #require(file.plans.first)
    let found = plan.nodes.filter { node in
      !plan.isForgotten.isEmpty && plan.isForgotten[node.source]
    }
    #expect(found.map(\.name) == names)
  }

  private static let answer = "{ when: { a: 1 }, then: { b: 1 } }"
}

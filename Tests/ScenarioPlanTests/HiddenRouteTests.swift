import Diagnostics
import ScenarioRuns
import Testing

/// Which routes can never be selected, because one before them answers all of their requests.
@Suite struct HiddenRouteTests {
  @Test(
    arguments: [
      (["get: /a", "get: /a"], true),
      (["get: /a", "post: /a"], false),
      (["any: /a", "post: /a"], true),
      (["get: \"/a/{id}\"", "get: /a/b"], true),
      (["get: /a/b", "get: \"/a/{id}\""], false),
      (["get: \"/{x}/b\"", "get: /a/b"], true),
      (["get: \"/{x}/c\"", "get: /a/b"], false),
      (["get: \"/a/{rest...}\"", "get: /a/b/c"], true),
      (["get: \"/a/{rest...}\"", "get: /b/c"], false),
      (["get: \"/a/{x}/c\"", "get: \"/a/{x}/d\"", "get: \"/a/{y}/d\""], true),
      (["get: /a, when: 1 == 1", "get: /a"], false),
      (["get: /a, when: 1 == 1", "get: /a, when: 1 == 1"], true),
      (["get: /a, when: 1 == 1", "get: /a, when: 2 == 2"], false),
      (["get: /a", "get: /a, when: 1 == 1"], true),
    ])
  func `a route that an earlier one hides entirely is named`(routes: [String], isHidden: Bool) {
    let list = routes.map { "{ \($0), respond: { json: 1 } }" }.joined(separator: ", ")
    let text = """
      scenario: A
      endpoints: { api: { http: [\(list)] } }
      steps: [{ request: { endpoint: api, get: /a } }]

      """
    let file = loadScenarios(SourceFile(path: "a.yaml", text: text))
    #expect(!file.diagnostics.hasErrors)
    #expect(file.diagnostics.contains { $0.id == "hidden-route" } == isHidden)
  }
}

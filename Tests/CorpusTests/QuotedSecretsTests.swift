import Diagnostics
import ScenarioRuns
import Testing

/// Secrets of scenarios that cannot run: the diagnostics quote their lines.
@Suite struct QuotedSecretsTests {
  private static let capture = """
    - request:
            endpoint: shop
            post: /in
            expect: { json: { token: { $as: t, $secret: true } } }
    """

  @Test(arguments: [
    // A key, a name, an expression, a type.
    "{ post: /in, respond: { json: { token: hunter2hunter2 }, statsu: 200 } }",
    "{ post: /in, respond: { json: { token: hunter2hunter2, n: '${nobody}' } } }",
    "{ post: /in, respond: { json: { user: [{ Token: [hunter2hunter2] }] }, after: '${1 +}' } }",
    "{ post: /in, respond: { json: { token: hunter2hunter2 }, after: hunter2hunter2 } }",
    "{ post: /in, match: { json: { token: { $in: [hunter2hunter2] } } }, respond: 3 }",
    // No YAML.
    "{ post: /in, respond: { json: { token: hunter2hunter2, \"a } } }",
    "{ post: /in, respond: { json: { token: hunter2hunter2 }",
    "{ post: /in, respond: { json: [hunter2hunter2, 'it''s hunter2hunter2': hunter2hunter2 ] ] } }",
  ])
  func `a literal that a step captures as a secret is hidden in errors before`(route: String) {
    let page = errors(
      """
      scenario: A
      endpoints:
        shop:
          http:
            - \(route)
      steps:
        \(QuotedSecretsTests.capture)
      """)
    #expect(page.contains("***") && !page.contains("hunter2"), "\(page)")
  }

  @Test(arguments: [
    "steps: [{ expect: { feed: { $as: t, $secret: true } } }]",
    "steps: [{ expect: [{ feed: { data: { $as: t, $secret: true } } }] }]",
    "steps: [{ expect: { feed: { data: { $regex: 'r(?<t>.*)', $secret: true } } } }]",
  ])
  func `a literal is hidden in errors if a step captures the whole message as a secret`(
    steps: String
  ) {
    let page = errors(
      """
      scenario: A
      endpoints:
        feed: { http: [{ get: /f, sse: [{ event: { data: hunter2hunter2, ids: 1 } }] }] }
      \(steps)
      """)
    #expect(page.contains("***") && !page.contains("hunter2"), "\(page)")
    #expect(page.contains("ids: 1"), "\(page)")
  }

  @Test(arguments: [
    "vars:\n  token: { value: hunter2hunter2, secret: true\nsteps: []",
    "vars:\n  token:\n    value: hunter2hunter2\n\tsecret: true",
    "vars: { a: 'b }\n# token\nx: { token: { value: hunter2hunter2, secret: true } }",
    "cases:\n  secret: [pin]\n  rows:\n    - { id: a, pin: hunter2hunter2\n    - { id: b, pin: \"}",
    "steps: [{ expect: { a: { $as: hunter2hunter2, \"$secret\": true } } ]",
  ])
  func `a text with secrets that cannot be read is quoted without its values`(text: String) {
    let page = errors("scenario: A\n" + text)
    #expect(!page.contains("hunter2"), "\(page)")
    #expect(page.contains("values are not shown"), "\(page)")
  }

  @Test(arguments: [
    "hunter2hunter2: x", "@hunter2hunter2", "*hunter2hunter2", "\"hunter2hunter2\\q\"",
    "!hunter2hunter2 a", "`hunter2hunter2", "%hunter2hunter2", "|x hunter2hunter2",
    "[hunter2hunter2", "'hunter2hunter2",
  ])
  func `what is said of a value that cannot be read does not repeat it`(value: String) {
    let page = errors("scenario: A\nvars:\n  token:\n    secret: true\n    value: \(value)\n")
    #expect(!page.contains("hunter2"), "\(page)")
    #expect(page.contains("values are not shown"), "\(page)")
  }

  @Test(arguments: [
    ("@hunter2hunter2", "write the whole value in quotes"),
    ("*hunter2hunter2", "write a text in quotes, or the name of a value before it"),
    ("hunter2: hunter2hunter2", "write the whole value in quotes"),
    ("\"hunter2\\qhunter2\"", "write the text in single quotes, which read no escapes"),
    ("yes\n    n:1", "write a space behind the colon of the key"),
  ])
  func `the help for a value that is not shown says in words what to write`(
    value: String, help: String
  ) {
    let text = "scenario: A\nvars:\n  token:\n    secret: true\n    value: \(value)\n"
    let page = errors(text)
    #expect(page.contains("= help  \(help)\n"), "\(page)")
    #expect(!page.contains("write `***`"), "\(page)")
  }

  @Test(arguments: [
    "vars: { token: { secret: true, value: &hunter2hunter2 } }",
    "vars:\n  token:\n    value: [&hunter2hunter2 ]\n    secret: true",
    "cases: { secret: [pin], rows: [{ id: a, pin: &hunter2hunter2 }] }",
    "endpoints: { e: { http: [{ get: /, respond: { json: { t: &hunter2hunter2 } } }] } }\n"
      + "connections: {}\nsteps: [{ expect: { e: { t: { $as: t, $secret: true } } } }]",
  ])
  func `a secret that YAML reads as the name of nothing is hidden in the warning`(text: String) {
    let page = page("scenario: A\n" + text)
    #expect(page.contains("anchor-on-nothing") && page.contains("`&***`"), "\(page)")
    #expect(!page.contains("hunter2"), "\(page)")
  }

  @Test func `a name of nothing is shown in a file without secrets`() {
    let page = page("scenario: A\nvars: { name: &hunter2hunter2 }")
    #expect(page.contains("`&hunter2hunter2` names the value after it"), "\(page)")
  }

  @Test func `a text without secrets that cannot be read is quoted as it is`() {
    let page = errors("scenario: A\ngraph: { name: Ann, \"a: 1 }\n# the secret of success")
    #expect(page.contains("graph: { name: Ann, \"a: 1 }"), "\(page)")
  }

  @Test func `what is captured openly is quoted, and so are the names of the stage`() {
    let page = errors(
      """
      scenario: A
      graph: { token: { stored: hunter2hunter2, a: 1 } }
      endpoints: { shop: { htpp: [{ get: /open }] } }
      steps:
        - expect: { shop: { path: { $as: t, $secret: true }, token: { $as: u, $secret: false } } }
      """)
    #expect(page.contains("hunter2hunter2") && page.contains("{ get: /open }"), "\(page)")
  }

  private func errors(_ text: String) -> String {
    let file = loadScenarios(SourceFile(path: "a.scenario.yaml", text: text))
    #expect(file.diagnostics.hasErrors)
    return page(text)
  }

  private func page(_ text: String) -> String {
    let file = loadScenarios(SourceFile(path: "a.scenario.yaml", text: text))
    return render(file.diagnostics, in: file.sources, hiding: file.mask.places(in:))
  }
}

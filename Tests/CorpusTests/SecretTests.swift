import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Secrets
import Testing
import Values
import Verdicts

@Suite struct SecretTests {
  @Test(arguments: [
    "vars: { token: { value: s3cret, secret: true, more: 1 } }",
    "vars: { token: { value: s3cret, secret: true }, other: '${int(token)}' }",
    "vars: { token: { value: '${int(env.TOKEN)}', secret: true } }",
    "vars: { token: { value: '${env.TOKEN}', secret: true } }\ngraph: { a: s3cret, a: 1 }",
    "vars: { token: { value: { name: x, key: s3cret }, secret: true } }\nstpes: [s3cret]",
  ])
  func `what is said about a scenario with errors hides its secrets`(text: String) {
    var inputs = PlanInputs()
    inputs.environment["TOKEN"] = "s3cret"
    let file = loadScenarios(
      SourceFile(path: "a.yaml", text: "scenario: A\n" + text), inputs: inputs)
    #expect(file.diagnostics.hasErrors)
    #expect(!"\(file.diagnostics)".contains("s3cret"))
    let page = render(file.diagnostics, in: file.sources, hiding: file.mask.places(in:))
    #expect(!page.contains("s3cret"))
    #expect(page.contains("vars") || page.contains("***"))
  }

  @Test(arguments: [
    "a b=c", "a%20b%3Dc", "a%20b%3dc", "a%20b=c", "a+b%3Dc", "x=a%20b=c&y=1",
  ])
  func `a secret is hidden however a URL has it`(text: String) {
    let masked = SecretMask(["a b=c"]).masked(text)
    #expect(masked == "***" || masked == "x=***&y=1")
  }

  @Test func `a value given from outside is as secret as the one it replaces`() {
    var inputs = PlanInputs()
    inputs.variables = [.init(name: "token", text: "0utside", value: "0utside")]
    let text = "scenario: A\nvars: { token: { value: x, secret: true }, n: '${int(token)}' }"
    let file = loadScenarios(SourceFile(path: "a.yaml", text: text), inputs: inputs)
    #expect(file.diagnostics.hasErrors)
    #expect(!"\(file.diagnostics)".contains("0utside"))
  }

  @Test func `a value that was replaced from outside stays secret, in all scenarios of its file`() {
    var inputs = PlanInputs()
    inputs.variables = [.init(name: "token", text: "0utside", value: "0utside")]
    let text = """
      scenario: A
      vars: { token: { value: s3cret, secret: true } }
      ---
      scenario: B
      """
    let file = loadScenarios(SourceFile(path: "a.yaml", text: text), inputs: inputs)
    #expect(file.plans.map(\.secrets) == [["0utside", "s3cret"], ["0utside", "s3cret"]])
  }

  @Test(arguments: [
    "vars: { key: { value: '${pin}', secret: true } }", "", "vars: { x: '${int(pin)}' }",
  ])
  func `what columns hold is secret if the table says so, in wrong scenarios as well`(
    more: String
  ) {
    let text = """
      scenario: A
      cases: { secret: [pin], rows: [{ id: one, pin: s3cret-1 }, { id: two, pin: s3cret-2 }] }
      \(more)
      stpes: [s3cret-2]
      """
    let file = loadScenarios(SourceFile(path: "a.yaml", text: text))
    #expect(file.diagnostics.hasErrors)
    let page = render(file.diagnostics, in: file.sources, hiding: file.mask.places(in:))
    #expect(!page.contains("s3cret") && page.contains("***"))
  }

  @Test func `a short secret is hidden in a logged text, where it is a word of its own`() throws {
    let text = """
      scenario: A
      vars: { pin: { value: zq7, secret: true } }
      steps: [{ log: "the pin is ${pin} here" }, { log: "${pin}" }, { check: 1 == 2 }]
      """
    let file = loadScenarios(SourceFile(path: "a.yaml", text: text))
    let plan = try #require(file.plans.first)
    let verdict = runScenario(plan, inputs: RunInputs(seed: 1), sources: file.sources).verdict
    let page = render(verdict.failures, in: file.sources)
    #expect(page.contains("the pin is *** here") && !page.contains("is zq7"))
  }

  @Test(arguments: [
    ("get: /me, expect: { json: { key: other } }", "post: /login"),
    ("post: /login, json: { session: hunter2hunter2 }, expect: { status: 500 }", "post: /login"),
    ("get: /event, expect: { text: x }", "post: /login"),
  ])
  func `a literal that a later step captures as a secret is hidden in failures before`(
    first: String, second: String
  ) throws {
    let text = """
      scenario: A
      endpoints:
        shop:
          http:
            - { post: /login, respond: { json: { session: hunter2hunter2, n: "${1 + 1}" } } }
            - { get: /me, respond: { json: { key: hunter2hunter2 } } }
            - { get: /event, respond: { text: "the session is hunter2hunter2" } }
      steps:
        - request: { endpoint: shop, \(first) }
        - request:
            endpoint: shop
            \(second)
            expect: { json: { session: { $as: session, $secret: true } } }
      """
    let file = loadScenarios(SourceFile(path: "a.yaml", text: text))
    let plan = try #require(file.plans.first)
    let run = runScenario(plan, inputs: RunInputs(seed: 1), sources: file.sources)
    #expect(!run.verdict.failures.isEmpty)
    let page = render(run.verdict.failures, in: file.sources, hiding: file.mask.places(in:))
    #expect(page.contains("***") && !page.contains("hunter2"), "\(page)")
    #expect(!"\(run.verdict.failures)".contains("hunter2"))
  }

  @Test func `a literal that is captured openly is shown`() throws {
    let text = """
      scenario: A
      endpoints: { shop: { http: [{ get: /, respond: { json: { session: hunter2hunter2 } } }] } }
      steps:
        - request: { endpoint: shop, get: /, expect: { json: { session: { $as: session } } } }
      """
    #expect(loadScenarios(SourceFile(path: "a.yaml", text: text)).mask.isEmpty)
  }

  @Test func `what is not secret is shown`() {
    let text = "scenario: A\nvars: { token: { value: open, secret: false }, n: '${int(token)}' }"
    let file = loadScenarios(SourceFile(path: "a.yaml", text: text))
    #expect(file.mask.isEmpty)
    #expect("\(file.diagnostics)".contains("open"))
  }
}

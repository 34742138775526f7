import CEL
import Diagnostics
import ScenarioPlan
import TestKit
import Testing
import Values

@Suite struct VariableTests {
  private static func given(_ name: String, _ text: String, _ value: Value)
    -> PlanInputs.Variable
  {
    PlanInputs.Variable(name: name, text: text, value: value)
  }

  /// The initial value of the first node.
  private func initial(
    _ text: String, _ variables: PlanInputs.Variable..., environment: ValueMap = ValueMap()
  ) -> Value? {
    let plan = Loading(text, variables: variables, environment: environment).plan
    guard case .stored(let data)? = plan?.nodes.first?.rule else { return nil }
    return try? evaluate(data, in: FixedSlots()).get()
  }

  @Test func `a variable from outside stays text where the scenario's value is text`() {
    let text = "scenario: s\nvars: { id: a }\ngraph: { node: '${id}' }"
    #expect(initial(text) == .string("a"))
    #expect(initial(text, VariableTests.given("id", "007", .int(7))) == .string("007"))
  }

  @Test(arguments: ["${1 / 0}", "${other}"])
  func `mistakes that follow from a wrong variable are not reported`(value: String) {
    let text = """
      scenario: s
      vars: { first: '\(value)', second: '${first + 1}', third: '${second.map(x, x)}' }
      graph: { node: '${third}' }
      steps: [{ wait: '${first}' }]
      """
    #expect(Loading(text).file.diagnostics.count == 1)
  }

  @Test func `a variable from outside is what it reads as where the scenario's value is not text`()
  {
    let text = "scenario: s\nvars: { limit: 3 }\ngraph: { node: '${limit}' }"
    #expect(initial(text, VariableTests.given("limit", "007", .int(7))) == .int(7))
    #expect(initial(text, VariableTests.given("limit", "x", .string("x"))) == .string("x"))
  }

  @Test func `a list, a map or null in a file is what it is, whatever the scenario has`() {
    let text = "scenario: s\nvars: { id: a }\ngraph: { node: '${id}' }"
    for value: Value in [[1, 2], ["a": 1], .null] {
      let given = PlanInputs.Variable(name: "id", text: "x", value: value, file: "v.yaml")
      #expect(initial(text, given) == value)
    }
    let number = PlanInputs.Variable(name: "id", text: "1.10", value: .double(1.1), file: "v.yaml")
    #expect(initial(text, number) == .string("1.10"))
  }

  @Test func `the warning of a name in a file says which file`() {
    let warning = Diagnostic.unknownVariable("x", in: "v.yaml", known: [])
    #expect(
      warning.message == "`x` in `v.yaml` names no variable of the scenarios that were run")
  }

  @Test func `of two variables from outside with one name the later counts`() {
    let text = "scenario: s\nvars: { limit: 3 }\ngraph: { node: '${limit}' }"
    let (first, second) = (
      VariableTests.given("limit", "4", .int(4)), VariableTests.given("limit", "5", .int(5))
    )
    #expect(initial(text, first, second) == .int(5))
  }

  @Test func `a variable may be made from those before it and from the environment`() {
    let text = """
      scenario: s
      vars: { host: "${env.HOST}", url: "http://${host}/" }
      graph: { node: "${url}" }
      """
    var environment = ValueMap()
    environment["HOST"] = .string("localhost")
    #expect(initial(text, environment: environment) == .string("http://localhost/"))
  }

  @Test func `a column of a table is replaced in every row`() throws {
    let text = """
      scenario: s
      cases:
        - { id: one, limit: 1, name1: a }
        - { id: two, limit: 2, name1: b }
      """
    let loading = Loading(text, variables: [VariableTests.given("limit", "9", .int(9))])
    #expect(loading.complaints == [])
    let plan = try #require(loading.plan)
    #expect(plan.columns.map(\.name) == ["id", "limit", "name1"])
    #expect(plan.rows.map { $0.values[ColumnID(1)] } == [.int(9), .int(9)])
    #expect(plan.rows.map { $0.values[ColumnID(2)] } == [.string("a"), .string("b")])
  }

  @Test func `a secret is kept from the reports, wherever its value came from`() throws {
    let text = "scenario: s\nvars: { token: { value: abc, secret: true } }"
    #expect(Loading(text).plan?.secrets == ["abc"])
    let given = [VariableTests.given("token", "xyz", .string("xyz"))]
    #expect(Loading(text, variables: given).plan?.secrets == ["xyz", "abc"])
  }

  @Test func `a variable from outside may be meant for other scenarios`() {
    let loading = Loading(
      "scenario: s\nvars: { limit: 3 }", variables: [VariableTests.given("other", "1", .int(1))])
    #expect(loading.complaints == [])
    #expect(loading.plan?.variableNames == ["limit"])
  }

  @Test(arguments: [
    ("limti", ["limit", "other"], "did you mean `limit`?"),
    ("nonsense", ["limit", "other"], "their variables: `limit`, `other`"),
    ("nonsense", [], "they have no variables"),
  ])
  func `the warning of a variable that no scenario has names those that there are`(
    name: String, known: [String], help: String
  ) {
    let warning = Diagnostic.unknownVariable(name, known: known)
    #expect(warning.severity == .warning)
    #expect(
      warning.message == "`--var \(name)=…` names no variable of the scenarios that were run")
    #expect(warning.help == help)
  }

  @Test func `a variable of the environment that is not set is named, and no other`() {
    var environment = ValueMap()
    environment["SECRET"] = .string("x")
    let loading = Loading("scenario: s\nvars: { a: '${env.NOPE}' }", environment: environment)
    #expect(
      loading.complaints == [
        "2:15 unset-environment: the environment has no variable `NOPE` "
          + "→ set it, or give a file that sets it with `--env-file`"
      ])
  }
}

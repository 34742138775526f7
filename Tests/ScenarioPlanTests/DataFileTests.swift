import Diagnostics
import ScenarioRuns
import TestKit
import Testing

/// Values in files of their own, under `$file`.
@Suite struct DataFileTests {
  @Test(arguments: [
    (#"{ "a": "${n}", "b": 1e2, "c": null }"#, "{'a': 2, 'b': 100.0, 'c': null}"),
    ("{\n\t\"a\":\t[\n\t1\n\t] }", "{'a': [1]}"),
    (#"{ "a": "\ud83d\ude00 is ${n}\u00e9\/\t" }"#, "{'a': '😀 is 2é/\\t'}"),
    (#"{ "no": "yes", "010": 1.0 }"#, "{'no': 'yes', '010': 1.0}"),
    (#""$${n}""#, "'$' + '{n}'"),
    ("\u{FEFF}[true]", "[true]"),
  ])
  func `JSON in a file is a value with expressions`(text: String, value: String) throws {
    let scenario = """
      scenario: A value in a file
      graph: { n: 2, given: none }
      steps:
        - set: { given: { $file: v.json } }
        - check: "given == \(value)"
      """
    let loading = Loading(scenario, components: ["v.json": text])
    #expect(loading.complaints == [])
    let verdict = try #require(loading.run()).verdict
    #expect(verdict.outcome == .passed, "\(verdict.failures.map(\.message))")
  }

  @Test(arguments: [
    ("{ \"a\":\n  \"${m}\" }", "v.json:2:6"), ("{ \"a\": \"\\ud83d\\ude00 ${m}\" }", "v.json:1:24"),
    ("{ \"a\":\n\t${n} }", "v.json:2:2"), ("{ \"a\": 1, \"a\": 2 }", "v.json:1:11"),
    ("{ \"$file\": \"v.json\" }", "v.json:1:12"),
  ])
  func `a mistake is shown at its place in the file`(text: String, place: String) {
    let scenario = """
      scenario: A value in a file
      graph: { n: 2, given: none }
      steps:
        - set: { given: { $file: v.json } }
        - check: given != 1
      """
    let loading = Loading(scenario, components: ["v.json": text])
    let places = loading.file.diagnostics.compactMap(\.labels.first).map {
      loading.file.sources.placeText(of: $0.range)
    }
    #expect(places == [place], "\(loading.complaints)")
  }

  @Test func `a file holds a value of a component and of a file of steps`() throws {
    let scenario = """
      scenario: Values in other files
      use: [{ a.component.yaml: { as: a } }]
      steps:
        - include: a.steps.yaml
        - check: a.given == [1]
      """
    let component = "component: A\ngraph: { given: { stored: { $file: v.json } } }\n"
    let loading = Loading(
      scenario,
      components: [
        "a.component.yaml": component, "v.json": "[1]",
        "a.steps.yaml": "steps:\n  - check: \"1 == 1\"\n  - log: { $file: v.json }\n",
      ])
    #expect(loading.complaints == [])
    #expect(try #require(loading.run()).verdict.outcome == .passed)
  }

  @Test func `a parameter of a path is only explained inside its route`() {
    let scenario = """
      scenario: Parameters
      endpoints:
        api:
          http:
            - { get: "/users/{id}", respond: { json: "${id}" } }
            - { get: /users, respond: { json: "${id}" } }
      """
    let helps = Loading(scenario).file.diagnostics.map(\.help)
    #expect(helps.first == "write `request.params.id` for the part of the path")
    #expect(helps.count == 2 && helps.last != helps.first)
  }
}

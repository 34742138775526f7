import Diagnostics
import ScenarioPlan
import ScenarioRuns
import TestKit
import Testing

@Suite struct WrongComponentsTests {
  @Test func `a mistake in a component is shown there, and once, with the place of its use`() {
    let loading = Loading(
      """
      scenario: s
      use:
        - a.component.yaml
        - { a.component.yaml: { as: b } }
      ---
      scenario: t
      use: [a.component.yaml]
      """,
      components: ["a.component.yaml": "component: a\ngraph: { n: 1, m: { computed: n + x } }"])
    #expect(loading.ids == ["unknown-name"])
    #expect(places(of: loading) == [["a.component.yaml:2:35", "a.yaml:3:5"]])
    #expect(loading.file.diagnostics.first?.labels.last?.text == "used here as `a`")
    #expect(loading.file.plans.isEmpty)
  }

  @Test func `a mistake in an inner component reports the whole way to it`() {
    let loading = Loading(
      "scenario: s\nuse: [a.component.yaml]",
      components: [
        "a.component.yaml": "component: a\nuse: [b.component.yaml]",
        "b.component.yaml": "component: b\nreactors: { r: { follows: { x: y } } }",
      ])
    #expect(
      places(of: loading).first == ["b.component.yaml:2:29", "a.component.yaml:2:7", "a.yaml:2:7"])
  }

  @Test(arguments: [
    ("prices", []), ("pricse", ["2:44 unknown-name"]), ("r", ["2:44 reactor-is-no-source"]),
    ("own", ["2:44 missing-parameters"]), ("5", ["2:44 parameter-type"]),
    ("'${names}'", ["2:44 parameter-type"]),
  ])
  func `a source that a component is given is a name of its user`(given: String, says: [String]) {
    let loading = Loading(
      """
      scenario: s
      use: [{ a.component.yaml: { with: { ticks: \(given) } } }]
      vars: { names: prices }
      streams: { prices: subject, own: { params: [n], from: prices } }
      reactors: { r: { state: { x: 1 } } }
      steps: [{ check: true }]
      """, components: ["a.component.yaml": followingComponent])
    let places = loading.complaints.map {
      $0.split(separator: ":", maxSplits: 2).prefix(2).joined(separator: ":")
    }
    #expect(places == says)
  }

  @Test func `a component that follows a source must be given one`() {
    let loading = Loading(
      "scenario: s\nuse: [a.component.yaml]", components: ["a.component.yaml": followingComponent])
    #expect(loading.ids == ["missing-parameters"])
    #expect(places(of: loading) == [["a.yaml:2:7"]])
  }

  private var followingComponent: String {
    """
    component: a
    params: { ticks: { type: source } }
    streams: { twice: { from: ticks, through: [map: value * 2] } }
    """
  }

  @Test func `steps cannot be given a source`() {
    let loading = Loading(
      "scenario: s\nsteps: [{ include: { path: a.steps.yaml, with: { t: x } } }]",
      components: ["a.steps.yaml": "params: { t: { type: source } }\nsteps: [check: true]"])
    #expect(loading.ids == ["not-a-steps-file"])
  }

  @Test func `nothing is said about the parts of a component that could not be read`() {
    let loading = Loading(
      """
      scenario: s
      use: [a.component.yaml]
      graph: { m: { computed: a.n + count(a.events) } }
      steps:
        - set: { a.n: 1 }
        - send: a.go
        - expect: { a.n: 1, mm: 2 }
      """, components: ["a.component.yaml": "component: a\ngraph: { n: }\ngrahp: 1"])
    #expect(loading.complaints.map { $0.prefix(16) } == ["3:1 unknown-key:", "7:23 unknown-nam"])
    #expect(loading.file.plans.isEmpty)
  }

  @Test(arguments: [
    "x/y/a.component.yaml", "x/a.component.yaml", "a.component.yaml", "../a.component.yaml",
    "../../../a.component.yaml",
  ])
  func `a file is looked for beside the one that uses it, then in the folders above`(path: String) {
    let file = SourceFile(
      path: "x/y/s.scenario.yaml",
      text: "scenario: s\nuse: [a.component.yaml]\nsteps: [{ check: true }]")
    let loaded = loadScenarios(file, components: .inMemory([path: "component: a\ngraph: { n: 1 }"]))
    #expect(loaded.diagnostics == [])
    #expect(loaded.sources.files.map(\.path) == ["x/y/s.scenario.yaml", path])
  }

  @Test func `the nearest folder that has a file is the one it is taken from`() {
    let loading = Loading(
      "scenario: s\nuse: [c/a.component.yaml]\ngraph: { n: { computed: a.near } }",
      components: [
        "../c/a.component.yaml": "component: a\ngraph: { near: 1 }",
        "../../c/a.component.yaml": "component: a\ngraph: { far: 1 }",
      ])
    #expect(loading.complaints == [])
  }

  @Test func `a file is looked for in sixteen folders at most`() {
    let up = String(repeating: "../", count: 16)
    let loading = Loading(
      "scenario: s\nuse: [a.component.yaml]",
      components: [up + "a.component.yaml": "component: a\ngraph: { n: 1 }"])
    #expect(loading.complaints.map { $0.prefix(24) } == ["2:7 component-not-found:"])
    let notes = loading.file.diagnostics.first?.notes.map(\.text)
    #expect(notes == ["`a.component.yaml`, and in the folders above"])
  }

  @Test func `a component that names itself from above is part of itself all the same`() {
    let loading = Loading(
      "scenario: s\nuse: [../here/a.component.yaml]",
      components: [
        "../here/a.component.yaml": "component: a\nuse: [here/a.component.yaml]"
      ])
    #expect(loading.complaints.count == 1)
    #expect(loading.file.diagnostics.first?.id == "component-cycle")
  }

  @Test func `a path without the ending that components have is completed`() {
    let loading = Loading(
      "scenario: s\nuse: [parts/clock]",
      components: ["parts/clock.component.yaml": "component: a\ngraph: { n: 1 }"])
    #expect(loading.file.diagnostics.map(\.help) == ["did you mean `parts/clock.component.yaml`?"])
  }

  @Test func `of a long way to a mistake only the ends are shown`() {
    var files = ["c8.component.yaml": "component: c\ngrahp: 1"]
    for depth in 0..<8 {
      files["c\(depth).component.yaml"] = "component: c\nuse: [c\(depth + 1).component.yaml]"
    }
    let loading = Loading("scenario: s\nuse: [c0.component.yaml]", components: files)
    let labels = loading.file.diagnostics.flatMap(\.labels).map(\.text)
    #expect(labels == ["", "used here as `c8`", "used here as `c7`", "used here as `c0`"])
  }

  @Test func `mistakes that follow from a wrong parameter are not reported`() {
    let loading = Loading(
      "scenario: s\nuse: [{ a.component.yaml: { with: { n: \"${1 / 0}\" } } }]",
      components: ["a.component.yaml": "component: a\nparams: { n: 1, twice: \"${n * 2}\" }"])
    #expect(loading.file.diagnostics.map(\.id) == ["evaluation-failed"])
  }

  @Test(arguments: [
    "params: { n: { type: int }, twice: { type: int, default: '${n * 2}' } }",
    "params: [given]\nuse: [{ b.component.yaml: { with: { m: '${given}' } } }]",
  ])
  func `by itself a component may make values of parameters that nobody gave`(rest: String) {
    let file = loadScenarios(
      SourceFile(path: "a.component.yaml", text: "component: a\n\(rest)"),
      components: .inMemory(["b.component.yaml": "component: b\nparams: [m]"]))
    #expect(file.diagnostics == [])
  }

  @Test func `a component looks for others from where it stands itself`() {
    let loading = Loading(
      "scenario: s\nuse: [deep/a.component.yaml]\ngraph: { n: { computed: a.b.m } }",
      components: [
        "deep/a.component.yaml": "component: a\nuse: [b.component.yaml]",
        "deep/b.component.yaml": "component: b\ngraph: { m: 1 }",
        "b.component.yaml": "component: b\ngraph: { other: 1 }",
      ])
    #expect(loading.complaints == [])
  }

  @Test func `files that use each other are refused with the way around`() {
    let loading = Loading(
      "scenario: s\nuse: [a.component.yaml]",
      components: [
        "a.component.yaml": "component: a\nuse: [./x/../b.component.yaml]",
        "b.component.yaml": "component: b\nuse: [a.component.yaml]",
      ])
    #expect(loading.ids == ["component-cycle"])
    #expect(
      loading.file.diagnostics.first?.notes.first?.text
        == "a.component.yaml → b.component.yaml → a.component.yaml")
  }

  @Test func `components that double with each level are refused before they are made`() {
    var files = ["c0.component.yaml": "component: c\ngraph: { n: 1 }"]
    for level in 1...40 {
      let inner = "c\(level - 1).component.yaml"
      files["c\(level).component.yaml"] =
        "component: c\nuse: [{ \(inner): { as: p } }, { \(inner): { as: q } }]"
    }
    let few = Loading("scenario: s\nuse: [c12.component.yaml]", components: files)
    #expect(few.ids == ["too-many-components"])
    let deep = Loading("scenario: s\nuse: [c40.component.yaml]", components: files)
    #expect(deep.ids.contains("components-too-deep"))
  }

  @Test func `a capture cannot have the name of a component`() {
    let text = """
      scenario: s
      use: [a.component.yaml]
      steps:
        - set: { a.n: 2 }
        - expect: { a.n: { $as: a } }
      """
    let files = ["a.component.yaml": "component: a\ngraph: { n: 1 }"]
    #expect(Loading(text, components: files).ids == ["duplicate-name"])
  }

  @Test func `what is outside is not known inside, and a short name not where it is made`() {
    let loading = Loading(
      """
      scenario: s
      use: [a.component.yaml]
      graph: { outside: 1 }
      """,
      components: [
        "a.component.yaml": """
        component: a
        graph: { m: { computed: outside + 1 }, k: { computed: field + 1 } }
        reactors: { r: { state: { field: 1 }, actions: { go: [{ send: come }] } } }
        """
      ])
    #expect(loading.ids == ["unknown-name", "unknown-name", "unknown-name"])
  }

  @Test func `a short name that could mean two things means none`() {
    let files = [
      "a.component.yaml": """
      component: a
      graph: { other: 1 }
      reactors:
        r: { state: { field: 1, other: 2, only: 3 } }
        q: { state: { field: 1 } }
      """
    ]
    let scenario = "scenario: s\nuse: [a.component.yaml]\nsteps: [{ check: "
    #expect(Loading(scenario + "a.field == 1 }]", components: files).ids == ["unknown-name"])
    #expect(Loading(scenario + "a.only == 3 && a.other == 1 }]", components: files).ids == [])
  }

  @Test func `variables from outside reach the scenario and not its components`() throws {
    let given = PlanInputs.Variable(name: "limit", text: "9", value: 9)
    let loading = Loading(
      """
      scenario: s
      vars: { limit: 1 }
      use: [{ a.component.yaml: { with: { size: "${limit}" } } }]
      """,
      variables: [given],
      components: [
        "a.component.yaml": "component: a\nparams: [size]\nvars: { limit: 2 }\n"
          + "graph: { sum: '${limit + size}' }"
      ])
    let plan = try #require(loading.plan)
    guard case .stored(let sum) = plan.nodes[NodeID(0)].rule,
      case .constant(let value) = sum.content
    else {
      Issue.record("the sum is not worked out when the file is loaded")
      return
    }
    #expect(value == 11)
  }

  @Test func `a component by itself may have parameters without a value`() {
    let text = """
      component: a
      params: { size: { type: int }, key: { type: text } }
      graph: { n: "${size}", m: { computed: n + key.size() + size } }
      """
    let file = loadScenarios(SourceFile(path: "a.component.yaml", text: text))
    #expect(file.diagnostics == [])
    #expect(file.kind == .component)
    let wrong = text + "\nproviders: { p: { items: '${size + key}' } }"
    let other = loadScenarios(SourceFile(path: "a.component.yaml", text: wrong))
    #expect(other.diagnostics.map(\.id) == ["wrong-types"])
  }

  private func places(of loading: Loading) -> [[String]] {
    loading.file.diagnostics.map { diagnostic in
      diagnostic.labels.compactMap { loading.file.sources.placeText(of: $0.range) }
    }
  }
}

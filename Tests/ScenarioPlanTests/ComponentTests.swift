import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import TestKit
import Testing
import Values
import Verdicts

@Suite struct ComponentTests {
  @Test(arguments: passing)
  func `what a component promises holds`(_ example: ComponentExample) throws {
    let loading = Loading(example.scenario, components: example.files)
    #expect(loading.complaints == [])
    let plan = try #require(loading.plan)
    for row in plan.columns.isEmpty ? [nil] : plan.rows.map(Optional.some) {
      let run = runScenario(
        plan, inputs: RunInputs(seed: 1, row: row), sources: loading.file.sources)
      #expect(run.verdict.outcome == .passed, "\(run.verdict.failures)")
    }
  }

  @Test func `components stand before what uses them, each inner one before the outer`() throws {
    let loading = Loading(
      """
      scenario: s
      use: [outer.component.yaml, inner.component.yaml]
      graph: { own: 0 }
      """,
      components: [
        "outer.component.yaml":
          "component: o\nuse: [inner.component.yaml]\ngraph: { a: 1 }",
        "inner.component.yaml": "component: i\ngraph: { b: 2 }",
      ])
    let plan = try #require(loading.plan)
    #expect(plan.nodes.map(\.name) == ["outer.inner.b", "outer.a", "inner.b", "own"])
    #expect(
      plan.sources.map(\.name) == [
        "outer.inner.b", "outer.inner.events", "outer.a", "outer.events", "inner.b",
        "inner.events", "own", "network", "events",
      ])
  }

  @Test func `programs of a component have its name, its parameters and its folder`() throws {
    let loading = Loading(
      """
      scenario: s
      use:
        - parts/p.component.yaml: { as: one }
        - parts/p.component.yaml: { as: two, with: { word: hi } }
      programs: { own: { run: ["true"] } }
      requires: [sh]
      steps:
        - send: { one.echo: a, own: b }
        - check: two.echo.port > 0 && one.isReady
      """,
      components: [
        "parts/p.component.yaml": """
        component: p
        params: { word: hello }
        requires: [sh, cat]
        programs: { echo: { run: [echo, "${word}", "${echo.port}"], sources: { state: {} } } }
        graph: { isReady: { computed: "echo.state == 'ready'" } }
        """
      ])
    #expect(loading.complaints == [])
    let plan = try #require(loading.plan)
    #expect(plan.programs.map(\.name) == ["one.echo", "two.echo", "own"])
    #expect(plan.programs.map(\.folderOfFile) == ["parts", "parts", ""])
    #expect(plan.programs.map { plan.sources[$0.exit].name }.first == "one.echo.exit")
    #expect(plan.requires == ["sh", "cat"])
    #expect(plan.isInRealTime)
  }

  @Test func `a program of a component is called by its name only from inside`() {
    let files = ["p.component.yaml": "component: p\nprograms: { echo: { run: [cat] } }"]
    func ids(_ rest: String) -> [String] {
      Loading("scenario: s\nuse: [p.component.yaml]\n\(rest)", components: files).ids
    }
    #expect(ids("steps: [{ send: { p.echo: a } }, { terminate: p.echo }]") == [])
    #expect(ids("steps: [{ send: { echo: a } }]") == ["unknown-name"])
    #expect(ids("steps: [{ terminate: echo }]") == ["unknown-name"])
    #expect(ids("time: virtual\nsteps: [{ wait: 1s }]") == [])
  }

  @Test func `a secret that a component is given stays one, also as a duration`() throws {
    let loading = Loading(
      """
      scenario: s
      vars: { key: { value: 300d, secret: true } }
      use: [{ a.component.yaml: { with: { key: "${key}", span: "${key}" } } }]
      """,
      components: [
        "a.component.yaml":
          "component: a\nparams: { key: x, span: 1d, more: { type: text, default: m } }\n"
          + "vars: { own: { value: '${key}!', secret: true } }"
      ])
    #expect(loading.complaints == [])
    #expect(try #require(loading.plan).secrets.prefix(3) == ["300d", "25920000s", "300d!"])
  }

  static let passing: [ComponentExample] = [
    ComponentExample(
      "parts are named without prefix inside and with it outside",
      """
      scenario: s
      use: [box.component.yaml]
      graph: { twice: { computed: box.size * 2 } }
      steps:
        - set: { box.size: 4 }
        - expect: { box.size: 4, box.isLarge: true, twice: 8 }
        - check: count(box.size) == 1 && recomputes(box.isLarge) >= 1
      """,
      ["box.component.yaml": "graph: { size: 1, isLarge: { computed: size > 3 } }"]),
    ComponentExample(
      "a component does not see what uses it, but the words of the language",
      """
      scenario: s
      use: [box.component.yaml]
      graph: { size: 7 }
      steps:
        - check: box.size == 1 && box.doubled == 2 && size == 7
      """,
      ["box.component.yaml": "graph: { size: 1, doubled: { computed: size * 2 } }"]),
    ComponentExample(
      "two uses of one component are independent",
      """
      scenario: s
      use:
        - box.component.yaml: { as: a, with: { size: 1 } }
        - box.component.yaml: { as: b, with: { size: 2 } }
      steps:
        - send: a.box.grow
        - expect: { a.box.size: 2, a.events: grown }
        - never: [b.box.size, b.events]
        - check: b.box.size == 2
      """,
      ["box.component.yaml": box]),
    ComponentExample(
      "a part of the only reactor that has one may be named without it",
      """
      scenario: s
      use: [{ box.component.yaml: { as: a, with: { size: 1 } } }]
      graph: { seen: { computed: a.size + 1 } }
      steps:
        - send: a.grow
        - expect: { a.size: 2, seen: 3 }
        - check: count(a.size) == 1
      """,
      ["box.component.yaml": box]),
    ComponentExample(
      "a named event appears on the reactor, on each component around it, and on the run",
      """
      scenario: s
      use: [outer.component.yaml]
      steps:
        - send: outer.inner.grow
        - expect:
            outer.inner.box.events: grown
            outer.inner.events: grown
            outer.events: grown
            events: grown
            outer.heard: 1
      """,
      [
        "outer.component.yaml":
          """
        use: [{ box.component.yaml: { as: inner, with: { size: 5 } } }]
        reactors:
          ear:
            state: { heard: 0 }
            actions: { hear: [{ set: { heard: "${heard + 1}" } }] }
            follows: { events: hear }
        """,
        "box.component.yaml": box,
      ]),
    ComponentExample(
      "a parameter may differ from row to row of a table, also further inside",
      """
      scenario: s
      cases: [{ id: short, span: 1s, size: 2 }, { id: long, span: 1m, size: 3 }]
      use: [{ outer.component.yaml: { with: { pause: "${span}", size: "${size + 1}" } } }]
      steps:
        - check: outer.pauses == [duration(span), duration(span)]
        - send: outer.inner.grow
        - expect: { outer.inner.size: "${size + 2}" }
      """,
      [
        "outer.component.yaml":
          """
        params: { size: 1, pause: 2s }
        vars: { both: "${[pause, pause]}" }
        graph: { pauses: "${both}" }
        use: [{ box.component.yaml: { as: inner, with: { size: "${size}" } } }]
        """,
        "box.component.yaml": box,
      ]),
    ComponentExample(
      "parameters have the kind they say, or that of their default",
      """
      scenario: s
      vars: { span: 3d, step: 2 }
      use:
        - kinds.component.yaml: { with: { a: "${span}", b: "${step + 1}", c: 4, d: x } }
      steps:
        - check: kinds.every == [duration('72h'), 3, 4.0, 'x', duration('7h'), 'f']
        - wait: 73h
        - send: kinds.look
        - expect: { kinds.isOver: true }
      """,
      [
        "kinds.component.yaml":
          """
        params:
          { a: 7d, b: 1, c: 1.5, d: { type: any }, e: { type: duration, default: 7h }, f: f }
        vars: { began: "${timestamp('2000-01-01T00:00:00Z')}" }
        graph: { every: "${[a, b, c, d, e, f]}" }
        reactors:
          clock:
            state: { isOver: false }
            actions: { look: [{ set: { isOver: "${now() - began > a}" } }] }
        """
      ]),
  ]

  private static let box = """
    params: [size]
    reactors:
      box:
        state: { size: "${size}" }
        actions: { grow: [{ set: { size: "${size + 1}" } }, { emit: grown }] }
    """
}

/// A scenario with the components it uses.
struct ComponentExample: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var scenario: String
  var files: [String: String]

  init(_ promise: String, _ scenario: String, _ files: [String: String]) {
    testDescription = promise
    self.scenario = scenario
    self.files = files.mapValues { $0.hasPrefix("component:") ? $0 : "component: c\n" + $0 }
  }
}

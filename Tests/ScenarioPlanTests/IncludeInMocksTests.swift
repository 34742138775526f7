import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import TestKit
import Testing
import Values
import Verdicts

@Suite struct IncludeInMocksTests {
  private static let answer = """
    params: { status: 200 }
    steps: [{ respond: { status: "${status}", json: { path: "${request.path}" } } }]
    """

  private static func route(_ script: String) -> String {
    """
    scenario: s
    endpoints:
      api: { http: [{ get: /a, script: \(script) }] }
    steps:
      - request: { endpoint: api, get: /a, expect: { status: 201, json: { path: /a } } }
    """
  }

  /// The steps in each list of steps that a step of a mock holds.
  @Test(arguments: [
    "[{ include: { path: answer.steps.yaml, with: { status: 201 } } }]",
    "[{ if: true, then: [{ include: { path: answer.steps.yaml, with: { status: 201 } } }] }]",
    "[{ repeat: 1, steps: [{ include: { path: answer.steps.yaml, with: { status: 201 } } }] }]",
    "[{ parallel: [[{ include: { path: answer.steps.yaml, with: { status: 201 } } }], []] }]",
    """
    [{ forEach: { s: [201] },
      steps: [{ include: { path: answer.steps.yaml, with: { status: '${s}' } } }] }]
    """,
  ])
  func `steps are included wherever steps of a mock stand`(script: String) throws {
    #expect(try failures(Self.route(script), ["answer.steps.yaml": Self.answer]) == [])
  }

  /// The kinds of scripts on connections, and a step that only this kind has.
  @Test(arguments: [
    ("sse", "sse", "{ event: hello }", "{ data: hello }"),
    ("ndjson", "ndjson", "{ event: hello }", "hello"),
    ("websocket", "websocket", "{ send: hello }", "hello"),
  ])
  func `scripts of connections include files as well`(
    kind: String, client: String, step: String, event: String
  ) throws {
    let text = """
      scenario: s
      endpoints:
        feed:
          \(kind):
            - { accept: { path: /a }, script: [{ include: say.steps.yaml }, { wait: forever }] }
      connections: { c: { \(client): { endpoint: feed, path: /a } } }
      steps:
        - connect: c
        - expect: { c: \(event) }
        - ignore: [feed]
      """
    #expect(try failures(text, ["say.steps.yaml": "steps: [\(step)]"]) == [])
  }

  @Test func `a step that the mock's script does not have is an error at its place in the file`() {
    let files = ["answer.steps.yaml": "steps:\n  - respond: { status: 204 }\n  - event: hello\n"]
    let loading = Loading(Self.route("[{ include: answer.steps.yaml }]"), components: files)
    #expect(
      loading.complaints == [
        "3:5 misplaced-step: `event` does not belong in the script of an endpoint → it belongs in "
          + "the script of an event stream"
      ])
    let labels = loading.file.diagnostics.first?.labels ?? []
    let paths = labels.map { loading.file.sources.file(of: $0.range)?.path }
    #expect(paths == ["answer.steps.yaml", "a.yaml"])
  }

  @Test func `one file may be included by steps and by mocks if both have its steps`() throws {
    let text = """
      scenario: s
      graph: { n: 0 }
      endpoints:
        api:
          http:
            - { get: /a, script: [{ include: add.steps.yaml }, { respond: { status: 204 } }] }
      steps:
        - include: add.steps.yaml
        - request: { endpoint: api, get: /a, expect: { status: 204 } }
        - check: n == 2
      """
    #expect(try failures(text, ["add.steps.yaml": "steps: [{ set: { n: '${n + 1}' } }]"]) == [])
  }

  @Test func `a circle of files is reported in a mock as it is in steps`() {
    let files = [
      "a.steps.yaml": "steps: [{ include: b.steps.yaml }]",
      "b.steps.yaml": "steps: [{ include: a.steps.yaml }]",
    ]
    let loading = Loading(Self.route("[{ include: a.steps.yaml }]"), components: files)
    #expect(loading.ids == ["include-cycle"])
  }

  @Test func `included steps see the request and the endpoint, but no captures of others`() throws {
    let text = """
      scenario: s
      endpoints:
        chat:
          websocket:
            - accept: { path: /first }
              script: [{ receive: { $as: said } }, { wait: forever }]
            - accept: { path: /second }
              script: [{ include: say.steps.yaml }, { wait: forever }]
      connections: { c: { websocket: { endpoint: chat, path: /second } } }
      steps:
        - connect: c
        - expect: { c: /second }
        - ignore: [chat]
      """
    let say = "steps: [{ send: '${request.path}' }]"
    #expect(try failures(text, ["say.steps.yaml": say]) == [])
    let peek = "steps: [{ send: '${said}' }]"
    #expect(Loading(text, components: ["say.steps.yaml": peek]).ids == ["unknown-name"])
  }

  @Test func `mocks of a component find files from the component's folder`() throws {
    let text = """
      scenario: s
      use: [parts/shop.component.yaml]
      steps:
        - request: { endpoint: shop.api, get: /a, expect: { json: { n: 1 } } }
      """
    let files = [
      "parts/shop.component.yaml": """
      component: c
      endpoints:
        api: { state: { n: 0 }, http: [{ get: /a, script: [{ include: count.steps.yaml }] }] }
      """,
      "parts/count.steps.yaml":
        "steps: [{ set: { n: '${n + 1}' } }, { respond: { json: { n: '${n}' } } }]",
    ]
    #expect(try failures(text, files) == [])
  }

  @Test func `a failure in an included step names its file and the place of the include`() throws {
    let twice = "steps:\n  - respond: { status: 201, json: { path: /a } }\n  - respond: {}\n"
    let loading = Loading(
      Self.route("[{ include: twice.steps.yaml }]"), components: ["twice.steps.yaml": twice])
    let run = try #require(loading.run())
    let places = run.verdict.failures[0].labels.map { label in
      loading.file.sources.file(of: label.range)?.path
    }
    #expect(places == ["twice.steps.yaml", "a.yaml"])
  }

  @Test func `a file by itself is read for the kind of script that it fits`() {
    for step in ["event: a", "send: a", "respond: {}", "expect: { n: 1 }"] {
      #expect(Loading("steps: [{ \(step) }]", path: "a.steps.yaml").complaints == [])
    }
    let steps = "steps: [{ event: a }, { event: b }, { receive: {} }]"
    let mixed = Loading(steps, path: "a.steps.yaml")
    #expect(mixed.ids == ["misplaced-step"])
    #expect(mixed.complaints.first?.contains("`receive` does not belong") == true)
  }

  @Test func `included files of mocks count towards the limits of a scenario`() {
    func chain(_ count: Int, _ text: (Int) -> String) -> [String: String] {
      let links = (0..<count).map { ("\($0).steps.yaml", text($0 + 1)) }
      return Dictionary(uniqueKeysWithValues: links + [("\(count).steps.yaml", "steps: []")])
    }
    let deep = chain(20) { "steps: [{ include: \($0).steps.yaml }]" }
    let route = Self.route("[{ include: 0.steps.yaml }]")
    #expect(Loading(route, components: deep).ids == ["includes-too-deep"])
    let wide = chain(12) { next in
      "steps: [{ include: \(next).steps.yaml }, { include: \(next).steps.yaml }]"
    }
    #expect(Loading(route, components: wide).ids == ["too-many-includes"])
  }

  /// Returns the ids of the failures of a run.
  private func failures(_ text: String, _ files: [String: String]) throws -> [String] {
    let loading = Loading(text, components: files)
    #expect(loading.complaints == [])
    return try #require(loading.run()).verdict.failures.map(\.id.rawValue)
  }
}

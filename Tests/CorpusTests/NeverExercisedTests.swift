import Diagnostics
import ScenarioEngine
import ScenarioRuns
import Testing
import Verdicts

/// The parts of a scenario that never happen although it holds.
@Suite struct NeverExercisedTests {
  private func verdict(_ text: String) throws -> Verdict {
    let loaded = loadScenarios(SourceFile(path: "x.yaml", text: text))
    let plan = try #require(loaded.plans.first)
    return runScenario(plan, inputs: RunInputs(seed: 1), sources: loaded.sources).verdict
  }

  private let unused = """
    scenario: Much is written and little happens
    graph: { a: 0, b: 0 }
    endpoints:
      api:
        http:
          - { get: /used, respond: { status: 200 } }
          - { get: /unused, respond: { status: 200 } }
          - get: /script
            script:
              - respond: { status: 204 }
              - if: request.path == '/other'
                then:
                  - wait: 1s
      feed:
        sse:
          - accept: {}
            script:
              - event: { data: first }
              - wait: 1h
              - event: { data: last }
          - accept: {}
            script: []
    connections: { c: { sse: { endpoint: feed, path: / } } }
    invariants:
      - leadsTo: { when: { a: 1 }, then: { b: 1 } }
      - leadsTo: { when: { a: 2 }, then: { b: 2 } }
    steps:
      - request: { endpoint: api, get: /used }
      - request: { endpoint: api, get: /script }
      - connect: c
      - set: { a: 2 }
      - set: { b: 2 }
    """

  @Test func `what a run never used is listed with its line, in the order of the file`() throws {
    let verdict = try verdict(unused)
    #expect(verdict.outcome == .passed)
    #expect(
      verdict.neverExercised.map { "\($0.line) \($0.part)" } == [
        "7 route `GET /unused` of `api`", "13 step `wait`", "20 step `event`",
        "21 stream entry of `feed`", "25 invariant `leadsTo`",
      ])
  }

  @Test func `what never happened fails a strict run`() throws {
    let strict = try verdict(unused).strict()
    #expect(strict.outcome == .failed)
    #expect(strict.failures.map(\.id.rawValue) == ["never-exercised"])
    #expect(strict.failures.first?.labels.count == 5)
  }

  private let passedOver = """
    scenario: Checks are passed over
    graph: { a: 0 }
    steps:
      - check: a == 0
      - repeat: "${a}"
        steps: [{ check: a == 9 }]
      - while: a == 1
        steps: [{ if: a == 2, then: [{ check: a == 9 }] }]
      - forEach: { each: "${[1, 2]}" }
        steps:
          - if: each == 3
            then: [{ check: a == 9 }]
            else: [{ check: a == 0 }]
      - parallel:
          - [{ forEach: { each: [] }, steps: [{ check: a == 9 }] }]
          - [{ if: a == 0, then: [{ check: a == 0 }], else: [] }]
      - retry: { until: a == 0 }
        steps: [{ if: a == 5, then: [{ check: a == 9 }] }]
    finally:
      - if: a == 1
        then: [{ check: a == 9 }]
    """

  @Test func `a loop without a turn and a branch that is not taken are never exercised`() throws {
    let verdict = try verdict(passedOver)
    #expect(verdict.outcome == .passed)
    #expect(
      verdict.neverExercised.map { "\($0.line) \($0.part)" } == [
        "6 body of `repeat`", "8 body of `while`", "12 branch `then`", "15 body of `forEach`",
        "18 branch `then`", "21 branch `then`",
      ])
    #expect(verdict.strict().failures.map(\.id.rawValue) == ["never-exercised"])
  }

  @Test func `bodies in the scripts of actions and mocks are of coverage alone`() throws {
    let text = """
      scenario: x
      reactors:
        r: { state: { n: 0 }, actions: { go: [{ repeat: 0, steps: [{ set: { n: 1 } }] }] } }
      steps: [{ send: r.go }, { check: r.n == 0 }, { repeat: 1, steps: [{ check: r.n == 0 }] }]
      """
    let loaded = loadScenarios(SourceFile(path: "x.yaml", text: text))
    var inputs = RunInputs(seed: 1)
    inputs.options.notesParts = true
    let plan = try #require(loaded.plans.first)
    let verdict = runScenario(plan, inputs: inputs, sources: loaded.sources).verdict
    #expect(verdict.neverExercised.isEmpty)
    #expect(
      verdict.coverage.filter { $0.kind == .branch }.map { "\($0.part) \($0.isReached)" }
        == ["body of `repeat` true", "body of `repeat` false"])
  }

  @Test(arguments: [
    "steps: [{ if: a == 2, then: [{ check: a == 3 }] }]",
    "steps: [{ while: a == 2, steps: [{ check: a == 3 }] }]",
    "steps: [{ repeat: 0, steps: [{ check: a == 3 }] }]",
    "steps: [{ forEach: { x: [] }, steps: [{ check: x == 3 }] }]",
    "invariants: [{ count: { when: { a: 7 }, atMost: 0 } }]\nsteps: [{ set: { a: 2 } }]",
    "invariants: [{ leadsTo: { when: { a: 7 }, then: { a: 8 } } }]\nsteps: [{ set: { a: 2 } }]",
    "steps: [{ set: { a: 2 } }]\nfinally: [{ if: a == 1, then: [{ check: a == 1 }] }]",
    "steps: [{ if: a == 2, then: [{ request: { endpoint: api, get: /, expect: { status: 200 } } }]"
      + " }]\n"
      + "endpoints: { api: { http: [{ get: /, respond: { status: 200 } }] } }",
    "steps: [{ request: { endpoint: api, get: / } }]\n"
      + "endpoints: { api: { url: 'http://localhost:1', http: [{ get: /, respond: { json: 1 } }] } "
      + "}",
    "steps: [{ set: { a: 2 } }]\n"
      + "endpoints: { api: { sse: [{ accept: { headers: { x: y } }, script: [] }] } }",
  ])
  func `a run that evaluates nothing is warned of as a scenario that asserts nothing`(
    _ rest: String
  ) throws {
    let verdict = try verdict("scenario: x\ngraph: { a: 1 }\n" + rest)
    #expect(verdict.outcome == .passed)
    #expect(verdict.warnings.map(\.id.rawValue) == ["no-assertions"])
  }

  @Test(arguments: [
    "steps: [{ if: a == 1, then: [{ check: a == 1 }] }]",
    "invariants: [{ always: a >= 1 }]\nsteps: [{ wait: 1s }]",
    "invariants: [{ count: { when: { a: 2 }, atMost: 1 } }]\nsteps: [{ set: { a: 2 } }]",
    "steps: [{ retry: { until: a == 1 }, steps: [{ set: { a: 1 } }] }]",
    // Reading it warns of these.
    "steps: [{ set: { a: 2 } }]", "steps: []",
    // For clients from outside.
    "steps: [{ wait: 1s }]\n"
      + "endpoints: { api: { websocket: [{ accept: {}, script: [{ receive: hi }] }] } }",
  ])
  func `a run that evaluates something is not warned of`(_ rest: String) throws {
    let verdict = try verdict("scenario: x\ngraph: { a: 1 }\n" + rest)
    #expect(verdict.warnings.map(\.id.rawValue) == [])
  }

  @Test func `a strict run of a scenario that uses everything holds`() throws {
    let verdict = try verdict("scenario: x\ngraph: { a: 0 }\nsteps: [check: a == 0]")
    #expect(verdict.neverExercised.isEmpty)
    #expect(verdict.strict().outcome == .passed)
  }

  @Test func `nothing is never exercised where the scenario failed`() throws {
    let failed = try verdict(unused + "\n  - check: a == 7")
    #expect(failed.outcome == .failed)
    #expect(failed.neverExercised.isEmpty)
    #expect(failed.strict().failures == failed.failures)
  }

  /// An id that no script has; one of an expression may still come until the script waits.
  @Test(arguments: [
    ("[{ event: { id: '2', data: two } }, { wait: forever }]", true),
    ("[{ event: { id: '${1 + 1}', data: two } }, { wait: forever }]", true),
    ("[{ event: { id: '${1 + 1}', data: two } }]", true),
    ("[{ event: { id: '1', data: one } }, { event: { id: '2', data: two } }]", false),
    ("[{ event: { id: '${3 - 2}', data: one } }, { event: { id: '2', data: two } }]", false),
  ])
  func `a stream that nobody can go on with is sent whole, with a warning`(
    script: String, isUnknown: Bool
  ) throws {
    let text = """
      scenario: x
      endpoints: { feed: { resumable: true, http: [{ get: /, sse: \(script) }] } }
      connections: { c: { sse: { endpoint: feed, path: /, headers: { Last-Event-ID: '1' } } } }
      steps:
        - connect: c
        - expect: { c: { data: two } }
      """
    let found = try verdict(text)
    #expect(found.outcome == .passed)
    #expect(found.warnings.map(\.id.rawValue) == (isUnknown ? ["stream-not-resumed"] : []))
  }

  @Test(arguments: [
    ("check: total == 0", ["unread-node-fails"]), ("set: { total: 2 }", []),
    ("check: kind(share) == 'error'", []),
  ])
  func `a computed node without a value that nothing reads is warned of`(
    step: String, warnings: [String]
  ) throws {
    let text = """
      scenario: x
      graph: { total: 0, share: { computed: 100 / total } }
      steps: [{ \(step) }]
      """
    #expect(try verdict(text).warnings.map(\.id.rawValue) == warnings)
  }
}

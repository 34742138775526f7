import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Testing

/// What a sweep demands of a run: values, and time to recover.
@Suite struct SweepDemandTests {
  private func sweep(
    _ text: String, _ change: (inout SweepOptions) -> Void = { _ in }
  ) throws -> SweepResult {
    let file = loadScenarios(SourceFile(path: "a.scenario.yaml", text: text))
    let plan = try #require(file.plans.first, "\(file.diagnostics)")
    var options = SweepOptions()
    change(&options)
    return sweepScenario(
      SharedPlan(plan), inputs: RunInputs(seed: 1), sources: file.sources, options: options)
  }

  /// A client that asks once.
  private static func client(_ steps: String, _ more: String = "") -> String {
    """
    scenario: A client
    \(more)
    endpoints: { api: { http: [{ get: /a, respond: { json: 1 } }] } }
    providers: { a: { endpoint: api, get: /a } }
    reactors: { ui: { state: { v: none }, actions: { go: [{ load: { v: a } }] } } }
    steps:
      - send: ui.go
    \(steps)

    """
  }

  @Test(arguments: [
    "  - expect: { ui.v: [loading, { loaded: 1 }] }", "  - wait: 1s",
    "  - wait: 1s\n  - check: true",
  ])
  func `courses are not judged where no value is demanded, and a line is proposed`(steps: String)
    throws
  {
    let result = try sweep(Self.client(steps))
    #expect(result.good.outcome == .passed, "\(result.good.failures)")
    #expect(result.places > 0 && result.held == 0 && result.notJudged == result.places)
    let warning = try #require(result.warnings.first { $0.id == "sweep-demands-nothing" })
    #expect(warning.help?.contains("`sweep: { same: [ui.v] }`") == true, "\(warning)")
  }

  @Test(arguments: [
    ("  - wait: 1s\n  - check: kind(ui.v) != 'loading'", ""),
    ("  - expect: { ui.v: [loading, { loaded: 1 }] }", "sweep: { same: [api] }"),
    ("  - expect: { ui.v: [loading, { loaded: 1 }] }", "sweep: { never: ui.v == 'x' }"),
    ("  - expect: { ui.v: [loading, { loaded: 1 }] }", "invariants: [{ never: ui.v == 'x' }]"),
    ("  - eventually: kind(ui.v) != 'loading'", ""),
  ])
  func `courses are judged where a value is demanded`(steps: String, more: String) throws {
    let result = try sweep(Self.client(steps, more))
    #expect(result.good.outcome == .passed, "\(result.good.failures)")
    #expect(result.places > 0 && result.notJudged == 0 && result.undemanded == nil)
  }

  @Test func `the proposed line can be tried without writing it`() throws {
    let text = Self.client("  - expect: { ui.v: [loading, { loaded: 1 }] }")
    let result = try sweep(text) { $0.scope.demandsProposed = true }
    #expect(result.notJudged == 0 && result.proposed == ["ui.v"])
    #expect(result.groups.map(\.diagnostic.id).contains("swept-end-differs"))
  }

  @Test func `a break of a rule fails a course that is not judged otherwise`() throws {
    let text = """
      scenario: A client that resumes too late
      endpoints:
        feed:
          resumable: true
          sse:
            - accept: { path: /n }
              script:
                - event: { id: a, data: 1 }
                - event: { id: b, data: 2 }
                - wait: forever
      connections:
        news:
          sse: { endpoint: feed, path: /n }
          retry: { initialDelay: 10m, maxDelay: 10m }
      steps: [{ connect: news }, { expect: { news: [{ id: a }, { id: b }] } }]

      """
    let result = try sweep(text)
    #expect(Set(result.groups.map(\.diagnostic.id)) == ["swept-left-pending"])
    #expect(result.failed > 8 && result.held == 0)
  }

  /// An answer that is delayed beyond the last `wait`, behind which something is left to do.
  private static func late(_ steps: String) -> String {
    """
    scenario: A late answer
    sweep: { disturb: { api: [late] } }
    endpoints: { api: { http: [{ get: /a, respond: { json: 1 } }] } }
    providers: { a: { endpoint: api, get: /a } }
    reactors:
      x:
        state: { v: none, log: "" }
        actions:
          go: [{ wait: 1s }, { load: { v: a } }]
          tick: [{ wait: 20s }, { set: { log: done } }]
    steps: [{ send: x.go }, { send: x.tick }, \(steps)]

    """
  }

  @Test(arguments: [
    "{ wait: 10s }, { check: kind(x.v) == 'loaded' }",
    "{ wait: 10s }",
    "{ repeat: 2, steps: [{ wait: 5s }] }, { check: kind(x.v) == 'loaded' }",
    "{ expect: { x.v: [loading, { loaded: 1 }] } }, { wait: 9s }, { check: kind(x.v) == 'loaded' }",
    "{ eventually: kind(x.v) == 'loaded' }, { check: kind(x.v) == 'loaded' }, { wait: 8s }",
  ])
  func `a run recovers after its last wait, as after its last expectation`(steps: String) throws {
    let result = try sweep(Self.late(steps))
    #expect(result.good.outcome == .passed, "\(result.good.failures)")
    #expect(result.places > 0 && result.groups.isEmpty, "\(result.groups.map(\.diagnostic))")
  }

  @Test func `a course whose place no run came to is no success`() throws {
    var result = try sweep(Self.client("  - wait: 1s\n  - check: kind(ui.v) != 'loading'"))
    #expect(result.failures.isEmpty)
    result.missed = [SweepCourse(.refusal(line: "api", connection: 1))]
    #expect(result.failures.map(\.id) == ["sweep-missed"])
    #expect(result.failures.first?.severity == .error)
  }

  /// A reactor that waits for ever if its answer is lost, and one that gives up after 10s.
  @Test(arguments: [("forever", true), ("10s", false)])
  func `an action that ends without the disturbance must end with it`(
    wait: String, hangs: Bool
  ) throws {
    let text = """
      scenario: An action
      endpoints: { api: { http: [{ get: /a, respond: { json: 1 } }] } }
      providers: { a: { endpoint: api, get: /a } }
      reactors:
        ui:
          state: { v: none, w: 0 }
          actions:
            go:
              - load: { v: a }
              - if: kind(ui.v) == 'error'
                then: [{ wait: \(wait) }]
            poll: [{ while: "true", steps: [{ wait: 1s }] }]
      sweep: { same: [ui.w] }
      steps:
        - send: ui.poll
        - send: ui.go
        - wait: 1s

      """
    let result = try sweep(text)
    #expect(result.good.outcome == .passed, "\(result.good.failures)")
    #expect(result.places > 0 && result.groups.count == (hangs ? 1 : 0))
    #expect((result.failed == 0) == !hangs && result.held > 0)
    #expect(result.rules.first { $0.rule == "swept-left-running" }?.exercised == 2 * result.places)
    guard let failure = result.groups.first?.diagnostic else { return }
    let made = render(
      failure, in: loadScenarios(SourceFile(path: "a.scenario.yaml", text: text)).sources)
    #expect(
      made.hasPrefix(
        """
        error[swept-left-running]: `ui.go` is still running at the end; without the disturbance it \
        ends by itself
         --> a.scenario.yaml:8:7
        """), "\(made)")
    #expect(
      made.contains("let it give up after some time: it had 1m, which `sweep: { settle: … }` sets"))
  }
}

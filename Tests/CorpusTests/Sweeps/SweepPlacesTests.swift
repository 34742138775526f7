import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Synchronization
import Testing
import Verdicts
import World

/// The places that a sweep leaves out, since what goes wrong there makes no other run.
@Suite struct SweepPlacesTests {
  /// A client that asks each second until it is answered, and again if no answer comes for 30s.
  private static let patient = """
    scenario: A client that waits for its network
    endpoints:
      api: { http: [{ get: /health, respond: { json: {}, after: 10ms } }] }
    providers:
      health:
        endpoint: api
        get: /health
        retry: { maxAttempts: 99, initialDelay: 1s, maxDelay: 1s }
    reactors:
      page:
        state: { health: none }
        actions:
          look:
            - try:
                - parallel:
                    - [{ load: { health: health } }, { fail: answered }]
                    - [{ wait: 30s }, { fail: late }]
            - if: kind(health) != 'loaded'
              then: [{ load: { health: health } }]
    steps:
      - network: BEGIN
      - send: page.look
      - wait: 60s
      - network: online
      - expect: { page.health: [loading, { loaded: {} }] }
      - check: kind(page.health) == 'loaded'
    """

  private func load(_ begin: String) throws -> (plan: ScenarioPlan, LoadedFile) {
    let text = SweepPlacesTests.patient.replacing("BEGIN", with: begin)
    let file = loadScenarios(SourceFile(path: "patient.scenario.yaml", text: text))
    return (try #require(file.plans.first, "\(file.diagnostics)"), file)
  }

  @Test func `nothing is lost or refused where there is no network`() throws {
    let (plan, file) = try load("offline")
    let result = sweepScenario(
      SharedPlan(plan), inputs: RunInputs(seed: 1), sources: file.sources, options: SweepOptions())
    #expect(result.withoutNetwork > 50)
    #expect(result.places < 20)
    #expect(result.held == result.places)
  }

  @Test(arguments: ["lose request 1 of api, connection 1", "refuse connection 1 of api"])
  func `a disturbance where there is no network has no place`(name: String) throws {
    let (plan, file) = try load("offline")
    var inputs = RunInputs(seed: 1)
    inputs.options.disturbances = [try #require(Disturbance(name: name))]
    let verdict = runScenario(plan, inputs: inputs, sources: file.sources).verdict
    #expect(verdict.failures.map(\.id) == ["no-place-of-disturbance"])
  }

  @Test(arguments: [1, 3])
  func `of delays that a client does not await only the shortest is run`(jobs: Int) throws {
    let (plan, file) = try load("online")
    let runs = Mutex(0)
    let count: @Sendable () -> Void = { runs.withLock { $0 += 1 } }
    var options = SweepOptions()
    options.jobs = jobs
    options.onRunEnded = count
    let result = sweepScenario(
      SharedPlan(plan), inputs: RunInputs(seed: 1), sources: file.sources, options: options)
    #expect(result.repeated == 2)
    #expect(runs.withLock { $0 } == result.places - result.repeated)
    #expect(result.held == result.places)
  }

  /// A client that asks each second, and says how often, or another text.
  private static let ticking = """
    scenario: A client that looks each second
    endpoints:
      api: { http: [{ get: /health, respond: { json: {}, after: 10ms } }] }
    providers:
      health: { endpoint: api, get: "/health?turn=${turn}", params: [turn] }
    reactors:
      page:
        state: { turn: 0, health: none }
        actions:
          look:
            - repeat: 60
              steps:
                - set: { turn: "${turn + 1}" }
                - load: { health: { provider: health, with: { turn: "${TURN}" } } }
                - wait: 1s
    steps:
      - send: page.look
      - wait: 70s
      - check: page.turn == 60
    """

  private func courses(turn: String, allPlaces: Bool) throws -> SweepResult {
    let text = SweepPlacesTests.ticking.replacing("TURN", with: turn)
    let file = loadScenarios(SourceFile(path: "ticking.scenario.yaml", text: text))
    let plan = try #require(file.plans.first, "\(file.diagnostics)")
    var options = SweepOptions()
    options.scope.allPlaces = allPlaces
    options.scope.listsOnly = true
    let result = sweepScenario(
      SharedPlan(plan), inputs: RunInputs(seed: 1), sources: file.sources, options: options)
    #expect(result.good.outcome == .passed, "\(result.good.failures)")
    return result
  }

  @Test func `of many places that are alike a few are tried, and a warning counts the others`()
    throws
  {
    let all = try courses(turn: "turn", allPlaces: true)
    #expect(all.listed.count > 300 && all.alike == 0 && all.warnings.isEmpty)
    let few = try courses(turn: "turn", allPlaces: false)
    #expect(few.listed.count < 50)
    #expect(few.listed.count + few.alike == all.listed.count)
    #expect(few.warnings.map(\.id) == ["sweep-sampled"])
    let lost = few.listed.map(\.name).filter { $0.hasPrefix("lose request") }
    #expect(lost == [1, 31, 60].map { "lose request \($0) of api, connection 1" })
  }

  @Test func `places are not alike if their pieces differ in more than digits`() throws {
    let names = "['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'][turn % 10]"
    let result = try courses(turn: names, allPlaces: false)
    #expect(result.listed.count { $0.name.hasPrefix("lose request") } == 60)
    #expect(result.listed.count { $0.name.hasPrefix("lose answer") } == 3)
  }

  @Test(arguments: [
    ("steps: [{ check: 1 + 1 == 2 }]", "no endpoint"),
    (
      "endpoints: { api: { http: [{ get: /a, respond: {} }] } }\n"
        + "sweep: { disturb: { api: [cut] } }\nsteps: [{ check: 1 + 1 == 2 }]", "disturb"
    ),
  ])
  func `a sweep without a place says why`(rest: String, reason: String) throws {
    let text = "scenario: S\n\(rest)\n"
    let file = loadScenarios(SourceFile(path: "s.scenario.yaml", text: text))
    let plan = try #require(file.plans.first, "\(file.diagnostics)")
    let result = sweepScenario(
      SharedPlan(plan), inputs: RunInputs(seed: 1), sources: file.sources, options: SweepOptions())
    #expect(result.places == 0)
    #expect(result.warnings.map(\.id) == ["sweep-without-places"])
    #expect(result.warnings.first?.message.contains(reason) == true)
  }
}

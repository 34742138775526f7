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
    inputs.disturbances = [try #require(Disturbance(name: name))]
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
}

import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import TestKit
import Testing
import Values
import Verdicts

/// One endpoint, as its mock and as the real one.
struct DriftCase: Sendable, CustomTestStringConvertible {
  var name: String
  /// The text under `api`.
  var mock: String
  var real: String
  var rest: String
  /// The drifts, each by the text it points at and its message; none if both are alike.
  var drifts: [String]

  var testDescription: String { name }

  init(
    _ name: String, mock: String, real: String, _ rest: String, drifts: [String] = []
  ) {
    self.name = name
    self.mock = mock
    self.real = real
    self.rest = rest
    self.drifts = drifts
  }
}

/// Scenarios against real endpoints that differ from their mocks.
@Suite struct DriftTests {
  private func verdict(_ each: DriftCase, ignoresDrift: Bool = false) throws -> [String] {
    let server = try #require(
      RehearsedServer(
        """
        scenario: Real
        endpoints: { api: { \(each.real) } }
        steps: [{ wait: 1h }]
        """))
    defer { server.stop() }
    let text = """
      scenario: Drift
      endpoints: { api: { url: "http://localhost:\(server.port)", \(each.mock) } }
      \(each.rest)
      """
    let file = loadScenarios(SourceFile(path: "drift.yaml", text: text))
    #expect(file.complaints == [])
    let plan = try #require(file.plans.first)
    var settings = RealWorldSettings()
    settings.ignoresDrift = ignoresDrift
    let run = runScenario(plan, inputs: RunInputs(seed: 1), in: .real(settings))
    #expect(judge(run.log, plan: plan).failures.map(\.id) == run.verdict.failures.map(\.id))
    return run.verdict.failures.map { failure in
      guard failure.id == "drift", let label = failure.labels.first else {
        return failure.id.rawValue
      }
      let part = Array(text.utf8)[Int(label.range.start)..<Int(label.range.end)]
      return "\(failure.id) \(String(decoding: part, as: UTF8.self)): \(label.text)"
    }
  }

  @Test(arguments: DriftCase.all)
  func `what a real endpoint does is held against its mock`(_ each: DriftCase) throws {
    let found = try verdict(each)
    #expect(found == each.drifts)
  }

  @Test func `this is the report`() throws {
    let server = try #require(
      RehearsedServer(fileText("scenarios/drift/prices.real.yaml") ?? ""))
    defer { server.stop() }
    var inputs = PlanInputs()
    inputs.environment["PRICES_URL"] = .string("http://localhost:\(server.port)")
    let path = "scenarios/drift/prices.scenario.yaml"
    let file = loadScenarios(
      SourceFile(path: path, bytes: fileBytes(path) ?? []), inputs: inputs)
    let plan = try #require(file.plans.first)
    let run = runScenario(
      plan, inputs: RunInputs(seed: 1), sources: file.sources, in: .real(RealWorldSettings()))
    var failures = run.verdict.failures
    // The first failure also notes that the machine was late, if it was.
    for index in failures.indices { failures[index].notes.removeAll { $0.name == "machine" } }
    let report = steady(render(failures, in: file.sources), port: server.port)
    #expect(report == goldenText("scenarios/drift/prices.expected", made: report))
  }

  /// Returns a report without the parts that differ in each run: the port, times, numbers of
  /// events, and the indentation that depends on them.
  private func steady(_ report: String, port: Int) -> String {
    report.replacing("localhost:\(port)", with: "localhost:PORT")
      .replacing(/\d+(\.\d+)?(us|ms|s)\b/, with: "TIME")
      .replacing(/event \d+/, with: "event N")
      .replacing(/\| +(actual|expected)/) { "| \($0.1)" }
  }

  @Test func `drift that is not wanted is not reported`() throws {
    let drifted = try #require(DriftCase.all.first { !$0.drifts.isEmpty })
    #expect(try verdict(drifted, ignoresDrift: true) == [])
  }

  @Test func `one changed word is one failure, with all of its places`() throws {
    func routes(_ json: String) -> String {
      let verbs = ["post", "get"].map { "{ \($0): /a, respond: { json: \(json) } }" }
      return "http: [\(verbs.joined(separator: ", "))]"
    }
    let (real, mock) = (routes("{ titel: x }"), routes("{ title: x }"))
    let server = try #require(
      RehearsedServer("scenario: Real\nendpoints: { api: { \(real) } }\nsteps: [{ wait: 1h }]\n"))
    defer { server.stop() }
    let text = """
      scenario: Drift
      endpoints: { api: { url: "http://localhost:\(server.port)", \(mock) } }
      steps:
        - request: { endpoint: api, post: /a, expect: { status: 200 } }
        - request: { endpoint: api, get: /a, expect: { json: { title: x } } }
      """
    let file = loadScenarios(SourceFile(path: "drift.yaml", text: text))
    let plan = try #require(file.plans.first, "\(file.complaints)")
    let run = runScenario(plan, inputs: RunInputs(seed: 1), in: .real(RealWorldSettings()))
    #expect(run.verdict.failures.map(\.id) == ["drift"])
    #expect(
      run.verdict.failures.first?.labels.map(\.text)
        == ["`.json` has no entry `title`", "here, too", "fails by it"])
  }
}

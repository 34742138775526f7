import Diagnostics
import Glibc
import Protocols
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Testing
import Values
import Verdicts

/// Scenarios against real endpoints on this machine.
@Suite struct RealEndpointTests {
  private func scenario(url: String?, expecting answer: String = "purr") -> String {
    """
    scenario: Facts
    endpoints:
      api:
        \(url.map { "url: \($0)" } ?? "state: {}")
        http: [{ get: /fact, respond: { json: {} } }]
    providers: { fact: { endpoint: api, get: /fact, value: "${response.json.asked}" } }
    reactors: { cats: { state: { fact: none }, actions: { load: [{ load: { fact: fact } }] } } }
    steps:
      - send: cats.load
      - expect:
          - cats.fact: loading
          - api: { get: /fact, connection: 1 }
          - cats.fact: \(answer)
    """
  }

  private func run(
    _ text: String, _ settings: RealWorldSettings = RealWorldSettings()
  ) throws -> Verdict {
    let file = loadScenarios(SourceFile(path: "facts.yaml", text: text))
    #expect(file.diagnostics == [])
    let plan = try #require(file.plans.first)
    return runAgain(atMost: 3) {
      runScenario(plan, inputs: RunInputs(seed: 1), in: .real(settings)).verdict
    }
  }

  @Test(arguments: [("", "/fact"), ("/", "/fact"), ("/v1/", "/v1/fact")])
  func `what is sent is emitted without the base of the URL, and answered by the real server`(
    base: String, asked: String
  ) throws {
    let server = try #require(RealServer())
    defer { server.stop() }
    let text = scenario(
      url: "http://localhost:\(server.port)\(base)", expecting: "{ loaded: \(asked) }")
    #expect(try run(text).failures == [])
  }

  @Test func `a secured server is trusted when its certificate is`() throws {
    let server = try #require(RealServer(isSecure: true))
    defer { server.stop() }
    let path = "/tmp/rehearsal-\(getpid())-\(server.port).pem"
    let certificate = String(decoding: server.certificate ?? [], as: UTF8.self)
    #expect(writeFile(path, certificate) == nil)
    defer { unlink(path) }
    var settings = RealWorldSettings()
    settings.trustedFile = path
    let url = "https://localhost:\(server.port)"
    #expect(try run(scenario(url: url, expecting: "{ loaded: /fact }"), settings).failures == [])
    let refused = "{ error: { reason: connectionFailed, problem: untrusted } }"
    #expect(try run(scenario(url: url, expecting: refused)).failures == [])
    settings = RealWorldSettings()
    settings.isInsecure = true
    #expect(try run(scenario(url: url, expecting: "{ loaded: /fact }"), settings).failures == [])
  }

  @Test(arguments: [("refuse", "connectionFailed", nil), ("reset", "connectionLost", true)])
  func `faults strike on the way to a real endpoint as well`(
    fault: String, reason: String, isToServer: Bool?
  ) throws {
    let server = try #require(RealServer(isSecure: true))
    defer { server.stop() }
    let text = """
      scenario: A bad line
      endpoints: { api: { url: "https://localhost:\(server.port)", http: [] } }
      steps:
        - network: { api: { faults: { \(fault): 1 } } }
        - fails: { request: { endpoint: api, get: /fact } }
          error: { reason: \(reason) }
        - network: { faults: none }
        - request: { endpoint: api, get: /fact, expect: { status: 200 } }
      """
    var settings = RealWorldSettings()
    settings.isInsecure = true
    settings.ignoresDrift = true
    let verdict = try run(text, settings)
    #expect(verdict.failures == [])
    #expect(verdict.faults.first.map(\.kind) == [fault])
    #expect(verdict.faults.first.map(\.isToServer) == [isToServer])
  }

  @Test func `an endpoint without a URL cannot be real`() throws {
    let verdict = try run(scenario(url: nil))
    #expect(verdict.outcome == .couldNotRun && verdict.obstacle == .scenario)
    #expect(verdict.failures.map(\.id) == ["endpoint-without-url"])
  }

  @Test func `a URL without a scheme is found when the file is loaded`() {
    let text = scenario(url: "\"localhost:80\"")
    let file = loadScenarios(SourceFile(path: "facts.yaml", text: text))
    #expect(file.diagnostics.map(\.id) == ["wrong-type"])
  }

  @Test(arguments: ["ftp://localhost", "http://", "http://localhost:0"])
  func `a URL that cannot be reached is reported`(url: String) throws {
    let verdict = try run(scenario(url: "\"\(url)\""))
    #expect(verdict.failures.map(\.id) == ["step-failed"])
    #expect(verdict.failures[0].message.contains("the real endpoint cannot be reached"))
  }
}

import Diagnostics
import Protocols
import ScenarioEngine
import ScenarioRuns
import TestKit
import Testing
import Verdicts

/// What a report says of real endpoints that do not answer, or not completely.
@Suite struct RealFailuresTests {
  private func page(
    _ text: String, _ settings: RealWorldSettings = RealWorldSettings()
  ) throws -> String {
    let file = loadScenarios(SourceFile(path: "failures.yaml", text: "scenario: F\n" + text))
    #expect(file.complaints == [])
    let plan = try #require(file.plans.first)
    let run = runScenario(
      plan, inputs: RunInputs(seed: 1), sources: file.sources, in: .real(settings))
    return render(run.verdict.failures, in: file.sources)
  }

  @Test func `a proxy that cannot be reached is named`() throws {
    var settings = RealWorldSettings()
    settings.proxies = ProxySettings(for: try AbsoluteURL.read("http://127.0.0.1:1").get())
    let reason =
      "the proxy for `http://far.example` cannot be reached: "
      + "nobody listens at `http://127.0.0.1:1`"
    let request = """
      endpoints: { api: { url: "http://far.example" } }
      steps: [{ request: { endpoint: api, get: / } }]
      """
    #expect(try page(request, settings).contains("`GET /` failed: " + reason))
    let stream = """
      endpoints: { api: { url: "http://far.example" } }
      connections: { feed: { sse: { endpoint: api, path: / } } }
      steps: [{ connect: feed }, { expect: { feed: [{}] } }]
      """
    #expect(try page(stream, settings).contains("= reason  " + reason))
  }

  @Test(arguments: [
    "eventually: feed.state == 'connected'", "check: feed.state == 'connected'",
    "expect: { feed.state: connected }",
    "eventually: size([feed.state].filter(s, s == 'connected')) == 1",
  ])
  func `a step that reads the state of a connection says why there is none`(step: String) throws {
    let first =
      step.hasPrefix("expect")
      ? "expect: { feed.state: connecting }" : "eventually: feed.state != 'connecting'"
    let text = """
      endpoints: { api: { url: "http://127.0.0.1:1" } }
      connections: { feed: { sse: { endpoint: api, path: / } } }
      steps:
        - connect: feed
        - \(first)
        - \(step)
      """
    #expect(try page(text).contains("= reason  nobody listens at `http://127.0.0.1:1`"))
  }

  @Test(arguments: [
    ("", "before the answer came"), ("HTTP/1.1 200 OK\r\nA", "inside the head of the answer"),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n1234567",
      "after 7 of 100 bytes of the body, status 200 OK"
    ),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
      "between two chunks, after 3 bytes of the body, status 200 OK"
    ),
  ])
  func `a lost answer says how far it came`(answer: String, place: String) throws {
    let server = try #require(RealServer { _ in .bytes(Array(answer.utf8)) })
    defer { server.stop() }
    let text = """
      endpoints: { api: { url: "http://127.0.0.1:\(server.port)" } }
      steps: [{ request: { endpoint: api, post: / } }]
      """
    #expect(try page(text).contains("failed: the connection was lost " + place))
  }

  @Test func `a server that never pauses keeps no step from its turn, and no memory`() throws {
    let line = Array("{\"i\":1,\"pad\":\"\(String(repeating: "x", count: 60_000))\"}\n".utf8)
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n"
    let bytes = Array(head.utf8) + repeated(line, times: 500)
    let server = try #require(RealServer { _ in .bytes(bytes) })
    defer { server.stop() }
    let text = """
      scenario: Lines
      timeout: 60s
      endpoints: { api: { url: "http://127.0.0.1:\(server.port)" } }
      connections: { rows: { ndjson: { endpoint: api, path: / } } }
      steps:
        - connect: rows
        - expect: { rows: [{ i: 1 }] }
        - ignore: rows
        - eventually: rows.state != 'connected'
      """
    let file = loadScenarios(SourceFile(path: "lines.yaml", text: text))
    let plan = try #require(file.plans.first)
    var inputs = RunInputs(seed: 1)
    inputs.options.logLimit = 10_000_000
    let run = runScenario(
      plan, inputs: inputs, sources: file.sources, in: .real(RealWorldSettings()))
    #expect(render(run.verdict.failures, in: file.sources) == "")
  }

  @Test func `a body that is nested too deep is not called something else than JSON`() throws {
    let body = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
    let answer = RealAnswer.response(HTTPResponse(status: 200, body: Array(body.utf8)))
    let server = try #require(RealServer { _ in answer })
    defer { server.stop() }
    let text = """
      endpoints: { api: { url: "http://127.0.0.1:\(server.port)" } }
      steps: [{ request: { endpoint: api, get: /, expect: { json: [] } } }]
      """
    #expect(try page(text).contains("JSON is nested at most 512 levels deep"))
  }

  @Test func `a stream that never pauses delays no step of a scenario with programs`() throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    let event = Array("data: x\n\n".utf8)
    let bytes = Array(head.utf8) + repeated(event, times: 4_000_000)
    let server = try #require(RealServer { _ in .bytes(bytes) })
    defer { server.stop() }
    let text = """
      scenario: Events
      endpoints: { api: { url: "http://127.0.0.1:\(server.port)" } }
      programs: { p: { run: [sleep, '1000'] } }
      connections: { feed: { sse: { endpoint: api, path: / } } }
      timeout: 60s
      steps:
        - connect: feed
        - eventually: feed.state == 'connected'
        - wait: 100ms
        - check: feed.state == 'connected'
      """
    let file = loadScenarios(SourceFile(path: "events.yaml", text: text))
    let plan = try #require(file.plans.first)
    let run = runScenario(plan, inputs: RunInputs(seed: 1), sources: file.sources, in: .mock)
    #expect(render(run.verdict.failures, in: file.sources) == "")
  }

  @Test func `a stream follows a redirect to another server, without its credentials`() throws {
    let other = try #require(RealServer(answer: Self.streaming))
    defer { other.stop() }
    let location = "http://127.0.0.1:\(other.port)/there?a=1"
    let redirect: @Sendable (RealRequest) -> RealAnswer = { _ in
      .response(HTTPResponse(status: 307, headers: ["Location": location]))
    }
    let first = try #require(RealServer(answer: redirect))
    defer { first.stop() }
    let text = """
      endpoints: { api: { url: "http://127.0.0.1:\(first.port)/v1" } }
      connections:
        feed: { sse: { endpoint: api, path: /here, headers: { Authorization: Bearer x } } }
      steps:
        - connect: feed
        - expect: { feed: [{ data: /there?a=1 nobody }] }
      """
    #expect(try page(text) == "")
  }

  /// Answers with a stream of one event: the target and the credentials of the request.
  @Sendable private static func streaming(_ request: RealRequest) -> RealAnswer {
    let who = request.http.headers["Authorization"] ?? "nobody"
    return .response(
      HTTPResponse(
        status: 200, headers: ["Content-Type": "text/event-stream"],
        body: Array("data: \(request.http.target) \(who)\n\n".utf8)))
  }
}

import Diagnostics
import Glibc
import Protocols
import ScenarioEngine
import ScenarioRuns
import Testing
import Values
import Verdicts

/// Mocks that pass requests on to a real server.
@Suite(.serialized) struct ProxyTests {
  private static let upstream = """
    scenario: The real server
    endpoints:
      api:
        http:
          - get: "/v1/{path...}"
            respond:
              headers: { X-Path: "${request.path}", Set-Cookie: [a=1, b=2] }
              json: "${request.query}"
          - post: /v1/tasks
            respond:
              status: 201
              headers: { Content-Encoding: gzip }
              json: "${request.json}"
        sse:
          - accept: { path: /v1/events }
            script: [{ event: one }, { wait: 20ms }, { event: two }]
        websocket:
          - accept: { path: /v1/chat, protocol: chat.v2 }
            script: [{ receive: hello }, { send: welcome }, { close: { code: 4001 } }]
    steps: [{ wait: 20s }]
    """

  private func scenario(_ port: Int) -> String {
    """
    scenario: A mock before a real server
    endpoints:
      api:
        proxy: "http://127.0.0.1:\(port)/v1"
        http:
          - { get: /mine, respond: { text: mine } }
          - get: /turns
            turns: [{ respond: { status: 503 } }, { proxy: "http://127.0.0.1:\(port)/v1" }]
    """
  }

  @Test func `what no entry answers is passed on, and the answer comes back`() throws {
    let server = try #require(RehearsedServer(ProxyTests.upstream))
    defer { server.stop() }
    let requests = """

      steps:
        - request: { endpoint: api, get: /mine, expect: { text: mine } }
        - request:
            endpoint: api
            get: "/tasks?a=1&a=2"
            expect:
              headers: { X-Path: /v1/tasks, Set-Cookie: [a=1, b=2] }
              json: { a: ["1", "2"] }
        - request:
            endpoint: api
            post: /tasks
            json: { title: Write }
            expect: { status: 201, json: { title: Write } }
        - request: { endpoint: api, get: /turns, expect: { status: 503 } }
        - request: { endpoint: api, get: /turns, expect: { headers: { X-Path: /v1/turns } } }
        - request: { endpoint: api, head: /tasks, expect: { status: 200 } }
      """
    let file = loadScenarios(SourceFile(path: "p.yaml", text: scenario(server.port) + requests))
    #expect(file.diagnostics == [])
    let plan = try #require(file.plans.first)
    let verdict = runScenario(plan, inputs: RunInputs(seed: 1), in: .sockets).verdict
    #expect(verdict.failures.map(\.message) == [])
    let inMemory = runScenario(plan, inputs: RunInputs(seed: 1), in: .mock).verdict
    #expect(inMemory.failures.map(\.id) == ["proxy-without-sockets"])
  }

  @Test func `a WebSocket is passed on, with its subprotocol and its close code`() throws {
    let server = try #require(RehearsedServer(ProxyTests.upstream))
    defer { server.stop() }
    let talk = """

      connections:
        chat: { websocket: { endpoint: api, path: /chat, protocols: [chat.v2] } }
      steps:
        - connect: chat
        - expect: { chat.state: [connecting, { connected: chat.v2 }] }
        - send: { chat: hello }
        - expect:
            chat: welcome
            chat.state:
              disconnected: { connectionLost: { unexpectedDisconnection: { code: 4001 } } }
      """
    let file = loadScenarios(SourceFile(path: "p.yaml", text: scenario(server.port) + talk))
    let plan = try #require(file.plans.first, "\(file.diagnostics)")
    let verdict = runScenario(plan, inputs: RunInputs(seed: 1), in: .sockets).verdict
    #expect(verdict.failures.map(\.message) == [])
  }

  @Test func `a client from outside gets the answer of the real server, or 502`() throws {
    let server = try #require(RehearsedServer(ProxyTests.upstream))
    let text = scenario(server.port)
    let served = try Served(text) { ports in
      func ask(_ head: String) -> String {
        let client = PlainClient(port: ports["api"] ?? 0)
        client?.send(head + "Host: x\r\nConnection: close\r\n\r\n")
        return client?.read(until: "\u{0}") ?? ""
      }
      let good = ask("GET /events HTTP/1.1\r\nAccept: text/event-stream\r\n")
      server.stop()
      while server.port > 0 { usleep(1_000) }
      return [good, ask("GET /tasks HTTP/1.1\r\n")]
    }
    #expect(served.answers[0].contains("data: one"))
    #expect(served.answers[0].contains("data: two"))
    #expect(served.answers[1].hasPrefix("HTTP/1.1 502 "))
    #expect(served.verdict?.failures.count == 1)
  }
}

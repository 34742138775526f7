import Diagnostics
import Glibc
import Protocols
import ScenarioEngine
import ScenarioRuns
import TestKit
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

  @Test(arguments: [["run", "--against", "sockets"], ["serve", "-q"]])
  func `what is passed on goes through the proxy of the environment`(command: [String]) throws {
    let proxy = try #require(
      RehearsedServer(
        """
        scenario: A proxy
        endpoints: { api: { http: [{ get: "/{path...}", respond: { text: by proxy } }] } }
        steps: [{ wait: 20s }]
        """))
    defer { proxy.stop() }
    let folder = try TemporaryFolder()
    let text = """
      scenario: A mock before a server that only the proxy reaches
      endpoints: { api: { proxy: "http://api.nowhere.test/v1" } }
      steps: [{ request: { endpoint: api, get: /tasks, expect: { text: by proxy } } }]

      """
    #expect(folder.write("proxied.scenario.yaml", text))
    let words =
      ["-u", "no_proxy", "http_proxy=http://127.0.0.1:\(proxy.port)"]
      + [SpawnedCommand.built("rehearse")] + command + [folder.file("proxied.scenario.yaml")]
    let run = try #require(SpawnedCommand(words, program: "env"))
    #expect(run.exitCode() == 0, "\(run.said)")
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

  private static let priceList = """
    scenario: The real server
    endpoints:
      api:
        http:
          - get: /item
            respond:
              headers: { ETag: "1", X: old }
              json: { name: lamp, price: 300, by: { id: 7, at: 1 } }
          - { get: /text, respond: { text: lamp } }
          - { get: /missing, respond: { status: 404, json: { error: none } } }
    steps: [{ wait: 20s }]
    """

  private func changing(_ url: String, _ steps: String) -> String {
    """
    scenario: A mock that changes answers
    endpoints:
      api:
        proxy: \(url)
        change: { headers: { X: new }, json: { price: 0 } }
        http:
          - get: /item
            when: request.query.all == '1'
            proxy: \(url)
            change:
              status: 203
              headers: { ETag: null }
              json:
                price: "${response.json.price * 2}"
                by: { at: null, path: "${request.path}" }
          - get: /text
            turns:
              - { proxy: \(url), change: { status: 500 } }
              - { proxy: \(url), change: { json: { price: 0 } } }
    steps:
      - request: \(steps)
    """
  }

  @Test(
    arguments: [
      (
        "{ endpoint: api, get: /item, expect: { headers: { X: new, ETag: '1' }, json: BODY } }",
        "{ $exactly: { name: lamp, price: 0, by: { id: 7, at: 1 } } }"
      ),
      (
        """
        { endpoint: api, get: "/item?all=1",
            expect: { status: 203, headers: { X: old, ETag: { $absent: true } }, json: BODY } }
        """, "{ $exactly: { name: lamp, price: 600, by: { id: 7, path: /item } } }"
      ),
      ("{ endpoint: api, head: /item, expect: { headers: { X: new } } }", ""),
      (
        "{ endpoint: api, get: /missing, expect: { status: 404, headers: { X: new }, json: BODY }}",
        "{ $exactly: { error: none } }"
      ),
      ("{ endpoint: api, get: /text, expect: { status: 500, text: lamp } }", ""),
    ])
  func `parts of an answer change on the way`(request: String, body: String) throws {
    let server = try #require(RehearsedServer(ProxyTests.priceList))
    defer { server.stop() }
    let request = request.replacing("BODY", with: body)
    let failures = try failures(changing("http://127.0.0.1:\(server.port)", request))
    #expect(failures == [])
  }

  @Test func `an answer without JSON cannot change`() throws {
    let server = try #require(RehearsedServer(ProxyTests.priceList))
    defer { server.stop() }
    let request = """
      { endpoint: api, get: /text }
        - request: { endpoint: api, get: /text, expect: { status: 502 } }
      """
    let failures = try failures(changing("http://127.0.0.1:\(server.port)", request))
    #expect(failures.count == 1)
    #expect(failures.first?.contains("the answer has no JSON to change") == true)
  }

  private func failures(_ text: String) throws -> [String] {
    let file = loadScenarios(SourceFile(path: "p.yaml", text: text))
    #expect(file.complaints == [])
    let plan = try #require(file.plans.first)
    return runScenario(plan, inputs: RunInputs(seed: 1), in: .sockets).verdict.failures
      .map(\.message)
  }

  @Test func `a served mock calls the real server that against names`() throws {
    let receiver = try Served(
      """
      scenario: A receiver
      endpoints: { api: { http: [{ post: /hook, respond: { status: 204 } }] } }
      steps: [{ expect: { api: { post: /hook, json: { ordered: lamp } } } }]
      """, timeout: 10_000_000
    ) { ports in
      let shop = try? Served(ProxyTests.shop(ports["api"] ?? 0)) { ports in
        let client = PlainClient(port: ports["shop"] ?? 0)
        client?.send(
          "POST /orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            + "Content-Length: 15\r\nConnection: close\r\n\r\n{\"item\":\"lamp\"}")
        return [client?.read(until: "\u{0}") ?? "", ports.keys.sorted().joined(separator: " ")]
      }
      return (shop?.answers ?? []) + [shop?.verdict.map { "\($0.failures.map(\.message))" } ?? ""]
    }
    #expect(receiver.answers.first?.hasPrefix("HTTP/1.1 202 ") == true)
    #expect(receiver.answers.dropFirst() == ["shop", "[]"])
    #expect(receiver.verdict?.failures.map(\.message) == [])
  }

  private static func shop(_ port: UInt16) -> String {
    """
    scenario: A shop
    against: { hook: real }
    endpoints:
      shop: { http: [{ post: /orders, respond: { status: 202 } }] }
      hook: { url: "http://127.0.0.1:\(port)", http: [{ post: /hook, respond: { status: 204 } }] }
    providers:
      notice:
        params: [item]
        endpoint: hook
        post: /hook
        json: { ordered: "${item}" }
        value: sent
    reactors:
      notifier:
        state: { last: none }
        follows: { shop: tell }
        actions:
          tell: [{ load: { last: { provider: notice, with: { item: "${payload.json.item}" } } } }]
    steps:
      - ignore: shop
      - expect: { hook: { post: /hook }, notifier.last: [loading, { loaded: sent }] }
    """
  }
}

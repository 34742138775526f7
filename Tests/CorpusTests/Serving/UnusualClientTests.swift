import Testing

/// What a mock says and does where a client and a mock do not fit.
@Suite(.serialized) struct UnusualClientTests {
  private static let mocks = """
    scenario: Mocks
    timeout: 10s
    endpoints:
      api:
        http:
          - post: /traces
            respond: { json: "${request.json.a}" }
          - get: /broken
            sse: [{ event: one }, { event: "${request.json.missing}" }, { event: three }]
          - get: /broken-lines
            ndjson: [{ event: { a: 1 } }, { event: "${request.json.missing}" }]
          - get: /room
            websocket: [{ send: hi }, { send: "${request.json.missing}" }]
          - get: /chosen
            websocket: [{ wait: forever }]
      chat:
        websocket: [{ accept: { path: /, protocol: chat }, script: [{ wait: forever }] }]
    """

  private func answers(
    _ requests: [(endpoint: String, text: String)], until mark: String = "\u{0}"
  ) throws -> Served {
    let requests = requests
    return try Served(Self.mocks) { ports in
      requests.map { request in
        let client = PlainClient(port: ports[request.endpoint] ?? 0)
        client?.send(request.text)
        return client?.read(until: mark) ?? ""
      }
    }
  }

  @Test func `a script that fails in the middle of a stream breaks the connection`() throws {
    let served = try answers(
      ["/broken", "/broken-lines"].map { ("api", "GET \($0) HTTP/1.1\r\nHost: here\r\n\r\n") })
    #expect(served.answers.first?.contains("data: one") == true)
    #expect(served.answers.last?.contains("{\"a\":1}") == true)
    // The last chunk would say that the stream is complete.
    #expect(served.answers.allSatisfy { !$0.hasSuffix("0\r\n\r\n") })
    #expect(served.deeds.count { $0 == "brokeOff" } == 2)
  }

  @Test func `a script that fails on a WebSocket closes it with 1011`() throws {
    let served = try answers([("api", PlainClient.webSocketOpening)], until: "hi")
    #expect(served.deeds.contains { $0.hasPrefix("saidGoodbye(code: Optional(1011)") })
  }

  @Test func `a body in an unknown coding is answered with 415, a broken one with 400`() throws {
    let request =
      "POST /traces HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: 3\r\n"
    let served = try answers([
      ("api", request + "Content-Encoding: zip\r\n\r\nabc"),
      ("api", request + "Content-Encoding: gzip\r\n\r\nabc"),
    ])
    #expect(served.answers.map { String($0.prefix(12)) } == ["HTTP/1.1 415", "HTTP/1.1 400"])
    #expect(served.answers.first?.contains("Accept-Encoding: gzip, deflate, br, zstd") == true)
  }

  @Test func `a client of HTTP/2 or TLS learns what is spoken here`() throws {
    let served = try answers([
      ("api", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), ("api", "\u{16}\u{3}\u{1}\u{2}\0\u{1}"),
    ])
    #expect(served.answers.first?.hasPrefix("HTTP/1.1 505 ") == true)
    #expect(served.deeds.contains { $0.contains("HTTP/2 only") })
    #expect(served.deeds.contains { $0.contains("serve mocks with `--tls`") })
  }

  @Test(arguments: [("api", "/chosen", true), ("chat", "/", false)])
  func `a subprotocol that is offered and not taken is named`(
    endpoint: String, path: String, isNamed: Bool
  ) throws {
    let opening = """
      GET \(path) HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
      Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
      Sec-WebSocket-Protocol: chat\r\n\r\n
      """
    let served = try answers([(endpoint, opening)], until: "\r\n\r\n")
    #expect(served.answers.first?.hasPrefix("HTTP/1.1 101 ") == true)
    #expect(served.deeds.contains { $0.contains("the subprotocol chat") } == isNamed)
  }
}

import Diagnostics
import Testing
import Verdicts

/// Clients that nobody of the scenario wrote: what they do that no scenario expects fails none.
@Suite(.serialized) struct ServedClientTests {
  private static let text = """
    scenario: A shop and a room
    endpoints:
      api:
        http:
          - { get: /tasks, respond: { json: [1] } }
          - { get: /late, respond: { text: late, after: 50ms } }
          - { get: /soon, respond: { text: soon, after: 1ms } }
          - { get: /script, script: [{ wait: 50ms }, { respond: { text: done } }] }
          - { get: /stalled, respond: stall }
        sse: [{ accept: { path: /news }, script: [{ event: one }] }]
      room:
        websocket:
          - accept: { path: /room }
            script: [{ receive: hello }, { send: welcome }, { wait: forever }]
    """

  @Test func `a client that sends and leaves at once is answered and fails nothing`() throws {
    let served = try Served(ServedClientTests.text) { ports in
      (0..<50).map { _ in
        let client = PlainClient(port: ports["room"] ?? 0)
        client?.send(PlainClient.webSocketOpening)
        _ = client?.read(until: "\r\n\r\n")
        client?.send(bytes: PlainClient.message("hello") + PlainClient.farewell)
        return client?.read(until: "\u{0}") ?? ""
      }
    }
    #expect(served.answers.allSatisfy { $0.contains("welcome") })
    #expect(served.verdict?.failures.map(\.id) == [])
  }

  private static let opening = PlainClient.webSocketOpening

  @Test(arguments: [
    (opening.without("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"), "400 "),
    (opening.with("dGhlIHNhbXBsZSBub25jZQ==", "short"), "400 "),
    (opening.without("Connection: Upgrade\r\n"), "400 "),
    (
      opening.with("Version: 13", "Version: 12"),
      "426 Upgrade Required\r\nSec-WebSocket-Version: 13"
    ),
    (opening.without("Upgrade: websocket\r\n"), "426 Upgrade Required\r\nUpgrade: websocket\r\n"),
  ])
  func `a wrong opening handshake is answered with what is wrong`(
    request: String, answer: String
  ) throws {
    let served = try Served(ServedClientTests.text) { ports in
      let client = PlainClient(port: ports["room"] ?? 0)
      client?.send(request)
      let answer = client?.read(until: "\r\n\r\n") ?? ""
      // The entry is not used up.
      let good = PlainClient(port: ports["room"] ?? 0)
      good?.send(PlainClient.webSocketOpening)
      _ = good?.read(until: "\r\n\r\n")
      good?.send(bytes: PlainClient.message("hello"))
      return [answer, good?.read(until: "welcome") ?? ""]
    }
    #expect(served.answers.first?.hasPrefix("HTTP/1.1 " + answer) == true)
    #expect(served.answers.last?.contains("welcome") == true)
    #expect(served.verdict?.outcome == .passed)
  }

  @Test(arguments: [("/tasks", 66), ("/tasks", 1_000), ("/soon", 200)])
  func `requests that do not wait for answers are all answered`(path: String, count: Int) throws {
    let served = try Served(ServedClientTests.text + ServedClientTests.steps) { ports in
      let client = PlainClient(port: ports["api"] ?? 0)
      client?.send(String(repeating: "GET \(path) HTTP/1.1\r\nHost: here\r\n\r\n", count: count))
      client?.shutDownWriting()
      return [client?.read(until: "\u{0}") ?? ""]
    }
    #expect(served.answers.first?.split(separator: "HTTP/1.1 200 ").count == count)
    #expect(served.verdict?.outcome == .passed)
  }

  @Test(arguments: ["/tasks", "/late", "/script", "/news"])
  func `HEAD has the head of the answer to GET`(path: String) throws {
    let served = try Served(ServedClientTests.text + ServedClientTests.steps) { ports in
      ["GET", "HEAD"].map { method in
        let client = PlainClient(port: ports["api"] ?? 0)
        client?.send(
          "\(method) \(path) HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
        return client?.read(until: "\u{0}") ?? ""
      }
    }
    let head = try #require(served.answers.last)
    #expect(head.hasPrefix("HTTP/1.1 200 ") && head.hasSuffix("\r\n\r\n"))
    #expect(served.answers.first?.hasPrefix(head) == true)
    #expect(served.verdict?.outcome == .passed)
  }

  @Test func `requests that browsers make by themselves fail nothing`() throws {
    let steps = "\nsteps: [{ expect: { api: { get: /tasks } } }]\n"
    let served = try Served(ServedClientTests.text + steps) { ports in
      let strange = ["OPTIONS /tasks", "GET /favicon.ico"].map { line in
        let client = PlainClient(port: ports["api"] ?? 0)
        client?.send("\(line) HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
        return client?.read(until: "\u{0}") ?? ""
      }
      return strange + [PlainClient(port: ports["api"] ?? 0)?.get("/tasks") ?? ""]
    }
    #expect(
      served.answers.map { String($0.prefix(12)) }
        == ["HTTP/1.1 404", "HTTP/1.1 404", "HTTP/1.1 200"])
    #expect(served.verdict?.outcome == .passed)
    #expect(served.deeds.first == "ignored(method: \"OPTIONS\", path: \"/tasks\")")
  }

  /// The room is not entered, which a scenario without steps would miss.
  private static let steps = "\nsteps: [{ ignore: api }, { wait: 600ms }]\n"
}

extension String {
  fileprivate func without(_ line: String) -> String { with(line, "") }

  fileprivate func with(_ part: String, _ other: String) -> String {
    split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
  }
}

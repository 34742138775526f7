import Glibc
import Testing

/// Clients that stop sending after their request and read on, as `nc -N` does.
@Suite(.serialized) struct HalfClosedClientTests {
  private static let mocks = """
    scenario: Answers that take their time
    endpoints:
      api:
        http:
          - { get: /tasks, respond: { json: [1] } }
          - { get: /late, respond: { text: late, after: 50ms } }
          - { get: /script, script: [{ wait: 50ms }, { respond: { text: done } }] }
          - { get: /pieces, respond: { text: one by one, chunks: { count: 3, every: 20ms } } }
          - { get: /stalled, respond: stall }
          - { get: /feed, sse: [{ event: one }, { wait: 50ms }, { event: two }, close] }
          - { get: /lines, ndjson: [{ event: 1 }, { wait: 50ms }, { event: 2 }, close] }
          - { get: /endless, sse: [{ event: one }, { wait: forever }] }
        websocket: [{ accept: { path: /room }, script: [{ wait: forever }] }]

    """
  /// No client enters the room, which a scenario without steps would miss.
  private static let wait = "steps: [{ ignore: api }, { wait: 600ms }]\n"

  @Test(
    arguments: [
      ("/tasks", "[1]"), ("/late", "late"), ("/script", "done"), ("/pieces", "one by one"),
      ("/feed", "data: two\n\n"), ("/lines", "2\n"), ("/stalled", ""),
    ], ["1.0", "1.1"])
  func `that has its request answered gets all of the answer`(
    answer: (path: String, end: String), version: String
  ) throws {
    let served = try Served(Self.mocks + Self.wait) { ports in
      let client = PlainClient(port: ports["api"] ?? 0)
      client?.send("GET \(answer.path) HTTP/\(version)\r\nHost: here\r\n\r\n")
      client?.shutDownWriting()
      return [client?.read(until: "\u{0}") ?? ""]
    }
    let text = withoutChunks(served.answers.first ?? "")
    #expect(text.hasSuffix(answer.end))
    #expect(text.isEmpty == answer.end.isEmpty)
    #expect(served.verdict?.outcome == .passed)
    #expect(!served.deeds.contains { $0.hasPrefix("left") })
  }

  @Test(arguments: [
    ("/endless", "GET /endless HTTP/1.1\r\nHost: here\r\n\r\n", "data: one"),
    ("/room", PlainClient.webSocketOpening, "\r\n\r\n"),
  ])
  func `that leaves in the middle of it is missed soon, although nothing more is sent`(
    path: String, request: String, beginning: String
  ) throws {
    let steps = """
      steps:
        - expect: [{ api: { get: \(path) } }, { api: { cancelled: { connection: 1 } } }]
        - wait: 200ms

      """
    let served = try Served(Self.mocks + steps) { ports in
      let client = PlainClient(port: ports["api"] ?? 0)
      client?.send(request)
      client?.shutDownWriting()
      let answer = client?.read(until: beginning) ?? ""
      usleep(50_000)
      return [answer]
    }
    #expect(served.answers.first?.contains(beginning) == true)
    #expect(served.verdict?.failures.map(\.message) == [])
  }
}

/// Returns an answer without the sizes of its chunks.
private func withoutChunks(_ answer: String) -> String {
  guard answer.contains("Transfer-Encoding: chunked") else { return answer }
  let lines = answer.split(separator: "\r\n", omittingEmptySubsequences: false)
  return lines.filter { Int($0, radix: 16) == nil || $0.isEmpty }.joined()
}

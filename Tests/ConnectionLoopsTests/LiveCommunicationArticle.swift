import LiveCommunication
import Synchronization
import Testing

// The code of the page.

func firstPrice(at url: String) async throws -> String? {
  let prices = ServerSentEventManager(url: url, retryPolicy: RetryPolicy(enabled: false))
  let events = await prices.events
  try await prices.connect()
  for await event in events { return event.data }
  return nil
}

@Suite struct LiveCommunicationArticle {
  @Test func `the client of the page reads a price`() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    let server = try LoopbackServer([.init(text: head + "data: 41\n\n")])
    #expect(try await firstPrice(at: server.url("http", "/")) == "41")
    server.end()
  }

  @Test func `calls of an adapter begin in their order, and tell their results`() async {
    let adapter = await WebSocketCallbackAdapter(url: "ws://127.0.0.1:1/")
    let results = AsyncStream.makeStream(of: String.self)
    await MainActor.run {
      adapter.connect { results.continuation.yield("connect \($0.isFailure)") }
      adapter.send(.string("early")) { results.continuation.yield("send \($0.isFailure)") }
    }
    var told: [String] = []
    for await result in results.stream {
      told.append(result)
      if told.count == 2 { break }
    }
    #expect(told.sorted() == ["connect true", "send true"])
  }
}

extension Result {
  fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}

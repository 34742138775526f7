import ConnectionLoops
import Publishers
import Synchronization
import Testing

/// Clients in code that does not await: with functions that are called, and with publishers.
@Suite struct CompletionTests {
  private let loop = VirtualLoop()

  private func chat() -> WebSocketClient {
    let choose = { @Sendable (offered: [String]) in offered.last }
    loop.acceptWebSockets(at: "chat.test", choosing: choose) { socket in
      socket.onMessage { socket.send($0) }
    }
    return WebSocketClient("ws://chat.test/", protocols: ["a"], on: loop)
  }

  /// Waits until a function is called, and returns what it is called with.
  private func called<Value: Sendable>(
    _ begin: (@escaping @Sendable (Value) -> Void) -> Void
  ) async -> Value {
    await withCheckedContinuation { continuation in begin { continuation.resume(returning: $0) } }
  }

  @Test func `functions are called when a WebSocket connects, has sent, and has left`() async {
    let client = chat()
    let messages = client.messages
    let early = await called { client.send(.text("early"), $0) }
    guard case .failure(.notConnected) = early else {
      Issue.record("it sent before it was connected")
      return
    }
    let connected = await called { client.connect($0) }
    #expect(connected == .success("a"))
    let sent = await called { client.send(.text("one"), $0) }
    #expect((try? sent.get()) != nil)
    #expect(await prefix(1, of: messages) == [.text("one")])
    await called { done in client.disconnect { done(()) } }
    #expect(client.state == .disconnected(.manuallyDisconnected))
  }

  @Test func `a function is called with the reason why a stream did not open`() async {
    loop.serve(at: "feed.test") { _ in ClientResponse(status: 404, text: "no feed") }
    let client = EventStreamClient("http://feed.test/", on: loop)
    let outcome: Result<Void, ClientError> = await called { client.connect($0) }
    guard case .failure(let error) = outcome else {
      Issue.record("it connected")
      return
    }
    #expect(error.response?.status == 404)
    await called { done in client.disconnect { done(()) } }
  }

  @Test func `publishers connect and send for each subscriber, and not before`() async {
    let client = chat()
    let messages = client.messages
    let kept = Subscriptions()
    let connecting = client.connecting
    #expect(client.state == .notConnected)
    let names = await called { done in
      kept.all.append(connecting.sink(receiveCompletion: { _ in }, receiveValue: { done($0) }))
    }
    #expect(names == "a")
    let sending = client.sending(.text("one"))
    for _ in 0..<2 {
      await called { done in
        kept.all.append(sending.sink(receiveCompletion: { _ in }, receiveValue: { done(()) }))
      }
    }
    #expect(await prefix(2, of: messages) == [.text("one"), .text("one")])
  }

  /// The subscriptions, which last as long as the test.
  private final class Subscriptions: @unchecked Sendable {
    var all: [AnyCancellable] = []
  }

  @Test func `a policy that is not enabled does not connect again`() async throws {
    loop.listen(at: "feed.test") { connection in
      connection.onReceive { _ in
        connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        connection.close()
      }
    }
    let client = EventStreamClient(
      "http://feed.test/", retry: RetryPolicy(enabled: false, initialDelay: .seconds(1)), on: loop)
    let states = client.states
    try await client.connect()
    #expect(await prefix(3, of: states).last == .disconnected(.streamEnded))
    await loop.advance(by: .seconds(10))
    #expect(client.state == .disconnected(.streamEnded))
  }
}

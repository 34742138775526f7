import ConnectionLoops
import Publishers
import Synchronization
import Testing

private let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

/// Reads this many values.
func prefix<Element: Sendable>(_ count: Int, of sequence: ClientSequence<Element>) async
  -> [Element]
{
  var values: [Element] = []
  var iterator = sequence.makeAsyncIterator()
  while values.count < count, let value = await iterator.next() { values.append(value) }
  return values
}

/// Returns the error that the operation throws.
func thrownError<Value>(_ operation: () async throws -> Value) async -> ClientError? {
  do {
    _ = try await operation()
    return nil
  } catch {
    return error as? ClientError
  }
}

/// A host that answers each connection with one of the texts, and then closes it or not.
private func feed(_ loop: VirtualLoop, _ answers: [(text: String, thenEnds: Bool)]) {
  let rest = Mutex(answers)
  loop.listen(at: "feed.test") { connection in
    let answer = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    connection.onReceive { _ in
      connection.send(answer?.text ?? "")
      if answer?.thenEnds == true { connection.close() }
    }
  }
}

@Suite struct EventStreamInMemoryTests {
  private let loop = VirtualLoop()

  @Test func `all readers have all events, through a reconnect in virtual time`() async throws {
    feed(loop, [(head + "id: 1\ndata: one\n\n", true), (head + "data: two\n\n", false)])
    let client = EventStreamClient(
      "http://feed.test/",
      retry: RetryPolicy(initialDelay: .seconds(3_600), maxDelay: .seconds(9_000)),
      on: loop)
    let (first, second, states) = (client.events, client.events, client.states)
    try await client.connect()
    _ = await prefix(3, of: states)
    await loop.advance(by: .seconds(3_600))
    #expect(await prefix(2, of: first).map(\.data) == ["one", "two"])
    #expect(await prefix(2, of: second).map(\.lastEventID) == ["1", "1"])
    #expect(loop.now == .seconds(3_600))
    #expect(await client.lastEventID() == "1")
    #expect(client.state == .connected)
  }

  @Test func `what goes wrong is thrown, with the answer of the server`() async throws {
    loop.serve(at: "api.test") { request in
      request.target == "/html"
        ? ClientResponse(status: 200, headers: ["Content-Type": "text/html"], text: "<p>")
        : ClientResponse(status: 404, headers: ["X-Trace": "7"], text: "no such feed")
    }
    let missing = await thrownError {
      try await EventStreamClient("http://api.test/x", on: loop).connect()
    }
    #expect(missing?.response?.status == 404)
    #expect(missing?.response?.headers["x-trace"] == "7")
    #expect(missing?.response?.text == "no such feed")
    let html = await thrownError {
      try await EventStreamClient("http://api.test/html", on: loop).connect()
    }
    guard case .content(let response)? = html else { throw UnexpectedValue() }
    #expect(response.text == "<p>")
    let nobody = await thrownError {
      try await EventStreamClient("http://nobody.test", on: loop).connect()
    }
    guard case .connection(let failure)? = nobody else { throw UnexpectedValue() }
    #expect(failure.problem == "refused")
    let url = await thrownError { try await EventStreamClient("ws://api.test", on: loop).connect() }
    #expect(url == .request("a URL here begins with `http://` or `https://`"))
  }

  @Test func `a client that is connected, ended or terminated says so`() async throws {
    feed(loop, [(head, false), (head, false)])
    let client = EventStreamClient("http://feed.test/", on: loop)
    let (events, states) = (client.events, client.states)
    try await client.connect()
    #expect(await thrownError { try await client.connect() } == .alreadyConnected)
    await client.disconnect()
    try await client.connect()
    await client.terminate()
    #expect(await thrownError { try await client.connect() } == .terminated)
    #expect(await prefix(9, of: events).isEmpty)
    #expect(
      await prefix(9, of: states) == [
        .connecting, .connected, .disconnected(.manuallyDisconnected), .connecting, .connected,
        .disconnected(.terminated),
      ])
  }

  @Test func `cancelling the task that connects ends the attempt`() async throws {
    feed(loop, [])
    let client = EventStreamClient("http://feed.test/", on: loop)
    let states = client.states
    let task = Task { await thrownError { try await client.connect() } }
    #expect(await prefix(1, of: states) == [.connecting])
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(await prefix(1, of: states) == [.disconnected(.manuallyDisconnected)])
  }

  @Test func `cancelling a task that reads ends its loop`() async throws {
    feed(loop, [(head, false)])
    let client = EventStreamClient("http://feed.test/", on: loop)
    try await client.connect()
    let task = Task { await prefix(1, of: client.events).count }
    task.cancel()
    #expect(await task.value == 0)
  }

  @Test func `a client that is released closes its connection and ends its sequences`() async throws
  {
    feed(loop, [(head + "data: one\n\n", false)])
    var client: EventStreamClient? = EventStreamClient("http://feed.test/", on: loop)
    let events = try #require(client?.events)
    try await client?.connect()
    client = nil
    #expect(await prefix(5, of: events).map(\.data) == ["one"])
  }

  @Test func `a stopped loop is an error, before, during and after a connection`() async throws {
    feed(loop, [(head, false)])
    let client = EventStreamClient("http://feed.test/", retry: RetryPolicy(), on: loop)
    let states = client.states
    try await client.connect()
    await loop.stop()
    let end = EventStreamState.disconnected(.streamError(.loopStopped))
    #expect(await prefix(3, of: states) == [.connecting, .connected, end])
    #expect(await thrownError { try await client.connect() } == .loopStopped)
    #expect(
      await thrownError { try await HTTPClient(on: loop).response(to: "http://a.test") }
        == .loopStopped)
  }

  @Test func `lines are events with the line as their data`() async throws {
    struct Price: Codable, Equatable { var price: Int }
    loop.serve(at: "api.test") { _ in
      ClientResponse(status: 200, text: "{\"price\":1}\n\n{\"price\":2}")
    }
    let client = EventStreamClient("http://api.test/", format: .lines, on: loop)
    let events = client.events
    try await client.connect()
    let prices = try await prefix(2, of: events).map { try $0.decoded(as: Price.self) }
    #expect(prices == [Price(price: 1), Price(price: 2)])
  }

  @Test func `publishers deliver, and complete when the client is terminated`() async throws {
    feed(loop, [(head + "data: one\n\n", false)])
    let client = EventStreamClient("http://feed.test/", on: loop)
    let log = Mutex<[String]>([])
    let token = client.eventPublisher.sink(
      receiveCompletion: { _ in log.withLock { $0.append("end") } },
      receiveValue: { event in log.withLock { $0.append(event.data) } })
    let events = client.events
    try await client.connect()
    _ = await prefix(1, of: events)
    await client.terminate()
    #expect(log.withLock { $0 } == ["one", "end"])
    token.cancel()
  }
}

struct UnexpectedValue: Error {}

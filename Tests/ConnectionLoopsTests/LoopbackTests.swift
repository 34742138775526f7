import LiveWorld
import Synchronization
import Testing

@testable import ConnectionLoops

private let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

/// Clients on real sockets of this machine.
@Suite struct LoopbackTests {
  @Test func `a stream arrives over a socket, and goes on after it was lost`() async throws {
    let server = try LoopbackServer([
      .init(text: head + "id: 1\ndata: one\n\n", thenEnds: true),
      .init(text: head + "data: two\n\n"),
    ])
    let request = ClientRequest(server.url("http", "/news?page=2"), headers: ["X-Trace": "7"])
    let client = EventStreamClient(request, retry: RetryPolicy(initialDelay: .milliseconds(10)))
    let events = client.events
    try await client.connect()
    #expect(await prefix(2, of: events).map(\.data) == ["one", "two"])
    #expect(server.received.hasPrefix("GET /news?page=2 HTTP/1.1\r\n"))
    #expect(server.received.contains("X-Trace: 7\r\n"))
    #expect(server.received.contains("Last-Event-ID: 1\r\n"))
    server.end()
  }

  @Test func `a connection that is refused, unknown or not trusted is an error`() async throws {
    let identity = try TLSIdentity.selfSigned(for: ["localhost"]).get()
    let server = try LoopbackServer([], identity)
    let urls = [
      "http://127.0.0.1:1/": "refused", "http://nobody.invalid/": "nameNotFound",
      server.url("https", "/", host: "localhost"): "untrusted",
    ]
    for (url, problem) in urls {
      guard
        case .connection(let failure)? = await thrownError({
          try await HTTPClient().response(to: ClientRequest(url))
        })
      else { throw UnexpectedValue() }
      #expect(failure.problem == problem)
    }
    server.end()
  }

  @Test func `a refused handshake is thrown with its status and its body`() async throws {
    let server = try LoopbackServer([
      .init(text: "HTTP/1.1 401 Unauthorized\r\nContent-Length: 4\r\n\r\nwho?")
    ])
    let client = WebSocketClient(ClientRequest(server.url("ws", "/room")))
    let refused = await thrownError { try await client.connect() }
    #expect(refused?.response?.status == 401)
    #expect(refused?.response?.text == "who?")
    let rule = WebSocketError.status(401, reason: "Unauthorized")
    #expect(client.state == .disconnected(.failedToConnect(rule)))
    server.end()
  }

  @Test func `a client that is released closes its connection`() async throws {
    let server = try LoopbackServer([.init(text: head)])
    var client: EventStreamClient? = EventStreamClient(ClientRequest(server.url("http", "/")))
    try await client?.connect()
    client = nil
    while server.lost == 0 { await Task.yield() }
    server.end()
  }
}

/// An actor that runs on a loop.
private actor Pinned {
  let loop: ConnectionLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(_ loop: ConnectionLoop) { self.loop = loop }

  func isOnLoop() -> Bool {
    loop.assertIsolated()
    return loop.isIsolatingCurrentContext() == true
  }

  func read(_ events: ClientSequence<ServerSentEvent>) async -> [String] {
    await prefix(2, of: events).map(\.data)
  }
}

@Suite struct ConnectionLoopTests {
  @Test func `an actor runs on the loop, also while its clients do`() async throws {
    let server = try LoopbackServer([.init(text: head + "data: one\n\ndata: two\n\n")])
    let loop = ConnectionLoop()
    let actor = Pinned(loop)
    #expect(await actor.isOnLoop())
    #expect(loop.isIsolatingCurrentContext() == false)
    let client = EventStreamClient(ClientRequest(server.url("http", "/")), on: loop)
    let events = client.events
    async let read = actor.read(events)
    try await client.connect()
    #expect(await read == ["one", "two"])
    server.end()
  }

  @Test func `the thread ends when there is nothing to do, and starts again`() async throws {
    let loop = ConnectionLoop()
    #expect(await Pinned(loop).isOnLoop())
    let clock = ContinuousClock()
    try await clock.sleep(for: .microseconds(2 * ConnectionLoop.idleTime))
    #expect(!loop.hasThread)
    #expect(await Pinned(loop).isOnLoop())
  }

  @Test func `jobs run in the order in which they were given`() async {
    let loop = ConnectionLoop()
    let order = Mutex<[Int]>([])
    for number in 0..<1_000 { loop.perform { order.withLock { $0.append(number) } } }
    await withCheckedContinuation { done in loop.perform { done.resume() } }
    #expect(order.withLock { $0 } == Array(0..<1_000))
  }

  @Test func `a loop may be woken a million times`() {
    let count = Atomic(0)
    let waker = LoopWaker()
    waker.wake()
    waker.set { count.add(1, ordering: .relaxed) }
    for _ in 0..<1_000_000 { waker.wake() }
    #expect(count.load(ordering: .relaxed) == 1_000_000)
  }

  @Test func `jobs that follow one another without an end leave the timers their turn`() async {
    let loop = ConnectionLoop()
    let isOver = Mutex(false)
    @Sendable func again() {
      if !isOver.withLock({ $0 }) { loop.perform { again() } }
    }
    loop.perform { again() }
    await withCheckedContinuation { done in
      loop.perform {
        _ = loop.schedule(after: .milliseconds(1)) {
          isOver.withLock { $0 = true }
          done.resume()
        }
      }
    }
    #expect(isOver.withLock { $0 })
  }

  @Test func `a stopped loop ends its connections and still runs actors`() async throws {
    let server = try LoopbackServer([.init(text: head)])
    let loop = ConnectionLoop()
    let client = EventStreamClient(ClientRequest(server.url("http", "/")), on: loop)
    let states = client.states
    try await client.connect()
    await loop.stop()
    #expect(await prefix(3, of: states).last == .disconnected(.streamError(.loopStopped)))
    #expect(await thrownError { try await client.connect() } == .loopStopped)
    #expect(await Pinned(loop).isOnLoop())
    server.end()
  }

  @Test func `a loop forgets clients that are gone`() async throws {
    let loop = ConnectionLoop()
    for _ in 0..<200 {
      let client = EventStreamClient("http://127.0.0.1:1/", on: loop)
      _ = await thrownError { try await client.connect() }
    }
    let kept = await withCheckedContinuation { reply in
      loop.perform { loop.perform { reply.resume(returning: loop.keptEntries) } }
    }
    #expect(kept < 20)
  }
}

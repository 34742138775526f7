import Protocols
import Testing
import World

@testable import LiveConnections

/// A server in memory that answers each connection with bytes.
private final class Server {
  let scheduler = Scheduler()
  let network: MemoryNetwork
  private(set) var received: [String] = []
  /// Clients that disconnected without a closing handshake.
  private(set) var lost = 0
  private var answers: [(bytes: String, thenEnds: Bool)]
  private var links: [any Transport] = []

  init(_ answers: [(bytes: String, thenEnds: Bool)]) {
    self.answers = answers
    network = MemoryNetwork(on: scheduler)
    _ = network.listen(at: "feed") { [unowned self] transport in serve(transport) }
  }

  private func serve(_ transport: any Transport) {
    let answer = answers.removeFirst()
    links.append(transport)
    transport.onEvent = { [unowned self] event in
      if case .failed = event { lost += 1 }
      guard case .received(let bytes) = event else { return }
      received.append(String(decoding: bytes, as: UTF8.self))
      transport.send(Array(answer.bytes.utf8))
      if answer.thenEnds { transport.close() }
    }
  }

  var environment: ClientEnvironment {
    ClientEnvironment(
      connect: { [network] in network.connect(to: "feed") },
      schedule: { [scheduler] delay, job in
        let timer = scheduler.schedule(after: delay, phase: .source, job)
        return { scheduler.cancel(timer) }
      }, next: { 4 })
  }

  func run(until time: Int64) { while scheduler.runNext(upTo: time) {} }
}

private let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

@Suite struct ClientTests {
  private func client(of server: Server, _ retry: RetryPolicy? = nil) -> EventStreamDriver {
    EventStreamDriver(environment: server.environment, retry: retry) {
      .success(HTTPRequest(method: "GET", target: "/news", headers: ["Host": "feed"]))
    }
  }

  @Test func `an event that broke off is not received, and the next request has the last id`()
    throws
  {
    let server = Server([
      (head + "id: 7\ndata: one\n\ndata: half", true), (head + "data: two\n\n", false),
    ])
    let client = client(of: server, RetryPolicy(initialDelay: 1_000_000))
    var data: [String] = []
    client.onEvent = { data.append($0.data) }
    try client.connect()
    server.run(until: 2_000_000)
    #expect(data == ["one", "two"])
    #expect(server.received.count == 2)
    #expect(!server.received[0].contains("Last-Event-ID"))
    #expect(server.received[1].contains("Last-Event-ID: 7\r\n"))
  }

  @Test func `a client that was terminated does not connect again`() throws {
    let server = Server([(head, false)])
    let client = client(of: server)
    var states: [EventStreamState] = []
    var ends = 0
    client.onStateChange = { states.append($0) }
    client.onFinish = { ends += 1 }
    try client.connect()
    server.run(until: 0)
    client.terminate()
    #expect(states == [.connecting, .connected, .disconnected(.terminated)])
    #expect(ends == 1)
    #expect(throws: ConnectionRefusal.terminated) { try client.connect() }
  }

  @Test(arguments: [(0, ""), (5, "not f"), (100, "not found here")])
  func `of an answer that is no stream, as much is kept as was asked for`(
    _ limit: Int, _ kept: String
  ) throws {
    let answer = "HTTP/1.1 404 Not Found\r\nX-Id: 7\r\nContent-Length: 14\r\n\r\n"
    let server = Server([(answer + "not found here", false)])
    let client = client(of: server)
    client.rejectionBytes = limit
    try client.connect()
    server.run(until: 0)
    let error = EventStreamError.status(404, reason: "Not Found")
    #expect(client.state == .disconnected(.streamError(error)))
    #expect(client.rejection?.headers["x-id"] == "7")
    #expect(client.rejection.map { String(decoding: $0.body, as: UTF8.self) } == kept)
  }

  @Test func `a body without end delays a refusal for two seconds at most`() throws {
    let server = Server([("HTTP/1.1 404 Not Found\r\nContent-Length: 14\r\n\r\nnot", false)])
    let client = client(of: server)
    client.rejectionBytes = 100
    try client.connect()
    server.run(until: 1_999_999)
    #expect(client.state == .connecting)
    server.run(until: 2_000_000)
    #expect(client.rejection.map { String(decoding: $0.body, as: UTF8.self) } == "not")
    #expect(client.state == .disconnected(.streamError(.status(404, reason: "Not Found"))))
  }

  @Test func `a client whose loop is stopped says so, and does not connect again`() throws {
    let server = Server([(head, true)])
    let client = client(of: server, RetryPolicy(initialDelay: 1_000_000))
    try client.connect()
    client.stop()
    #expect(client.state == .disconnected(.streamError(.loopStopped)))
    server.run(until: 5_000_000)
    #expect(server.received.count <= 1)
    #expect(!client.isWaitingToRetry)
  }

  @Test func `who lets go of a client lets go of its connection`() throws {
    let server = Server([(head + "data: one\n\n", false)])
    var client: EventStreamDriver? = client(of: server)
    try client?.connect()
    server.run(until: 1)
    #expect(client?.state == .connected)
    client = nil
    server.run(until: 2)
    #expect(server.lost == 1)
  }

  @Test func `a listener may disconnect in the middle of some events`() throws {
    let server = Server([(head + "data: one\n\ndata: two\n\n", false)])
    let client = client(of: server)
    var data: [String] = []
    client.onEvent = { [unowned client] event in
      data.append(event.data)
      client.disconnect()
    }
    try client.connect()
    server.run(until: 0)
    #expect(data == ["one"])
    #expect(client.state == .disconnected(.manuallyDisconnected))
  }
}

@Suite struct WebSocketClientTests {
  private func states(of server: Server) throws -> [WebSocketState] {
    let client = WebSocketDriver(environment: server.environment) {
      .success(WebSocketDriver.Request(host: "feed", target: "/"))
    }
    var states: [WebSocketState] = []
    client.onStateChange = { states.append($0) }
    try client.connect()
    server.run(until: 1)
    return states
  }

  @Test func `a refusal is known by its head, whether or not its body ever ends`() throws {
    let server = Server([
      ("HTTP/1.1 503 Service Unavailable\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello", false)
    ])
    let refused = WebSocketError.status(503, reason: "Service Unavailable")
    #expect(try states(of: server) == [.connecting, .disconnected(.failedToConnect(refused))])
  }

  @Test func `an answer of 101 that changes no protocol breaks a rule`() throws {
    let server = Server([("HTTP/1.1 101 Switching Protocols\r\n\r\n", false)])
    let rule = WebSocketError.handshake("websocket-missing-upgrade")
    #expect(try states(of: server) == [.connecting, .disconnected(.failedToConnect(rule))])
  }

  @Test func `an answer of 101 has no body, whatever length it gives`() throws {
    let head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    // What the server of this test proves is wrong, which is found only where the head was taken.
    let proof = "Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\nContent-Length: 5\r\n\r\n"
    let server = Server([(head + proof, false)])
    let rule = WebSocketError.handshake("websocket-wrong-accept")
    #expect(try states(of: server) == [.connecting, .disconnected(.failedToConnect(rule))])
  }
}

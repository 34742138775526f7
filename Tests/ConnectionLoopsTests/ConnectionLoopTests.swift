import LiveConnections
import LiveWorld
import Protocols
import Publishers
import Testing
import World

@testable import ConnectionLoops

/// A server on this machine, on a free port, that answers each connection with bytes.
private final class LoopbackServer {
  let scheduler = Scheduler()
  let loop: EventLoop
  let network: SocketNetwork
  private(set) var received = ""
  private var links: [any Transport] = []

  init(_ answers: [String], thenEnds: Bool) throws {
    loop = try #require(EventLoop(scheduler))
    network = SocketNetwork(on: loop)
    var rest = answers
    let listens = network.listen(at: "server") { [unowned self] transport in
      accept(transport, rest.isEmpty ? "" : rest.removeFirst(), thenEnds)
    }
    #expect(listens)
  }

  private func accept(_ transport: any Transport, _ answer: String, _ thenEnds: Bool) {
    links.append(transport)
    transport.onEvent = { [unowned self] event in
      guard case .received(let bytes) = event else { return }
      received += String(decoding: bytes, as: UTF8.self)
      transport.send(Array(answer.utf8))
      if thenEnds { transport.close() }
    }
  }

  deinit { network.discardAll() }

  func url(_ scheme: String, _ path: String) throws -> String {
    "\(scheme)://127.0.0.1:\(try #require(network.port(of: "server")))\(path)"
  }

  /// Does the work that is due, without waiting.
  func turn() {
    loop.poll(until: scheduler.now)
    while scheduler.runNext(upTo: scheduler.now) {}
  }
}

@Suite struct ConnectionLoopTests {
  private func run(_ client: ConnectionLoop, _ server: LoopbackServer, until done: () -> Bool) {
    for _ in 0..<10_000 where !done() {
      server.turn()
      client.run(for: 500)
    }
  }

  @Test func `a stream of events arrives over a socket, and goes on after it was lost`() throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    let server = try LoopbackServer(
      [head + "id: 1\ndata: one\n\n", head + "data: two\n\n"], thenEnds: true)
    let loop = try ConnectionLoop()
    let stream = try loop.eventStream(
      server.url("http", "/news?page=2"), headers: [(name: "X-Trace", value: "7")],
      retry: RetryPolicy(initialDelay: 10_000))
    var data: [String] = []
    stream.onEvent = { data.append($0.data) }
    try stream.connect()
    run(loop, server) { data.count >= 2 }
    #expect(data.prefix(2) == ["one", "two"])
    #expect(server.received.hasPrefix("GET /news?page=2 HTTP/1.1\r\n"))
    #expect(server.received.contains("X-Trace: 7\r\n"))
    #expect(server.received.contains("Last-Event-ID: 1\r\n"))
  }

  @Test func `a refused handshake is reported with its status`() throws {
    let server = try LoopbackServer(
      ["HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"], thenEnds: false)
    let loop = try ConnectionLoop()
    let socket = try loop.webSocket(server.url("ws", "/room"))
    var states: [WebSocketState] = []
    socket.onStateChange = { states.append($0) }
    try socket.connect()
    run(loop, server) { states.count >= 2 }
    #expect(
      states == [
        .connecting, .disconnected(.failedToConnect(.status(401, reason: "Unauthorized"))),
      ])
  }

  @Test(arguments: ["http://x", "ftp://x", "", "ws:x"])
  func `a URL of another kind is refused before anything happens`(url: String) throws {
    let loop = try ConnectionLoop()
    #expect(throws: ConnectionLoop.Problem.self) { try loop.webSocket(url) }
  }

  @Test func `a loop on which nothing can happen comes back`() throws {
    try ConnectionLoop().run(until: { false })
  }

  @Test func `what a URL says is sent, unless the caller says it`() throws {
    let server = try LoopbackServer(["", ""], thenEnds: false)
    let loop = try ConnectionLoop()
    let url = try server.url("http", "/news?a=1#part")
      .replacing("127.0.0.1", with: "ann:se%20cret@127.0.0.1")
    let plain = try loop.eventStream(url)
    try plain.connect()
    run(loop, server) { server.received.contains("\r\n\r\n") }
    #expect(server.received.hasPrefix("GET /news?a=1 HTTP/1.1\r\n"))
    #expect(server.received.contains("Authorization: Basic YW5uOnNlIGNyZXQ=\r\n"))
    let own = try loop.eventStream(url, headers: [("Host", "here"), ("authorization", "mine")])
    try own.connect()
    run(loop, server) { server.received.contains("mine") }
    let second = server.received.components("GET ").last ?? ""
    #expect(second.contains("Host: here\r\n") && !second.contains("Host: 127"))
    #expect(!second.contains("Basic"))
  }
}

extension String {
  fileprivate func components(_ separator: String) -> [String] {
    split(separator: separator).map(String.init)
  }
}

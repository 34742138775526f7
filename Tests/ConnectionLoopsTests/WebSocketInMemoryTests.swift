import ConnectionLoops
import Testing

@Suite struct WebSocketInMemoryTests {
  private let loop = VirtualLoop()

  @Test func `messages go both ways, with the subprotocol that the server chose`() async throws {
    let choose = { @Sendable (offered: [String]) in offered.last }
    loop.acceptWebSockets(at: "chat.test", choosing: choose) { socket in
      socket.onMessage { socket.send($0) }
    }
    let client = WebSocketClient("ws://chat.test/room", protocols: ["a", "b"], on: loop)
    let messages = client.messages
    #expect(try await client.connect() == "b")
    try await client.send(.text("one"))
    try await client.send(.binary([1, 2]))
    #expect(await prefix(2, of: messages) == [.text("one"), .binary([1, 2])])
  }

  @Test func `the code of the server's close is the reason of the end`() async throws {
    loop.acceptWebSockets(at: "chat.test") { socket in
      socket.onMessage { _ in socket.close(code: 4001, reason: "enough") }
    }
    let client = WebSocketClient("ws://chat.test/", ping: nil, on: loop)
    let states = client.states
    try await client.connect()
    try await client.send(.text("one"))
    let error = WebSocketError.unexpectedDisconnection(code: 4001, reason: "enough")
    #expect(await prefix(3, of: states).last == .disconnected(.connectionLost(error)))
    #expect(await thrownError { try await client.send(.text("two")) } == .notConnected)
  }

  @Test func `a refused handshake is thrown with the answer`() async throws {
    loop.serve(at: "chat.test") { _ in ClientResponse(status: 401, text: "who are you?") }
    let client = WebSocketClient("ws://chat.test/", on: loop)
    let refused = await thrownError { try await client.connect() }
    #expect(refused?.response?.status == 401)
    #expect(refused?.response?.text == "who are you?")
    #expect(await thrownError { try await client.send(.text("x")) } == .notConnected)
  }

  @Test func `a server that answers pings is not silent`() async throws {
    loop.acceptWebSockets(at: "chat.test") { _ in }
    let client = WebSocketClient(
      "ws://chat.test/", ping: PingPolicy(interval: .seconds(10), maxFailures: 2),
      idle: .seconds(15), on: loop)
    let states = client.states
    try await client.connect()
    await loop.advance(by: .seconds(60))
    #expect(client.state == .connected(subprotocol: nil))
    await client.disconnect()
    #expect(await prefix(3, of: states).count == 3)
  }

  @Test func `a custom transport takes the place of the network`() async throws {
    let client = HTTPClient(on: loop) { server in ScriptedTransport(server) }
    let response = try await client.response(to: "https://anything.example:8443/x")
    #expect(response.text == "anything.example:8443 true GET /x HTTP/1.1")
  }
}

/// A transport that answers each request with the server's name and the request's first line.
private final class ScriptedTransport: ClientTransport {
  private let server: ServerAddress
  private var report: (@Sendable (ClientTransportEvent) -> Void)?

  init(_ server: ServerAddress) { self.server = server }

  func start(_ report: @escaping @Sendable (ClientTransportEvent) -> Void) {
    self.report = report
    report(.connected)
  }

  func send(_ bytes: [UInt8]) {
    let line = String(decoding: bytes.prefix { $0 != 13 }, as: UTF8.self)
    let text = "\(server.hostHeader) \(server.isSecure) \(line)"
    report?(.received(Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n\(text)".utf8)))
    report?(.ended)
  }

  func finishSending() {}
  func close() {}
}

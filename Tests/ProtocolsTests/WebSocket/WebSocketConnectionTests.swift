import Testing

@testable import Protocols

private func client() -> WebSocketConnection {
  WebSocketConnection(role: .client, maskKey: { 0x0102_0304 })
}

private func masked(_ frame: WebSocketFrame) -> [UInt8] { frame.encoded(maskKey: 0x0102_0304) }

struct `an open WebSocket` {
  private let server = WebSocketConnection(role: .server)

  @Test func `sends messages, those of a client masked with keys it was given`() {
    #expect(server.on(.messageSent(.text("a"))) == [.send([0x81, 1, 0x61])])
    #expect(client().on(.messageSent(.binary([9]))) == [.send([0x82, 0x81, 1, 2, 3, 4, 8])])
  }

  @Test func `a server draws no keys, a client one for each frame`() {
    var drawn: UInt32 = 0
    let draw: () -> UInt32 = {
      drawn += 1
      return drawn
    }
    let quiet = WebSocketConnection(role: .server, maskKey: draw)
    _ = quiet.on(.messageSent(.text("a")))
    #expect(drawn == 0)
    let loud = WebSocketConnection(role: .client, maskKey: draw)
    for _ in 0..<3 { _ = loud.on(.pingSent([])) }
    #expect(drawn == 3)
  }

  @Test func `delivers messages whole, with pings between their frames answered at once`() {
    let text = [
      WebSocketFrame(.text, bytes("né")[..<2].map { $0 }, isFinal: false),
      WebSocketFrame(.ping, [7]),
      WebSocketFrame(.continuation, [], isFinal: false),
      WebSocketFrame(.pong, [8]),
      WebSocketFrame(.continuation, [0xA9]),
      WebSocketFrame(.binary, [0xFF]),
    ]
    #expect(
      server.on(.bytesReceived(text.flatMap(masked))) == [
        .pingArrived([7]), .send([0x8A, 1, 7]), .pongArrived([8]), .deliver(.text("né")),
        .deliver(.binary([0xFF])),
      ])
  }

  @Test func `may be read frame by frame, so that a message is answered before a goodbye`() {
    server.feed(masked(WebSocketFrame(.text, bytes("bye"))) + masked(.close(code: 1_000)))
    #expect(server.nextActions() == [.deliver(.text("bye"))])
    #expect(server.isOpen)
    #expect(server.on(.messageSent(.text("a"))) == [.send([0x81, 1, 0x61])])
    #expect(server.nextActions().first == .closeArrived(code: 1_000, reason: ""))
    #expect(!server.isOpen)
    #expect(server.nextActions() == [])
  }

  @Test func `takes empty messages, and those longer than its buffers`() {
    let long = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    for payload in [[], long] {
      #expect(
        server.on(.bytesReceived(masked(WebSocketFrame(.binary, payload))))
          == [.deliver(.binary(payload))])
    }
  }

  @Test func `may leave pings without an answer`() {
    server.answersPings = false
    #expect(server.on(.bytesReceived(masked(WebSocketFrame(.ping)))) == [.pingArrived([])])
  }

  @Test func `refuses what does not fit a control frame`() {
    #expect(server.on(.pingSent(zeros(126))) == [.refuse(.unsendableControl)])
    #expect(server.on(.pongSent(zeros(126))) == [.refuse(.unsendableControl)])
    #expect(server.on(.pongSent(zeros(125))).count == 1)
    let long = String(repeating: "x", count: 124)
    #expect(server.on(.closeSent(code: 1000, reason: long)) == [.refuse(.unsendableClose)])
    #expect(server.on(.closeSent(code: nil, reason: "x")) == [.refuse(.unsendableClose)])
    #expect(server.on(.closeSent(code: 1005, reason: "")) == [.refuse(.unsendableClose)])
    #expect(server.isOpen)
  }

  @Test func `sends a frame that breaks the rules when asked to`() {
    let odd = WebSocketFrame(WebSocketOpcode(rawValue: 0xB), [1], reservedBits: 4)
    #expect(server.on(.frameSent(odd)) == [.send([0xCB, 1, 1])])
    #expect(client().on(.frameSent(odd, isMasked: false)) == [.send([0xCB, 1, 1])])
    #expect(client().on(.frameSent(odd)) == [.send([0xCB, 0x81, 1, 2, 3, 4, 0])])
  }
}

struct `saying goodbye` {
  private let server = WebSocketConnection(role: .server)
  private let goodbye = WebSocketFrame.close(code: 1000, reason: "bye")

  @Test func `is answered with the same code, and the server leaves first`() {
    #expect(
      server.on(.bytesReceived(masked(goodbye))) == [
        .closeArrived(code: 1000, reason: "bye"), .send([0x88, 2, 0x03, 0xE8]), .close,
      ])
    #expect(server.isOver)
    #expect(server.on(.closed) == [])
    #expect(server.on(.messageSent(.text("a"))) == [.refuse(.connectionClosed)])
  }

  @Test func `to a client is answered, and it waits for the server to leave`() {
    let client = client()
    let answer = masked(WebSocketFrame.close(code: 1000))
    #expect(
      client.on(.bytesReceived(goodbye.encoded())) == [
        .closeArrived(code: 1000, reason: "bye"), .send(answer),
      ])
    #expect(!client.isOpen)
    #expect(client.on(.closed) == [.close])
    #expect(client.on(.closed) == [])
  }

  @Test func `first, one still hears what comes before the other's goodbye`() {
    #expect(server.on(.closeSent(code: 4000, reason: "é")).count == 1)
    #expect(server.on(.messageSent(.text("a"))) == [.refuse(.connectionClosed)])
    #expect(server.on(.closeSent(code: 1000, reason: "")) == [.refuse(.connectionClosed)])
    let rest = masked(WebSocketFrame(.text, [0x61])) + masked(WebSocketFrame(.ping))
    #expect(server.on(.bytesReceived(rest)) == [.deliver(.text("a")), .pingArrived([])])
    #expect(
      server.on(.bytesReceived(masked(.close(code: 4000)))) == [
        .closeArrived(code: 4000, reason: ""), .close,
      ])
  }

  @Test func `without a code is reported as 1005 and answered without one`() {
    #expect(
      server.on(.bytesReceived(masked(.close(code: nil)))) == [
        .closeArrived(code: 1005, reason: ""), .send([0x88, 0]), .close,
      ])
  }

  @Test func `wins over whatever goes wrong behind it`() {
    let client = client()
    let nonsense: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    #expect(client.on(.bytesReceived(goodbye.encoded() + nonsense)).count == 2)
    #expect(client.on(.bytesReceived(nonsense)) == [])
    #expect(client.on(.reset) == [])
    #expect(client.isOver)
  }

  @Test func `may come in the middle of a message`() {
    let begun = masked(WebSocketFrame(.text, [0x61], isFinal: false))
    #expect(
      server.on(.bytesReceived(begun + masked(goodbye))).first
        == .closeArrived(code: 1000, reason: "bye"))
  }

  @Test func `can be left without an answer, and answered later`() {
    server.answersClose = false
    #expect(
      server.on(.bytesReceived(masked(goodbye))) == [.closeArrived(code: 1000, reason: "bye")])
    #expect(
      server.on(.closeSent(code: 1001, reason: "")) == [.send([0x88, 2, 0x03, 0xE9]), .close])
  }

  @Test func `by a frame of one's own making counts as well`() {
    let frame = WebSocketFrame.close(code: 999)
    #expect(server.on(.frameSent(frame)) == [.send(frame.encoded())])
    #expect(!server.isOpen)
    let late = WebSocketFrame(.text, [0x61])
    #expect(server.on(.frameSent(late)) == [.send(late.encoded())])
  }

  @Test(
    arguments: [
      (WebSocketConnection.Input.closed, [.fail(.unexpectedEnd), .close]),
      (.reset, [.fail(.connectionReset)]),
    ] as [(WebSocketConnection.Input, [WebSocketConnection.Action])])
  func `is missed when the connection just ends`(
    input: WebSocketConnection.Input, expected: [WebSocketConnection.Action]
  ) {
    _ = server.on(.closeSent(code: 1000, reason: ""))
    #expect(server.on(input) == expected)
    #expect(server.on(input) == [])
    #expect(WebSocketProblem.unexpectedEnd.closeCode == 1006)
  }
}

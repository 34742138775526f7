import Testing

@testable import Protocols

private let head: [(bytes: [UInt8], problem: WebSocketProblem)] = [
  ([0x81, 0x01, 0x61], .unmaskedFrame),
  ([0xC1, 0x81, 0, 0, 0, 0, 0x61], .reservedBits),
  ([0xA9, 0x80, 0, 0, 0, 0], .reservedBits),
  ([0x83, 0x80, 0, 0, 0, 0], .unknownOpcode),
  ([0x8B, 0x81, 0, 0, 0, 0, 0x61], .unknownOpcode),
  ([0x09, 0x80], .malformedFrame),
  ([0x89, 0xFE, 0, 126], .malformedFrame),
  ([0x82, 0xFE, 0, 125, 0, 0, 0, 0], .malformedFrame),
  ([0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0], .malformedFrame),
  ([0x82, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], .malformedFrame),
  ([0x80, 0x81, 0, 0, 0, 0, 0x61], .unexpectedContinuation),
  ([0x01, 0x81, 0, 0, 0, 0, 0x61, 0x81, 0x81, 0, 0, 0, 0, 0x61], .interruptedMessage),
  ([0x81, 0x85, 0, 0, 0, 0, 0x61, 0xFF], .invalidText),
  ([0x81, 0x81, 0, 0, 0, 0, 0xE2], .invalidText),
  ([0x01, 0x81, 0, 0, 0, 0, 0xC3, 0x80, 0x81, 0, 0, 0, 0, 0x61], .invalidText),
  ([0x88, 0x81, 0, 0, 0, 0, 0x03], .invalidClose),
  ([0x88, 0x83, 0, 0, 0, 0, 0x03, 0xE8, 0xFF], .invalidCloseReason),
  ([0x82, 0xFF, 0, 0, 0, 0, 4, 0, 0, 1, 0, 0, 0, 0, 0x61], .messageTooBig),
  ([0x82, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 1], .messageTooBig),
]

struct `a WebSocket that is not spoken right` {
  @Test func `each problem has an id and a sentence of its own`() {
    #expect(Set(WebSocketProblem.allCases.map(\.id)).count == WebSocketProblem.allCases.count)
    #expect(Set(WebSocketProblem.allCases.map(\.message)).count == WebSocketProblem.allCases.count)
  }

  @Test(arguments: head.indices)
  func `fails for the rule that is broken, and is closed with its code`(index: Int) throws {
    let server = WebSocketConnection(role: .server)
    let problem = head[index].problem
    let code = try #require(problem.closeCode)
    #expect(
      server.on(.bytesReceived(head[index].bytes)) == [
        .fail(problem), .send([0x88, 2, UInt8(code >> 8), UInt8(code & 0xFF)]), .close,
      ])
    #expect(server.on(.bytesReceived([0x81])) == [])
    #expect(server.on(.closed) == [])
  }

  @Test func `a client takes no masked frames`() {
    let client = WebSocketConnection(role: .client)
    let frame = WebSocketFrame(.text, [0x61]).encoded(maskKey: 1)
    #expect(client.on(.bytesReceived(frame)).first == .fail(.maskedFrame))
  }

  @Test func `sends no second goodbye when it fails behind the first`() {
    let server = WebSocketConnection(role: .server)
    _ = server.on(.closeSent(code: 1000, reason: ""))
    #expect(server.on(.bytesReceived([0x81, 0x00])) == [.fail(.unmaskedFrame), .close])
  }

  @Test(arguments: [1000, 1003, 1007, 1011, 3000, 3999, 4000, 4999])
  func `a code that may be sent is taken`(code: Int) {
    #expect(arrived(code) == .closeArrived(code: code, reason: ""))
  }

  @Test(arguments: [0, 999, 1004, 1005, 1006, 1012, 1014, 1015, 1100, 2000, 2999, 5000, 65_535])
  func `a code that may not be sent is a problem`(code: Int) {
    #expect(arrived(code) == .fail(.invalidCloseCode))
  }

  @Test func `a message is counted over all its frames`() {
    let server = WebSocketConnection(role: .server, messageLimit: 10)
    let part = WebSocketFrame(.binary, zeros(5), isFinal: false).encoded(maskKey: 0)
    let rest = WebSocketFrame(.continuation, zeros(5), isFinal: false).encoded(maskKey: 0)
    let end = WebSocketFrame(.continuation, zeros(1)).encoded(maskKey: 0)
    #expect(server.on(.bytesReceived(part + rest)) == [])
    #expect(server.on(.bytesReceived(end)).first == .fail(.messageTooBig))
  }

  private func arrived(_ code: Int) -> WebSocketConnection.Action? {
    let frame = WebSocketFrame.close(code: code).encoded(maskKey: 3)
    return WebSocketConnection(role: .server).on(.bytesReceived(frame)).first
  }
}

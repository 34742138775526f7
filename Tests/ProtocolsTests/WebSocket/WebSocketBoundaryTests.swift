import Testing

@testable import Protocols

private func text(_ text: String, isFinal: Bool = true) -> WebSocketFrame {
  WebSocketFrame(.text, bytes(text), isFinal: isFinal)
}

/// Conversations in which every kind of frame, of head and of ending occurs.
private let conversations: [[WebSocketFrame]] = [
  [text("hé"), WebSocketFrame(.binary, [0, 0xFF]), text("")],
  [
    text("a€", isFinal: false), WebSocketFrame(.ping, [1, 2]),
    WebSocketFrame(.continuation, bytes("\u{1F600}"), isFinal: false), WebSocketFrame(.pong),
    WebSocketFrame(.continuation), WebSocketFrame(.close),
  ],
  [WebSocketFrame(.binary, zeros(130)), .close(code: 1001, reason: "né"), text("late")],
  [WebSocketFrame(.text, [0x61, 0xF0, 0x90, 0x41]), text("b")],
  [WebSocketFrame(.text, [0xE2, 0x82], isFinal: false), WebSocketFrame(.continuation, [0x41])],
  [text("a"), WebSocketFrame(.continuation, [1])],
  [text("a", isFinal: false), text("b")],
  [WebSocketFrame(.ping, [1], isFinal: false)],
  [WebSocketFrame(.ping, zeros(126))],
  [WebSocketFrame(.ping), WebSocketFrame(WebSocketOpcode(rawValue: 5), [1])],
  [text("a"), WebSocketFrame(.text, [1], reservedBits: 1), text("b")],
  [.close(code: 1005), text("b")], [WebSocketFrame(.close, [3])],
  [WebSocketFrame(.close, [3, 0xE8, 0xFF])],
]

/// Returns the actions of a connection on bytes that arrive in pieces, and on their end.
private func actions(
  _ role: WebSocketConnection.Role, _ pieces: [[UInt8]]
) -> [WebSocketConnection.Action] {
  let connection = WebSocketConnection(role: role, messageLimit: 4096, maskKey: { 0x1122_3344 })
  return pieces.flatMap { connection.on(.bytesReceived($0)) } + connection.on(.closed)
}

struct `wherever frames are cut` {
  @Test(arguments: conversations.indices, [WebSocketConnection.Role.client, .server])
  func `they mean the same at every boundary and every pair of boundaries`(
    index: Int, role: WebSocketConnection.Role
  ) {
    let bytes = encode(conversations[index], for: role)
    let whole = actions(role, [bytes])
    #expect(whole.count > 1)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        let cut = actions(role, pieces(bytes, [first, second]))
        guard cut == whole else {
          #expect(cut == whole, "cut at \(first) and \(second)")
          return
        }
      }
    }
    #expect(actions(role, pieces(bytes, Array(0...bytes.count))) == whole)
  }

  @Test(arguments: conversations.indices, [WebSocketConnection.Role.client, .server])
  func `each piece that a cutter makes ends no later than its frame`(
    index: Int, role: WebSocketConnection.Role
  ) {
    let frames = conversations[index].map { encode([$0], for: role) }
    let bytes = Array(frames.joined())
    for cut in 0...bytes.count {
      var cutter = WebSocketFrameCutter()
      var found: [[UInt8]] = [[]]
      for piece in pieces(bytes, [cut]).flatMap({ cutter.pieces(of: $0) }) {
        found[found.count - 1] += piece.bytes
        if piece.endsFrame { found.append([]) }
      }
      #expect(found == frames + [[]], "cut at \(cut)")
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `damaged ones mean the same as well, and never crash`(seed: UInt64) {
    var dice = Dice(state: seed)
    for round in 0..<2000 {
      let role: WebSocketConnection.Role = round % 2 == 0 ? .client : .server
      var bytes = encode(conversations[dice.below(conversations.count)], for: role)
      bytes += encode(conversations[dice.below(2)], for: role)
      for _ in 0...dice.below(4) { dice.damage(&bytes) }
      let cuts = (0..<dice.below(6)).map { _ in dice.below(bytes.count + 1) }.sorted()
      #expect(actions(role, pieces(bytes, cuts)) == actions(role, [bytes]))
    }
  }

  @Test(arguments: [5, 6] as [UInt64])
  func `noise ends in a problem or in the end, and costs no more than it is long`(seed: UInt64) {
    var dice = Dice(state: seed)
    for _ in 0..<500 {
      let bytes = (0..<dice.below(300)).map { _ in UInt8(dice.below(256)) }
      let done = actions(.server, [bytes])
      #expect(done.last == .close)
      #expect(done.count <= bytes.count + 3)
    }
  }

  private func encode(_ frames: [WebSocketFrame], for role: WebSocketConnection.Role) -> [UInt8] {
    frames.flatMap { $0.encoded(maskKey: role == .server ? 0xA0B1_C2D3 : nil) }
  }
}

import Protocols

/// The client's end of a WebSocket that is read frame by frame.
final class FramedClient {
  let connection = WebSocketConnection(role: .client)
  var cutter = WebSocketFrameCutter()
  /// The number of unread bytes before the frame under way.
  private var start = 0

  /// Removes a ping or a pong from the bytes that nothing was reported of. A trace has no pings,
  /// and has pongs as lines.
  func note(
    _ piece: WebSocketFrameCutter.Piece, _ actions: [WebSocketConnection.Action],
    _ unread: inout [UInt8]
  ) {
    if actions.contains(where: \.isHeartbeat) { unread.removeSubrange(min(start, unread.count)...) }
    if piece.endsFrame { start = unread.count }
  }
}

extension HTTPClientConnection {
  /// Returns the bytes that follow the last byte of the body in bytes that break the rules.
  ///
  /// - Parameter bytes: What arrived next.
  func bytesAfterBody(of bytes: [UInt8]) -> [UInt8] {
    var reader = self
    var rest = bytes[...]
    for (index, byte) in bytes.enumerated() {
      let actions = reader.on(.bytesReceived([byte]))
      if actions.contains(where: \.isFailure) { break }
      guard actions.contains(where: \.isPart) else { continue }
      rest = bytes[(index + 1)...]
      // The end of a chunk is sent with it.
      if rest.starts(with: [0x0D, 0x0A]) { rest = rest.dropFirst(2) }
    }
    return Array(rest)
  }
}

extension HTTPClientConnection.Action {
  /// True if the answer breaks a rule or is cut.
  var isFailure: Bool { if case .fail = self { true } else { false } }

  /// True for the head of a stream and for a part of its body.
  fileprivate var isPart: Bool {
    switch self {
    case .headArrived, .bodyArrived: true
    case .send, .deliver, .bodyEnded, .fail, .refuse, .upgrade, .passOn, .close, .abort: false
    }
  }
}

extension WebSocketConnection.Action {
  /// True if the bytes break a rule.
  var isFailure: Bool { if case .fail = self { true } else { false } }

  fileprivate var isHeartbeat: Bool {
    switch self {
    case .pingArrived, .pongArrived: true
    case .send, .deliver, .closeArrived, .fail, .refuse, .close: false
    }
  }
}

import TextSearch

/// A whole message, of any number of frames.
package enum WebSocketPayload: Sendable, Equatable {
  case text(String)
  case binary([UInt8])
}

/// The result of joined frame pieces.
enum WebSocketEvent {
  case message(WebSocketPayload)
  case ping([UInt8])
  case pong([UInt8])
  case close(code: Int, reason: String)
  case problem(WebSocketProblem)
}

/// Joins pieces of frames to messages, and reports the rule that the first wrong piece breaks.
struct WebSocketMessages {
  private let expectsMask: Bool
  private let messageLimit: Int
  /// The kind of the frame being read.
  private var opcode = WebSocketOpcode.continuation
  private var isFinal = false
  private var missing: UInt64 = 0
  /// The kind of the message being joined: text, binary or none.
  private var kind: WebSocketOpcode?
  private var bytes: [UInt8] = []
  private var utf8 = UTF8Check()
  /// The payload of a control frame, which may come between two frames of a message.
  private var control: [UInt8] = []

  init(expectsMask: Bool, messageLimit: Int) {
    self.expectsMask = expectsMask
    self.messageLimit = messageLimit
  }

  mutating func take(_ piece: WebSocketFrameReader.Piece) -> WebSocketEvent? {
    if missing == 0, let problem = begin(piece) { return .problem(problem) }
    missing -= UInt64(piece.bytes.count)
    if opcode.isControl {
      control.append(contentsOf: piece.bytes)
      return missing == 0 ? endControl() : nil
    }
    if kind == .text {
      if bytes.isEmpty, missing == 0, isFinal { return endText(inOnePiece: piece.bytes) }
      if !utf8.take(piece.bytes) { return .problem(.invalidText) }
    }
    bytes.append(contentsOf: piece.bytes)
    return missing == 0 && isFinal ? endMessage() : nil
  }

  /// Handles the first piece of a frame.
  private mutating func begin(_ piece: WebSocketFrameReader.Piece) -> WebSocketProblem? {
    if piece.reservedBits != 0 { return .reservedBits }
    if piece.isMasked != expectsMask { return expectsMask ? .unmaskedFrame : .maskedFrame }
    opcode = piece.opcode
    isFinal = piece.isFinal
    missing = piece.payloadLength
    switch piece.opcode {
    case .ping, .pong, .close: return nil
    case .continuation: if kind == nil { return .unexpectedContinuation }
    case .text, .binary:
      if kind != nil { return .interruptedMessage }
      kind = piece.opcode
    default: return .unknownOpcode
    }
    guard missing <= UInt64(messageLimit - bytes.count) else { return .messageTooBig }
    // An announced length costs nothing: the buffer has the usual size first, and grows later.
    if missing > UInt64(piece.bytes.count), bytes.isEmpty {
      bytes.reserveCapacity(Int(min(missing, 65_536)))
    }
    return nil
  }

  /// Ends a text in one piece, as most are, without a copy in between.
  private mutating func endText(inOnePiece text: UnsafeBufferPointer<UInt8>) -> WebSocketEvent {
    kind = nil
    guard let text = String(validating: text, as: UTF8.self) else { return .problem(.invalidText) }
    return .message(.text(text))
  }

  private mutating func endMessage() -> WebSocketEvent {
    let payload = bytes
    let isText = kind == .text
    bytes = []
    kind = nil
    guard isText else { return .message(.binary(payload)) }
    guard utf8.isComplete else { return .problem(.invalidText) }
    return .message(.text(String(decoding: payload, as: UTF8.self)))
  }

  private mutating func endControl() -> WebSocketEvent {
    let payload = control
    control = []
    switch opcode {
    case .ping: return .ping(payload)
    case .pong: return .pong(payload)
    default: return close(payload)
    }
  }

  private func close(_ payload: [UInt8]) -> WebSocketEvent {
    if payload.isEmpty { return .close(code: WebSocketCloseCode.none, reason: "") }
    guard payload.count >= 2 else { return .problem(.invalidClose) }
    let code = Int(payload[0]) << 8 | Int(payload[1])
    guard WebSocketCloseCode.isSendable(code) else { return .problem(.invalidCloseCode) }
    guard let reason = String(validating: payload[2...], as: UTF8.self) else {
      return .problem(.invalidCloseReason)
    }
    return .close(code: code, reason: reason)
  }
}

/// The reason why a WebSocket failed, or why something cannot be sent on it.
package enum WebSocketProblem: Error, Sendable, Equatable, CaseIterable {
  case maskedFrame
  case unmaskedFrame
  case reservedBits
  case unknownOpcode
  case malformedFrame
  case unexpectedContinuation
  case interruptedMessage
  case invalidText
  case invalidClose
  case invalidCloseCode
  case invalidCloseReason
  case messageTooBig
  case unexpectedEnd
  case connectionReset
  case connectionClosed
  case unsendableControl
  case unsendableClose

  /// The stable name of the problem, in kebab-case.
  package var id: String {
    switch self {
    case .maskedFrame: "websocket-masked-frame"
    case .unmaskedFrame: "websocket-unmasked-frame"
    case .reservedBits: "websocket-reserved-bits"
    case .unknownOpcode: "websocket-unknown-opcode"
    case .malformedFrame: "websocket-malformed-frame"
    case .unexpectedContinuation: "websocket-unexpected-continuation"
    case .interruptedMessage: "websocket-interrupted-message"
    case .invalidText: "websocket-invalid-text"
    case .invalidClose: "websocket-invalid-close"
    case .invalidCloseCode: "websocket-invalid-close-code"
    case .invalidCloseReason: "websocket-invalid-close-reason"
    case .messageTooBig: "websocket-message-too-big"
    case .unexpectedEnd: "websocket-unexpected-end"
    case .connectionReset: "websocket-connection-reset"
    case .connectionClosed: "websocket-connection-closed"
    case .unsendableControl: "websocket-unsendable-control"
    case .unsendableClose: "websocket-unsendable-close"
    }
  }

  /// The broken rule, or the event, in one sentence.
  package var message: String {
    switch self {
    case .maskedFrame: "a server sends its frames unmasked"
    case .unmaskedFrame: "a client sends its frames masked"
    case .reservedBits: "the reserved bits of a frame are 0 where no extension was agreed on"
    case .unknownOpcode: "the opcode of a frame is 0, 1, 2, 8, 9 or 10"
    case .malformedFrame:
      "a frame gives its length in as few bytes as possible; ping, pong and close come in one "
        + "frame of at most \(WebSocketLimits.controlBytes) bytes"
    case .unexpectedContinuation: "only a message that was begun is continued"
    case .interruptedMessage: "a message is complete before the next begins"
    case .invalidText: "a text message is UTF-8"
    case .invalidClose: "a close frame is empty, or begins with a code of two bytes"
    case .invalidCloseCode: "the code of a close frame is 1000–1003, 1007–1011 or 3000–4999"
    case .invalidCloseReason: "the reason of a close frame is UTF-8"
    case .messageTooBig: "a message is at most \(WebSocketLimits.messageBytes) bytes long"
    case .unexpectedEnd: "the connection ended without a close frame"
    case .connectionReset: "the other side left without a goodbye"
    case .connectionClosed: "nothing is sent behind a close frame"
    case .unsendableControl: "a ping or pong has at most \(WebSocketLimits.controlBytes) bytes"
    case .unsendableClose:
      "a close frame has a code that may be sent and a reason of at most "
        + "\(WebSocketLimits.controlBytes - 2) bytes, or neither"
    }
  }

  /// The code of the close frame; nil for a refusal, because nothing ended.
  package var closeCode: Int? {
    switch self {
    case .maskedFrame, .unmaskedFrame, .reservedBits, .unknownOpcode, .malformedFrame,
      .unexpectedContinuation, .interruptedMessage, .invalidClose, .invalidCloseCode:
      WebSocketCloseCode.protocolError
    case .invalidText, .invalidCloseReason: WebSocketCloseCode.invalidPayload
    case .messageTooBig: WebSocketCloseCode.messageTooBig
    case .unexpectedEnd, .connectionReset: WebSocketCloseCode.abnormal
    case .connectionClosed, .unsendableControl, .unsendableClose: nil
    }
  }
}

/// The codes of close frames.
package enum WebSocketCloseCode {
  package static let normal = 1000
  package static let goingAway = 1001
  package static let protocolError = 1002
  /// Reported for a close frame without a code; never sent.
  package static let none = 1005
  /// Reported for an end without a close frame; never sent.
  package static let abnormal = 1006
  package static let invalidPayload = 1007
  package static let policyViolation = 1008
  package static let messageTooBig = 1009
  package static let internalError = 1011

  /// Returns whether a close frame may have a code: one of the standard, of libraries or of
  /// applications.
  package static func isSendable(_ code: Int) -> Bool {
    switch code {
    case 1000...1003, 1007...1011, 3000...4999: true
    default: false
    }
  }
}

/// The limits of a WebSocket; reaching one is a problem, not a crash.
package enum WebSocketLimits {
  /// Bytes of a message, of any number of frames.
  package static let messageBytes = 64 << 20
  /// Bytes of a ping, a pong or a close, by the standard.
  package static let controlBytes = 125
}

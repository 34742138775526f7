import TextSearch

/// One side of a WebSocket, from the handshake to the end.
///
/// It is a final class because the frame reader needs a fixed address. The side that answers a
/// handshake with 101 makes one for `.server`; the side that accepts the answer makes one for
/// `.client`. Bytes that HTTP passes on go in as received.
package final class WebSocketConnection {
  package enum Role: Sendable {
    case client, server
  }

  /// An input of the connection.
  package enum Input: Sendable {
    case bytesReceived([UInt8])
    case messageSent(WebSocketPayload)
    case pingSent([UInt8])
    case pongSent([UInt8])
    case closeSent(code: Int?, reason: String)
    /// A frame to send unchanged, even against the rules; masked as the role demands, or not.
    case frameSent(WebSocketFrame, isMasked: Bool? = nil)
    /// The other side closed its connection.
    case closed
    /// The connection broke.
    case reset
  }

  /// The actions to perform, in this order.
  package enum Action: Sendable, Equatable {
    case send([UInt8])
    case deliver(WebSocketPayload)
    case pingArrived([UInt8])
    case pongArrived([UInt8])
    /// The other side sent a close frame, and no problem follows; 1005 stands for no code.
    case closeArrived(code: Int, reason: String)
    /// The connection failed; nothing arrives any more.
    case fail(WebSocketProblem)
    /// The message or frame cannot be sent; nothing was sent.
    case refuse(WebSocketProblem)
    /// Close in good order, after everything was sent.
    case close
  }

  /// False for a side that does not answer pings: they are only reported.
  package var answersPings = true
  /// False for a side that does not answer a close frame: it is only reported.
  package var answersClose = true

  private let role: Role
  private let maskKey: () -> UInt32
  private let reader = WebSocketFrameReader()
  private var messages: WebSocketMessages
  private var hasSentClose = false
  private var hasReceivedClose = false
  /// True if nothing is sent or read any more.
  package private(set) var isOver = false

  /// Makes a side. A client takes a key from `maskKey` for each frame it sends; a server takes
  /// none.
  package init(
    role: Role, messageLimit: Int = WebSocketLimits.messageBytes,
    maskKey: @escaping () -> UInt32 = { 0 }
  ) {
    self.role = role
    self.maskKey = maskKey
    messages = WebSocketMessages(expectsMask: role == .server, messageLimit: messageLimit)
  }

  /// True if messages can be sent.
  package var isOpen: Bool { !isOver && !hasSentClose }

  package func on(_ input: Input) -> [Action] {
    switch input {
    case .bytesReceived(let bytes): receive(bytes)
    case .messageSent(let message): ifOpen { [.send(message.encoded(maskKey: key()))] }
    case .pingSent(let payload): sendControl(.ping, payload)
    case .pongSent(let payload): sendControl(.pong, payload)
    case .closeSent(let code, let reason): sendClose(code, reason)
    case .frameSent(let frame, let isMasked): send(frame, isMasked: isMasked ?? (role == .client))
    case .closed: end(.unexpectedEnd, leaving: [.close])
    case .reset: end(.connectionReset, leaving: [])
    }
  }

  /// Returns the key of a frame that is masked as the role demands.
  private func key() -> UInt32? { role == .client ? maskKey() : nil }

  /// Ends the connection. This is a problem unless a close frame came before it.
  private func end(_ problem: WebSocketProblem, leaving: [Action]) -> [Action] {
    guard !isOver else { return [] }
    isOver = true
    return (hasReceivedClose ? [] : [.fail(problem)]) + leaving
  }
}

// Received data.
extension WebSocketConnection {
  private func receive(_ bytes: [UInt8]) -> [Action] {
    var actions: [Action] = []
    reader.feed(bytes)
    while readPiece(into: &actions) {}
    return actions
  }

  /// Sets the received bytes that `nextActions` reads.
  package func feed(_ bytes: [UInt8]) { reader.feed(bytes) }

  /// Returns the actions of the next frame that has any; empty if more bytes are needed. A side
  /// that answers messages can so answer each before the frames after it are read, however the
  /// bytes are cut.
  package func nextActions() -> [Action] {
    var actions: [Action] = []
    while actions.isEmpty, readPiece(into: &actions) {}
    return actions
  }

  /// Returns false if nothing more can be read.
  private func readPiece(into actions: inout [Action]) -> Bool {
    guard !isOver, !hasReceivedClose else { return false }
    switch reader.next() {
    case .needsMore: return false
    case .malformed: fail(.malformedFrame, into: &actions)
    case .piece(let piece):
      if let event = messages.take(piece) { take(event, into: &actions) }
    }
    return true
  }

  private func take(_ event: WebSocketEvent, into actions: inout [Action]) {
    switch event {
    case .message(let message): actions.append(.deliver(message))
    case .ping(let payload):
      actions.append(.pingArrived(payload))
      if answersPings { actions += sendAnswer(WebSocketFrame(.pong, payload)) }
    case .pong(let payload): actions.append(.pongArrived(payload))
    case .close(let code, let reason):
      hasReceivedClose = true
      actions.append(.closeArrived(code: code, reason: reason))
      let answered = code == WebSocketCloseCode.none ? nil : code
      if hasSentClose {
        actions += leaveAfterClose()
      } else if answersClose {
        actions += send(.close(code: answered), isMasked: role == .client)
      }
    case .problem(let problem): fail(problem, into: &actions)
    }
  }

  private func fail(_ problem: WebSocketProblem, into actions: inout [Action]) {
    actions.append(.fail(problem))
    actions += sendAnswer(.close(code: problem.closeCode))
    isOver = true
    actions.append(.close)
  }

  /// Sends an automatic answer, but not after a close frame.
  private func sendAnswer(_ frame: WebSocketFrame) -> [Action] {
    hasSentClose ? [] : [.send(frame.encoded(maskKey: key()))]
  }
}

// Data to send.
extension WebSocketConnection {
  private func ifOpen(_ actions: () -> [Action]) -> [Action] {
    isOpen ? actions() : [.refuse(.connectionClosed)]
  }

  private func sendControl(_ opcode: WebSocketOpcode, _ payload: [UInt8]) -> [Action] {
    ifOpen {
      guard payload.count <= WebSocketLimits.controlBytes else {
        return [.refuse(.unsendableControl)]
      }
      return [.send(WebSocketFrame(opcode, payload).encoded(maskKey: key()))]
    }
  }

  private func sendClose(_ code: Int?, _ reason: String) -> [Action] {
    ifOpen {
      let frame = WebSocketFrame.close(code: code, reason: reason)
      let isSendable = code.map(WebSocketCloseCode.isSendable) ?? reason.isEmpty
      guard isSendable, frame.payload.count <= WebSocketLimits.controlBytes else {
        return [.refuse(.unsendableClose)]
      }
      return send(frame, isMasked: role == .client)
    }
  }

  /// Sends a frame even after a close frame, as only a script would; records its effect.
  private func send(_ frame: WebSocketFrame, isMasked: Bool) -> [Action] {
    guard !isOver else { return [.refuse(.connectionClosed)] }
    let bytes = frame.encoded(maskKey: isMasked ? maskKey() : nil)
    guard frame.opcode == .close, !hasSentClose else { return [.send(bytes)] }
    hasSentClose = true
    return [.send(bytes)] + (hasReceivedClose ? leaveAfterClose() : [])
  }

  /// Closes after both sides have sent a close frame. The server closes first and the client waits
  /// for it, because the port of the first side is blocked for a while.
  private func leaveAfterClose() -> [Action] {
    guard role == .server else { return [] }
    isOver = true
    return [.close]
  }
}

/// One side of a WebSocket, from the handshake to the end.
///
/// A final class because what reads the frames has an address that stays. Whoever answers an
/// opening handshake with 101 makes one for `.server`; whoever accepts that answer makes one for
/// `.client`; the bytes HTTP passes on go in as received.
package final class WebSocketConnection {
  package enum Role: Sendable {
    case client, server
  }

  /// What happened.
  package enum Input: Sendable {
    case bytesReceived([UInt8])
    case messageSent(WebSocketMessage)
    case pingSent([UInt8])
    case pongSent([UInt8])
    case closeSent(code: Int?, reason: String)
    /// A frame is sent as it is, whatever the rules say; masked as the role demands, or not.
    case frameSent(WebSocketFrame, isMasked: Bool? = nil)
    /// The other side will send no more.
    case closed
    /// The connection broke.
    case reset
  }

  /// What is to be done, in this order.
  package enum Action: Sendable, Equatable {
    case send([UInt8])
    case deliver(WebSocketMessage)
    case pingArrived([UInt8])
    case pongArrived([UInt8])
    /// The other side says goodbye, and no problem follows; 1005 stands for no code.
    case closeArrived(code: Int, reason: String)
    /// The connection failed; nothing arrives any more.
    case fail(WebSocketProblem)
    /// What was to be sent cannot be, and nothing was.
    case refuse(WebSocketProblem)
    /// Leave in good order, after what was sent.
    case close
  }

  /// False for a side that plays dead: pings are reported, but not answered.
  package var answersPings = true
  /// False for a side that takes its time: a close frame is reported, but not answered.
  package var answersClose = true

  private let role: Role
  private let maskKey: () -> UInt32
  private let reader = WebSocketFrameReader()
  private var messages: WebSocketMessages
  private var hasSentClose = false
  private var hasReceivedClose = false
  /// True when nothing is sent or read any more.
  package private(set) var isOver = false

  /// A client draws a key from `maskKey` for each frame it sends; a server draws none.
  package init(
    role: Role, messageLimit: Int = WebSocketLimits.messageBytes,
    maskKey: @escaping () -> UInt32 = { 0 }
  ) {
    self.role = role
    self.maskKey = maskKey
    messages = WebSocketMessages(expectsMask: role == .server, messageLimit: messageLimit)
  }

  /// True when messages can be sent.
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

  /// The key for a frame that is masked as the role demands.
  private func key() -> UInt32? { role == .client ? maskKey() : nil }

  /// The end of the connection is a problem unless a close frame came before it.
  private func end(_ problem: WebSocketProblem, leaving: [Action]) -> [Action] {
    guard !isOver else { return [] }
    isOver = true
    return (hasReceivedClose ? [] : [.fail(problem)]) + leaving
  }
}

// What arrives.
extension WebSocketConnection {
  private func receive(_ bytes: [UInt8]) -> [Action] {
    var actions: [Action] = []
    reader.feed(bytes)
    while !isOver, !hasReceivedClose {
      switch reader.next() {
      case .needsMore: return actions
      case .malformed: fail(.malformedFrame, into: &actions)
      case .piece(let piece):
        if let event = messages.take(piece) { take(event, into: &actions) }
      }
    }
    return actions
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

  /// What is sent without being asked for is not sent behind a close frame.
  private func sendAnswer(_ frame: WebSocketFrame) -> [Action] {
    hasSentClose ? [] : [.send(frame.encoded(maskKey: key()))]
  }
}

// What is to be sent.
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

  /// Sends a frame even behind a close frame, as only a script would; notes what it means.
  private func send(_ frame: WebSocketFrame, isMasked: Bool) -> [Action] {
    guard !isOver else { return [.refuse(.connectionClosed)] }
    let bytes = frame.encoded(maskKey: isMasked ? maskKey() : nil)
    guard frame.opcode == .close, !hasSentClose else { return [.send(bytes)] }
    hasSentClose = true
    return [.send(bytes)] + (hasReceivedClose ? leaveAfterClose() : [])
  }

  /// Once both have said goodbye, the server leaves first; the client waits for that, so that the
  /// one whose port is taken for a while is not the server.
  private func leaveAfterClose() -> [Action] {
    guard role == .server else { return [] }
    isOver = true
    return [.close]
  }
}

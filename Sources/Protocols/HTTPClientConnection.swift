/// The client's side of one connection: one request in flight at a time, and the next one behind
/// it where the server keeps the connection alive.
package struct HTTPClientConnection: Sendable {
  /// What happened.
  package enum Input: Sendable {
    case requestSent(HTTPRequest)
    case bytesReceived([UInt8])
    /// The server will send no more.
    case closed
    /// The connection broke.
    case reset
    /// Nobody waits for the answer any more.
    case cancelled
  }

  /// What is to be done, in this order.
  package enum Action: Sendable, Equatable {
    case send([UInt8])
    case deliver(HTTPResponse)
    /// The request in flight failed.
    case fail(HTTPProblem)
    /// The request just handed over cannot be sent; one in flight is not touched by that.
    case refuse(HTTPProblem)
    /// The connection speaks another protocol from now on.
    case upgrade(HTTPResponse)
    /// Bytes of that other protocol.
    case passOn([UInt8])
    /// Leave in good order: no more requests can be sent.
    case close
    /// Leave at once: what the server still sends is of no use.
    case abort
  }

  private enum State {
    case idle, awaiting, upgraded, over
  }

  private var state = State.idle
  private var response: HTTPResponse?
  /// The request said that it is the last one, whatever the server says.
  private var isLast = false
  private var parser = HTTPResponseParser()

  package init() {}

  /// True when the next request can be sent.
  package var isIdle: Bool { state == .idle }

  /// True when no request can be sent any more.
  package var isOver: Bool { state == .over }

  package mutating func on(_ input: Input) -> [Action] {
    switch input {
    case .requestSent(let request): send(request)
    case .bytesReceived(let bytes): take(parser.receive(bytes))
    case .closed: close()
    case .reset: reset()
    case .cancelled: cancel()
    }
  }

  private mutating func send(_ request: HTTPRequest) -> [Action] {
    switch state {
    case .awaiting: return [.refuse(.connectionBusy)]
    case .upgraded, .over: return [.refuse(.connectionClosed)]
    case .idle: break
    }
    switch request.encoded() {
    case .failure(let problem): return [.refuse(problem)]
    case .success(let bytes):
      state = .awaiting
      isLast = request.headers.lists("close", under: "Connection")
      parser.expectResponse(to: request.method)
      return [.send(bytes)]
    }
  }

  private mutating func close() -> [Action] {
    let wasOver = isOver
    let actions = take(parser.finish())
    guard !wasOver else { return [] }
    state = .over
    return actions.contains(.close) || actions.contains(.abort) ? actions : actions + [.close]
  }

  private mutating func reset() -> [Action] {
    defer { state = .over }
    return state == .awaiting ? [.fail(.connectionReset)] : []
  }

  /// An answer that still comes could not be told from the next one: the connection is given up.
  private mutating func cancel() -> [Action] {
    guard state == .awaiting else { return [] }
    state = .over
    return [.abort]
  }
}

// What the parser found.
extension HTTPClientConnection {
  private mutating func take(_ events: [HTTPEvent]) -> [Action] {
    var actions: [Action] = []
    for event in events where state != .over { take(event, into: &actions) }
    return actions
  }

  private mutating func take(_ event: HTTPEvent, into actions: inout [Action]) {
    switch event {
    case .request, .informational: break
    case .response(let head): response = head
    case .body(let piece): response?.grow(by: piece)
    case .end(let keepAlive):
      state = keepAlive && !isLast ? .idle : .over
      if let response { actions.append(.deliver(response)) }
      if isOver { actions.append(.close) }
      response = nil
    case .upgrade:
      state = .upgraded
      if let response { actions.append(.upgrade(response)) }
      response = nil
    case .foreign(let bytes): actions.append(.passOn(bytes))
    case .problem(let problem):
      if state == .awaiting { actions.append(.fail(problem)) }
      state = .over
      actions.append(.abort)
    }
  }
}

extension HTTPResponse {
  /// A body that comes in one piece is not copied.
  mutating func grow(by piece: [UInt8]) {
    if body.isEmpty { body = piece } else { body.append(contentsOf: piece) }
  }
}

extension HTTPRequest {
  /// A body that comes in one piece is not copied.
  mutating func grow(by piece: [UInt8]) {
    if body.isEmpty { body = piece } else { body.append(contentsOf: piece) }
  }
}

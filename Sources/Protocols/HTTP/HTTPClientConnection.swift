/// The client's side of one connection: one request in flight at a time, and the next one behind
/// it where the server keeps the connection alive.
///
/// A body that is compressed is told expanded; the headers stay as they were sent.
package struct HTTPClientConnection: Sendable {
  /// What happened.
  package enum Input: Sendable {
    /// A response that streams is told as it comes, instead of whole at its end.
    case requestSent(HTTPRequest, streams: Bool = false)
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
    /// The head of a response that streams, whatever its status.
    case headArrived(HTTPResponse)
    /// A piece of the body of a response that streams, cut wherever the bytes happened to be cut.
    case bodyArrived([UInt8])
    /// The response that streams is complete.
    case bodyEnded
    /// The request in flight failed; a response that streams may have begun.
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
  private var streams = false
  private var content: ContentDecoder?
  private var parser = HTTPResponseParser()

  package init() {}

  /// True when the next request can be sent.
  package var isIdle: Bool { state == .idle }

  /// True when no request can be sent any more.
  package var isOver: Bool { state == .over }

  package mutating func on(_ input: Input) -> [Action] {
    switch input {
    case .requestSent(let request, let streams): send(request, streams: streams)
    case .bytesReceived(let bytes): take(parser.receive(bytes))
    case .closed: close()
    case .reset: reset()
    case .cancelled: cancel()
    }
  }

  private mutating func send(_ request: HTTPRequest, streams: Bool) -> [Action] {
    switch state {
    case .awaiting: return [.refuse(.connectionBusy)]
    case .upgraded, .over: return [.refuse(.connectionClosed)]
    case .idle: break
    }
    switch request.encoded() {
    case .failure(let problem): return [.refuse(problem)]
    case .success(let bytes):
      state = .awaiting
      self.streams = streams
      isLast = request.headers.lists("close", under: "Connection")
      parser.expectResponse(to: request.method, streams: streams)
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
    for (index, event) in events.enumerated() where state != .over {
      // The end of the head tells of an upgrade: it is the next event then.
      let isUpgrade = index + 1 < events.count && events[index + 1] == .upgrade
      if streams, !isUpgrade {
        stream(event, into: &actions)
      } else {
        take(event, into: &actions)
      }
    }
    return actions
  }

  private mutating func take(_ event: HTTPEvent, into actions: inout [Action]) {
    switch event {
    case .request, .informational: break
    case .response(let head):
      response = head
      expandContent(of: head)
    case .body(let piece): body(piece, into: &actions)
    case .end(let keepAlive):
      end(keepAlive: keepAlive, response.map { .deliver($0) }, into: &actions)
    case .upgrade:
      state = .upgraded
      if let response { actions.append(.upgrade(response)) }
      response = nil
    case .foreign(let bytes): actions.append(.passOn(bytes))
    case .problem(let problem): fail(problem, into: &actions)
    }
  }

  private mutating func stream(_ event: HTTPEvent, into actions: inout [Action]) {
    switch event {
    case .response(let head):
      actions.append(.headArrived(head))
      expandContent(of: head)
    case .body(let piece): body(piece, into: &actions)
    case .end(let keepAlive): end(keepAlive: keepAlive, .bodyEnded, into: &actions)
    case .request, .informational, .upgrade, .foreign, .problem: take(event, into: &actions)
    }
  }

  private mutating func expandContent(of head: HTTPResponse) {
    let limit = streams ? HTTPLimits.streamedBytes : HTTPLimits.bodyBytes
    content = ContentCoding(of: head.headers).map { ContentDecoder($0, limit: limit) }
  }

  private mutating func body(_ piece: [UInt8], into actions: inout [Action]) {
    guard content != nil else { return tell(piece, into: &actions) }
    tell(content?.receive(piece) ?? [], into: &actions)
  }

  private mutating func tell(_ items: [ContentItem], into actions: inout [Action]) {
    for item in items {
      switch item {
      case .bytes(let piece): tell(piece, into: &actions)
      case .problem(let problem): fail(problem, into: &actions)
      }
    }
  }

  private mutating func tell(_ piece: [UInt8], into actions: inout [Action]) {
    if streams { actions.append(.bodyArrived(piece)) } else { response?.grow(by: piece) }
  }

  /// A body that is complete on the connection may still be incomplete as what it was compressed
  /// from.
  private mutating func end(
    keepAlive: Bool, _ action: Action?, into actions: inout [Action]
  ) {
    tell(content?.finish() ?? [], into: &actions)
    guard !isOver else { return }
    state = keepAlive && !isLast ? .idle : .over
    if let action { actions.append(action) }
    if isOver { actions.append(.close) }
    response = nil
  }

  private mutating func fail(_ problem: HTTPProblem, into actions: inout [Action]) {
    if state == .awaiting { actions.append(.fail(problem)) }
    state = .over
    actions.append(.abort)
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

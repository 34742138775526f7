import TextSearch

/// The client's side of one connection: one request at a time. The next one follows if the server
/// keeps the connection alive.
///
/// A compressed body is reported in its expanded form; the headers stay unchanged.
package struct HTTPClientConnection: Sendable {
  /// An input of the connection.
  package enum Input: Sendable {
    /// A request to send. The response of one that streams is reported piece by piece, not as a
    /// whole at its end.
    case requestSent(HTTPRequest, streams: Bool = false)
    case bytesReceived([UInt8])
    /// The server closed its side.
    case closed
    /// The connection broke.
    case reset
    /// The client cancelled the request.
    case cancelled
  }

  /// The actions to perform, in this order.
  package enum Action: Sendable, Equatable {
    case send([UInt8])
    case deliver(HTTPResponse)
    /// The head of a streaming response, of any status.
    case headArrived(HTTPResponse)
    /// A piece of the body of a streaming response, cut anywhere.
    case bodyArrived([UInt8])
    /// The streaming response is complete.
    case bodyEnded
    /// The request in flight failed; a streaming response may have begun.
    case fail(HTTPProblem)
    /// The new request cannot be sent; a request in flight continues.
    case refuse(HTTPProblem)
    /// The connection speaks another protocol from now on.
    case upgrade(HTTPResponse)
    /// Bytes of that other protocol.
    case passOn([UInt8])
    /// Close in good order: no more requests can be sent.
    case close
    /// Abort at once: further data of the server is useless.
    case abort
  }

  private enum State {
    case idle, awaiting, upgraded, over
  }

  private var state = State.idle
  private var response: HTTPResponse?
  /// True if the request said that it is the last one, whatever the server answers.
  private var isLast = false
  private var streams = false
  /// The decoders of a compressed body, the outermost first.
  private var content: [ContentDecoder] = []
  private var parser = HTTPResponseParser()

  package init() {}

  /// How much of the answer in flight has arrived.
  package var progress: AnswerProgress { parser.progress }

  /// True if the next request can be sent.
  package var isIdle: Bool { state == .idle }

  /// True if no request can be sent any more.
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

  /// Cancels the request. The connection ends, because a late answer could not be distinguished
  /// from the next one.
  private mutating func cancel() -> [Action] {
    guard state == .awaiting else { return [] }
    state = .over
    return [.abort]
  }
}

// Results of the parser.
extension HTTPClientConnection {
  private mutating func take(_ events: [HTTPEvent]) -> [Action] {
    var actions: [Action] = []
    for (index, event) in events.enumerated() where state != .over {
      // If an upgrade follows the end of the head, it is the next event.
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
    content = ContentCoding.all(in: head.headers).reversed()
      .map { ContentDecoder($0, limit: limit) }
  }

  private mutating func body(_ piece: [UInt8], into actions: inout [Action]) {
    guard !content.isEmpty else { return deliver(piece, into: &actions) }
    expand(piece, from: 0, into: &actions)
  }

  /// Passes a piece through the decoders from this one on.
  private mutating func expand(
    _ piece: [UInt8], from first: Int, into actions: inout [Action]
  ) {
    guard first < content.count else { return deliver(piece, into: &actions) }
    for item in content[first].receive(piece) where !isOver {
      switch item {
      case .bytes(let expanded): expand(expanded, from: first + 1, into: &actions)
      case .problem(let problem): fail(problem, into: &actions)
      }
    }
  }

  private mutating func deliver(_ piece: [UInt8], into actions: inout [Action]) {
    if streams { actions.append(.bodyArrived(piece)) } else { response?.grow(by: piece) }
  }

  /// Ends the body. It may be complete on the connection and still incomplete for the
  /// decompression.
  private mutating func end(
    keepAlive: Bool, _ action: Action?, into actions: inout [Action]
  ) {
    for index in content.indices where !isOver {
      if case .problem(let problem)? = content[index].finish().first {
        fail(problem, into: &actions)
      }
    }
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
  /// Appends a piece; a body in one piece is not copied.
  mutating func grow(by piece: [UInt8]) {
    if body.isEmpty { body = piece } else { body.append(contentsOf: piece) }
  }
}

extension HTTPRequest {
  /// Appends a piece; a body in one piece is not copied.
  mutating func grow(by piece: [UInt8]) {
    if body.isEmpty { body = piece } else { body.append(contentsOf: piece) }
  }
}

import TextSearch

/// The server's side of one connection. Requests arrive one after the other, each after the answer
/// to the one before.
package struct HTTPServerConnection: Sendable {
  /// From so many bytes on, a body is sent by itself. It is then no copy, however many clients read
  /// it, and a shorter one is not worth a call of its own.
  private static let longBody = 64 << 10

  /// An input of the connection.
  package enum Input: Sendable {
    case bytesReceived([UInt8])
    /// A complete answer to the last request. Status 101 ends HTTP on the connection; other
    /// statuses below 200 are sent before the final answer.
    case responded(HTTPResponse)
    /// An answer to the last request that is sent piece by piece. The length of the body is open
    /// unless the headers have one.
    case responseStarted(HTTPResponse)
    case bodyWritten([UInt8])
    case responseEnded
    /// The head that has begun exceeded its time.
    case headTimedOut
    /// The client closed its side and is gone.
    case closed
    /// The client closed its side and still reads: it gets the answers to its requests.
    case halfClosed
    /// The connection broke.
    case reset
  }

  /// The actions to perform, in this order.
  package enum Action: Sendable, Equatable {
    case requestArrived(HTTPRequest)
    case send([UInt8])
    /// The client left before the answer to its last request was complete.
    case cancelled
    /// The received bytes are not a request.
    case fail(HTTPProblem)
    /// The answer cannot be sent in this form, or none is due; nothing was sent.
    case refuse(HTTPProblem)
    /// Bytes of the other protocol after an upgrade.
    case passOn([UInt8])
    /// Close in good order, after everything was sent.
    case close
  }

  private enum State {
    case reading, answering, streaming, upgraded, over
  }

  private var state = State.reading
  private var parser = HTTPRequestParser()
  /// The request that is being read or answered.
  private var request: HTTPRequest?
  private var keepsAlive = true
  private var wantsUpgrade = false
  private var isChunked = false
  private var mayHaveBody = true
  /// The events that arrived while a request was being answered.
  private var waiting = WaitingEvents() {
    didSet { wantsBytes = waiting.requests < HTTPLimits.waitingRequests }
  }
  /// True if the client sends no more and still reads.
  package private(set) var isHalfClosed = false
  private var foreign: [UInt8] = []

  package init() {}

  /// True if no request can arrive any more.
  package var isOver: Bool { state == .over }

  /// True if the head of the next request to be answered has begun and is not complete.
  package var isReadingHead: Bool { state == .reading && parser.isInHead }

  /// True if all bytes so far were those of answered requests.
  package var isBetweenRequests: Bool { state == .reading && request == nil && !parser.isInHead }

  /// False if enough requests wait for their turn. Bytes that arrive nevertheless are kept.
  package private(set) var wantsBytes = true

  package mutating func on(_ input: Input) -> [Action] {
    switch input {
    case .bytesReceived(let bytes): receive(bytes)
    case .responded(let response): respond(response)
    case .responseStarted(let head): start(head)
    case .bodyWritten(let bytes): write(bytes)
    case .responseEnded: end()
    case .headTimedOut: timeOut()
    case .closed: close()
    case .halfClosed: halfClose()
    case .reset: reset()
    }
  }

  private mutating func receive(_ bytes: [UInt8]) -> [Action] {
    switch state {
    case .over: return []
    case .upgraded: return [.passOn(bytes)]
    case .reading: return take(parser.receive(bytes))
    case .answering, .streaming:
      keep(parser.receive(bytes))
      return []
    }
  }

  private mutating func timeOut() -> [Action] {
    guard isReadingHead else { return [] }
    var actions: [Action] = []
    take(.problem(.slowHead), into: &actions)
    return actions
  }

  private mutating func close() -> [Action] {
    defer { state = .over }
    switch state {
    case .over: return []
    case .upgraded: return [.close]
    case .answering, .streaming: return [.cancelled, .close]
    case .reading:
      let actions = take(parser.finish())
      return actions.contains(.close) ? actions : actions + [.close]
    }
  }

  private mutating func halfClose() -> [Action] {
    guard state == .answering || state == .streaming else { return close() }
    isHalfClosed = true
    return []
  }

  private mutating func reset() -> [Action] {
    defer { state = .over }
    switch state {
    case .over, .upgraded: return []
    case .answering, .streaming: return [.cancelled]
    case .reading: return parser.finish().isEmpty ? [] : [.fail(.connectionReset)]
    }
  }
}

// Results of the parser.
extension HTTPServerConnection {
  private mutating func take(_ events: [HTTPEvent]) -> [Action] {
    var actions: [Action] = []
    for event in events {
      if state == .reading { take(event, into: &actions) } else { keep(event) }
    }
    return actions
  }

  private mutating func take(_ event: HTTPEvent, into actions: inout [Action]) {
    switch event {
    case .response, .informational: break
    case .request(let head):
      request = head
      keepsAlive = true
      if head.asksBeforeBody { actions.append(.send(goOn)) }
    case .body(let piece): request?.grow(by: piece)
    case .end(let keepAlive): arrive(keepAlive: keepAlive, into: &actions)
    case .upgrade:
      wantsUpgrade = true
      let closes = request?.headers.lists("close", under: "Connection") ?? false
      arrive(keepAlive: !closes, into: &actions)
    case .foreign(let bytes): foreign += bytes
    case .problem(let problem):
      state = .over
      let answer = HTTPResponse(status: problem.statusForClient, headers: ["Connection": "close"])
      actions.append(.fail(problem))
      if !problem.isUnexpectedEnd, case .success(let bytes) = answer.encoded() {
        actions.append(.send(bytes))
      }
      actions.append(.close)
    }
  }

  private mutating func arrive(keepAlive: Bool, into actions: inout [Action]) {
    keepsAlive = keepAlive
    state = .answering
    if let request { actions.append(.requestArrived(request)) }
  }

  private mutating func keep(_ events: [HTTPEvent]) {
    for event in events { keep(event) }
  }

  /// Keeps an event after a request that is not answered yet.
  private mutating func keep(_ event: HTTPEvent) {
    switch event {
    case .foreign(let bytes): foreign += bytes
    case .request, .response, .informational, .body, .end, .upgrade, .problem:
      waiting.append(event)
    }
  }
}

// Answering.
extension HTTPServerConnection {
  private mutating func respond(_ response: HTTPResponse) -> [Action] {
    guard state == .answering, let request else { return [.refuse(.unexpectedResponse)] }
    let encoded = withConnection(response).encodedInParts(
      answering: request.method, longBody: HTTPServerConnection.longBody)
    switch encoded {
    case .failure(let problem): return [.refuse(problem)]
    case .success(let parts):
      let bytes = parts.beginning
      if wantsUpgrade, response.status == 101 || opensTunnel(response) { return upgrade(bytes) }
      if response.isInformational { return [.send(bytes)] }
      return [.send(bytes)] + (parts.longBody.isEmpty ? [] : [.send(parts.longBody)]) + complete()
    }
  }

  private mutating func start(_ head: HTTPResponse) -> [Action] {
    guard state == .answering, let request else { return [.refuse(.unexpectedResponse)] }
    var head = withConnection(head)
    let hasLength = head.headers.contains("Content-Length")
    isChunked = head.headers.lists("chunked", under: "Transfer-Encoding")
    mayHaveBody = head.mayHaveBody && request.method != "HEAD"
    if !hasLength, !isChunked, request.version == .http11, head.mayHaveBody {
      isChunked = true
      head.headers.add("Transfer-Encoding", "chunked")
    }
    // In HTTP/1.0 without a length, the body ends with the connection.
    if !hasLength, !isChunked, mayHaveBody { keepsAlive = false }
    switch head.encodedHead() {
    case .failure(let problem): return [.refuse(problem)]
    case .success(let bytes):
      state = .streaming
      return [.send(bytes)]
    }
  }

  private mutating func write(_ bytes: [UInt8]) -> [Action] {
    guard state == .streaming else { return [.refuse(.unexpectedResponse)] }
    guard !bytes.isEmpty, mayHaveBody else { return [] }
    return [.send(isChunked ? HTTPChunks.chunk(bytes) : bytes)]
  }

  private mutating func end() -> [Action] {
    guard state == .streaming else { return [.refuse(.unexpectedResponse)] }
    return (isChunked && mayHaveBody ? [.send(HTTPChunks.last)] : []) + complete()
  }

  /// Adds whether the connection stays, if the client could not know; records what the answer says.
  private mutating func withConnection(_ response: HTTPResponse) -> HTTPResponse {
    var response = response
    if response.headers.lists("close", under: "Connection") { keepsAlive = false }
    if isHalfClosed, waiting.requests == 0 { keepsAlive = false }
    guard !response.headers.contains("Connection"), response.status >= 200 else { return response }
    if !keepsAlive {
      response.headers.add("Connection", "close")
    } else if request?.version == .http10 {
      response.headers.add("Connection", "keep-alive")
    }
    return response
  }

  private func opensTunnel(_ response: HTTPResponse) -> Bool {
    request?.method == "CONNECT" && response.status / 100 == 2
  }

  private mutating func upgrade(_ bytes: [UInt8]) -> [Action] {
    state = .upgraded
    defer { foreign = [] }
    return [.send(bytes)] + (foreign.isEmpty ? [] : [.passOn(foreign)])
  }

  private mutating func complete() -> [Action] {
    request = nil
    guard keepsAlive else {
      state = .over
      return [.close]
    }
    state = .reading
    if wantsUpgrade {
      wantsUpgrade = false
      for event in parser.declineUpgrade(rest: foreign) { waiting.append(event) }
      foreign = []
    }
    return takeWaiting()
  }

  private mutating func takeWaiting() -> [Action] {
    var actions: [Action] = []
    while state == .reading, let event = waiting.popFirst() { take(event, into: &actions) }
    return isHalfClosed && state == .reading ? actions + close() : actions
  }
}

/// The events of requests that wait for their turn, in a queue that costs the same at any length.
private struct WaitingEvents: Sendable {
  private var events: [HTTPEvent] = []
  private var start = 0
  private(set) var requests = 0

  mutating func append(_ event: HTTPEvent) {
    // A client that always has a request waiting must not make the queue grow.
    if start >= 1_024, start * 2 >= events.count {
      events.removeFirst(start)
      start = 0
    }
    events.append(event)
    if case .request = event { requests += 1 }
  }

  mutating func popFirst() -> HTTPEvent? {
    guard start < events.count else {
      if start > 0 { (events, start) = ([], 0) }
      return nil
    }
    let event = events[start]
    start += 1
    if case .request = event { requests -= 1 }
    return event
  }
}

private let goOn: [UInt8] = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

extension HTTPRequest {
  /// True if the client holds its body back until it gets `100 Continue`.
  fileprivate var asksBeforeBody: Bool {
    version == .http11 && headers.lists("100-continue", under: "Expect")
      && (headers.contains("Transfer-Encoding") || headers["Content-Length"] ?? "0" != "0")
  }
}

extension HTTPProblem {
  /// The status of the answer to bytes that are not a request.
  fileprivate var statusForClient: Int {
    switch self {
    case .headTooLarge, .tooManyHeaders: 431
    case .bodyTooLarge: 413
    case .slowHead: 408
    case .unsupportedVersion, .http2: 505
    case .invalidMethod, .unsupportedTransferCoding: 501
    case .secured, .invalidTarget, .invalidVersion, .invalidHost, .invalidStatusLine,
      .invalidStatus,
      .invalidHeader, .invalidLineEnd, .invalidContentLength, .conflictingLengths,
      .invalidTransferEncoding, .invalidChunkSize, .invalidContentCoding, .expandedBodyTooLarge,
      .missingCodingLibrary,
      .unexpectedEndBeforeHead, .unexpectedEndInHead, .unexpectedEndInBody,
      .unexpectedEndInChunkedBody, .unexpectedEndInContentCoding, .unexpectedBytes,
      .unsendableMethod, .unsendableTarget, .unsendableHeader,
      .unsendableStatus, .unexpectedResponse, .connectionBusy, .connectionClosed,
      .connectionReset, .parserFailure:
      400
    }
  }

  fileprivate var isUnexpectedEnd: Bool {
    self == .unexpectedEndInHead || self == .unexpectedEndInBody
      || self == .unexpectedEndInChunkedBody
  }
}

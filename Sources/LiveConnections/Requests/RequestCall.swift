import Protocols
import World

/// The way of requests to one server.
package struct RequestWay {
  /// Starts connecting to the server; the client may send at once.
  package var connect: () -> any Transport
  /// Returns the open connections to the server; nil if each request has one of its own.
  package var kept: () -> KeptConnections? = { nil }
  /// Returns a request as it is sent on a connection; nil if it gets lost on its way, which the
  /// call learns later.
  package var address: (HTTPRequest, any Transport) -> HTTPRequest? = { request, _ in request }
  /// Returns whether a request may be sent again at all. On a line that is disturbed on purpose, it
  /// would hide what was asked for.
  package var mayRepeat: () -> Bool = { true }
  /// False for a mock: a request that its log has was lost because the scenario asked for that.
  package var repeatsTaken = true
  /// Waits a moment in which a reset may follow the end of a connection; nil in memory, where all
  /// that belongs together comes together.
  package var waitForReset: ((@escaping () -> Void) -> Void)?

  /// The moment in microseconds.
  package static let momentOfReset: Int64 = 20_000

  package init(connect: @escaping () -> any Transport) { self.connect = connect }
}

/// The rule by which a request is sent again, on a new connection.
///
/// A server may end a kept connection at the very moment of the next request. If its end came
/// before it confirmed the whole request, nobody has taken the request, and it is sent again
/// whatever its method. If the server may have taken it, only a request is sent again that changes
/// nothing more when it arrives twice.
struct RepetitionRule {
  /// True on a connection that has served another request before.
  var isKept: Bool
  var repeatsTaken = true
  var hasAnswerBegun = false

  /// - Parameter failure: How the connection ended; nil if the server ended it in good order.
  func repeats(
    _ request: HTTPRequest, after failure: TransportFailure?, hasUnconfirmedBytes: Bool
  ) -> Bool {
    guard isKept, !hasAnswerBegun, [nil, .reset, .truncated].contains(failure) else {
      return false
    }
    return hasUnconfirmedBytes || repeatsTaken && request.mayArriveTwice
  }
}

/// One request and its answer, on a connection that was kept open after another answer, or on a new
/// one.
package final class RequestCall {
  package enum Outcome {
    /// The whole answer.
    case answered(HTTPResponse)
    /// Of a request that streams: the head of the answer, a piece of its body, and its end.
    case headArrived(HTTPResponse)
    case bodyArrived([UInt8])
    case bodyEnded
    /// Of a request that streams: the server changes the protocol, in which the next bytes are.
    case upgraded(HTTPResponse)
    case passedOn([UInt8])
    case failed(Failure)
  }

  /// The reason why there is no whole answer.
  package enum Failure: Error {
    case connection(TransportFailure)
    case problem(HTTPProblem)
    /// The request cannot be sent.
    case unsendable(HTTPProblem)
  }

  private static let longestBeginning = 40

  private let way: RequestWay
  private var request: HTTPRequest
  private let streams: Bool
  private let onOutcome: (Outcome) -> Void
  private var http = HTTPClientConnection()
  private var repetition = RepetitionRule(isKept: false)
  /// The seconds for which the server keeps the connection after the answer.
  private var promise: Int?
  private var isOver = false
  private var finalStage = ConnectionStage.open
  /// The connection of the request; nil when it is left to others.
  package private(set) var transport: (any Transport)?
  /// The first bytes of the answer, from which a report sees what kind of server answered.
  package private(set) var beginning: [UInt8] = []

  package init(
    _ way: RequestWay, _ request: HTTPRequest, streams: Bool = false,
    onOutcome: @escaping (Outcome) -> Void
  ) {
    self.way = way
    self.request = request
    self.streams = streams
    self.onOutcome = onOutcome
  }

  deinit { transport?.onEvent = nil }

  /// How far the connection and the answer have come.
  package var stage: ConnectionStage { transport?.stage ?? finalStage }
  package var progress: AnswerProgress { http.progress }

  package func begin() {
    let open = way.kept()?.take()
    repetition = RepetitionRule(isKept: open != nil, repeatsTaken: way.repeatsTaken)
    let transport = open?.transport ?? way.connect()
    use(transport, open?.http ?? HTTPClientConnection())
    guard let addressed = way.address(request, transport) else { return }
    request = addressed
    send()
  }

  /// Ends the call without any callback. A server that works on the answer sees a reset.
  package func cancel() {
    isOver = true
    leave { $0.abort() }
  }

  /// Ends the connection, because the request got lost on its way.
  package func lose() {
    transport?.abort()
    fail(.connection(.reset))
  }

  /// Gives the connection to its new protocol. Bytes that came together with the answer are still
  /// reported.
  func handOver() -> (any Transport)? {
    var open: (any Transport)?
    leave { open = $0 }
    return open
  }

  private func use(_ transport: any Transport, _ http: HTTPClientConnection) {
    self.transport = transport
    self.http = http
    transport.onEvent = { [weak self] event in self?.receive(event) }
  }

  private func send() { perform(http.on(.requestSent(request, streams: streams))) }

  private func leave(_ how: (any Transport) -> Void) {
    guard let left = transport else { return }
    finalStage = left.stage
    transport = nil
    left.onEvent = nil
    how(left)
  }
}

// What comes on the connection.
extension RequestCall {
  private func receive(_ event: TransportEvent) {
    switch event {
    case .connected, .writable: break
    case .received(let bytes):
      repetition.hasAnswerBegun = true
      beginning += bytes.prefix(RequestCall.longestBeginning - beginning.count)
      perform(http.on(.bytesReceived(bytes)))
    case .ended, .halfClosed: takeEnd()
    case .failed(let failure): if !askAgain(after: failure) { fail(.connection(failure)) }
    }
  }

  /// A server that ends a kept connection without having read the request says so by a reset, which
  /// may come a moment later.
  private func takeEnd() {
    if askAgain(after: nil) { return }
    guard let wait = way.waitForReset, repetition.isKept, !repetition.hasAnswerBegun else {
      return perform(http.on(.closed))
    }
    let ended = transport
    wait { [weak self] in
      guard let self, !isOver, transport === ended, !askAgain(after: nil) else { return }
      perform(http.on(.closed))
    }
  }

  private func askAgain(after failure: TransportFailure?) -> Bool {
    guard let transport, way.mayRepeat(),
      repetition.repeats(
        request, after: failure, hasUnconfirmedBytes: transport.hasUnconfirmedBytes)
    else { return false }
    repetition = RepetitionRule(isKept: false)
    leave { $0.close() }
    use(way.connect(), HTTPClientConnection())
    send()
    return true
  }

  /// Performs actions, until the owner leaves because of one.
  private func perform(_ actions: [HTTPClientConnection.Action]) {
    let connection = transport
    for action in actions {
      switch action {
      case .send(let bytes): connection?.send(bytes)
      case .headArrived(let head):
        promise = head.keepAlivePromise
        report(.headArrived(head))
      case .bodyArrived(let bytes): report(.bodyArrived(bytes))
      case .bodyEnded: finish(.bodyEnded)
      case .upgrade(let response) where streams: report(.upgraded(response))
      case .deliver(let response), .upgrade(let response):
        promise = response.keepAlivePromise
        finish(.answered(response))
      case .fail(let problem): fail(.problem(problem))
      case .refuse(let problem): fail(.unsendable(problem))
      case .passOn(let bytes): report(.passedOn(bytes))
      case .close: if transport === connection { leave { $0.close() } }
      case .abort: if transport === connection { leave { $0.abort() } }
      }
    }
  }

  private func report(_ outcome: Outcome) {
    if !isOver { onOutcome(outcome) }
  }

  private func fail(_ failure: Failure) { end(.failed(failure)) }

  /// Leaves the connection to the next request, if both sides keep it open.
  private func finish(_ outcome: Outcome) {
    if !isOver, http.isIdle, let open = transport, let kept = way.kept() {
      finalStage = open.stage
      transport = nil
      kept.put(KeptConnections.Kept(transport: open, http: http), promise: promise)
    }
    end(outcome)
  }

  private func end(_ outcome: Outcome) {
    guard !isOver else { return }
    isOver = true
    onOutcome(outcome)
  }
}

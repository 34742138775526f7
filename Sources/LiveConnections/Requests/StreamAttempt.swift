import Protocols
import TextSearch
import World

/// One request and its answer, piece by piece: on a connection of its own, or on one that was kept
/// open after another answer.
final class StreamAttempt {
  /// The result of an attempt.
  enum Outcome {
    case opened
    case received([UInt8])
    case ended
    case failed(EventStreamError)
  }

  /// The number of redirects in a row that a client follows.
  static let mostRedirects = 10

  private let environment: ClientEnvironment
  private var connect: () -> any Transport
  private var kept: () -> KeptConnections?
  private var isSecure: Bool?
  private var request: HTTPRequest
  private let isAccepted: (HTTPResponse) -> EventStreamError?
  private let onOutcome: (Outcome) -> Void
  private var transport: (any Transport)?
  private var http = HTTPClientConnection()
  /// True on a connection that was used before, until the first byte of the answer.
  private var mayAskAgain = false
  /// The seconds for which the server keeps the connection after the answer.
  private var promise: Int?
  private var redirects = RedirectFollower(limit: StreamAttempt.mostRedirects)
  private var isOver = false
  private var rejected: RejectedAnswer
  private var rejectionError: EventStreamError?

  /// The answer that was not accepted.
  var rejection: HTTPResponse? { rejected.response }

  init(
    _ environment: ClientEnvironment, _ request: HTTPRequest, rejectionBytes: Int = 0,
    accepting isAccepted: @escaping (HTTPResponse) -> EventStreamError?,
    onOutcome: @escaping (Outcome) -> Void
  ) {
    self.environment = environment
    (connect, isSecure) = (environment.connect, environment.isSecure)
    kept = environment.kept
    self.request = request
    self.isAccepted = isAccepted
    self.onOutcome = onOutcome
    rejected = RejectedAnswer(limit: rejectionBytes)
  }

  func begin() {
    // What changes something at the server must not be sent into a connection that is just ending.
    let open = request.mayArriveTwice ? kept()?.take() : nil
    mayAskAgain = open != nil
    begin(on: open?.transport ?? connect(), open?.http ?? HTTPClientConnection())
  }

  private func begin(on transport: any Transport, _ http: HTTPClientConnection) {
    self.transport = transport
    self.http = http
    transport.onEvent = { [unowned self] event in receive(event) }
    perform(self.http.on(.requestSent(request, streams: true)))
  }

  /// Closes the connection without any callback.
  func close() {
    isOver = true
    rejected.stop()
    drop()
  }

  private func drop() {
    let dropped = transport
    transport = nil
    dropped?.onEvent = nil
    dropped?.abort()
  }

  private func receive(_ event: TransportEvent) {
    switch event {
    case .connected, .writable: break
    case .received(let bytes):
      mayAskAgain = false
      perform(http.on(.bytesReceived(bytes)))
    case .ended: if !askAgain() { perform(http.on(.closed)) }
    case .failed(let failure):
      if !askAgain() { end(.failed(.connection(ConnectionFailure(failure)))) }
    }
  }

  /// Sends the request on a new connection, if the server has closed a kept one at the moment of
  /// the request: that is no answer.
  private func askAgain() -> Bool {
    guard mayAskAgain else { return false }
    mayAskAgain = false
    drop()
    begin(on: connect(), HTTPClientConnection())
    return true
  }

  /// Performs actions. Data of a connection that was replaced by a redirect is ignored.
  private func perform(_ actions: [HTTPClientConnection.Action]) {
    let connection = transport
    for action in actions where !isOver && transport === connection {
      switch action {
      case .send(let bytes): transport?.send(bytes)
      case .headArrived(let head): take(head)
      case .bodyArrived(let bytes): receive(bytes)
      case .bodyEnded:
        keep()
        end(.ended)
      case .deliver(let response), .upgrade(let response):
        end(.failed(.status(response.status, reason: response.reason)))
      case .fail(let problem): end(.failed(.connection(ConnectionFailure(problem))))
      case .refuse(let problem): end(.failed(.request(problem.id)))
      case .passOn, .close, .abort: break
      }
    }
  }

  /// Leaves the connection to the next request, if both sides keep it open.
  private func keep() {
    guard http.isIdle, let transport, let kept = kept() else { return }
    self.transport = nil
    kept.put(KeptConnections.Kept(transport: transport, http: http), promise: promise)
  }

  private func take(_ head: HTTPResponse) {
    promise = head.keepAlivePromise
    switch redirects.decide(after: head, to: request) {
    case .stay:
      if let error = isAccepted(head) { return reject(head, error) }
      onOutcome(.opened)
    case .missingLocation: end(.failed(.redirect("missingLocation")))
    case .tooMany: end(.failed(.redirect("tooManyRedirects")))
    case .follow(let redirect, let method, _) where leavesServer(redirect):
      leave(redirect, method)
    case .follow(let redirect, let method, _):
      request.target = redirect.target
      follow(method)
    }
  }

  private func end(_ outcome: Outcome) {
    guard !isOver else { return }
    close()
    onOutcome(rejectionError.map { .failed($0) } ?? outcome)
  }

  private func receive(_ bytes: [UInt8]) {
    if rejectionError == nil { return onOutcome(.received(bytes)) }
    if !rejected.append(bytes) { end(.ended) }
  }

  /// Ends the attempt with the reason why the answer is not accepted, when its body is there.
  private func reject(_ head: HTTPResponse, _ error: EventStreamError) {
    rejectionError = error
    let reads = rejected.begin(head, environment.schedule) { [weak self] in self?.end(.ended) }
    if !reads { end(.ended) }
  }

  private func leavesServer(_ redirect: Redirect) -> Bool {
    let host = redirect.host?.lowercasedASCII
    let isElsewhere = host != nil && host != request.headers["Host"]?.lowercasedASCII
    let isSameWay = isSecure == nil || [nil, isSecure].contains(redirect.isSecure)
    return isElsewhere || !isSameWay
  }

  /// Follows a redirect to another server, which gets no credentials of this one.
  private func leave(_ redirect: Redirect, _ method: String) {
    var redirect = redirect
    redirect.isSecure = redirect.isSecure ?? isSecure
    redirect.host = redirect.host ?? request.headers["Host"]
    guard let route = environment.route(redirect) else {
      return end(.failed(.redirect("otherServer")))
    }
    (connect, isSecure) = (route.connect, route.isSecure)
    kept = route.kept
    let credentials = ["host", "cookie", "authorization", "proxy-authorization"]
    request.headers.lines.removeAll { credentials.contains($0.name.lowercasedASCII) }
    request.headers.lines.insert(HTTPHeader("Host", route.host), at: 0)
    request.target = redirect.path
    request = route.address(request)
    follow(method)
  }

  /// Sends the request to the target of the redirect.
  private func follow(_ method: String) {
    request.method = method
    if method == "GET" { request.body = [] }
    drop()
    begin()
  }
}

import Protocols
import World

/// One WebSocket on a connection of its own, from the handshake to the end.
final class SocketAttempt {
  /// The result of an attempt.
  enum Outcome {
    case opened(subprotocol: String?)
    /// Bytes arrived, of any content.
    case received
    case message(WebSocketPayload)
    /// A pong with the number of its ping.
    case pong(Int?)
    /// There is room for more messages.
    case writable
    case failed(WebSocketError)
  }

  private let handshake: WebSocketHandshake
  private var request: RoutedRequest
  private let onOutcome: (Outcome) -> Void
  private var call: RequestCall?
  private let socket: WebSocketConnection
  /// The connection, once it is a WebSocket.
  private var transport: (any Transport)?
  private var isOver = false
  /// False if the transport asked to wait since the last message.
  private var hasRoom = true
  private var refusal: RejectedAnswer
  private let deadline: ConnectionTimer
  private let environment: ClientEnvironment

  /// The answer that refused the handshake.
  var rejection: HTTPResponse? { refusal.response }

  init(
    _ environment: ClientEnvironment, _ request: WebSocketDriver.Request, rejectionBytes: Int = 0,
    _ onOutcome: @escaping (Outcome) -> Void
  ) {
    var key: [UInt8] = []
    for word in [environment.next(), environment.next()] {
      for shift in 0..<8 { key.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(shift)))) }
    }
    handshake = WebSocketHandshake(
      key: key, host: request.host, target: request.target, protocols: request.protocols,
      headers: request.headers)
    socket = WebSocketConnection(
      role: .client, maskKey: { UInt32(truncatingIfNeeded: environment.next()) })
    self.request = RoutedRequest(environment.address(handshake.request), environment)
    self.onOutcome = onOutcome
    refusal = RejectedAnswer(limit: rejectionBytes)
    deadline = ConnectionTimer(environment)
    self.environment = environment
  }

  func begin() {
    if let time = environment.timeout {
      deadline.set(time) { [weak self] in self?.fail(.connection(.timedOut)) }
    }
    send()
  }

  private func send() {
    call?.cancel()
    // The head is enough to recognize a refusal; a body without end must not delay it.
    let call = RequestCall(request.way, request.http, streams: true) { [unowned self] in take($0) }
    self.call = call
    call.begin()
  }

  /// Sends a message; false if the next one should wait for `writable`.
  func send(_ message: WebSocketPayload) -> Bool {
    hasRoom = true
    perform(socket.on(.messageSent(message)))
    return hasRoom
  }

  /// Sends a ping with its number. The other side returns the number, so late pongs are recognized.
  func ping(_ number: Int) { perform(socket.on(.pingSent(Array(String(number).utf8)))) }

  /// Sends a close frame if the WebSocket is open. Later data of the server is read and ignored,
  /// not refused, so that the close frame reaches it.
  func close(code: Int) {
    guard !isOver, let transport else { return invalidate() }
    stop()
    for case .send(let bytes) in socket.on(.closeSent(code: code, reason: "")) {
      transport.send(bytes)
    }
    transport.shutDownWriting()
    transport.onEvent = { event in
      switch event {
      case .connected, .writable, .received: break
      case .ended, .halfClosed: transport.close()
      case .failed: transport.onEvent = nil
      }
    }
  }

  func invalidate() {
    stop()
    call?.cancel()
    transport?.onEvent = nil
    transport?.abort()
  }

  private func stop() {
    isOver = true
    refusal.stop()
    deadline.stop()
  }

  private func receive(_ event: TransportEvent) {
    switch event {
    case .connected: break
    case .writable: onOutcome(.writable)
    case .received(let bytes):
      onOutcome(.received)
      perform(socket.on(.bytesReceived(bytes)))
    case .ended, .halfClosed: perform(socket.on(.closed))
    case .failed: fail(.abnormalEnd)
    }
  }

  private func fail(_ error: WebSocketError) {
    guard !isOver else { return }
    onOutcome(.failed(error))
  }

  private func take(_ outcome: RequestCall.Outcome) {
    switch outcome {
    case .upgraded(let response): open(response)
    case .passedOn(let bytes): perform(socket.on(.bytesReceived(bytes)))
    case .answered(let response), .headArrived(let response): refused(by: response)
    case .bodyArrived(let bytes): if !refusal.append(bytes) { finishRefusal() }
    case .bodyEnded: finishRefusal()
    case .failed(.connection(let failure)): fail(.connection(ConnectionFailure(failure)))
    case .failed(.problem(let problem)): fail(.connection(ConnectionFailure(problem)))
    case .failed(.unsendable(let problem)): fail(.request(problem.id))
    }
  }

  /// Handles a refusal. A 101 that changes no protocol breaks a rule of the handshake.
  private func refused(by response: HTTPResponse) {
    if response.status == 101 { return open(response) }
    switch request.take(response, environment) {
    case .stay: break
    case .fail(let problem): return fail(.handshake(problem))
    case .send: return send()
    }
    deadline.stop()
    let collects = refusal.begin(response, environment.schedule) { [weak self] in
      self?.finishRefusal()
    }
    if !collects { finishRefusal() }
  }

  private func finishRefusal() {
    guard let response = refusal.response else { return }
    refusal.stop()
    fail(.status(response.status, reason: response.reason))
  }

  private func open(_ response: HTTPResponse) {
    deadline.stop()
    environment.answered(response, request.http)
    switch handshake.check(response) {
    case .failure(let problem): fail(.handshake(problem.id))
    case .success(let name):
      guard let transport = call?.handOver() else { return }
      transport.onEvent = { [unowned self] event in receive(event) }
      self.transport = transport
      onOutcome(.opened(subprotocol: name))
    }
  }

  /// Performs actions. The answer to a close frame, or to a broken rule, is sent before any
  /// callback.
  private func perform(_ actions: [WebSocketConnection.Action]) {
    var end: WebSocketError?
    for action in actions where !isOver {
      switch action {
      case .send(let bytes): hasRoom = transport?.send(bytes) ?? false
      case .deliver(let message): onOutcome(.message(message))
      case .pongArrived(let payload):
        onOutcome(.pong(Int(String(decoding: payload, as: UTF8.self))))
      case .closeArrived(let code, let reason):
        end = .unexpectedDisconnection(code: code, reason: reason)
      case .fail(let problem): end = error(of: problem)
      case .refuse(let problem): fail(.receiveFailed(problem.id))
      case .pingArrived, .close: break
      }
    }
    if let end { fail(end) }
  }

  private func error(of problem: WebSocketProblem) -> WebSocketError {
    let isEnd = problem == .unexpectedEnd || problem == .connectionReset
    return isEnd ? .abnormalEnd : .receiveFailed(problem.id)
  }
}

extension WebSocketError {
  /// The error of a WebSocket that ended without a close frame.
  fileprivate static let abnormalEnd = WebSocketError.unexpectedDisconnection(
    code: WebSocketCloseCode.abnormal, reason: "")
}

import Protocols

/// The part of a WebSocket client that acts: it performs what the machine decides, and calls back
/// with messages and states. One thread uses it; one object serves all connections in a row.
package final class WebSocketDriver {
  /// The request of a connect.
  package struct Request {
    package var host: String
    package var target: String
    package var protocols: [String]
    package var headers: HTTPHeaders

    package init(
      host: String, target: String, protocols: [String] = [], headers: HTTPHeaders = HTTPHeaders()
    ) {
      self.host = host
      self.target = target
      self.protocols = protocols
      self.headers = headers
    }
  }

  /// A callback for each message, in order.
  package var onMessage: ((WebSocketPayload) -> Void)?
  /// A callback for each change of the state. Calls to the client in here take effect when it
  /// returns.
  package var onStateChange: ((WebSocketState) -> Void)?
  /// A callback for the end of the client; called once, when it is terminated.
  package var onFinish: (() -> Void)?

  /// A callback for room to send, after `send` returned false.
  package var onWritable: (() -> Void)?
  /// The most bytes that are kept of the body of an answer that refuses the handshake. With none,
  /// such an answer ends the attempt at its head.
  package var rejectionBytes = 0
  /// The answer that refused the last handshake; nil if none did.
  package private(set) var rejection: HTTPResponse?
  private let environment: ClientEnvironment
  private let makeRequest: () -> Result<Request, WebSocketError>
  private var machine: WebSocketMachine
  private let inputs = InputQueue<WebSocketMachine.Input>()
  private var attempt: SocketAttempt?
  private let retry: RetryPolicy?
  private let nextPing: ConnectionTimer
  private let silence: ConnectionTimer
  private let pause: ConnectionTimer

  /// Makes a client; the request is made again for each connect.
  package init(
    environment: ClientEnvironment, retry: RetryPolicy? = nil, ping: PingPolicy? = nil,
    idle: Int64? = nil, request: @escaping () -> Result<Request, WebSocketError>
  ) {
    self.environment = environment
    self.retry = retry
    (nextPing, silence) = (ConnectionTimer(environment), ConnectionTimer(environment))
    pause = ConnectionTimer(environment)
    makeRequest = request
    machine = WebSocketMachine(policy: retry, ping: ping, idle: idle)
  }

  /// Releasing a client closes its connection.
  deinit {
    stopTimers()
    attempt?.invalidate()
  }

  package var state: WebSocketState { machine.state }

  /// Begins to connect; the state reports the result. If the client is connected, connecting or
  /// terminated, nothing happens and the reason is thrown.
  package func connect() throws(ConnectionRefusal) {
    if let refusal = machine.refusal { throw refusal }
    take(.connectRequested)
  }

  /// Sends a message; throws if the client is not connected. If it returns false, the next message
  /// should wait for `onWritable`.
  @discardableResult
  package func send(_ message: WebSocketPayload) throws(ConnectionRefusal) -> Bool {
    guard case .connected = machine.state, let attempt else { throw .notConnected }
    return attempt.send(message)
  }

  /// The reason why the client would not connect now; nil if it would.
  package var refusal: ConnectionRefusal? { machine.refusal }

  /// True if it lost the server, or could not reach it, and will try again.
  package var isWaitingToRetry: Bool { machine.isWaitingToRetry }

  /// Ends an attempt, a connection or a pause, because the loop that it runs on was stopped.
  package func stop() {
    isWaitingToRetry ? disconnect() : take(.stopped)
  }

  /// Closes with code 1000, or ends an attempt or a pause; else nothing happens. The state changes
  /// at once, before the server's answer.
  package func disconnect() { take(.disconnectRequested) }

  /// Ends the client for good.
  package func terminate() { take(.terminateRequested) }

  /// Releases everything without any callback. The server gets a close frame first.
  package func leave() {
    let left = attempt
    attempt = nil
    invalidate()
    left?.close(code: WebSocketCloseCode.normal)
  }

  /// Releases everything without any callback.
  package func invalidate() {
    onMessage = nil
    onWritable = nil
    onStateChange = nil
    onFinish = nil
    stopTimers()
    attempt?.invalidate()
    attempt = nil
  }

  private func take(_ input: WebSocketMachine.Input) {
    inputs.take(input) { for action in machine.on($0) { perform(action) } }
  }

  private func perform(_ action: WebSocketMachine.Action) {
    switch action {
    case .report(let state):
      onStateChange?(state)
    case .open(let generation): open(generation)
    case .close(let code):
      stopTimers()
      attempt?.close(code: code)
      attempt = nil
    case .ping(let number): attempt?.ping(number)
    case .awaitPing(let delay, let generation):
      nextPing.set(delay) { [weak self] in
        self?.take(.pingDue(generation: generation))
      }
    case .watchSilence(let delay, let generation):
      silence.set(delay) { [weak self] in
        self?.take(.silenceLasted(generation: generation))
      }
    case .pause(let length, let generation):
      guard let retry else { return }
      pause.set(retry.length(of: length, unit: environment.unitInterval())) { [weak self] in
        self?.take(.pauseEnded(generation: generation))
      }
    case .finish: onFinish?()
    }
  }

  private func stopTimers() {
    pause.stop()
    nextPing.stop()
    silence.stop()
  }

  private func open(_ generation: Int) {
    rejection = nil
    switch makeRequest() {
    case .failure(let error): take(.failed(generation: generation, error))
    case .success(let request):
      let attempt = SocketAttempt(environment, request, rejectionBytes: rejectionBytes) {
        [weak self] in
        self?.receive($0, generation)
      }
      self.attempt = attempt
      attempt.begin()
    }
  }

  private func receive(_ outcome: SocketAttempt.Outcome, _ generation: Int) {
    switch outcome {
    case .opened(let name): take(.opened(generation: generation, subprotocol: name))
    case .received: take(.received(generation: generation))
    case .message(let message):
      onMessage?(message)
    case .pong(let number): take(.pongArrived(generation: generation, number: number))
    case .writable: onWritable?()
    case .failed(let error):
      rejection = attempt?.rejection
      if let seconds = rejection?.headers.retryAfter(now: environment.calendarTime()) {
        take(.retryAfter(generation: generation, microseconds: seconds * 1_000_000))
      }
      take(.failed(generation: generation, error))
    }
  }
}

import Protocols
import World

/// A WebSocket client. It connects, sends, receives, notices when the server is gone, and reports
/// its state. It never reconnects by itself; one object serves all connections in a row.
public final class WebSocketClient {
  /// A whole message.
  public enum Message: Sendable, Equatable {
    case text(String)
    case binary([UInt8])
  }

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
  public var onMessage: ((Message) -> Void)?
  /// A callback for each change of the state. Calls to the client in here take effect when it
  /// returns.
  public var onStateChange: ((WebSocketState) -> Void)?
  /// A callback for the end of the client; called once, when it is terminated.
  public var onFinish: (() -> Void)?

  let messageBroadcast = Broadcast<Message>()
  let stateBroadcast = Broadcast<WebSocketState>()
  private let environment: ClientEnvironment
  private let makeRequest: () -> Result<Request, WebSocketError>
  private var machine: WebSocketMachine
  private let inputs = InputQueue<WebSocketMachine.Input>()
  private var attempt: SocketAttempt?
  private let nextPing: ConnectionTimer
  private let silence: ConnectionTimer

  /// Makes a client; the request is made again for each connect.
  package init(
    environment: ClientEnvironment, ping: PingPolicy? = nil, idle: Int64? = nil,
    request: @escaping () -> Result<Request, WebSocketError>
  ) {
    self.environment = environment
    (nextPing, silence) = (ConnectionTimer(environment), ConnectionTimer(environment))
    makeRequest = request
    machine = WebSocketMachine(ping: ping, idle: idle)
  }

  /// Releasing a client closes its connection.
  deinit {
    stopTimers()
    attempt?.invalidate()
  }

  public var state: WebSocketState { machine.state }

  /// Begins to connect; the state reports the result. If the client is connected, connecting or
  /// terminated, nothing happens and the reason is thrown.
  public func connect() throws(ConnectionRefusal) {
    if let refusal = machine.refusal { throw refusal }
    take(.connectRequested)
  }

  /// Sends a message; throws if the client is not connected.
  public func send(_ message: Message) throws(ConnectionRefusal) {
    guard case .connected = machine.state, let attempt else { throw .notConnected }
    attempt.send(message)
  }

  /// Closes with code 1000; without a connection nothing happens. The state changes at once, before
  /// the server's answer.
  public func disconnect() { take(.disconnectRequested) }

  /// Ends the client for good.
  public func terminate() { take(.terminateRequested) }

  /// Releases everything without any callback.
  package func invalidate() {
    onMessage = nil
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
      stateBroadcast.send(state)
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
    case .finish:
      onFinish?()
      messageBroadcast.finish()
      stateBroadcast.finish()
    }
  }

  private func stopTimers() {
    nextPing.stop()
    silence.stop()
  }

  private func open(_ generation: Int) {
    switch makeRequest() {
    case .failure(let error): take(.failed(generation: generation, error))
    case .success(let request):
      let attempt = SocketAttempt(environment, request) { [weak self] in
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
      messageBroadcast.send(message)
    case .pong(let number): take(.pongArrived(generation: generation, number: number))
    case .failed(let error): take(.failed(generation: generation, error))
    }
  }
}

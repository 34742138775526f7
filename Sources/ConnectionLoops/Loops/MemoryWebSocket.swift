import Protocols

/// The server's end of a WebSocket in memory. It may be used on any thread; what it does happens in
/// order on the loop.
public final class MemoryWebSocket: @unchecked Sendable {
  /// The subprotocols that the client offered, in its order.
  public private(set) var offeredProtocols: [String] = []
  private let connection: MemoryConnection
  private let loop: VirtualLoop
  private let choose: @Sendable ([String]) -> String?
  private let accept: @Sendable (MemoryWebSocket) -> Void

  // Only jobs of the loop use these.
  private var http = HTTPServerConnection()
  private let socket = WebSocketConnection(role: .server)
  private var isOpen = false
  private var receive: (@Sendable (WebSocketClient.Message) -> Void)?

  init(
    _ connection: MemoryConnection, on loop: VirtualLoop,
    choosing choose: @escaping @Sendable ([String]) -> String?,
    accept: @escaping @Sendable (MemoryWebSocket) -> Void
  ) {
    self.connection = connection
    self.loop = loop
    self.choose = choose
    self.accept = accept
  }

  func begin() {
    connection.onReceive { [self] bytes in
      if isOpen {
        perform(socket.on(.bytesReceived(bytes)))
      } else {
        perform(http.on(.bytesReceived(bytes)))
      }
    }
  }

  /// Calls a function with each message of the client, on the loop. It takes the place of an
  /// earlier function. Call it while the WebSocket is accepted, so that no message is missed.
  public func onMessage(_ receive: @escaping @Sendable (WebSocketClient.Message) -> Void) {
    if loop.isIsolatingCurrentContext() == true {
      self.receive = receive
      return
    }
    loop.perform { [self] in self.receive = receive }
  }

  /// Sends a message to the client.
  public func send(_ message: WebSocketClient.Message) {
    loop.perform { [self] in perform(socket.on(.messageSent(WebSocketPayload(message)))) }
  }

  /// Sends a close frame.
  public func close(code: Int = 1000, reason: String = "") {
    loop.perform { [self] in perform(socket.on(.closeSent(code: code, reason: reason))) }
  }

  /// Ends the connection with a reset.
  public func abort() { connection.abort() }

  private func perform(_ actions: [HTTPServerConnection.Action]) {
    for action in actions {
      switch action {
      case .requestArrived(let request): answer(request)
      case .send(let bytes): connection.send(bytes)
      case .passOn(let bytes): perform(socket.on(.bytesReceived(bytes)))
      case .close: connection.close()
      case .cancelled, .refuse, .fail: break
      }
    }
  }

  private func answer(_ request: HTTPRequest) {
    switch WebSocketOffer.check(request) {
    case .failure(let problem): perform(http.on(.responded(problem.answer)))
    case .success(let offer):
      offeredProtocols = offer.protocols
      isOpen = true
      perform(http.on(.responded(offer.accepted(protocol: choose(offer.protocols)))))
      accept(self)
    }
  }

  private func perform(_ actions: [WebSocketConnection.Action]) {
    for action in actions {
      switch action {
      case .send(let bytes): connection.send(bytes)
      case .deliver(let message): receive?(WebSocketClient.Message(message))
      case .close: connection.close()
      case .pingArrived, .pongArrived, .closeArrived, .fail, .refuse: break
      }
    }
  }
}

extension VirtualLoop {
  /// Accepts WebSockets at a host, such as `chat.test`. `choosing` picks one of the offered
  /// subprotocols.
  public func acceptWebSockets(
    at host: String, choosing choose: @escaping @Sendable ([String]) -> String? = { _ in nil },
    _ accept: @escaping @Sendable (MemoryWebSocket) -> Void
  ) {
    listen(at: host) { [unowned self] connection in
      MemoryWebSocket(connection, on: self, choosing: choose, accept: accept).begin()
    }
  }
}

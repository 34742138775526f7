import ConnectionLoops
import LiveConnections
@preconcurrency import Publishers

/// How a client finds out that the other side is gone: by pings that are not answered.
public struct PingConfig: Sendable {
  let policy: PingPolicy

  /// Makes a policy: a ping in each interval, and the number without an answer at which the
  /// connection is lost.
  public init(pingInterval: Duration, maxPingFailures: UInt) {
    policy = PingPolicy(interval: pingInterval, maxFailures: Int(maxPingFailures))
  }
}

/// A message of a WebSocket.
public enum WebSocketMessage: Sendable {
  case string(String)
  case data(any Sequence<UInt8> & Sendable)

  fileprivate init(_ message: WebSocketClient.Message) {
    switch message {
    case .text(let text): self = .string(text)
    case .binary(let bytes): self = .data(bytes)
    }
  }

  fileprivate var message: WebSocketClient.Message {
    switch self {
    case .string(let text): .text(text)
    case .data(let data): .binary(Array(data))
    }
  }
}

/// The state of a WebSocket.
public enum WebSocketConnectionState: Sendable {
  case notConnected
  case connecting
  /// With the subprotocol that the server chose.
  case connected(protocol: String?)
  case disconnected(WebSocketEnd)

  fileprivate init(_ state: WebSocketState) {
    switch state {
    case .notConnected: self = .notConnected
    case .connecting: self = .connecting
    case .connected(let name): self = .connected(protocol: name)
    case .disconnected(let end): self = .disconnected(end)
    }
  }
}

/// A client of a WebSocket, which connects when it is asked to.
///
/// ```swift
/// let chat = WebSocket(url: "wss://example.com/chat")
/// try await chat.connect()
/// try await chat.send(.string("hello"))
/// for await message in await chat.messages { print(message) }
/// ```
public final class WebSocket: Sendable {
  private let client: WebSocketClient

  /// Makes a client of a URL.
  public convenience init(url: String, pingConfig: PingConfig? = nil) {
    self.init(request: WebSocketRequest(url: url), pingConfig: pingConfig)
  }

  /// Makes a client of a request.
  public init(request: WebSocketRequest, pingConfig: PingConfig? = nil) {
    client = WebSocketClient(
      request.request, protocols: request.protocols, ping: pingConfig?.policy)
  }

  /// Opens the WebSocket. Throws a `ClientError` if it is open already, or cannot be opened.
  public func connect() async throws { try await client.connect() }
  /// Closes the WebSocket. `connect` opens it again.
  public func disconnect() async throws { await client.disconnect() }
  /// Closes the WebSocket for good, and ends `messages` and `stateEvents`.
  public func terminate() async throws { await client.terminate() }
  /// Sends a message. Returns when the connection has taken it.
  public func send(_ message: WebSocketMessage) async throws {
    try await client.send(message.message)
  }
  /// The messages from now on.
  public var messages: some AsyncSequence<WebSocketMessage, Never> & Sendable {
    get async { client.messages.map { WebSocketMessage($0) } }
  }
  /// The state now, then each change.
  public var stateEvents: some AsyncSequence<WebSocketConnectionState, Never> & Sendable {
    get async { client.states.map { WebSocketConnectionState($0) } }
  }
}

/// A client of a WebSocket for code with callbacks. Results come on the main actor, messages and
/// states on the thread of the connection.
@MainActor public final class WebSocketCallbackAdapter {
  private let client: WebSocketClient
  private var tokens: Set<AnyCancellable> = []

  /// Makes a client of a URL.
  public init(url: String) { client = WebSocketClient(ClientRequest(url)) }

  /// Calls a function for each message.
  public func onMessage(_ perform: @escaping @Sendable (WebSocketMessage) -> Void) {
    client.messagePublisher.sink { perform(WebSocketMessage($0)) }.store(in: &tokens)
  }

  /// Calls a function for each state.
  public func onStateChange(_ perform: @escaping @Sendable (WebSocketConnectionState) -> Void) {
    client.statePublisher.sink { perform(WebSocketConnectionState($0)) }.store(in: &tokens)
  }

  /// Opens the WebSocket.
  public func connect(_ completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    complete(completion) { [client] in try await client.connect() }
  }

  /// Sends a message. Messages leave in the order of the calls.
  public func send(
    _ message: WebSocketMessage,
    _ completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    complete(completion) { [client] in try await client.send(message.message) }
  }

  /// Closes the WebSocket. `connect` opens it again.
  public func disconnect(_ completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    complete(completion) { [client] in await client.disconnect() }
  }

  /// Closes the WebSocket for good.
  public func terminate() { complete({ _ in }, { [client] in await client.terminate() }) }
}

/// A client of a WebSocket for code with publishers.
@MainActor public final class WebSocketPublisherAdapter {
  private let client: WebSocketClient

  /// Makes a client of a URL.
  public init(url: String) { client = WebSocketClient(ClientRequest(url)) }

  /// The messages from the subscription on.
  public var messages: AnyPublisher<WebSocketMessage, Never> {
    client.messagePublisher.map { WebSocketMessage($0) }.eraseToAnyPublisher()
  }
  /// The state, then each change.
  public var stateEvents: AnyPublisher<WebSocketConnectionState, Never> {
    client.statePublisher.map { WebSocketConnectionState($0) }.eraseToAnyPublisher()
  }
  /// Opens the WebSocket at once; the publisher ends with the result.
  public func connect() -> AnyPublisher<Void, any Error> {
    published { [client] in try await client.connect() }
  }
  /// Sends a message at once; the publisher ends with the result.
  public func send(_ message: WebSocketMessage) -> AnyPublisher<Void, any Error> {
    published { [client] in try await client.send(message.message) }
  }
}

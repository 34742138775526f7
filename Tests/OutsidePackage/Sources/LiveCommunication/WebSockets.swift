@preconcurrency import Combine
import ConnectionLoops
import LiveConnections

public struct PingConfig: Sendable {
  let policy: PingPolicy

  public init(pingInterval: Duration, maxPingFailures: UInt) {
    policy = PingPolicy(interval: pingInterval, maxFailures: Int(maxPingFailures))
  }
}

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

public enum WebSocketConnectionState: Sendable {
  case notConnected
  case connecting
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

public final class WebSocket: Sendable {
  private let client: WebSocketClient

  public convenience init(url: String, pingConfig: PingConfig? = nil) {
    self.init(request: WebSocketRequest(url: url), pingConfig: pingConfig)
  }

  public init(request: WebSocketRequest, pingConfig: PingConfig? = nil) {
    client = WebSocketClient(
      request.request, protocols: request.protocols, ping: pingConfig?.policy)
  }

  public func connect() async throws { try await client.connect() }
  public func disconnect() async throws { await client.disconnect() }
  public func terminate() async throws { await client.terminate() }
  public func send(_ message: WebSocketMessage) async throws {
    try await client.send(message.message)
  }
  public var messages: some AsyncSequence<WebSocketMessage, Never> & Sendable {
    get async { client.messages.map { WebSocketMessage($0) } }
  }
  public var stateEvents: some AsyncSequence<WebSocketConnectionState, Never> & Sendable {
    get async { client.states.map { WebSocketConnectionState($0) } }
  }
}

@MainActor public final class WebSocketCallbackAdapter {
  private let client: WebSocketClient
  private var tokens: Set<AnyCancellable> = []

  public init(url: String) { client = WebSocketClient(ClientRequest(url)) }

  public func onMessage(_ perform: @escaping @Sendable (WebSocketMessage) -> Void) {
    client.messagePublisher.sink { perform(WebSocketMessage($0)) }.store(in: &tokens)
  }

  public func onStateChange(_ perform: @escaping @Sendable (WebSocketConnectionState) -> Void) {
    client.statePublisher.sink { perform(WebSocketConnectionState($0)) }.store(in: &tokens)
  }

  public func connect(_ completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    complete(completion) { [client] in try await client.connect() }
  }

  public func send(
    _ message: WebSocketMessage,
    _ completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    complete(completion) { [client] in try await client.send(message.message) }
  }

  public func disconnect(_ completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    complete(completion) { [client] in await client.disconnect() }
  }

  public func terminate() { Task { [client] in await client.terminate() } }
}

@MainActor public final class WebSocketPublisherAdapter {
  private let client: WebSocketClient

  public init(url: String) { client = WebSocketClient(ClientRequest(url)) }

  public var messages: AnyPublisher<WebSocketMessage, Never> {
    client.messagePublisher.map { WebSocketMessage($0) }.eraseToAnyPublisher()
  }
  public var stateEvents: AnyPublisher<WebSocketConnectionState, Never> {
    client.statePublisher.map { WebSocketConnectionState($0) }.eraseToAnyPublisher()
  }
  public func connect() -> AnyPublisher<Void, any Error> {
    published { [client] in try await client.connect() }
  }
  public func send(_ message: WebSocketMessage) -> AnyPublisher<Void, any Error> {
    published { [client] in try await client.send(message.message) }
  }
}

@preconcurrency import Combine
import ConnectionLoops
import LiveConnections

public struct RetryPolicy: Sendable {
  let policy: LiveConnections.RetryPolicy?

  public init(
    enabled: Bool, maxAttempts: Int? = nil, initialDelay: Double = 1, maxDelay: Double = 60,
    backoffMultiplier: Double = 2
  ) {
    policy =
      enabled
      ? LiveConnections.RetryPolicy(
        maxAttempts: maxAttempts, initialDelay: .seconds(initialDelay),
        maxDelay: .seconds(maxDelay), multiplier: backoffMultiplier) : nil
  }
}

public typealias ServerSentEventManager = ServerSentEvents

public final class ServerSentEvents: Sendable {
  let client: EventStreamClient

  public convenience init(url: String, retryPolicy: RetryPolicy? = nil) {
    self.init(request: SSERequest(url: url), retryPolicy: retryPolicy)
  }

  public init(request: SSERequest, retryPolicy: RetryPolicy? = nil) {
    client = EventStreamClient(request.request, retry: retryPolicy?.policy)
  }

  public func connect() async throws { try await client.connect() }
  public func disconnect() async throws { await client.disconnect() }
  public func terminate() async { await client.terminate() }
  public var events: ClientSequence<ServerSentEvent> { get async { client.events } }
  public var stateEvents: ClientSequence<EventStreamState> { get async { client.states } }
}

@MainActor public final class ServerSentEventCallbackAdapter {
  private let client: EventStreamClient
  private var tokens: Set<AnyCancellable> = []

  public init(url: String) { client = EventStreamClient(ClientRequest(url)) }

  public func onEvent(_ perform: @escaping @Sendable (ServerSentEvent) -> Void) {
    client.eventPublisher.sink(receiveValue: perform).store(in: &tokens)
  }

  public func onStateChange(_ perform: @escaping @Sendable (EventStreamState) -> Void) {
    client.statePublisher.sink(receiveValue: perform).store(in: &tokens)
  }

  public func connect(_ completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    complete(completion) { [client] in try await client.connect() }
  }

  public func disconnect(_ completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    complete(completion) { [client] in await client.disconnect() }
  }

  public func terminate() { Task { [client] in await client.terminate() } }
}

@MainActor public final class ServerSentEventPublisherAdapter {
  private let client: EventStreamClient

  public init(url: String) { client = EventStreamClient(ClientRequest(url)) }

  public var events: AnyPublisher<ServerSentEvent, Never> { client.eventPublisher }
  public var stateEvents: AnyPublisher<EventStreamState, Never> { client.statePublisher }
  public func connect() -> AnyPublisher<Void, any Error> {
    published { [client] in try await client.connect() }
  }
}

/// Calls a closure with the result of an activity.
func complete(
  _ completion: @escaping @Sendable (Result<Void, any Error>) -> Void,
  _ activity: @escaping @Sendable () async throws -> Void
) {
  Task {
    do {
      try await activity()
      completion(.success(()))
    } catch {
      completion(.failure(error))
    }
  }
}

/// Starts an activity, and publishes its end.
func published(_ activity: @escaping @Sendable () async throws -> Void)
  -> AnyPublisher<Void, any Error>
{
  Future { promise in
    nonisolated(unsafe) let promise = promise
    complete({ promise($0) }, activity)
  }.eraseToAnyPublisher()
}

import ConnectionLoops
import LiveConnections
@preconcurrency import Publishers

/// When a lost stream is opened again, with times in seconds.
public struct RetryPolicy: Sendable {
  let policy: LiveConnections.RetryPolicy?

  /// Makes a policy. Without `maxAttempts` the attempts have no end. The pause before each is the
  /// one before times `backoffMultiplier`, and at most `maxDelay`.
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

/// A client of a stream of events; the same as ``ServerSentEvents``.
public typealias ServerSentEventManager = ServerSentEvents

/// A client of a stream of events, which connects when it is asked to.
///
/// ```swift
/// let prices = ServerSentEvents(url: "https://example.com/prices")
/// try await prices.connect()
/// for await event in await prices.events { print(event.data) }
/// ```
public final class ServerSentEvents: Sendable {
  let client: EventStreamClient

  /// Makes a client of a URL. Without a policy a lost stream stays lost.
  public convenience init(url: String, retryPolicy: RetryPolicy? = nil) {
    self.init(request: SSERequest(url: url), retryPolicy: retryPolicy)
  }

  /// Makes a client of a request.
  public init(request: SSERequest, retryPolicy: RetryPolicy? = nil) {
    client = EventStreamClient(request.request, retry: retryPolicy?.policy)
  }

  /// Opens the stream. Throws a `ClientError` if it is open already, or cannot be opened.
  public func connect() async throws { try await client.connect() }
  /// Closes the stream. `connect` opens it again.
  public func disconnect() async throws { await client.disconnect() }
  /// Closes the stream for good, and ends `events` and `stateEvents`.
  public func terminate() async { await client.terminate() }
  /// The events from now on.
  public var events: ClientSequence<ServerSentEvent> { get async { client.events } }
  /// The state of the connection now, then each change.
  public var stateEvents: ClientSequence<EventStreamState> { get async { client.states } }
}

/// A client of a stream of events for code with callbacks. Results come on the main actor, events
/// and states on the thread of the connection.
@MainActor public final class ServerSentEventCallbackAdapter {
  private let client: EventStreamClient
  private var tokens: Set<AnyCancellable> = []

  /// Makes a client of a URL.
  public init(url: String) { client = EventStreamClient(ClientRequest(url)) }

  /// Calls a function for each event.
  public func onEvent(_ perform: @escaping @Sendable (ServerSentEvent) -> Void) {
    client.eventPublisher.sink(receiveValue: perform).store(in: &tokens)
  }

  /// Calls a function for each state of the connection.
  public func onStateChange(_ perform: @escaping @Sendable (EventStreamState) -> Void) {
    client.statePublisher.sink(receiveValue: perform).store(in: &tokens)
  }

  /// Opens the stream.
  public func connect(_ completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    complete(completion) { [client] in try await client.connect() }
  }

  /// Closes the stream. `connect` opens it again.
  public func disconnect(_ completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    complete(completion) { [client] in await client.disconnect() }
  }

  /// Closes the stream for good.
  public func terminate() { complete({ _ in }, { [client] in await client.terminate() }) }
}

/// A client of a stream of events for code with publishers.
@MainActor public final class ServerSentEventPublisherAdapter {
  private let client: EventStreamClient

  /// Makes a client of a URL.
  public init(url: String) { client = EventStreamClient(ClientRequest(url)) }

  /// The events from the subscription on.
  public var events: AnyPublisher<ServerSentEvent, Never> { client.eventPublisher }
  /// The state of the connection, then each change.
  public var stateEvents: AnyPublisher<EventStreamState, Never> { client.statePublisher }
  /// Opens the stream at once; the publisher ends with the result.
  public func connect() -> AnyPublisher<Void, any Error> {
    published { [client] in try await client.connect() }
  }
}

/// Calls a closure with the result of an activity. Activities begin in the order of the calls.
func complete(
  _ completion: @escaping @Sendable (Result<Void, any Error>) -> Void,
  _ activity: @escaping @Sendable () async throws -> Void
) {
  Task { @MainActor in
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

import LiveConnections
import Publishers

/// A client of a stream of events or lines. It connects, reads, reconnects after a loss, and
/// reports its events and its state.
///
/// ```swift
/// let client = EventStreamClient("https://api.example.com/prices", retry: RetryPolicy())
/// let events = client.events
/// try await client.connect()
/// for await event in events { print(event.data) }
/// ```
///
/// One client serves all connections in a row. Its output continues through a reconnect, and the id
/// of the last event is sent along with it. It may be used from any task. Releasing it closes its
/// connection and ends its sequences.
public final class EventStreamClient: Sendable {
  /// The format of the stream.
  public enum Format: Sendable {
    /// Server-sent events, by the rules of the WHATWG.
    case events
    /// A text on each line, such as NDJSON. A line is the data of an event.
    case lines
  }

  /// The format of the streams that the client reads.
  package let format: Format
  let session: ClientSession<EventStreamDriver>
  private let received: Broadcast<ServerSentEvent>

  /// Makes a client, which does nothing until `connect`.
  ///
  /// The request is sent for each connection. `idle` is the longest silence, also while connecting;
  /// then the client disconnects with `timedOut`. Without it, the client waits for a silent server
  /// without a limit. Without a `retry`, it does not connect again by itself. `cookies` come
  /// from another client. A `transport` takes the place of the loop's own network.
  public init(
    _ request: ClientRequest, format: Format = .events, retry: RetryPolicy? = nil,
    idle: Duration? = nil, cookies: ClientCookies? = nil,
    on loop: any ClientLoop = ConnectionLoop.shared, transport: TransportMaker? = nil
  ) {
    self.format = format
    let received = Broadcast<ServerSentEvent>(on: loop)
    self.received = received
    session = ClientSession(on: loop, .notConnected) {
      let addressed = Result { () throws(ClientError) in
        try AddressedRequest(request, schemes: ["http", "https"])
      }
      let server = (try? addressed.get())?.server ?? ServerAddress(host: "", port: 0)
      let driver = EventStreamDriver(
        environment: ClientEnvironment(
          loop, server, transport, world: loop as? any WorldLoop, cookies: cookies),
        payload: format.payload,
        retry: retry?.ifEnabled, idle: idle?.wholeMicroseconds
      ) {
        addressed.map(\.http).mapError { .request($0.brokenRule) }
      }
      driver.rejectionBytes = ClientError.keptBodyBytes
      driver.onEvents = { received.send($0) }
      driver.onFinish = { received.finish() }
      return driver
    }
  }

  deinit { session.end { [received] in received.finish() } }

  /// The part of the client that acts. Only jobs of its loop use it.
  package var driver: EventStreamDriver { session.driver }

  /// The present state.
  public var state: EventStreamState { session.state }

  /// Connects, and returns when the server has accepted the request.
  ///
  /// With a retry policy it tries again, and throws the error of the last attempt. An answer of
  /// another status throws `status`, with the answer's headers and the beginning of its body. If
  /// the task is cancelled, the attempt ends.
  public nonisolated(nonsending) func connect() async throws(ClientError) {
    try await session.connect()
  }

  /// Ends a connection, an attempt, or the pause before the next one. The client may connect again,
  /// and its sequences go on.
  public nonisolated(nonsending) func disconnect() async {
    await session.performed { $0.disconnect() }
  }

  /// Ends the client for good, and its sequences.
  public nonisolated(nonsending) func terminate() async {
    await session.performed { $0.terminate() }
    session.states.finish()
  }

  /// Returns why the client is disconnected for now; nil while it is connected, connects, or waits
  /// to retry.
  public nonisolated(nonsending) func lastError() async -> ClientError? {
    await session.performed { driver in
      if case .failure(let error)? = driver.connectOutcome { error } else { nil }
    }
  }

  /// Returns the id of the last event, which is sent at a reconnect; empty if there was none.
  public nonisolated(nonsending) func lastEventID() async -> String {
    await session.performed { $0.lastEventID }
  }
}

// The output.
extension EventStreamClient {
  /// The events from now on, for one reader. They are kept until they are read, without a limit.
  public var events: ClientSequence<ServerSentEvent> { events(buffering: .unbounded) }

  /// Returns the events from now on, for one reader. The buffer decides how many are kept, and
  /// which are dropped; `droppedCount` counts them.
  public func events(buffering buffer: SequenceBuffer) -> ClientSequence<ServerSentEvent> {
    received.sequence(buffer)
  }

  /// The changes of the state from now on, for one reader. They are kept until they are read,
  /// without a limit. The last one is `terminated`.
  public var states: ClientSequence<EventStreamState> { states(buffering: .unbounded) }

  /// Returns the changes of the state from now on, for one reader.
  public func states(buffering buffer: SequenceBuffer) -> ClientSequence<EventStreamState> {
    session.states.sequence(buffer)
  }

  /// The events from the subscription on, delivered on the client's loop. It completes when the
  /// client is terminated or released.
  public var eventPublisher: AnyPublisher<ServerSentEvent, Never> { received.publisher() }

  /// The changes of the state from the subscription on, delivered on the client's loop.
  public var statePublisher: AnyPublisher<EventStreamState, Never> { session.states.publisher() }
}

extension EventStreamClient.Format {
  fileprivate var payload: EventStreamDriver.Payload {
    switch self {
    case .events: .events
    case .lines: .lines
    }
  }
}

extension ClientError {
  /// The rule that a request breaks.
  var brokenRule: String { if case .request(let rule) = self { rule } else { description } }
}

extension EventStreamDriver: ConnectionDriver {
  var connectOutcome: Result<Void, ClientError>? {
    switch state {
    case .notConnected, .connecting: nil
    case .connected: .success(())
    case .disconnected where isWaitingToRetry: nil
    case .disconnected(.manuallyDisconnected): .failure(.disconnected)
    case .disconnected(.terminated): .failure(.terminated)
    case .disconnected(.streamEnded): .failure(.streamEnded)
    case .disconnected(.streamError(let error)): .failure(ClientError(error, rejection))
    }
  }
}

import LiveConnections
import Protocols
import Publishers
import Synchronization

/// A WebSocket client. It connects, sends, receives, notices when the server is gone, connects
/// again if it has a `retry`, and reports its state.
///
/// ```swift
/// let client = WebSocketClient("wss://chat.example.com/room")
/// let messages = client.messages
/// try await client.connect()
/// try await client.send(.text("hello"))
/// for await message in messages { print(message) }
/// ```
///
/// One client serves all connections in a row; its sequences go on. It may be used from any task.
/// Releasing it closes its connection and ends its sequences.
public final class WebSocketClient: Sendable {
  /// A whole message.
  public enum Message: Sendable, Equatable {
    case text(String)
    case binary([UInt8])
  }

  let session: ClientSession<WebSocketDriver>
  private let received: Broadcast<Message>
  let outgoing: OutgoingMessages

  /// Makes a client, which does nothing until `connect`.
  ///
  /// The server chooses one of the `protocols`. Without a `retry`, the client does not connect
  /// again by itself; what the server knew of the old connection has to be said again when the
  /// state is `connected`. `idle` is the longest silence, also while connecting; then the client
  /// disconnects with `timedOut`. If `ping` is nil, no pings are sent. `cookies` come from
  /// another client. A `transport` takes the place of the loop's own network.
  public init(
    _ request: ClientRequest, protocols: [String] = [], retry: RetryPolicy? = nil,
    ping: PingPolicy? = PingPolicy(), idle: Duration? = nil, cookies: ClientCookies? = nil,
    on loop: any ClientLoop = ConnectionLoop.shared, transport: TransportMaker? = nil
  ) {
    let received = Broadcast<Message>(on: loop)
    self.received = received
    session = ClientSession(on: loop, .notConnected) {
      let addressed = Result { () throws(ClientError) in
        try AddressedRequest(request, schemes: ["ws", "wss"])
      }
      let server = (try? addressed.get())?.server ?? ServerAddress(host: "", port: 0)
      let driver = WebSocketDriver(
        environment: ClientEnvironment(
          loop, server, transport, world: loop as? any WorldLoop, cookies: cookies),
        retry: retry?.ifEnabled,
        ping: ping, idle: idle?.wholeMicroseconds
      ) {
        addressed.map { WebSocketDriver.Request($0, protocols) }
          .mapError { .request($0.brokenRule) }
      }
      driver.rejectionBytes = ClientError.keptBodyBytes
      driver.onMessage = { received.send(Message($0)) }
      driver.onFinish = { received.finish() }
      return driver
    }
    outgoing = OutgoingMessages(session)
  }

  deinit { session.end { [received] in received.finish() } }

  /// The part of the client that acts. Only jobs of its loop use it.
  package var driver: WebSocketDriver { session.driver }

  /// The present state.
  public var state: WebSocketState { session.state }

  /// Connects, and returns the subprotocol that the server chose; nil if it chose none.
  ///
  /// A refused handshake throws `status`, with the answer's headers and the beginning of its body.
  /// If the task is cancelled, the attempt ends.
  @discardableResult
  public nonisolated(nonsending) func connect() async throws(ClientError) -> String? {
    try await session.connect()
    if case .connected(let name) = state { return name }
    return nil
  }

  /// Sends a message. Messages leave in the order of the calls.
  ///
  /// It returns when the message is accepted for sending, and waits while more than
  /// `largestBacklog` bytes are still to be sent. It throws `notConnected` unless the client is
  /// connected. If the connection is lost while it waits, it throws the reason.
  public nonisolated(nonsending) func send(_ message: Message) async throws(ClientError) {
    guard case .connected = state else { throw .notConnected }
    try await outgoing.send(WebSocketPayload(message))
  }

  /// The bytes that may wait to be sent before `send` waits.
  public static let largestBacklog = 1 << 20

  /// Closes with code 1000, or ends an attempt or a pause. The state changes at once, before the
  /// server's answer. The client may connect again.
  public nonisolated(nonsending) func disconnect() async {
    await session.performed { $0.disconnect() }
  }

  /// Ends the client for good, and its sequences.
  public nonisolated(nonsending) func terminate() async {
    await session.performed { $0.terminate() }
    session.states.finish()
  }
}

// The output.
extension WebSocketClient {
  /// The messages from now on, also of later connections, for one reader. They are kept until
  /// they are read, without a limit.
  public var messages: ClientSequence<Message> { messages(buffering: .unbounded) }

  /// Returns the messages from now on, for one reader. The buffer decides how many are kept, and
  /// which are dropped; `droppedCount` counts them.
  public func messages(buffering buffer: SequenceBuffer) -> ClientSequence<Message> {
    received.sequence(buffer)
  }

  /// The changes of the state from now on, for one reader. They are kept until they are read,
  /// without a limit. The last one is `terminated`.
  public var states: ClientSequence<WebSocketState> { states(buffering: .unbounded) }

  /// Returns the changes of the state from now on, for one reader.
  public func states(buffering buffer: SequenceBuffer) -> ClientSequence<WebSocketState> {
    session.states.sequence(buffer)
  }

  /// The messages from the subscription on, delivered on the client's loop. It completes when the
  /// client is terminated or released.
  public var messagePublisher: AnyPublisher<Message, Never> { received.publisher() }

  /// The changes of the state from the subscription on, delivered on the client's loop.
  public var statePublisher: AnyPublisher<WebSocketState, Never> { session.states.publisher() }
}

/// The messages of a WebSocket that wait to be sent.
final class OutgoingMessages: @unchecked Sendable {
  private struct State {
    /// The bytes that the driver does not have yet.
    var bytes = 0
    /// True if the connection asked to wait.
    var isFull = false

    var mustWait: Bool { isFull || bytes > WebSocketClient.largestBacklog }
  }

  private let session: ClientSession<WebSocketDriver>
  private let state = Mutex(State())
  /// The tasks that wait for room; only jobs of the loop use them.
  private var waiting: [Reply<Void>] = []
  private var isPrepared = false

  init(_ session: ClientSession<WebSocketDriver>) { self.session = session }

  nonisolated(nonsending) func send(_ message: WebSocketPayload) async throws(ClientError) {
    if Task.isCancelled { throw .cancelled }
    let count = message.count
    let mustWait = state.withLock { state in
      state.bytes += count
      return state.mustWait
    }
    session.loop.perform { [self] in pass(message, count) }
    guard mustWait else { return }
    let reply = Reply<Void>()
    session.loop.perform { [self] in waitForRoom(reply) }
    try await reply.value {}
  }

  /// Sends a message, and calls a function with the result on the loop.
  func send(
    _ message: WebSocketPayload,
    _ completion: @escaping @Sendable (Result<Void, ClientError>) -> Void
  ) {
    let count = message.count
    state.withLock { $0.bytes += count }
    session.loop.perform { [self] in
      guard case .connected = session.driver.state else {
        state.withLock { $0.bytes -= count }
        return completion(.failure(.notConnected))
      }
      pass(message, count)
      waitForRoom(Reply(completion))
    }
  }

  private func pass(_ message: WebSocketPayload, _ count: Int) {
    prepare()
    // A connection that was lost meanwhile loses the message, as one on its way would be.
    let hasRoom = (try? session.driver.send(message)) ?? true
    state.withLock { state in
      state.bytes -= count
      state.isFull = !hasRoom
    }
  }

  private func prepare() {
    guard !isPrepared else { return }
    isPrepared = true
    session.driver.onWritable = { [weak self] in self?.makeRoom() }
    session.onStateChange = { [weak self] in self?.stateChanged() }
  }

  private func waitForRoom(_ reply: Reply<Void>) {
    if case .failure(let error)? = session.driver.connectOutcome {
      reply.answer(.failure(error))
    } else if state.withLock({ $0.mustWait }) {
      waiting.append(reply)
    } else {
      reply.answer(.success(()))
    }
  }

  private func makeRoom() {
    state.withLock { $0.isFull = false }
    answer(.success(()))
  }

  private func stateChanged() {
    guard case .failure(let error)? = session.driver.connectOutcome else { return }
    state.withLock { $0.isFull = false }
    answer(.failure(error))
  }

  private func answer(_ outcome: Result<Void, ClientError>) {
    let answered = waiting
    waiting = []
    for reply in answered { reply.answer(outcome) }
  }
}

extension WebSocketDriver: ConnectionDriver {
  var connectOutcome: Result<Void, ClientError>? {
    switch state {
    case .notConnected, .connecting: nil
    case .connected: .success(())
    case .disconnected(.manuallyDisconnected): .failure(.disconnected)
    case .disconnected(.terminated): .failure(.terminated)
    case .disconnected(.failedToConnect(let error)), .disconnected(.connectionLost(let error)):
      .failure(ClientError(error, rejection))
    }
  }
}

extension WebSocketDriver.Request {
  fileprivate init(_ request: AddressedRequest, _ protocols: [String]) {
    self.init(
      host: request.headers["Host"] ?? request.server.hostHeader, target: request.target,
      protocols: protocols, headers: request.headers)
    headers["Host"] = nil
  }
}

extension WebSocketPayload {
  package init(_ message: WebSocketClient.Message) {
    switch message {
    case .text(let text): self = .text(text)
    case .binary(let bytes): self = .binary(bytes)
    }
  }

  fileprivate var count: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    }
  }
}

extension WebSocketClient.Message {
  init(_ message: WebSocketPayload) {
    switch message {
    case .text(let text): self = .text(text)
    case .binary(let bytes): self = .binary(bytes)
    }
  }
}

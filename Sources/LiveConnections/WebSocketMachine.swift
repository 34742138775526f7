/// Decides what a WebSocket client does: when it connects, when it pings, when it gives up, and
/// what it tells of that. It never comes back by itself.
///
/// Everything that belongs to one connection carries its generation, so that what is left of an old
/// one never touches the new.
struct WebSocketMachine: Sendable {
  enum Input: Sendable, Equatable {
    case connectRequested
    case disconnectRequested
    case terminateRequested
    case opened(generation: Int, subprotocol: String?)
    /// The connection failed, or ended; the state says whether it was lost or never there.
    case failed(generation: Int, WebSocketError)
    case received(generation: Int)
    /// A pong that gives back the number of a ping, or something else.
    case pongArrived(generation: Int, number: Int?)
    case pingDue(generation: Int)
    case silenceLasted(generation: Int)
  }

  enum Action: Sendable, Equatable {
    case tell(WebSocketState)
    case open(generation: Int)
    /// Say goodbye with this code, and let go of the transport and of all timers.
    case leave(code: Int)
    /// Send a ping with this number.
    case ping(Int)
    /// Come back with `pingDue` after so many microseconds.
    case awaitPing(Int64, generation: Int)
    /// Come back with `silenceLasted` after so many microseconds, unless told again before.
    case watchSilence(Int64, generation: Int)
    /// Nothing is told any more.
    case finish
  }

  private(set) var state = WebSocketState.notConnected
  private let ping: PingPolicy?
  private let idle: Int64?
  private var generation = 0
  private var isAwaitingPong = false
  /// Pings of this connection.
  private var pings = 0
  /// Pings in a row that were not answered in time.
  private var failures = 0

  init(ping: PingPolicy?, idle: Int64?) {
    self.ping = ping
    self.idle = idle
  }

  mutating func on(_ input: Input) -> [Action] {
    switch input {
    case .connectRequested: connect()
    case .disconnectRequested: disconnect()
    case .terminateRequested: terminate()
    case .opened(let generation, let name): current(generation) { $0.open(name) }
    case .failed(let generation, let error): current(generation) { $0.fail(error) }
    case .received(let generation): current(generation) { $0.watch() }
    case .pongArrived(let generation, let number): current(generation) { $0.receivePong(number) }
    case .pingDue(let generation): current(generation) { $0.pingAgain() }
    case .silenceLasted(let generation): current(generation) { $0.fail(.idleTimeout) }
    }
  }

  private mutating func current(
    _ generation: Int, _ body: (inout WebSocketMachine) -> [Action]
  ) -> [Action] {
    generation == self.generation && !isTerminated ? body(&self) : []
  }

  private var isTerminated: Bool { state == .disconnected(.terminated) }

  private mutating func change(to state: WebSocketState) -> Action {
    self.state = state
    return .tell(state)
  }

  private var isConnected: Bool { if case .connected = state { true } else { false } }
}

// What its owner asks for.
extension WebSocketMachine {
  /// Why the client would not connect now; nil where it would.
  var refusal: ConnectionRefusal? {
    if isTerminated { return .terminated }
    switch state {
    case .connecting: return .stillConnecting
    case .connected: return .alreadyConnected
    case .notConnected, .disconnected: return nil
    }
  }

  private mutating func connect() -> [Action] {
    guard refusal == nil else { return [] }
    generation += 1
    return [change(to: .connecting)] + watch() + [.open(generation: generation)]
  }

  private mutating func disconnect() -> [Action] {
    switch state {
    case .connecting, .connected: break
    case .notConnected, .disconnected: return []
    }
    return leave(code: 1000) + [change(to: .disconnected(.manuallyDisconnected))]
  }

  private mutating func terminate() -> [Action] {
    if isTerminated { return [] }
    return leave(code: 1000) + [change(to: .disconnected(.terminated)), .finish]
  }

  private mutating func leave(code: Int) -> [Action] {
    generation += 1
    (isAwaitingPong, pings, failures) = (false, 0, 0)
    return [.leave(code: code)]
  }
}

// What happens on the way.
extension WebSocketMachine {
  private mutating func open(_ subprotocol: String?) -> [Action] {
    guard state == .connecting else { return [] }
    return [change(to: .connected(subprotocol: subprotocol))] + watch() + sendPing()
  }

  private mutating func watch() -> [Action] {
    idle.map { [.watchSilence($0, generation: generation)] } ?? []
  }

  private mutating func fail(_ error: WebSocketError) -> [Action] {
    let end: WebSocketEnd = isConnected ? .connectionLost(error) : .failedToConnect(error)
    return leave(code: 1001) + [change(to: .disconnected(end))]
  }

  private mutating func sendPing() -> [Action] {
    guard let ping else { return [] }
    isAwaitingPong = true
    pings += 1
    return [.ping(pings), .awaitPing(ping.interval, generation: generation)]
  }

  /// An answer to an earlier ping is too late.
  private mutating func receivePong(_ number: Int?) -> [Action] {
    guard number == pings else { return [] }
    (isAwaitingPong, failures) = (false, 0)
    return []
  }

  /// An interval has passed: what was not answered until now counts as a failure.
  private mutating func pingAgain() -> [Action] {
    guard isConnected, let ping else { return [] }
    if isAwaitingPong { failures += 1 }
    return failures >= max(1, ping.maxFailures) ? fail(.pongTimeout) : sendPing()
  }
}

/// How a client finds out that a server is gone that does not say so.
public struct PingPolicy: Sendable, Equatable {
  /// Microseconds between pings, and the longest an answer may take.
  public var interval: Int64
  /// How many pings in a row may go unanswered; 0 is taken for 1.
  public var maxFailures: Int

  public init(interval: Int64 = 30_000_000, maxFailures: Int = 3) {
    self.interval = interval
    self.maxFailures = maxFailures
  }
}

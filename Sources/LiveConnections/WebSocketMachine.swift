import World

/// Decides what a WebSocket client does: when it connects, when it pings, when it treats the server
/// as lost, when it reconnects, and what it reports.
///
/// Everything that belongs to one connection carries its generation, so data of an old connection
/// never reaches the new one.
struct WebSocketMachine: Sendable {
  enum Input: Sendable, Equatable {
    case connectRequested
    case disconnectRequested
    case terminateRequested
    case opened(generation: Int, subprotocol: String?)
    /// The connection failed, or ended; the state decides whether it was lost or never open.
    case failed(generation: Int, WebSocketError)
    case received(generation: Int)
    /// A pong with the number of a ping, or with other content.
    case pongArrived(generation: Int, number: Int?)
    case pingDue(generation: Int)
    case silenceLasted(generation: Int)
    /// The server refused this attempt, and set the time before the next one.
    case retryAfter(generation: Int, microseconds: Int64)
    case pauseEnded(generation: Int)
    /// The loop that performs the actions was stopped.
    case stopped
  }

  enum Action: Sendable, Equatable {
    case report(WebSocketState)
    case open(generation: Int)
    /// Close with this code, and release the transport and all timers.
    case close(code: Int)
    /// Send a ping with this number.
    case ping(Int)
    /// Schedule `pingDue` after this many microseconds.
    case awaitPing(Int64, generation: Int)
    /// Schedule `silenceLasted` after this many microseconds, unless it is scheduled again before.
    case watchSilence(Int64, generation: Int)
    /// Schedule `pauseEnded` after this pause.
    case pause(Pause, generation: Int)
    /// End the output for good.
    case finish
  }

  private(set) var state = WebSocketState.notConnected
  private let ping: PingPolicy?
  private let idle: Int64?
  private var generation = 0
  private var progress: RetryProgress
  private var isAwaitingPong = false
  /// The number of pings of this connection.
  private var pings = 0
  /// The number of pings in a row without an answer in time.
  private var failures = 0

  init(policy: RetryPolicy? = nil, ping: PingPolicy?, idle: Int64?) {
    self.ping = ping
    self.idle = idle
    progress = RetryProgress(policy)
  }

  var isWaitingToRetry: Bool { progress.isWaiting }

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
    case .retryAfter(let generation, let microseconds):
      current(generation) {
        $0.progress.afterRefusal = microseconds
        return []
      }
    case .pauseEnded(let generation): current(generation) { $0.tryAgain() }
    case .stopped: state.isOpenOrOpening ? current(generation) { $0.fail(.loopStopped) } : []
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
    return .report(state)
  }

  private var isConnected: Bool { if case .connected = state { true } else { false } }
}

// Requests of the owner.
extension WebSocketMachine {
  /// The reason why the client would not connect now; nil if it would.
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
    progress.startAfresh()
    return (isWaitingToRetry ? close(code: 1000) : []) + tryOnce()
  }

  private mutating func tryOnce() -> [Action] {
    progress.beginAttempt()
    generation += 1
    return [change(to: .connecting)] + watch() + [.open(generation: generation)]
  }

  /// Ends a connection, an attempt, or the pause before the next.
  private mutating func disconnect() -> [Action] {
    switch state {
    case .connecting, .connected: break
    case .disconnected where isWaitingToRetry: break
    case .notConnected, .disconnected: return []
    }
    return close(code: 1000) + [change(to: .disconnected(.manuallyDisconnected))]
  }

  private mutating func terminate() -> [Action] {
    if isTerminated { return [] }
    return close(code: 1000) + [change(to: .disconnected(.terminated)), .finish]
  }

  private mutating func close(code: Int) -> [Action] {
    generation += 1
    progress.stopWaiting()
    (isAwaitingPong, pings, failures) = (false, 0, 0)
    return [.close(code: code)]
  }
}

// Events of the connection.
extension WebSocketMachine {
  private mutating func open(_ subprotocol: String?) -> [Action] {
    guard state == .connecting else { return [] }
    progress.startAfresh()
    return [change(to: .connected(subprotocol: subprotocol))] + watch() + sendPing()
  }

  private mutating func watch() -> [Action] {
    idle.map { [.watchSilence($0, generation: generation)] } ?? []
  }

  private mutating func fail(_ error: WebSocketError) -> [Action] {
    guard state.isOpenOrOpening else { return [] }
    let end: WebSocketEnd = isConnected ? .connectionLost(error) : .failedToConnect(error)
    let actions = close(code: 1001) + [change(to: .disconnected(end))]
    guard isRetryable(error), let pause = progress.beginPause() else { return actions }
    return actions + [.pause(pause, generation: generation)]
  }

  private func isRetryable(_ error: WebSocketError) -> Bool {
    switch error {
    case .status(let status, _): progress.policy?.isWorthAnotherTry(status) ?? false
    case .unexpectedDisconnection(let code, _):
      progress.policy?.isWorthAnotherTry(closeCode: code) ?? false
    case .handshake, .request, .receiveFailed, .loopStopped: false
    case .connection, .pongTimeout, .idleTimeout: true
    }
  }

  private mutating func tryAgain() -> [Action] { isWaitingToRetry ? tryOnce() : [] }

  private mutating func sendPing() -> [Action] {
    guard let ping else { return [] }
    isAwaitingPong = true
    pings += 1
    return [.ping(pings), .awaitPing(ping.pause, generation: generation)]
  }

  /// Handles a pong; the answer to an earlier ping is too late.
  private mutating func receivePong(_ number: Int?) -> [Action] {
    guard number == pings else { return [] }
    (isAwaitingPong, failures) = (false, 0)
    return []
  }

  /// Sends the next ping. A ping that is still unanswered counts as a failure.
  private mutating func pingAgain() -> [Action] {
    guard isConnected, let ping else { return [] }
    if isAwaitingPong { failures += 1 }
    return failures >= max(1, ping.maxFailures) ? fail(.pongTimeout) : sendPing()
  }
}

/// The policy of finding out that a server is silently gone.
public struct PingPolicy: Sendable, Equatable {
  /// The time between pings, and the longest time for an answer.
  public var interval: Duration {
    get { .microseconds(pause) }
    set { pause = newValue.wholeMicroseconds }
  }
  /// The same in microseconds.
  package var pause: Int64
  /// The number of pings in a row that may stay unanswered; 0 is treated as 1.
  public var maxFailures: Int

  package init(interval: Int64, maxFailures: Int = 3) {
    pause = interval
    self.maxFailures = maxFailures
  }

  /// Makes a policy.
  public init(interval: Duration = .seconds(30), maxFailures: Int = 3) {
    self.init(interval: interval.wholeMicroseconds, maxFailures: maxFailures)
  }
}

import World

/// Decides what a client of an event stream does: when it connects, when it reconnects, and what it
/// reports.
///
/// Everything that belongs to one attempt carries its generation, so data of an old attempt never
/// reaches the new one.
struct EventStreamMachine: Sendable {
  enum Input: Sendable, Equatable {
    case connectRequested
    case disconnectRequested
    case terminateRequested
    /// The server accepted the request.
    case opened(generation: Int)
    case failed(generation: Int, EventStreamError)
    /// The server ended the stream in good order.
    case ended(generation: Int)
    /// Bytes arrived, of any content.
    case received(generation: Int)
    /// The server set the time before a reconnect.
    case retryAdvised(microseconds: Int64)
    /// The server refused this attempt, and set the time before the next one.
    case retryAfter(generation: Int, microseconds: Int64)
    case pauseEnded(generation: Int)
    case silenceLasted(generation: Int)
    /// The loop that performs the actions was stopped.
    case stopped
  }

  enum Action: Sendable, Equatable {
    case report(EventStreamState)
    case open(generation: Int)
    /// Release the transport and all timers.
    case close
    /// Schedule `pauseEnded` after this pause.
    case pause(Pause, generation: Int)
    /// Schedule `silenceLasted` after this many microseconds, unless it is scheduled again before.
    case watchSilence(Int64, generation: Int)
    /// End the output for good.
    case finish
  }

  private(set) var state = EventStreamState.notConnected
  private let idle: Int64?
  private var generation = 0
  private var progress: RetryProgress

  init(policy: RetryPolicy?, idle: Int64?) {
    self.idle = idle
    progress = RetryProgress(policy)
  }

  var isWaitingToRetry: Bool { progress.isWaiting }

  mutating func on(_ input: Input) -> [Action] {
    switch input {
    case .connectRequested: connect()
    case .disconnectRequested: disconnect()
    case .terminateRequested: terminate()
    case .opened(let generation): current(generation) { $0.open() }
    case .failed(let generation, let error): current(generation) { $0.fail(error) }
    case .ended(let generation): current(generation) { $0.lose(.streamEnded, isRetryable: true) }
    case .received(let generation): current(generation) { $0.watch() }
    case .retryAdvised(let microseconds): advise(microseconds)
    case .retryAfter(let generation, let microseconds):
      current(generation) {
        $0.progress.afterRefusal = microseconds
        return []
      }
    case .pauseEnded(let generation): current(generation) { $0.tryAgain() }
    case .silenceLasted(let generation): current(generation) { $0.fail(.idleTimeout) }
    case .stopped: current(generation) { $0.fail(.loopStopped) }
    }
  }

  /// Ignores inputs of an earlier attempt.
  private mutating func current(
    _ generation: Int, _ body: (inout EventStreamMachine) -> [Action]
  ) -> [Action] {
    generation == self.generation && !isTerminated ? body(&self) : []
  }

  private var isTerminated: Bool { state == .disconnected(.terminated) }

  private mutating func change(to state: EventStreamState) -> Action {
    self.state = state
    return .report(state)
  }
}

// Requests of the owner.
extension EventStreamMachine {
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
    return (isWaitingToRetry ? [.close] : []) + tryOnce()
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
    return close() + [change(to: .disconnected(.manuallyDisconnected))]
  }

  private mutating func terminate() -> [Action] {
    if isTerminated { return [] }
    return close() + [change(to: .disconnected(.terminated)), .finish]
  }

  private mutating func close() -> [Action] {
    generation += 1
    progress.stopWaiting()
    return [.close]
  }
}

// Events of the connection.
extension EventStreamMachine {
  private mutating func open() -> [Action] {
    guard state == .connecting else { return [] }
    progress.startAfresh()
    return [change(to: .connected)] + watch()
  }

  private mutating func watch() -> [Action] {
    idle.map { [.watchSilence($0, generation: generation)] } ?? []
  }

  private mutating func fail(_ error: EventStreamError) -> [Action] {
    lose(.streamError(error), isRetryable: isRetryable(error))
  }

  private func isRetryable(_ error: EventStreamError) -> Bool {
    switch error {
    case .status(let status, _): progress.policy?.isWorthAnotherTry(status) ?? false
    case .contentType, .contentEncoding, .request, .redirect, .eventTooLarge, .loopStopped: false
    case .connection, .idleTimeout: true
    }
  }

  private mutating func lose(_ end: EventStreamEnd, isRetryable: Bool) -> [Action] {
    guard state == .connecting || state == .connected else { return [] }
    let actions = close() + [change(to: .disconnected(end))]
    guard isRetryable, let pause = progress.beginPause() else { return actions }
    return actions + [.pause(pause, generation: generation)]
  }

  private mutating func tryAgain() -> [Action] { isWaitingToRetry ? tryOnce() : [] }

  private mutating func advise(_ microseconds: Int64) -> [Action] {
    progress.advised = microseconds
    return []
  }
}

import LiveConnections
import Synchronization

/// The part of a client that acts, for any of the protocols.
protocol ConnectionDriver: AnyObject, SendableMetatype {
  associatedtype State: Sendable

  var onStateChange: ((State) -> Void)? { get set }
  /// The reason why the client would not connect now; nil if it would.
  var refusal: ConnectionRefusal? { get }
  /// The result of connecting, by the present state; nil while it is open.
  var connectOutcome: Result<Void, ClientError>? { get }

  func connect() throws(ConnectionRefusal)
  func disconnect()
  func terminate()
  /// Ends everything because the loop was stopped.
  func stop()
  /// Releases everything without any callback.
  func invalidate()
}

/// The state that the tasks of a client share with its driver. The driver works on the loop only.
final class ClientSession<Driver: ConnectionDriver>: @unchecked Sendable {
  let loop: any ClientLoop
  let states: Broadcast<Driver.State>
  private let present: Mutex<Driver.State>
  private let makeDriver: @Sendable () -> Driver

  // Only jobs of the loop use these.
  private(set) lazy var driver = begin()
  private var connecting: Reply<Void>?
  private var forgetStop: (() -> Void)?
  /// Called after each change of the state, on the loop.
  var onStateChange: (() -> Void)?

  init(
    on loop: any ClientLoop, _ initial: Driver.State,
    makeDriver: @escaping @Sendable () -> Driver
  ) {
    self.loop = loop
    states = Broadcast(on: loop)
    self.makeDriver = makeDriver
    present = Mutex(initial)
  }

  /// The state, on any thread.
  var state: Driver.State { present.withLock { $0 } }

  private func begin() -> Driver {
    let driver = makeDriver()
    driver.onStateChange = { [weak self] in self?.receive($0) }
    forgetStop = loop.whenStopped { [weak self] in self?.driver.stop() }
    return driver
  }

  private func receive(_ state: Driver.State) {
    present.withLock { $0 = state }
    states.send(state)
    onStateChange?()
    guard let outcome = driver.connectOutcome, let reply = connecting else { return }
    connecting = nil
    // The task was cancelled while the server accepted: it must not find a connection.
    if !reply.answer(outcome), case .success = outcome { driver.disconnect() }
  }
}

// What tasks ask for.
extension ClientSession {
  nonisolated(nonsending) func connect() async throws(ClientError) {
    if Task.isCancelled { throw .cancelled }
    let reply = Reply<Void>()
    loop.perform { [self] in connect(reply) }
    try await reply.value { [self] in
      loop.perform { [self] in cancelConnecting(reply) }
    }
  }

  /// Connects, and calls a function with the result on the loop.
  func connect(_ completion: @escaping @Sendable (Result<Void, ClientError>) -> Void) {
    loop.perform { [self] in connect(Reply(completion)) }
  }

  /// Disconnects, and calls a function then on the loop.
  func disconnect(_ completion: @escaping @Sendable () -> Void) {
    loop.perform { [self] in
      driver.disconnect()
      completion()
    }
  }

  private func connect(_ reply: Reply<Void>) {
    if let refusal = driver.refusal {
      reply.answer(.failure(ClientError(refusal)))
      return
    }
    if loop.isStopped {
      reply.answer(.failure(.loopStopped))
      return
    }
    // A connect during a pause before a retry takes the place of the one before.
    connecting?.answer(.failure(.disconnected))
    connecting = reply
    try? driver.connect()
  }

  private func cancelConnecting(_ reply: Reply<Void>) {
    guard connecting === reply else { return }
    connecting = nil
    driver.disconnect()
  }

  /// Runs a job with the driver on the loop, and waits until it has run.
  nonisolated(nonsending) func performed<Value: Sendable>(
    _ job: @escaping @Sendable (Driver) -> Value
  ) async -> Value {
    await withUnsafeContinuation { continuation in
      loop.perform { [self] in continuation.resume(returning: job(driver)) }
    }
  }

  /// Releases everything when nobody uses the client any more.
  func end(_ finish: @escaping @Sendable () -> Void) {
    loop.perform { [self] in
      driver.invalidate()
      forgetStop?()
      connecting?.answer(.failure(.terminated))
      connecting = nil
      states.finish()
      finish()
    }
  }
}

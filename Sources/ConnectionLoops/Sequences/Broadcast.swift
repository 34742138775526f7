import Publishers
import Synchronization

/// A client's output for several receivers. Each receives everything from its beginning on, and the
/// end when the client is terminated or released.
final class Broadcast<Value: Sendable>: Sendable {
  /// A receiver of values, of all that came at once. It is called on the client's loop.
  final class Receiver: Sendable {
    let receive: @Sendable ([Value]) -> Void
    let finish: @Sendable () -> Void

    init(receive: @escaping @Sendable ([Value]) -> Void, finish: @escaping @Sendable () -> Void) {
      self.receive = receive
      self.finish = finish
    }
  }

  private struct State {
    var receivers: [(number: Int, receiver: Receiver)] = []
    var lastNumber = 0
    var isFinished = false
  }

  private let state = Mutex(State())
  private let loop: (any ClientLoop)?

  /// Makes an output without receivers. With a loop, a reader that waits is woken after the work
  /// that the loop has now, so that it finds all of what came at once.
  init(on loop: (any ClientLoop)? = nil) { self.loop = loop }

  /// The number of receivers.
  var count: Int { state.withLock { $0.receivers.count } }

  func send(_ value: Value) { send([value]) }

  /// Passes on what came at once.
  func send(_ values: [Value]) {
    for (_, receiver) in state.withLock({ $0.receivers }) { receiver.receive(values) }
  }

  func finish() {
    let receivers = state.withLock { state in
      defer { state.receivers = [] }
      state.isFinished = true
      return state.receivers
    }
    for (_, receiver) in receivers { receiver.finish() }
  }

  /// Adds a receiver, and returns its number; nil if the output has ended.
  func add(_ receiver: Receiver) -> Int? {
    state.withLock { state in
      guard !state.isFinished else { return nil }
      state.lastNumber += 1
      state.receivers.append((state.lastNumber, receiver))
      return state.lastNumber
    }
  }

  func remove(_ number: Int) {
    // A receiver that is freed under the lock could free a sequence that removes itself.
    let removed = state.withLock { state -> Receiver? in
      guard let index = state.receivers.firstIndex(where: { $0.number == number }) else {
        return nil
      }
      return state.receivers.remove(at: index).receiver
    }
    withExtendedLifetime(removed) {}
  }

  /// Returns the values from now on, for one reader.
  func sequence(_ buffer: SequenceBuffer) -> ClientSequence<Value> {
    let values = WaitingValues<Value>(buffer, on: loop)
    let receiver = Receiver(receive: { values.put($0) }, finish: { values.finish() })
    guard let number = add(receiver) else {
      values.finish()
      return ClientSequence(SequenceSubscription(values) {})
    }
    // A weak reference would make each use of the output slower. No receiver leads back to its
    // sequence, so this is no cycle.
    return ClientSequence(SequenceSubscription(values) { [self] in remove(number) })
  }

  /// Returns a publisher of the values from the subscription on.
  func publisher() -> AnyPublisher<Value, Never> {
    BroadcastPublisher(broadcast: self).eraseToAnyPublisher()
  }
}

/// A publisher of a client's output. It delivers on the client's loop.
private struct BroadcastPublisher<Output: Sendable>: Publisher {
  typealias Failure = Never

  let broadcast: Broadcast<Output>

  func attach<Receiver: Subscriber>(_ subscriber: Receiver)
  where Receiver.Input == Output, Receiver.Failure == Never {
    let subscription = BroadcastSubscription(broadcast, subscriber)
    subscriber.receive(subscription: subscription)
    subscription.begin()
  }
}

/// A subscriber of a client's output. It may be cancelled on any thread.
private final class BroadcastSubscription<Value: Sendable>: Subscription, @unchecked Sendable {
  private struct State {
    var number: Int?
    var isOver = false
    var demand = Demand.none
  }

  private let broadcast: Broadcast<Value>
  private let receive: (Value) -> Demand
  private let finish: () -> Void
  private let state = Mutex(State())

  init<Receiver: Subscriber>(_ broadcast: Broadcast<Value>, _ subscriber: Receiver)
  where Receiver.Input == Value, Receiver.Failure == Never {
    self.broadcast = broadcast
    receive = { subscriber.receive($0) }
    finish = { subscriber.receive(completion: .finished) }
  }

  func begin() {
    let number = broadcast.add(
      Broadcast.Receiver(
        receive: { [self] in for value in $0 { deliver(value) } }, finish: { [self] in end() }))
    guard let number else { return end() }
    let isOver = state.withLock { state in
      state.number = number
      return state.isOver
    }
    if isOver { broadcast.remove(number) }
  }

  func request(_ demand: Demand) { state.withLock { $0.demand += demand } }

  func cancel() {
    let number = state.withLock { state in
      state.isOver = true
      return state.number
    }
    if let number { broadcast.remove(number) }
  }

  /// Passes a value on. One that nobody asked for is dropped, as subjects do.
  private func deliver(_ value: Value) {
    let isWanted = state.withLock { state in
      guard !state.isOver, state.demand > .none else { return false }
      state.demand -= .max(1)
      return true
    }
    guard isWanted else { return }
    let more = receive(value)
    if more > .none { request(more) }
  }

  private func end() {
    let wasOver = state.withLock { state in
      defer { state.isOver = true }
      return state.isOver
    }
    if !wasOver { finish() }
  }
}

import Publishers
import Synchronization

/// A publisher that does `async` work for each subscriber, and delivers on a scheduler. Cancelling
/// the subscription cancels the work.
package struct TaskPublisher<
  Output: Sendable, Scheduler: PublisherScheduler & Sendable
>: Publisher {
  package typealias Failure = ProviderError
  package typealias Work =
    @Sendable (_ emit: @escaping @Sendable (Output) -> Void) async throws -> Void

  private let scheduler: Scheduler
  private let work: Work

  package init(scheduler: Scheduler, work: @escaping Work) {
    self.scheduler = scheduler
    self.work = work
  }

  package func attach<Receiver: Subscriber>(_ subscriber: Receiver)
  where Receiver.Input == Output, Receiver.Failure == ProviderError {
    let subscription = TaskSubscription(subscriber)
    subscriber.receive(subscription: subscription)
    let scheduler = scheduler
    subscription.begin { [work] in
      let outcome: Completion<ProviderError>
      do {
        try await work { value in
          scheduler.deliver { subscription.receive(value) }
        }
        outcome = .finished
      } catch {
        outcome = .failure(ProviderError(error))
      }
      scheduler.deliver { subscription.receive(outcome) }
    }
  }
}

extension PublisherScheduler {
  /// Runs a job soon, also if nobody keeps its token.
  fileprivate func deliver(_ job: @escaping @Sendable () -> Void) {
    let place = TokenPlace()
    let token = schedule(after: 0) {
      job()
      place.end()
    }
    place.keep(token)
  }
}

/// The place of a waiting job's token. The job keeps it, and empties it when it has run.
private final class TokenPlace: Sendable {
  private struct State: @unchecked Sendable {
    var token: (any Cancellable)?
    var hasEnded = false
  }

  private let state = Mutex(State())

  func keep(_ token: any Cancellable) {
    let state = State(token: token)
    self.state.withLock { if !$0.hasEnded { $0 = state } }
  }

  func end() {
    let last = state.withLock { state in
      defer { state = State(token: nil, hasEnded: true) }
      return state
    }
    withExtendedLifetime(last) {}
  }
}

/// The subscription of one subscriber. Everything that it delivers comes on the scheduler.
private final class TaskSubscription<Value: Sendable>: Subscription, @unchecked Sendable {
  private struct State {
    var isOver = false
    var demand = Demand.none
    /// The values that wait for a demand.
    var waiting: [Value] = []
    var task: Task<Void, Never>?
  }

  private let receiveValue: (Value) -> Demand
  private let receiveEnd: (Completion<ProviderError>) -> Void
  private let state = Mutex(State())

  init<Receiver: Subscriber>(_ subscriber: Receiver)
  where Receiver.Input == Value, Receiver.Failure == ProviderError {
    receiveValue = { subscriber.receive($0) }
    receiveEnd = { subscriber.receive(completion: $0) }
  }

  func begin(_ work: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      if !state.isOver { state.task = Task { await work() } }
    }
  }

  func request(_ demand: Demand) {
    state.withLock { $0.demand += demand }
    deliver()
  }

  func cancel() {
    let task = state.withLock { state in
      defer { state = State(isOver: true) }
      return state.task
    }
    task?.cancel()
  }

  func receive(_ value: Value) {
    state.withLock { state in
      if !state.isOver { state.waiting.append(value) }
    }
    deliver()
  }

  func receive(_ completion: Completion<ProviderError>) {
    let wasOver = state.withLock { state in
      defer { state = State(isOver: true) }
      return state.isOver
    }
    if !wasOver { receiveEnd(completion) }
  }

  private func deliver() {
    while let value = next() {
      let more = receiveValue(value)
      if more > .none { state.withLock { $0.demand += more } }
    }
  }

  private func next() -> Value? {
    state.withLock { state in
      guard !state.isOver, state.demand > .none, !state.waiting.isEmpty else { return nil }
      state.demand -= .max(1)
      return state.waiting.removeFirst()
    }
  }
}

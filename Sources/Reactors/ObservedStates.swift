import Publishers

extension Reactor where Self: Observable, State: Sendable {
  /// The states for `for await`: the present one first, then the state at the end of each turn in
  /// which it changed. A slow reader gets the latest. It does not keep the reactor alive,
  /// and ends when that is released.
  public var states: AsyncStream<State> {
    AsyncStream(statePublisher, buffering: .bufferingNewest(1))
  }
}

extension Reactor where Self: Observable {
  /// The values of one member of the state, as `states`. It also follows a member of a state that
  /// is an `@Observable` class.
  public func values<Value: Sendable>(
    of member: KeyPath<State, Value> & Sendable
  ) -> AsyncStream<Value> {
    AsyncStream(publisher { $0.state[keyPath: member] }, buffering: .bufferingNewest(1))
  }

  /// The values of one member of the state, each once: changes of other members are no values.
  public func values<Value: Sendable & Equatable>(
    of member: KeyPath<State, Value> & Sendable
  ) -> AsyncStream<Value> {
    AsyncStream(
      publisher { $0.state[keyPath: member] }.removeDuplicates(), buffering: .bufferingNewest(1))
  }

  /// The publisher of the states: the present one first, then the state at the end of each turn
  /// in which it changed. It does not keep the reactor alive, and finishes when that is
  /// released.
  public var statePublisher: AnyPublisher<State, Never> {
    publisher { $0.state }.eraseToAnyPublisher()
  }

  private func publisher<Value>(
    of value: @escaping @MainActor (Self) -> Value
  ) -> some Publisher<Value, Never> {
    let follower = StateFollower(self, value)
    return follower.subject.map { value in withExtendedLifetime(follower) { value } }
  }
}

/// Reads a value of a reactor again in the turn after a change, for as long as a subscriber or the
/// publisher keeps it.
@MainActor
private final class StateFollower<R: Reactor & Observable, Value>: Sendable {
  let subject: CurrentValueSubject<Value, Never>
  private weak let reactor: R?
  private let value: @MainActor (R) -> Value

  init(_ reactor: R, _ value: @escaping @MainActor (R) -> Value) {
    self.reactor = reactor
    self.value = value
    subject = CurrentValueSubject(value(reactor))
    follow(reactor)
  }

  /// Follows the reactor. The observer is dropped after the next change, or together with the
  /// reactor.
  private func follow(_ reactor: R) {
    let observed = EndNotice { [weak self] in Task { @MainActor in self?.changed() } }
    withObservationTracking {
      _ = value(reactor)
    } onChange: {
      withExtendedLifetime(observed) {}
    }
  }

  private func changed() {
    guard let reactor else { return subject.send(completion: .finished) }
    follow(reactor)
    subject.send(value(reactor))
  }
}

/// Calls a function at its end.
private final class EndNotice: Sendable {
  private let notify: @Sendable () -> Void

  init(_ notify: @escaping @Sendable () -> Void) { self.notify = notify }

  deinit { notify() }
}

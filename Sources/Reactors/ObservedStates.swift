import Publishers

extension Reactor where Self: Observable, State: Sendable {
  /// The states for `for await`: the present one first, then the one that stands at the end of each
  /// turn in which it changed.
  public var states: Observations<State, Never> {
    Observations { self.state }
  }
}

extension Reactor where Self: Observable {
  /// The values of one member of the state, as `states`. It also follows a member of a state that
  /// is an `@Observable` class.
  public func values<Value: Sendable>(
    of member: KeyPath<State, Value> & Sendable
  ) -> Observations<Value, Never> {
    Observations { self.state[keyPath: member] }
  }

  /// The publisher of the states: the present one first, then the one that stands at the end of
  /// each turn in which it changed.
  public var statePublisher: AnyPublisher<State, Never> {
    let follower = StateFollower(self)
    return follower.subject.map { state in withExtendedLifetime(follower) { state } }
      .eraseToAnyPublisher()
  }
}

/// Reads the state again in the turn after a change, for as long as a subscriber or the publisher
/// keeps it.
@MainActor
private final class StateFollower<R: Reactor & Observable>: Sendable {
  let subject: CurrentValueSubject<R.State, Never>
  private let reactor: R

  init(_ reactor: R) {
    self.reactor = reactor
    subject = CurrentValueSubject(reactor.state)
    follow()
  }

  private func follow() {
    withObservationTracking {
      _ = reactor.state
    } onChange: { [weak self] in
      Task { @MainActor in self?.changed() }
    }
  }

  private func changed() {
    follow()
    subject.send(reactor.state)
  }
}

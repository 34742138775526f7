/// The upstream of an operator: no subscription yet, one, or none any more.
///
/// Operators keep it, like all their state, in a final class and touch it only in accesses that end
/// before anything else is called. That is why these accesses need no check while running.
@frozen
@usableFromInline struct Link {
  @frozen
  @usableFromInline enum State { case waiting, live, closing, over }

  @usableFromInline var state = State.waiting
  @usableFromInline var subscription: (any Subscription)?

  @inlinable init() {}

  @inlinable var isLive: Bool { if case .live = state { true } else { false } }
  @inlinable var isOver: Bool { if case .over = state { true } else { false } }

  /// Takes the first subscription; false for any other, which has to be cancelled.
  @inlinable mutating func accept(_ subscription: any Subscription) -> Bool {
    guard case .waiting = state else { return false }
    state = .live
    self.subscription = subscription
    return true
  }

  /// Notes that upstream has completed; false if all was over before.
  @inlinable mutating func close() -> Bool {
    if isOver { return false }
    state = .over
    subscription = nil
    return true
  }

  /// Ends it from this side, but with something left to be delivered: `close` follows.
  @inlinable mutating func beginClosing() -> (any Subscription)? {
    let taken = take()
    state = .closing
    return taken
  }

  /// Ends it from this side: what is returned has to be cancelled.
  @inlinable mutating func take() -> (any Subscription)? {
    state = .over
    let taken = subscription
    subscription = nil
    return taken
  }
}

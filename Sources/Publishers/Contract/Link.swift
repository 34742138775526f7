/// What an operator has upstream: no subscription yet, one, or none any more.
@frozen
@usableFromInline struct Link {
  @frozen
  @usableFromInline enum State { case waiting, live, closing, over }

  @usableFromInline var state = State.waiting
  @usableFromInline var subscription: (any Subscription)?

  @inlinable
  init() {}

  @inlinable
  var isLive: Bool { state == .live }
  @inlinable
  var isOver: Bool { state == .over }

  /// Takes the first subscription; false for any other, which has to be cancelled.
  @inlinable
  mutating func accept(_ subscription: any Subscription) -> Bool {
    guard state == .waiting else { return false }
    state = .live
    self.subscription = subscription
    return true
  }

  /// Notes that upstream has completed; false if all was over before.
  @inlinable
  mutating func close() -> Bool {
    guard state != .over else { return false }
    state = .over
    subscription = nil
    return true
  }

  /// Ends it from this side, but with something left to be delivered: `close` follows.
  @inlinable
  mutating func beginClosing() -> (any Subscription)? {
    let taken = take()
    state = .closing
    return taken
  }

  /// Ends it from this side: what is returned has to be cancelled.
  @inlinable
  mutating func take() -> (any Subscription)? {
    state = .over
    let taken = subscription
    subscription = nil
    return taken
  }
}

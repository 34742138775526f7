/// Passes values until another publisher yields something, or only from then on.
@frozen
public struct UntilOutput<Upstream: Publisher, Other: Publisher>: PassingOperator {
  /// The side of the other publisher's first value that passes, and the meaning of the other's end.
  @frozen
  @usableFromInline enum Part {
    /// Values before it pass. The end of the other publisher does not matter.
    case before
    /// Values after it pass. If the other publisher fails, this one fails; if it has no value,
    /// this one completes.
    case after((Other.Failure) -> Failure)
  }

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The publisher whose first value matters.
  public let other: Other
  @usableFromInline let part: Part

  @inlinable init(upstream: Upstream, other: Other, part: Part) {
    self.upstream = upstream
    self.other = other
    self.part = part
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    let inner = Inner(subscriber, part)
    subscriber.receive(subscription: inner)
    if !inner.isOver {
      inner.steer(by: other, demand: .max(1), onEnd: inner.otherDidEnd) { _ in inner.otherDidYield()
      }
    }
    if !inner.isOver { upstream.attach(inner) }
  }

  @usableFromInline final class Inner<S: Subscriber<Output, Failure>>: Steered<S>, Subscriber {
    @usableFromInline let part: Part
    @usableFromInline var isOpen: Bool

    @inlinable init(_ downstream: S, _ part: Part) {
      self.part = part
      if case .before = part { isOpen = true } else { isOpen = false }
      super.init(downstream)
    }

    @inlinable func receive(_ input: Output) -> Demand {
      guard link.isLive else { return .none }
      return isOpen ? downstream.receive(input) : .max(1)
    }

    @inlinable func otherDidYield() {
      stopSteering()
      switch part {
      case .before: end(.finished)
      case .after: isOpen = true
      }
    }

    @inlinable func otherDidEnd(_ completion: Completion<Other.Failure>) {
      switch (part, completion) {
      case (.before, _): break
      case (.after, .finished): end(.finished)
      case (.after(let convert), .failure(let error)): end(.failure(convert(error)))
      }
    }

    @inlinable override func request(_ demand: Demand) {
      if demand > .none { super.request(demand) }
    }

    // Upstream is cancelled before the publisher that bounds it.
    @inlinable override func cancel() {
      isOver = true
      link.take()?.cancel()
      super.cancel()
    }
  }
}

extension Publisher {
  /// Finishes when another publisher yields something. If that one ends without a value, or fails,
  /// this makes no difference. Its first value is its last: the subscription to it is cancelled.
  @inlinable
  public func prefix<P: Publisher>(untilOutputFrom publisher: P) -> UntilOutput<Self, P> {
    UntilOutput(upstream: self, other: publisher, part: .before)
  }

  /// Drops everything until another publisher yields something. If that one ends without a value,
  /// this publisher completes; if it fails first, this one fails. For each value that is dropped,
  /// one more is asked for.
  @inlinable public func drop<P: Publisher>(untilOutputFrom publisher: P) -> UntilOutput<Self, P>
  where P.Failure == Failure {
    UntilOutput(upstream: self, other: publisher, part: .after { $0 })
  }
}

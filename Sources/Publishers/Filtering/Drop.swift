/// Drops the first values: a number of them, or as long as they satisfy a condition.
@frozen
public struct Drop<Upstream: Publisher>: PassingOperator {
  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The number of values that are dropped.
  public let count: Int
  /// Values are dropped as long as it is true; nil if they are counted.
  public let predicate: ((Output) -> Bool)?

  /// Creates the publisher that `dropFirst(_:)` and `drop(while:)` return.
  @inlinable public init(upstream: Upstream, count: Int, predicate: ((Output) -> Bool)?) {
    self.upstream = upstream
    self.count = count
    self.predicate = predicate
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    upstream.attach(Inner(subscriber, count, predicate))
  }

  @usableFromInline final class Inner<Downstream: Subscriber<Output, Failure>>: Forwarding {
    @usableFromInline let downstream: Downstream
    @usableFromInline let predicate: ((Output) -> Bool)?
    @usableFromInline let count: Int
    @usableFromInline var remaining: Int
    @usableFromInline var isOpen: Bool

    @inlinable init(_ downstream: Downstream, _ count: Int, _ predicate: ((Output) -> Bool)?) {
      self.downstream = downstream
      self.predicate = predicate
      self.count = count
      remaining = count
      isOpen = count <= 0 && predicate == nil
    }

    @inlinable func receive(subscription: any Subscription) {
      downstream.receive(subscription: subscription)
      // Those that are dropped come on top of what is asked for, and before it.
      if count > 0, predicate == nil { subscription.request(.max(count)) }
    }

    @inlinable func receive(_ input: Output) -> Demand {
      if isOpen || opens(input) { return downstream.receive(input) }
      return predicate == nil ? .none : .max(1)
    }

    @inlinable func opens(_ input: Output) -> Bool {
      if let predicate {
        isOpen = !predicate(input) || isOpen
        return isOpen
      }
      remaining -= 1
      isOpen = remaining == 0
      return false
    }
  }
}

extension Publisher {
  /// Drops the first values and emits all others. The end and failures pass. The values that are
  /// dropped are asked for at once, whether or not a subscriber asks for others.
  @inlinable public func dropFirst(_ count: Int = 1) -> Drop<Self> {
    Drop(upstream: self, count: count, predicate: nil)
  }

  /// Drops values until one does not satisfy the condition; that one passes, and all after it.
  @inlinable public func drop(while predicate: @escaping (Output) -> Bool) -> Drop<Self> {
    Drop(upstream: self, count: 0, predicate: predicate)
  }
}

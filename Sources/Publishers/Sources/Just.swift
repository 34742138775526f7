/// Emits one value, and finishes.
@frozen
public struct Just<Output>: Publisher {
  /// It cannot fail.
  public typealias Failure = Never

  /// The value.
  public let output: Output

  /// Creates a publisher of one value.
  @inlinable
  public init(_ output: Output) { self.output = output }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Never {
    subscriber.receive(subscription: Inner(subscriber, output))
  }

  @usableFromInline final class Inner<Downstream: Subscriber>: SourceSubscription
  where Downstream.Input == Output, Downstream.Failure == Never {
    @usableFromInline let downstream: Downstream
    @usableFromInline let output: Output

    @inlinable
    init(_ downstream: Downstream, _ output: Output) {
      self.downstream = downstream
      self.output = output
      super.init { unsafeDowncast($0, to: Inner<Downstream>.self).yield() }
    }

    @inlinable
    func yield() {
      _ = downstream.receive(output)
      if isOver { return }
      isOver = true
      downstream.receive(completion: .finished)
    }
  }
}

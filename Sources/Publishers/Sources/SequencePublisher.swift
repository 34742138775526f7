/// Emits the elements of a sequence, as many as are asked for, and finishes with the last.
///
/// If the sequence is a collection, operators that need no other publisher compute their result at
/// once, as in Combine. Other sequences may have no end, so their elements are taken one by one.
@frozen
public struct SequencePublisher<Elements: Sequence, Failure: Error>: Publisher {
  /// The elements.
  public typealias Output = Elements.Element

  /// The sequence that is iterated for each subscriber.
  public let sequence: Elements

  /// Creates a publisher of the elements of a sequence.
  @inlinable public init(sequence: Elements) { self.sequence = sequence }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    var iterator = sequence.makeIterator()
    guard let first = iterator.next() else {
      subscriber.receive(subscription: EmptySubscription.shared)
      return subscriber.receive(completion: .finished)
    }
    subscriber.receive(subscription: Inner(subscriber, first, iterator))
  }

  @usableFromInline final class Inner<Downstream: Subscriber>: SourceSubscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    /// The element that comes next; it is known beforehand, so that the last one finishes.
    @usableFromInline var next: Output?
    @usableFromInline var iterator: Elements.Iterator

    @inlinable init(_ downstream: Downstream, _ next: Output, _ iterator: Elements.Iterator) {
      self.downstream = downstream
      self.next = next
      self.iterator = iterator
      super.init { unsafeDowncast($0, to: Inner<Downstream>.self).yield() }
    }

    @inlinable func yield() {
      var iterator = self.iterator
      var current = next
      while demand > .none, !isOver, let value = current {
        demand -= 1
        current = iterator.next()
        let more = downstream.receive(value)
        if more > .none { demand += more }
      }
      self.iterator = iterator
      next = current
      if current == nil, !isOver {
        isOver = true
        downstream.receive(completion: .finished)
      }
    }
  }
}

extension SequencePublisher: Equatable where Elements: Equatable {}
extension SequencePublisher: Sendable where Elements: Sendable {}

extension Sequence {
  /// A publisher of the elements.
  @inlinable
  public var publisher: SequencePublisher<Self, Never> { SequencePublisher(sequence: self) }
}

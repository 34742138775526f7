/// One element of a collection, as the publisher of an optional.
extension SequencePublisher where Elements: Collection, Failure == Never {
  /// Emits the first element.
  @inlinable
  public func first() -> Optional<Output>.Publisher { Optional<Output>.Publisher(sequence.first) }

  /// Emits the first element that satisfies a condition.
  @inlinable public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    .init(sequence.first(where: predicate))
  }

  /// Emits the least element; of equal ones the first.
  @inlinable public func min(
    by areInIncreasingOrder: (Output, Output) -> Bool
  ) -> Optional<Output>.Publisher { .init(sequence.min(by: areInIncreasingOrder)) }

  /// Emits the greatest element; of equal ones the first.
  @inlinable public func max(
    by areInIncreasingOrder: (Output, Output) -> Bool
  ) -> Optional<Output>.Publisher { .init(sequence.max(by: areInIncreasingOrder)) }

  /// Emits the least element; of equal ones the first.
  @inlinable public func min() -> Optional<Output>.Publisher where Output: Comparable { min(by: <) }

  /// Emits the greatest element; of equal ones the first.
  @inlinable public func max() -> Optional<Output>.Publisher where Output: Comparable { max(by: <) }
}

extension SequencePublisher where Elements: BidirectionalCollection, Failure == Never {
  /// Emits the last element.
  @inlinable
  public func last() -> Optional<Output>.Publisher { Optional<Output>.Publisher(sequence.last) }

  /// Emits the last element that satisfies a condition.
  @inlinable public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    .init(sequence.last(where: predicate))
  }
}

extension SequencePublisher where Elements: RandomAccessCollection, Failure == Never {
  /// Emits the number of elements.
  @inlinable public func count() -> Just<Int> { Just<Int>(sequence.count) }
}

/// More elements in the same collection.
extension SequencePublisher where Elements: RangeReplaceableCollection {
  /// Emits some more values after the elements.
  @inlinable public func append(_ values: Output...) -> SequencePublisher { append(values) }

  /// Emits the elements of a sequence after the elements of this one.
  @inlinable public func append<Values: Sequence>(_ values: Values) -> SequencePublisher
  where Values.Element == Output { SequencePublisher(sequence: sequence + values) }

  /// Emits the elements of another collection after the elements of this one.
  @inlinable public func append(_ publisher: SequencePublisher) -> SequencePublisher {
    append(publisher.sequence)
  }

  /// Emits some values before the elements.
  @inlinable public func prepend(_ values: Output...) -> SequencePublisher { prepend(values) }

  /// Emits the elements of a sequence before the elements of this one.
  @inlinable public func prepend<Values: Sequence>(_ values: Values) -> SequencePublisher
  where Values.Element == Output { SequencePublisher(sequence: values + sequence) }

  /// Emits the elements of another collection before the elements of this one.
  @inlinable public func prepend(_ publisher: SequencePublisher) -> SequencePublisher {
    prepend(publisher.sequence)
  }
}

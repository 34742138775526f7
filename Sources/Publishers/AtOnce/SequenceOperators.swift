/// Operators of any sequence, also of one without an end.
extension SequencePublisher {
  /// Emits the first elements, at most `maxLength`.
  @inlinable
  public func prefix(_ maxLength: Int) -> SequencePublisher<PrefixSequence<Elements>, Failure> {
    .init(sequence: sequence.prefix(maxLength))
  }

  /// Emits the elements after the first ones.
  @inlinable public func dropFirst(
    _ count: Int = 1
  ) -> SequencePublisher<DropFirstSequence<Elements>, Failure> {
    .init(sequence: sequence.dropFirst(count))
  }

  /// Emits the same elements, as a publisher of another failure.
  @inlinable public func setFailureType<Problem: Error>(
    to failureType: Problem.Type
  ) -> SequencePublisher<Elements, Problem> { .init(sequence: sequence) }

  /// Completes without the elements.
  @inlinable public func ignoreOutput() -> Empty<Output, Failure> { Empty() }
}

/// Operators whose result is known at once. They run their closures once, not for each subscriber.
extension SequencePublisher where Elements: Collection {
  /// Emits what the closure makes of each element.
  @inlinable public func map<Value>(
    _ transform: (Output) -> Value
  ) -> SequencePublisher<[Value], Failure> { .init(sequence: sequence.map(transform)) }

  /// Emits what the closure makes of each element, unless that is nil.
  @inlinable public func compactMap<Value>(
    _ transform: (Output) -> Value?
  ) -> SequencePublisher<[Value], Failure> { .init(sequence: sequence.compactMap(transform)) }

  /// Replaces each element that is nil.
  @inlinable public func replaceNil<Value>(
    with value: Value
  ) -> SequencePublisher<[Value], Failure> where Output == Value? { map { $0 ?? value } }

  /// Emits the elements that satisfy a condition.
  @inlinable public func filter(
    _ isIncluded: (Output) -> Bool
  ) -> SequencePublisher<[Output], Failure> { .init(sequence: sequence.filter(isIncluded)) }

  /// Emits the elements from the first one on that does not satisfy a condition.
  @inlinable public func drop(
    while predicate: (Output) -> Bool
  ) -> SequencePublisher<DropWhileSequence<Elements>, Failure> {
    SequencePublisher<DropWhileSequence<Elements>, Failure>(
      sequence: sequence.drop(while: predicate))
  }

  /// Emits the elements before the first one that does not satisfy a condition.
  @inlinable public func prefix(
    while predicate: (Output) -> Bool
  ) -> SequencePublisher<[Output], Failure> {
    .init(sequence: Array(sequence.prefix(while: predicate)))
  }

  /// Emits each result of the closure, which takes the result before it and an element.
  @inlinable public func scan<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Output) -> Value
  ) -> SequencePublisher<[Value], Failure> {
    var result = initialResult
    return map {
      result = nextPartialResult(result, $0)
      return result
    }
  }

  /// Emits the elements that differ from the one before them, by a condition.
  @inlinable public func removeDuplicates(
    by predicate: (Output, Output) -> Bool
  ) -> SequencePublisher<[Output], Failure> {
    var last: Output?
    return filter { element in
      if let last, predicate(last, element) { return false }
      last = element
      return true
    }
  }

  /// Emits the elements that differ from the one before them.
  @inlinable public func removeDuplicates() -> SequencePublisher<[Output], Failure>
  where Output: Equatable { removeDuplicates(by: ==) }

  /// Emits what the closure makes of all elements one after the other.
  @inlinable public func reduce<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Output) -> Value
  ) -> Result<Value, Failure>.Publisher {
    .init(sequence.reduce(initialResult, nextPartialResult))
  }

  /// Emits a list of the elements.
  @inlinable public func collect() -> Result<[Output], Failure>.Publisher {
    .init(Array(sequence))
  }

  /// Emits the number of elements.
  @inlinable public func count() -> Result<Int, Failure>.Publisher {
    .init(sequence.count)
  }

  /// Emits whether an element satisfies a condition.
  @inlinable public func contains(
    where predicate: (Output) -> Bool
  ) -> Result<Bool, Failure>.Publisher { .init(sequence.contains(where: predicate)) }

  /// Emits whether an element equals the given one.
  @inlinable public func contains(_ output: Output) -> Result<Bool, Failure>.Publisher
  where Output: Equatable { contains { $0 == output } }

  /// Emits whether all elements satisfy a condition.
  @inlinable public func allSatisfy(
    _ predicate: (Output) -> Bool
  ) -> Result<Bool, Failure>.Publisher { .init(sequence.allSatisfy(predicate)) }
}

/// The same with closures that may throw.
extension SequencePublisher where Elements: Collection {
  /// Emits what the closure makes of all elements; what it throws is the failure.
  @inlinable public func tryReduce<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Output) throws -> Value
  ) -> Result<Value, any Error>.Publisher {
    Result<Value, any Error>.Publisher(
      Result<Value, any Error> { try sequence.reduce(initialResult, nextPartialResult) })
  }

  /// Emits whether an element satisfies a condition; what the closure throws is the failure.
  @inlinable public func tryContains(
    where predicate: (Output) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error>.Publisher(
      Result<Bool, any Error> { try sequence.contains(where: predicate) })
  }

  /// Emits whether all elements satisfy a condition; what the closure throws is the failure.
  @inlinable public func tryAllSatisfy(
    _ predicate: (Output) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error>.Publisher(
      Result<Bool, any Error> { try sequence.allSatisfy(predicate) })
  }
}

extension Just {
  @inlinable var optional: Optional<Output>.Publisher { .init(output) }
  @inlinable var result: Result<Output, Never>.Publisher { .init(output) }

  /// Emits what the closure makes of the value.
  @inlinable public func map<Value>(_ transform: (Output) -> Value) -> Just<Value> {
    .init(transform(output))
  }

  /// Emits what the closure makes of the value, unless that is nil.
  @inlinable
  public func compactMap<Value>(_ transform: (Output) -> Value?) -> Optional<Value>.Publisher {
    .init(transform(output))
  }

  /// Emits the value if it satisfies a condition.
  @inlinable public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
    optional.filter(isIncluded)
  }

  /// Completes without the value.
  @inlinable public func ignoreOutput() -> Empty<Output, Never> { Empty() }

  /// Emits what the closure makes of the initial result and the value.
  @inlinable public func reduce<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Output) -> Value
  ) -> Result<Value, Never>.Publisher { result.reduce(initialResult, nextPartialResult) }

  /// Emits what the closure makes of the initial result and the value.
  @inlinable public func scan<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Output) -> Value
  ) -> Result<Value, Never>.Publisher { result.scan(initialResult, nextPartialResult) }

  /// Emits 1, the number of values.
  @inlinable public func count() -> Just<Int> { .init(1) }

  /// Emits a list of the value.
  @inlinable public func collect() -> Just<[Output]> { .init([output]) }

  /// Emits the value if it satisfies a condition.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter(predicate)
  }

  /// Emits the value if it satisfies a condition.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter(predicate)
  }

  /// Emits whether the value satisfies a condition.
  @inlinable public func contains(where predicate: (Output) -> Bool) -> Just<Bool> {
    map(predicate)
  }

  /// Emits whether the value equals the given one.
  @inlinable public func contains(_ output: Output) -> Just<Bool> where Output: Equatable {
    map { $0 == output }
  }

  /// Emits whether the value satisfies a condition.
  @inlinable public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> { map(predicate) }

  /// Emits the value if none has to be dropped.
  @inlinable public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
    optional.dropFirst(count)
  }

  /// Emits the value unless it satisfies a condition.
  @inlinable public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    optional.drop(while: predicate)
  }

  /// Emits the value if at least one may pass.
  @inlinable public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
    optional.prefix(maxLength)
  }

  /// Emits the value if it satisfies a condition.
  @inlinable public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter(predicate)
  }

  /// Emits the value if its number, which is 0, is the given one.
  @inlinable public func output(at index: Int) -> Optional<Output>.Publisher {
    optional.output(at: index)
  }

  /// Emits the value if its number, which is 0, is in a range.
  @inlinable
  public func output<Range: RangeExpression<Int>>(in range: Range) -> Optional<Output>.Publisher {
    optional.output(in: range)
  }

  /// Emits the value, since there is one.
  @inlinable public func replaceEmpty(with output: Output) -> Just<Output> { self }

  /// Emits the value, as a publisher that might fail.
  @inlinable public func setFailureType<Failure: Error>(
    to failureType: Failure.Type
  ) -> Result<Output, Failure>.Publisher { .init(output) }

  /// Emits the value, since there is no failure to change.
  @inlinable public func mapError<Failure: Error>(
    _ transform: (Never) -> Failure
  ) -> Result<Output, Failure>.Publisher { .init(output) }

  /// Emits some more values after this one.
  @inlinable public func append(_ values: Output...) -> SequencePublisher<[Output], Never> {
    append(values)
  }

  /// Emits the elements of a sequence after the value.
  @inlinable public func append<Values: Sequence<Output>>(
    _ values: Values
  ) -> SequencePublisher<[Output], Never> { .init(sequence: [output] + values) }

  /// Emits some values before this one.
  @inlinable public func prepend(_ values: Output...) -> SequencePublisher<[Output], Never> {
    prepend(values)
  }

  /// Emits the elements of a sequence before the value.
  @inlinable public func prepend<Values: Sequence<Output>>(
    _ values: Values
  ) -> SequencePublisher<[Output], Never> { .init(sequence: values + [output]) }
}

/// The same with closures that may throw; what they throw is the failure.
extension Just {
  /// Emits what the closure makes of the value.
  @inlinable public func tryMap<Value>(
    _ transform: (Output) throws -> Value
  ) -> Result<Value, any Error>.Publisher { result.tryMap(transform) }

  /// Emits whether the value satisfies a condition.
  @inlinable public func tryAllSatisfy(
    _ predicate: (Output) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher { tryMap(predicate) }

  /// Emits whether the value satisfies a condition.
  @inlinable public func tryContains(
    where predicate: (Output) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher { tryMap(predicate) }

  /// Emits what the closure makes of the initial result and the value.
  @inlinable public func tryReduce<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Output) throws -> Value
  ) -> Result<Value, any Error>.Publisher { result.tryReduce(initialResult, nextPartialResult) }

  /// Emits what the closure makes of the initial result and the value.
  @inlinable public func tryScan<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Output) throws -> Value
  ) -> Result<Value, any Error>.Publisher { result.tryScan(initialResult, nextPartialResult) }
}

/// Operators whose result is known at once. They run their closures once, not for each subscriber.
extension Just {
  /// Emits what the closure makes of the value.
  @inlinable
  public func map<Value>(_ transform: (Output) -> Value) -> Just<Value> {
    Just<Value>(transform(output))
  }

  /// Emits what the closure makes of the value, unless that is nil.
  @inlinable
  public func compactMap<Value>(_ transform: (Output) -> Value?) -> Optional<Value>.Publisher {
    Optional<Value>.Publisher(transform(output))
  }

  /// Emits the value if it satisfies a condition.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
    Optional<Output>.Publisher(isIncluded(output) ? output : nil)
  }

  /// Completes without the value.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Never> { Empty() }

  /// Emits what the closure makes of the initial result and the value.
  @inlinable
  public func reduce<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Output) -> Value
  ) -> Result<Value, Never>.Publisher {
    Result<Value, Never>.Publisher(nextPartialResult(initialResult, output))
  }

  /// Emits what the closure makes of the initial result and the value.
  @inlinable
  public func scan<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Output) -> Value
  ) -> Result<Value, Never>.Publisher {
    Result<Value, Never>.Publisher(nextPartialResult(initialResult, output))
  }

  /// Emits 1, the number of values.
  @inlinable
  public func count() -> Just<Int> { Just<Int>(1) }

  /// Emits a list of the value.
  @inlinable
  public func collect() -> Just<[Output]> { Just<[Output]>([output]) }

  /// Emits the value, which is the first one.
  @inlinable
  public func first() -> Just<Output> { self }

  /// Emits the value if it satisfies a condition.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter(predicate)
  }

  /// Emits the value, which is the last one.
  @inlinable
  public func last() -> Just<Output> { self }

  /// Emits the value if it satisfies a condition.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter(predicate)
  }

  /// Emits the value, which is the least one.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> { self }

  /// Emits the value, which is the greatest one.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> { self }

  /// Emits whether the value satisfies a condition.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Just<Bool> { map(predicate) }

  /// Emits whether the value satisfies a condition.
  @inlinable
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> { map(predicate) }

  /// Emits the value if none has to be dropped.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
    Optional<Output>.Publisher(output).dropFirst(count)
  }

  /// Emits the value unless it satisfies a condition.
  @inlinable
  public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter { !predicate($0) }
  }

  /// Emits the value if at least one may pass.
  @inlinable
  public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
    Optional<Output>.Publisher(output).prefix(maxLength)
  }

  /// Emits the value if it satisfies a condition.
  @inlinable
  public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter(predicate)
  }

  /// Emits the value if its number, which is 0, is the given one.
  @inlinable
  public func output(at index: Int) -> Optional<Output>.Publisher {
    Optional<Output>.Publisher(output).output(at: index)
  }

  /// Emits the value if its number, which is 0, is in a range.
  @inlinable
  public func output<Range: RangeExpression>(
    in range: Range
  ) -> Optional<Output>.Publisher where Range.Bound == Int {
    Optional<Output>.Publisher(output).output(in: range)
  }

  /// Emits the value, which has none before it.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Just<Output> { self }

  /// Emits the value, since there is no failure to replace.
  @inlinable
  public func replaceError(with output: Output) -> Just<Output> { self }

  /// Emits the value, since there is one.
  @inlinable
  public func replaceEmpty(with output: Output) -> Just<Output> { self }

  /// Emits the value, since there is no failure.
  @inlinable
  public func retry(_ times: Int) -> Just<Output> { self }

  /// Emits the value, as a publisher that might fail.
  @inlinable
  public func setFailureType<Failure: Error>(
    to failureType: Failure.Type
  ) -> Result<Output, Failure>.Publisher {
    Result<Output, Failure>.Publisher(output)
  }

  /// Emits the value, since there is no failure to change.
  @inlinable
  public func mapError<Failure: Error>(
    _ transform: (Never) -> Failure
  ) -> Result<Output, Failure>.Publisher {
    Result<Output, Failure>.Publisher(output)
  }

  /// Emits some more values after this one.
  @inlinable
  public func append(_ values: Output...) -> SequencePublisher<[Output], Never> { append(values) }

  /// Emits the elements of a sequence after the value.
  @inlinable
  public func append<Values: Sequence>(
    _ values: Values
  ) -> SequencePublisher<[Output], Never> where Values.Element == Output {
    SequencePublisher(sequence: [output] + values)
  }

  /// Emits some values before this one.
  @inlinable
  public func prepend(_ values: Output...) -> SequencePublisher<[Output], Never> { prepend(values) }

  /// Emits the elements of a sequence before the value.
  @inlinable
  public func prepend<Values: Sequence>(
    _ values: Values
  ) -> SequencePublisher<[Output], Never> where Values.Element == Output {
    SequencePublisher(sequence: values + [output])
  }
}

/// The same with closures that may throw.
extension Just {
  /// Emits what the closure makes of the value; what it throws is the failure.
  @inlinable
  public func tryMap<Value>(
    _ transform: (Output) throws -> Value
  ) -> Result<Value, any Error>.Publisher {
    Result<Value, any Error>.Publisher(Result<Output, any Error>.success(output).tryMap(transform))
  }

  /// Emits whether the value satisfies a condition; what the closure throws is the failure.
  @inlinable
  public func tryAllSatisfy(
    _ predicate: (Output) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error>.Publisher(Result<Output, any Error>.success(output).tryMap(predicate))
  }

  /// Emits whether the value satisfies a condition; what the closure throws is the failure.
  @inlinable
  public func tryContains(
    where predicate: (Output) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error>.Publisher(Result<Output, any Error>.success(output).tryMap(predicate))
  }

  /// Emits what the closure makes of the initial result and the value; what it throws is the
  /// failure.
  @inlinable
  public func tryReduce<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Output) throws -> Value
  ) -> Result<Value, any Error>.Publisher {
    Result<Value, any Error>.Publisher(
      Result<Output, any Error>.success(output).tryMap { try nextPartialResult(initialResult, $0) })
  }

  /// Emits what the closure makes of the initial result and the value; what it throws is the
  /// failure.
  @inlinable
  public func tryScan<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Output) throws -> Value
  ) -> Result<Value, any Error>.Publisher {
    Result<Value, any Error>.Publisher(
      Result<Output, any Error>.success(output).tryMap { try nextPartialResult(initialResult, $0) })
  }
}

extension Just where Output: Equatable {
  /// Emits whether the value equals the given one.
  @inlinable
  public func contains(_ output: Output) -> Just<Bool> { Just<Bool>(self.output == output) }

  /// Emits the value, which has none before it.
  @inlinable
  public func removeDuplicates() -> Just<Output> { self }
}

extension Just where Output: Comparable {
  /// Emits the value, which is the least one.
  @inlinable
  public func min() -> Just<Output> { self }

  /// Emits the value, which is the greatest one.
  @inlinable
  public func max() -> Just<Output> { self }
}

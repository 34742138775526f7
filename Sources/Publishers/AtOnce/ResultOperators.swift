/// Operators whose result is known at once. They run their closures once, not for each subscriber.
extension Result.Publisher {
  /// Emits what the closure makes of the value.
  @inlinable
  public func map<Value>(_ transform: (Success) -> Value) -> Result<Value, Failure>.Publisher {
    Result<Value, Failure>.Publisher(result.map(transform))
  }

  /// Fails with what the closure makes of the failure.
  @inlinable
  public func mapError<Problem: Error>(
    _ transform: (Failure) -> Problem
  ) -> Result<Success, Problem>.Publisher {
    Result<Success, Problem>.Publisher(result.mapError(transform))
  }

  /// Emits what the closure makes of the initial result and the value.
  @inlinable
  public func reduce<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Success) -> Value
  ) -> Result<Value, Failure>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  /// Emits what the closure makes of the initial result and the value.
  @inlinable
  public func scan<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Success) -> Value
  ) -> Result<Value, Failure>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  /// Emits 1, the number of values.
  @inlinable
  public func count() -> Result<Int, Failure>.Publisher { map { _ in 1 } }

  /// Emits a list of the value.
  @inlinable
  public func collect() -> Result<[Success], Failure>.Publisher { map { [$0] } }

  /// Emits the value, which is the first one.
  @inlinable
  public func first() -> Result<Success, Failure>.Publisher { self }

  /// Emits the value, which is the last one.
  @inlinable
  public func last() -> Result<Success, Failure>.Publisher { self }

  /// Emits the value, which is the least one.
  @inlinable
  public func min(
    by areInIncreasingOrder: (Success, Success) -> Bool
  ) -> Result<Success, Failure>.Publisher {
    self
  }

  /// Emits the value, which is the greatest one.
  @inlinable
  public func max(
    by areInIncreasingOrder: (Success, Success) -> Bool
  ) -> Result<Success, Failure>.Publisher {
    self
  }

  /// Emits whether the value satisfies a condition.
  @inlinable
  public func contains(where predicate: (Success) -> Bool) -> Result<Bool, Failure>.Publisher {
    map(predicate)
  }

  /// Emits whether the value satisfies a condition.
  @inlinable
  public func allSatisfy(_ predicate: (Success) -> Bool) -> Result<Bool, Failure>.Publisher {
    map(predicate)
  }

  /// Emits the value, which has none before it.
  @inlinable
  public func removeDuplicates(
    by predicate: (Success, Success) -> Bool
  ) -> Result<Success, Failure>.Publisher {
    self
  }

  /// Emits the value, or another one in place of the failure.
  @inlinable
  public func replaceError(with output: Success) -> Result<Success, Never>.Publisher {
    Result<Success, Never>.Publisher((try? result.get()) ?? output)
  }

  /// Emits the value or fails, which is never empty.
  @inlinable
  public func replaceEmpty(with output: Success) -> Result<Success, Failure>.Publisher { self }

  /// Emits the same result, which would be the same each time.
  @inlinable
  public func retry(_ times: Int) -> Result<Success, Failure>.Publisher { self }
}

/// The same with closures that may throw.
extension Result.Publisher {
  /// Emits what the closure makes of the value; what it throws is the failure.
  @inlinable
  public func tryMap<Value>(
    _ transform: (Success) throws -> Value
  ) -> Result<Value, any Error>.Publisher {
    Result<Value, any Error>.Publisher(result.tryMap(transform))
  }

  /// Emits whether the value satisfies a condition; what the closure throws is the failure.
  @inlinable
  public func tryAllSatisfy(
    _ predicate: (Success) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error>.Publisher(result.tryMap(predicate))
  }

  /// Emits whether the value satisfies a condition; what the closure throws is the failure.
  @inlinable
  public func tryContains(
    where predicate: (Success) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error>.Publisher(result.tryMap(predicate))
  }

  /// Emits what the closure makes of the initial result and the value; what it throws is the
  /// failure.
  @inlinable
  public func tryReduce<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Success) throws -> Value
  ) -> Result<Value, any Error>.Publisher {
    Result<Value, any Error>.Publisher(result.tryMap { try nextPartialResult(initialResult, $0) })
  }

  /// Emits what the closure makes of the initial result and the value; what it throws is the
  /// failure.
  @inlinable
  public func tryScan<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Success) throws -> Value
  ) -> Result<Value, any Error>.Publisher {
    Result<Value, any Error>.Publisher(result.tryMap { try nextPartialResult(initialResult, $0) })
  }
}

extension Result.Publisher where Failure == Never {
  /// Emits the value, as a publisher that might fail.
  @inlinable
  public func setFailureType<Problem: Error>(
    to failureType: Problem.Type
  ) -> Result<Success, Problem>.Publisher {
    Result<Success, Problem>.Publisher(result.get())
  }
}

extension Result.Publisher where Success: Equatable {
  /// Emits whether the value equals the given one.
  @inlinable
  public func contains(_ output: Success) -> Result<Bool, Failure>.Publisher {
    map { $0 == output }
  }

  /// Emits the value, which has none before it.
  @inlinable
  public func removeDuplicates() -> Result<Success, Failure>.Publisher { self }
}

extension Result.Publisher where Success: Comparable {
  /// Emits the value, which is the least one.
  @inlinable
  public func min() -> Result<Success, Failure>.Publisher { self }

  /// Emits the value, which is the greatest one.
  @inlinable
  public func max() -> Result<Success, Failure>.Publisher { self }
}

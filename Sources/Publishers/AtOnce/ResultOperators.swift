extension Result.Publisher {
  /// Emits what the closure makes of the value.
  @inlinable
  public func map<Value>(_ transform: (Success) -> Value) -> Result<Value, Failure>.Publisher {
    .init(result.map(transform))
  }

  /// Fails with what the closure makes of the failure.
  @inlinable public func mapError<Problem: Error>(
    _ transform: (Failure) -> Problem
  ) -> Result<Success, Problem>.Publisher { .init(result.mapError(transform)) }

  /// Emits what the closure makes of the initial result and the value.
  @inlinable public func reduce<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Success) -> Value
  ) -> Result<Value, Failure>.Publisher { map { nextPartialResult(initialResult, $0) } }

  /// Emits what the closure makes of the initial result and the value.
  @inlinable public func scan<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Success) -> Value
  ) -> Result<Value, Failure>.Publisher { map { nextPartialResult(initialResult, $0) } }

  /// Emits 1, the number of values.
  @inlinable public func count() -> Result<Int, Failure>.Publisher { map { _ in 1 } }

  /// Emits a list of the value.
  @inlinable public func collect() -> Result<[Success], Failure>.Publisher { map { [$0] } }

  /// Emits whether the value satisfies a condition.
  @inlinable
  public func contains(where predicate: (Success) -> Bool) -> Result<Bool, Failure>.Publisher {
    map(predicate)
  }

  /// Emits whether the value equals the given one.
  @inlinable public func contains(_ output: Success) -> Result<Bool, Failure>.Publisher
  where Success: Equatable { map { $0 == output } }

  /// Emits whether the value satisfies a condition.
  @inlinable
  public func allSatisfy(_ predicate: (Success) -> Bool) -> Result<Bool, Failure>.Publisher {
    map(predicate)
  }

  /// Emits the value, or another one in place of the failure.
  @inlinable public func replaceError(with output: Success) -> Result<Success, Never>.Publisher {
    .init((try? result.get()) ?? output)
  }

  /// Emits the value or fails, which is never empty.
  @inlinable public func replaceEmpty(with output: Success) -> Self { self }

  /// Emits the value, as a publisher that might fail.
  @inlinable public func setFailureType<Problem: Error>(
    to failureType: Problem.Type
  ) -> Result<Success, Problem>.Publisher where Failure == Never { .init(result.get()) }
}

/// The same with closures that may throw; what they throw is the failure.
extension Result.Publisher {
  /// Emits what the closure makes of the value.
  @inlinable public func tryMap<Value>(
    _ transform: (Success) throws -> Value
  ) -> Result<Value, any Error>.Publisher {
    .init(Result<Value, any Error> { try transform(result.get()) })
  }

  /// Emits whether the value satisfies a condition.
  @inlinable public func tryAllSatisfy(
    _ predicate: (Success) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher { tryMap(predicate) }

  /// Emits whether the value satisfies a condition.
  @inlinable public func tryContains(
    where predicate: (Success) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher { tryMap(predicate) }

  /// Emits what the closure makes of the initial result and the value.
  @inlinable public func tryReduce<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Success) throws -> Value
  ) -> Result<Value, any Error>.Publisher { tryMap { try nextPartialResult(initialResult, $0) } }

  /// Emits what the closure makes of the initial result and the value.
  @inlinable public func tryScan<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Success) throws -> Value
  ) -> Result<Value, any Error>.Publisher { tryMap { try nextPartialResult(initialResult, $0) } }
}

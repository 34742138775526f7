/// Combine's operators whose closures may throw anything: the failure becomes `any Error`.
extension Publisher {
  /// The same publisher, with a failure of no particular type.
  public typealias AnyFailing = MapError<Self, any Error>

  @inlinable func eraseFailure() -> AnyFailing { mapError { $0 } }

  /// Emits what the closure makes of each value, and fails with what it throws.
  @inlinable public func tryMap<Result>(
    _ transform: @escaping (Output) throws -> Result
  ) -> TryCompactMap<AnyFailing, Result> {
    eraseFailure().tryMap(transform)
  }

  /// Emits what the closure makes of each value, drops what it makes nil of, and fails with what it
  /// throws.
  @inlinable public func tryCompactMap<Result>(
    _ transform: @escaping (Output) throws -> Result?
  ) -> TryCompactMap<AnyFailing, Result> {
    eraseFailure().tryCompactMap(transform)
  }

  /// Emits the values that satisfy a condition, and fails with what it throws.
  @inlinable public func tryFilter(
    _ isIncluded: @escaping (Output) throws -> Bool
  ) -> TryCompactMap<AnyFailing, Output> {
    eraseFailure().tryFilter(isIncluded)
  }

  /// Emits, for each value, what the closure makes of the last result and the value, and fails with
  /// what it throws.
  @inlinable public func tryScan<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) throws -> Result
  ) -> TryCompactMap<AnyFailing, Result> {
    eraseFailure().tryScan(initialResult, nextPartialResult)
  }

  /// Drops each value that the closure finds equal to the one received just before, and fails with
  /// what it throws.
  @inlinable public func tryRemoveDuplicates(
    by predicate: @escaping (Output, Output) throws -> Bool
  ) -> TryCompactMap<AnyFailing, Output> {
    eraseFailure().tryRemoveDuplicates(by: predicate)
  }

  /// Drops values until one does not satisfy the condition, and fails with what it throws.
  @inlinable public func tryDrop(
    while predicate: @escaping (Output) throws -> Bool
  ) -> TryCompactMap<AnyFailing, Output> {
    eraseFailure().tryDrop(while: predicate)
  }

  /// Emits values until one does not satisfy the condition, completes at that one, and fails with
  /// what the condition throws.
  @inlinable public func tryPrefix(
    while predicate: @escaping (Output) throws -> Bool
  ) -> CompactMap<Limited<TryCompactMap<AnyFailing, Output?>, ConditionLimit<Output?>>, Output> {
    eraseFailure().tryPrefix(while: predicate)
  }

  /// Emits, at the end, what the closure makes of all values one after the other, and fails with
  /// what it throws.
  @inlinable public func tryReduce<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) throws -> Result
  ) -> ReplaceEnd<Reduced<TryCompactMap<AnyFailing, Result>, ChoiceReduction<Result>>, any Error> {
    eraseFailure().tryReduce(initialResult, nextPartialResult)
  }

  /// Emits the first value that satisfies a condition and completes; fails with what it throws.
  @inlinable public func tryFirst(
    where predicate: @escaping (Output) throws -> Bool
  ) -> Reduced<TryCompactMap<AnyFailing, Output>, ChoiceReduction<Output>> {
    eraseFailure().tryFirst(where: predicate)
  }

  /// Emits, at the end, the last value that satisfies a condition; fails with what it throws.
  @inlinable public func tryLast(
    where predicate: @escaping (Output) throws -> Bool
  ) -> Reduced<TryCompactMap<AnyFailing, Output>, ChoiceReduction<Output>> {
    eraseFailure().tryLast(where: predicate)
  }

  /// Emits whether a value satisfies the condition, as soon as that is certain; fails with what the
  /// condition throws.
  @inlinable public func tryContains(
    where predicate: @escaping (Output) throws -> Bool
  ) -> Reduced<TryCompactMap<AnyFailing, Bool>, QuestionReduction<Bool>> {
    eraseFailure().tryContains(where: predicate)
  }

  /// Emits whether all values satisfy the condition, as soon as that is certain; fails with what
  /// the condition throws.
  @inlinable public func tryAllSatisfy(
    _ predicate: @escaping (Output) throws -> Bool
  ) -> Reduced<TryCompactMap<AnyFailing, Bool>, QuestionReduction<Bool>> {
    eraseFailure().tryAllSatisfy(predicate)
  }

  /// Emits, at the end, the least value, of equal ones the first; fails with what the closure
  /// throws.
  @inlinable public func tryMin(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Reduced<TryCompactMap<AnyFailing, Output>, ChoiceReduction<Output>> {
    eraseFailure().tryMin(by: areInIncreasingOrder)
  }

  /// Emits, at the end, the greatest value, of equal ones the first; fails with what the closure
  /// throws.
  @inlinable public func tryMax(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Reduced<TryCompactMap<AnyFailing, Output>, ChoiceReduction<Output>> {
    eraseFailure().tryMax(by: areInIncreasingOrder)
  }
}

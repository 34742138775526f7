/// Combine's operators whose closures may throw anything: the failure becomes `any Error`.
extension Publisher {
  /// The same publisher, with a failure of no particular type.
  public typealias AnyFailing = MapError<Self, any Error>

  @inlinable
  func eraseFailure() -> AnyFailing { mapError { $0 } }

  @inlinable
  public func tryMap<Result>(
    _ transform: @escaping (Output) throws -> Result
  ) -> TryCompactMap<AnyFailing, Result> {
    eraseFailure().tryMap(transform)
  }

  @inlinable
  public func tryCompactMap<Result>(
    _ transform: @escaping (Output) throws -> Result?
  ) -> TryCompactMap<AnyFailing, Result> {
    eraseFailure().tryCompactMap(transform)
  }

  @inlinable
  public func tryFilter(
    _ isIncluded: @escaping (Output) throws -> Bool
  ) -> TryCompactMap<AnyFailing, Output> {
    eraseFailure().tryFilter(isIncluded)
  }

  @inlinable
  public func tryScan<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) throws -> Result
  ) -> TryCompactMap<AnyFailing, Result> {
    eraseFailure().tryScan(initialResult, nextPartialResult)
  }

  @inlinable
  public func tryRemoveDuplicates(
    by predicate: @escaping (Output, Output) throws -> Bool
  ) -> TryCompactMap<AnyFailing, Output> {
    eraseFailure().tryRemoveDuplicates(by: predicate)
  }

  @inlinable
  public func tryDrop(
    while predicate: @escaping (Output) throws -> Bool
  ) -> TryCompactMap<AnyFailing, Output> {
    eraseFailure().tryDrop(while: predicate)
  }

  @inlinable
  public func tryPrefix(
    while predicate: @escaping (Output) throws -> Bool
  ) -> CompactMap<Limited<TryCompactMap<AnyFailing, Output?>, ConditionLimit<Output?>>, Output> {
    eraseFailure().tryPrefix(while: predicate)
  }

  @inlinable
  public func tryReduce<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) throws -> Result
  ) -> ReplaceEnd<Reduced<TryCompactMap<AnyFailing, Result>, ChoiceReduction<Result>>, any Error> {
    eraseFailure().tryReduce(initialResult, nextPartialResult)
  }

  @inlinable
  public func tryFirst(
    where predicate: @escaping (Output) throws -> Bool
  ) -> Reduced<TryCompactMap<AnyFailing, Output>, ChoiceReduction<Output>> {
    eraseFailure().tryFirst(where: predicate)
  }

  @inlinable
  public func tryLast(
    where predicate: @escaping (Output) throws -> Bool
  ) -> Reduced<TryCompactMap<AnyFailing, Output>, ChoiceReduction<Output>> {
    eraseFailure().tryLast(where: predicate)
  }

  @inlinable
  public func tryContains(
    where predicate: @escaping (Output) throws -> Bool
  ) -> Reduced<TryCompactMap<AnyFailing, Bool>, QuestionReduction<Bool>> {
    eraseFailure().tryContains(where: predicate)
  }

  @inlinable
  public func tryAllSatisfy(
    _ predicate: @escaping (Output) throws -> Bool
  ) -> Reduced<TryCompactMap<AnyFailing, Bool>, QuestionReduction<Bool>> {
    eraseFailure().tryAllSatisfy(predicate)
  }

  @inlinable
  public func tryMin(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Reduced<TryCompactMap<AnyFailing, Output>, ChoiceReduction<Output>> {
    eraseFailure().tryMin(by: areInIncreasingOrder)
  }

  @inlinable
  public func tryMax(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Reduced<TryCompactMap<AnyFailing, Output>, ChoiceReduction<Output>> {
    eraseFailure().tryMax(by: areInIncreasingOrder)
  }
}

/// Combine's operators whose closures may throw; what is thrown cancels upstream and is the
/// failure.
///
/// A closure that throws the failure upstream has, or nothing, leaves the type of the failure as it
/// is. With one that throws something else the failure becomes `any Error`.
extension Publisher {
  /// Emits what the closure makes of each value, and fails with what it throws.
  @inlinable public func tryMap<Result>(
    _ transform: @escaping (Output) throws(Failure) -> Result
  ) -> TryCompactMap<Self, Result> {
    tryCompactMap { input throws(Failure) in try transform(input) }
  }

  /// Emits what the closure makes of each value, drops what it makes nil of, and fails with what it
  /// throws.
  @inlinable public func tryCompactMap<Result>(
    _ transform: @escaping (Output) throws(Failure) -> Result?
  ) -> TryCompactMap<Self, Result> {
    TryCompactMap(upstream: self, transform: transform)
  }

  /// Emits the values that satisfy a condition, and fails with what it throws.
  @inlinable public func tryFilter(
    _ isIncluded: @escaping (Output) throws(Failure) -> Bool
  ) -> TryCompactMap<Self, Output> {
    tryCompactMap { input throws(Failure) in try isIncluded(input) ? input : nil }
  }

  /// Emits, for each value, what the closure makes of the last result and the value, and fails with
  /// what it throws.
  @inlinable public func tryScan<Result>(
    _ initialResult: Result,
    _ nextPartialResult: @escaping (Result, Output) throws(Failure) -> Result
  ) -> TryCompactMap<Self, Result> {
    TryCompactMap(upstream: self) {
      let memory = Memory(initialResult)
      return { input throws(Failure) in
        let result = try nextPartialResult(memory.kept, input)
        memory.kept = result
        return result
      }
    }
  }

  /// Accumulates from the first value on, which passes as it is.
  @inlinable public func tryScan(
    _ nextPartialResult: @escaping (Output, Output) throws(Failure) -> Output
  ) -> TryCompactMap<Self, Output> {
    TryCompactMap(upstream: self) {
      let memory = Memory<Output?>(nil)
      return { input throws(Failure) in
        let result = if let last = memory.kept { try nextPartialResult(last, input) } else { input }
        memory.kept = result
        return result
      }
    }
  }

  /// Drops each value that the closure finds equal to the one received just before, and fails with
  /// what it throws.
  @inlinable public func tryRemoveDuplicates(
    by predicate: @escaping (Output, Output) throws(Failure) -> Bool
  ) -> TryCompactMap<Self, Output> {
    TryCompactMap(upstream: self) {
      let memory = Memory<Output?>(nil)
      return { input throws(Failure) in
        let previous = memory.kept
        memory.kept = input
        if let previous, try predicate(previous, input) { return nil }
        return input
      }
    }
  }

  /// Drops values until one does not satisfy the condition, and fails with what it throws.
  @inlinable public func tryDrop(
    while predicate: @escaping (Output) throws(Failure) -> Bool
  ) -> TryCompactMap<Self, Output> {
    TryCompactMap(upstream: self) {
      let isOpen = Memory(false)
      return { input throws(Failure) in
        if !isOpen.kept { isOpen.kept = try !predicate(input) }
        return isOpen.kept ? input : nil
      }
    }
  }

  /// Emits values until one does not satisfy the condition, completes at that one, and fails with
  /// what the condition throws.
  @inlinable public func tryPrefix(
    while predicate: @escaping (Output) throws(Failure) -> Bool
  ) -> CompactMap<Limited<TryCompactMap<Self, Output?>, ConditionLimit<Output?>>, Output> {
    tryMap { input throws(Failure) -> Output? in try predicate(input) ? input : nil }
      .prefix { $0 != nil }.compactMap { $0 }
  }

  /// Emits, at the end, what the closure makes of all values one after the other, and fails with
  /// what it throws.
  @inlinable public func tryReduce<Result>(
    _ initialResult: Result,
    _ nextPartialResult: @escaping (Result, Output) throws(Failure) -> Result
  ) -> ReplaceEnd<Reduced<TryCompactMap<Self, Result>, ChoiceReduction<Result>>, Failure> {
    tryScan(initialResult, nextPartialResult).last().replaceEmpty(with: initialResult)
  }

  /// Emits the first value that satisfies a condition and completes; fails with what it throws.
  @inlinable public func tryFirst(
    where predicate: @escaping (Output) throws(Failure) -> Bool
  ) -> Reduced<TryCompactMap<Self, Output>, ChoiceReduction<Output>> {
    tryFilter(predicate).first()
  }

  /// Emits, at the end, the last value that satisfies a condition; fails with what it throws.
  @inlinable public func tryLast(
    where predicate: @escaping (Output) throws(Failure) -> Bool
  ) -> Reduced<TryCompactMap<Self, Output>, ChoiceReduction<Output>> {
    tryFilter(predicate).last()
  }

  /// Emits whether a value satisfies the condition, as soon as that is certain; fails with what the
  /// condition throws.
  @inlinable public func tryContains(
    where predicate: @escaping (Output) throws(Failure) -> Bool
  ) -> Reduced<TryCompactMap<Self, Bool>, QuestionReduction<Bool>> {
    tryMap(predicate).contains { $0 }
  }

  /// Emits whether all values satisfy the condition, as soon as that is certain; fails with what
  /// the condition throws.
  @inlinable public func tryAllSatisfy(
    _ predicate: @escaping (Output) throws(Failure) -> Bool
  ) -> Reduced<TryCompactMap<Self, Bool>, QuestionReduction<Bool>> {
    tryMap(predicate).allSatisfy { $0 }
  }

  /// The least value; of equal ones the first.
  @inlinable public func tryMin(
    by areInIncreasingOrder: @escaping (Output, Output) throws(Failure) -> Bool
  ) -> Reduced<TryCompactMap<Self, Output>, ChoiceReduction<Output>> {
    tryScan { old, new throws(Failure) in try areInIncreasingOrder(new, old) ? new : old }.last()
  }

  /// The greatest value; of equal ones the first.
  @inlinable public func tryMax(
    by areInIncreasingOrder: @escaping (Output, Output) throws(Failure) -> Bool
  ) -> Reduced<TryCompactMap<Self, Output>, ChoiceReduction<Output>> {
    tryScan { old, new throws(Failure) in try areInIncreasingOrder(old, new) ? new : old }.last()
  }
}

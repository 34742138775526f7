/// Joins all values to one; the seed is the result of none.
public final class FoldReduction<Input, Output>: Reduction {
  @usableFromInline let next: (Output, Input) -> Output
  @usableFromInline var accumulated: Output

  @inlinable init(_ initial: Output, _ next: @escaping (Output, Input) -> Output) {
    self.next = next
    accumulated = initial
  }

  /// Takes a value; true when the result is certain.
  @inlinable public func take(_ input: Input) -> Bool {
    let result = next(accumulated, input)
    accumulated = result
    return false
  }
  /// The present result; nil without a result.
  @inlinable public var result: Output? { accumulated }
}

/// Gathers all values.
public final class CollectReduction<Input>: Reduction {
  @usableFromInline var values: [Input] = []

  @inlinable init() {}

  /// Takes a value; true when the result is certain.
  @inlinable public func take(_ input: Input) -> Bool {
    values.append(input)
    return false
  }
  /// The present result; nil without a result.
  @inlinable public var result: [Input]? { values }
}

/// Keeps one value: the first that satisfies a condition, or the last that is preferred to the one
/// before it.
public final class ChoiceReduction<Input>: Reduction {
  @usableFromInline let isPreferred: (Input, Input?) -> Bool
  @usableFromInline let isCertain: Bool
  @usableFromInline var chosen: Input?

  @inlinable init(isCertain: Bool, _ isPreferred: @escaping (_ new: Input, _ old: Input?) -> Bool) {
    self.isCertain = isCertain
    self.isPreferred = isPreferred
  }

  /// Takes a value; true when the result is certain.
  @inlinable public func take(_ input: Input) -> Bool {
    guard isPreferred(input, chosen) else { return false }
    chosen = input
    return isCertain
  }
  /// The present result; nil without a result.
  @inlinable public var result: Input? { chosen }
}

/// Answers whether a value was found that decides the question.
public final class QuestionReduction<Input>: Reduction {
  @usableFromInline let decides: (Input) -> Bool
  /// The answer when such a value comes; the other one when none has.
  @usableFromInline let answer: Bool
  @usableFromInline var isDecided = false

  @inlinable init(answer: Bool, _ decides: @escaping (Input) -> Bool) {
    self.answer = answer
    self.decides = decides
  }

  /// Takes a value; true when the result is certain.
  @inlinable public func take(_ input: Input) -> Bool {
    if decides(input) { isDecided = true }
    return isDecided
  }
  /// The present result; nil without a result.
  @inlinable public var result: Bool? { isDecided ? answer : !answer }
}

extension Publisher {
  /// Emits, at the end, what the closure makes of all values one after the other; of none, the
  /// initial result. A failure passes without a result.
  @inlinable public func reduce<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) -> Result
  ) -> Reduced<Self, FoldReduction<Output, Result>> {
    Reduced(upstream: self) { FoldReduction(initialResult, nextPartialResult) }
  }

  /// Emits, at the end, how many values came. A failure passes without a result.
  @inlinable public func count() -> Reduced<Self, FoldReduction<Output, Int>> {
    reduce(0) { count, _ in count + 1 }
  }

  /// Emits, at the end, all values as a list, which may be empty. A failure drops them.
  @inlinable public func collect() -> Reduced<Self, CollectReduction<Output>> {
    Reduced(upstream: self) { CollectReduction() }
  }

  /// Emits the first value, cancels upstream and completes. Without a value, it only completes.
  @inlinable public func first() -> Reduced<Self, ChoiceReduction<Output>> {
    first { _ in true }
  }

  /// Emits the first value that satisfies a condition, cancels upstream and completes.
  @inlinable public func first(
    where predicate: @escaping (Output) -> Bool
  ) -> Reduced<Self, ChoiceReduction<Output>> {
    Reduced(upstream: self) { ChoiceReduction(isCertain: true) { new, _ in predicate(new) } }
  }

  /// Emits, at the end, the last value. Without a value, it only completes.
  @inlinable public func last() -> Reduced<Self, ChoiceReduction<Output>> {
    last { _ in true }
  }

  /// Emits, at the end, the last value that satisfies a condition.
  @inlinable public func last(
    where predicate: @escaping (Output) -> Bool
  ) -> Reduced<Self, ChoiceReduction<Output>> {
    Reduced(upstream: self) { ChoiceReduction(isCertain: false) { new, _ in predicate(new) } }
  }

  /// The least value; of equal ones the first.
  @inlinable public func min(
    by areInIncreasingOrder: @escaping (Output, Output) -> Bool
  ) -> Reduced<Self, ChoiceReduction<Output>> {
    Reduced(upstream: self) {
      ChoiceReduction(isCertain: false) { new, old in
        old.map { areInIncreasingOrder(new, $0) } ?? true
      }
    }
  }

  /// The greatest value; of equal ones the first.
  @inlinable public func max(
    by areInIncreasingOrder: @escaping (Output, Output) -> Bool
  ) -> Reduced<Self, ChoiceReduction<Output>> {
    Reduced(upstream: self) {
      ChoiceReduction(isCertain: false) { new, old in
        old.map { areInIncreasingOrder($0, new) } ?? true
      }
    }
  }

  /// Emits true as soon as a value satisfies the condition, cancels upstream and completes. If none
  /// does, it emits false at the end.
  @inlinable public func contains(
    where predicate: @escaping (Output) -> Bool
  ) -> Reduced<Self, QuestionReduction<Output>> {
    Reduced(upstream: self) { QuestionReduction(answer: true, predicate) }
  }

  /// Emits false as soon as a value does not satisfy the condition, cancels upstream and completes.
  /// If all values satisfy it, it emits true at the end.
  @inlinable public func allSatisfy(
    _ predicate: @escaping (Output) -> Bool
  ) -> Reduced<Self, QuestionReduction<Output>> {
    Reduced(upstream: self) { QuestionReduction(answer: false) { !predicate($0) } }
  }
}

extension Publisher where Output: Equatable {
  /// Emits true as soon as a value equals the given one and completes; otherwise false at the end.
  @inlinable public func contains(_ value: Output) -> Reduced<Self, QuestionReduction<Output>> {
    contains { $0 == value }
  }
}

extension Publisher where Output: Comparable {
  /// Emits, at the end, the least value; of equal ones the first.
  @inlinable public func min() -> Reduced<Self, ChoiceReduction<Output>> { min { $0 < $1 } }
  /// Emits, at the end, the greatest value; of equal ones the first.
  @inlinable public func max() -> Reduced<Self, ChoiceReduction<Output>> { max { $0 < $1 } }
}

// Operators whose result is known at once. They run their closures once, not for each subscriber,
// and have the types that Combine gives them.

/// A publisher of at most one value: many operators leave it as it is.
public protocol OneValuePublisher: Publisher {}

extension Just: OneValuePublisher {}
extension Optional.Publisher: OneValuePublisher {}
extension Result.Publisher: OneValuePublisher {}

extension OneValuePublisher {
  /// Emits the value, which is the first one.
  @inlinable public func first() -> Self { self }

  /// Emits the value, which is the last one.
  @inlinable public func last() -> Self { self }

  /// Emits the value, which is the least one.
  @inlinable public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Self { self }

  /// Emits the value, which is the greatest one.
  @inlinable public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Self { self }

  /// Emits the value, since no value comes before it.
  @inlinable public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Self { self }

  /// Emits the same, since it would be the same each time.
  @inlinable public func retry(_ times: Int) -> Self { self }
}

extension OneValuePublisher where Failure == Never {
  /// Emits the same, since there is no failure to replace.
  @inlinable public func replaceError(with output: Output) -> Self { self }
}

extension OneValuePublisher where Output: Equatable {
  /// Emits the value, since no value comes before it.
  @inlinable public func removeDuplicates() -> Self { self }
}

extension OneValuePublisher where Output: Comparable {
  /// Emits the value, which is the least one.
  @inlinable public func min() -> Self { self }

  /// Emits the value, which is the greatest one.
  @inlinable public func max() -> Self { self }
}

extension Optional.Publisher {
  /// Emits what the closure makes of the value.
  @inlinable public func map<Value>(_ transform: (Wrapped) -> Value) -> Optional<Value>.Publisher {
    .init(output.map(transform))
  }

  /// Emits what the closure makes of the value, unless that is nil.
  @inlinable
  public func compactMap<Value>(_ transform: (Wrapped) -> Value?) -> Optional<Value>.Publisher {
    .init(output.flatMap(transform))
  }

  /// Emits the value if it satisfies a condition.
  @inlinable public func filter(_ isIncluded: (Wrapped) -> Bool) -> Self {
    .init(output.flatMap { isIncluded($0) ? $0 : nil })
  }

  /// Completes without the value.
  @inlinable public func ignoreOutput() -> Empty<Wrapped, Never> { Empty() }

  /// Emits what the closure makes of the initial result and the value, if there is one.
  @inlinable public func reduce<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Wrapped) -> Value
  ) -> Optional<Value>.Publisher { map { nextPartialResult(initialResult, $0) } }

  /// Emits what the closure makes of the initial result and the value, if there is one.
  @inlinable public func scan<Value>(
    _ initialResult: Value, _ nextPartialResult: (Value, Wrapped) -> Value
  ) -> Optional<Value>.Publisher { map { nextPartialResult(initialResult, $0) } }

  /// Emits 1 if there is a value.
  @inlinable public func count() -> Optional<Int>.Publisher { map { _ in 1 } }

  /// Emits a list of the value if there is one.
  @inlinable public func collect() -> Optional<[Wrapped]>.Publisher { map { [$0] } }

  /// Emits the value if it satisfies a condition.
  @inlinable public func first(where predicate: (Wrapped) -> Bool) -> Self { filter(predicate) }

  /// Emits the value if it satisfies a condition.
  @inlinable public func last(where predicate: (Wrapped) -> Bool) -> Self { filter(predicate) }

  /// Emits whether the value satisfies a condition, if there is one.
  @inlinable
  public func contains(where predicate: (Wrapped) -> Bool) -> Optional<Bool>.Publisher {
    map(predicate)
  }

  /// Emits whether the value equals the given one, if there is one.
  @inlinable public func contains(_ output: Wrapped) -> Optional<Bool>.Publisher
  where Wrapped: Equatable { map { $0 == output } }

  /// Emits whether the value satisfies a condition, if there is one.
  @inlinable public func allSatisfy(_ predicate: (Wrapped) -> Bool) -> Optional<Bool>.Publisher {
    map(predicate)
  }

  /// Emits the value if none has to be dropped.
  @inlinable public func dropFirst(_ count: Int = 1) -> Self {
    precondition(count >= 0, "A number of values cannot be negative.")
    return filter { _ in count == 0 }
  }

  /// Emits the value unless it satisfies a condition.
  @inlinable public func drop(while predicate: (Wrapped) -> Bool) -> Self {
    filter { !predicate($0) }
  }

  /// Emits the value if at least one may pass.
  @inlinable public func prefix(_ maxLength: Int) -> Self {
    precondition(maxLength >= 0, "A number of values cannot be negative.")
    return filter { _ in maxLength > 0 }
  }

  /// Emits the value if it satisfies a condition.
  @inlinable public func prefix(while predicate: (Wrapped) -> Bool) -> Self { filter(predicate) }

  /// Emits the value if its number, which is 0, is the given one.
  @inlinable public func output(at index: Int) -> Self {
    precondition(index >= 0, "The number of a value cannot be negative.")
    return filter { _ in index == 0 }
  }

  /// Emits the value if its number, which is 0, is in a range.
  @inlinable public func output<Range: RangeExpression<Int>>(in range: Range) -> Self {
    filter { _ in range.relative(to: 0..<Int.max).contains(0) }
  }

  /// Emits the value, or the other one for nil.
  @inlinable public func replaceEmpty(with output: Wrapped) -> Just<Wrapped> {
    Just(self.output ?? output)
  }
}

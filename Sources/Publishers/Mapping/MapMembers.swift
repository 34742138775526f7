extension Publisher {
  /// Emits a member of each value.
  @inlinable public func map<T>(_ member: KeyPath<Output, T>) -> Map<Self, T> {
    Map(upstream: self) { $0[keyPath: member] }
  }

  /// Emits two members of each value.
  @inlinable public func map<T0, T1>(
    _ first: KeyPath<Output, T0>, _ second: KeyPath<Output, T1>
  ) -> Map<Self, (T0, T1)> {
    Map(upstream: self) { ($0[keyPath: first], $0[keyPath: second]) }
  }

  /// Emits three members of each value.
  @inlinable public func map<T0, T1, T2>(
    _ first: KeyPath<Output, T0>, _ second: KeyPath<Output, T1>, _ third: KeyPath<Output, T2>
  ) -> Map<Self, (T0, T1, T2)> {
    Map(upstream: self) {
      ($0[keyPath: first], $0[keyPath: second], $0[keyPath: third])
    }
  }
}

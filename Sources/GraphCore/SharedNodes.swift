extension Computed {
  /// Makes a node in the shared graph.
  @inlinable
  public convenience init(
    name: String? = nil, fallback: Value? = nil, _ rule: @escaping (Reader) -> Value
  ) where Value: Equatable {
    self.init(comparing: .shared, name: name, fallback: fallback, rule)
  }

  /// Makes a node whose values cannot be compared: every evaluation is a change.
  @inlinable
  public convenience init(
    name: String? = nil, fallback: Value? = nil, _ rule: @escaping (Reader) -> Value
  ) {
    self.init(
      graph: .shared, name: name, fallback: fallback, areEqual: neverEqual, rule)
  }

  /// Makes a node with a constant value.
  @inlinable
  public convenience init(constant: Value) {
    self.init(
      graph: .shared, name: nil, fallback: nil, areEqual: neverEqual, { _ in constant })
  }
}

extension Stored {
  /// Makes a node of the shared graph. An assignment of an equal value is no change.
  @inlinable
  public convenience init(_ initial: Value, name: String? = nil) where Value: Equatable {
    self.init(graph: .shared, initial, name: name, areEqual: { $0 == $1 })
  }

  /// Makes a node of the shared graph whose values cannot be compared: every assignment is a
  /// change.
  @inlinable
  public convenience init(_ initial: Value, name: String? = nil) {
    self.init(graph: .shared, initial, name: name, areEqual: neverEqual)
  }
}

/// A property that is a stored node of the current graph; `$property` is the node.
@propertyWrapper
public struct GraphStored<Value> {
  public var projectedValue: Stored<Value>

  @inlinable
  public init(wrappedValue: Value) where Value: Equatable {
    projectedValue = Graph.current.stored(wrappedValue)
  }

  @inlinable
  public init(wrappedValue: Value) {
    projectedValue = Graph.current.stored(wrappedValue)
  }

  /// Makes a node of an object that cannot be compared; only the same object is equal.
  @inlinable
  public init(wrappedValue: Value) where Value: AnyObject {
    projectedValue = Graph.current.stored(wrappedValue, areEqual: { $0 === $1 })
  }

  @inlinable
  public init(wrappedValue: Value) where Value: AnyObject & Equatable {
    projectedValue = Graph.current.stored(wrappedValue)
  }

  @inlinable
  public init(wrappedValue: Value, areEqual: @escaping (Value, Value) -> Bool) {
    projectedValue = Graph.current.stored(wrappedValue, areEqual: areEqual)
  }

  @inlinable
  public var wrappedValue: Value {
    get { projectedValue.value }
    nonmutating set {
      projectedValue.set(newValue)
      #if DEBUG
        projectedValue.arena.watchNesting(of: projectedValue.id)
      #endif
    }
  }
}

/// A property that is a computed node; `$property` sets its rule.
@propertyWrapper
public struct GraphComputed<Value> {
  @usableFromInline var node: Computed<Value>?

  @inlinable
  public init() {}

  @inlinable
  public var projectedValue: Computed<Value> {
    get {
      guard let node else { preconditionFailure("A computed property is used before its rule.") }
      return node
    }
    set { node = newValue }
  }

  @inlinable
  public var wrappedValue: Value { projectedValue.value }
}

extension Computed {
  /// Makes a node in the current graph.
  @inlinable
  public convenience init(
    name: String? = nil, fallback: Value? = nil, _ rule: @escaping (Reader) -> Value
  ) where Value: Equatable {
    self.init(comparing: .current, name: name, fallback: fallback, rule)
  }

  /// Makes a node whose values cannot be compared: every evaluation is a change.
  @inlinable
  public convenience init(
    name: String? = nil, fallback: Value? = nil, _ rule: @escaping (Reader) -> Value
  ) {
    self.init(
      graph: .current, name: name, fallback: fallback, areEqual: neverEqual, rule)
  }

  /// Makes a node with a constant value.
  @inlinable
  public convenience init(constant: Value) {
    self.init(
      graph: .current, name: nil, fallback: nil, areEqual: neverEqual, { _ in constant })
  }
}

extension Stored {
  @inlinable
  public convenience init(_ initial: Value, name: String? = nil) where Value: Equatable {
    self.init(graph: .current, initial, name: name, areEqual: { $0 == $1 })
  }

  @inlinable
  public convenience init(_ initial: Value, name: String? = nil) {
    self.init(graph: .current, initial, name: name, areEqual: neverEqual)
  }
}

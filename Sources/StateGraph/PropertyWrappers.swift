import GraphCore

/// A property that is a stored node of the shared graph; `$property` is the node.
///
/// The toolchain's Observation follows it, as it follows `wrappedValue` of a node.
///
/// A `didSet` that assigns to its own property is called again for that. So it assigns under a
/// condition, such as `if x > 10 { x = 10 }`; otherwise it never ends, and a debug build says so.
@propertyWrapper
public struct GraphStored<Value> {
  /// The node.
  public var projectedValue: Stored<Value>

  /// Makes a node whose changes are those that make it unequal.
  @inlinable
  public init(wrappedValue: Value) where Value: Equatable {
    projectedValue = Graph.shared.stored(wrappedValue)
  }

  /// Makes a node whose values cannot be compared: every assignment is a change.
  @inlinable
  public init(wrappedValue: Value) {
    projectedValue = Graph.shared.stored(wrappedValue)
  }

  /// Makes a node of an object that cannot be compared; only the same object is equal.
  @inlinable
  public init(wrappedValue: Value) where Value: AnyObject {
    projectedValue = Graph.shared.stored(wrappedValue, areEqual: { $0 === $1 })
  }

  /// Makes a node of an object that can be compared.
  @inlinable
  public init(wrappedValue: Value) where Value: AnyObject & Equatable {
    projectedValue = Graph.shared.stored(wrappedValue)
  }

  /// Makes a node whose values are compared by a function.
  @inlinable
  public init(wrappedValue: Value, areEqual: @escaping (Value, Value) -> Bool) {
    projectedValue = Graph.shared.stored(wrappedValue, areEqual: areEqual)
  }

  /// The value. Setting it notifies those who follow the node.
  @inlinable
  public var wrappedValue: Value {
    get { projectedValue.wrappedValue }
    nonmutating set {
      projectedValue.set(newValue)
      #if DEBUG
        watchNesting(of: projectedValue)
      #endif
    }
  }
}

/// A property that is a computed node; `$property` sets its rule.
@propertyWrapper
public struct GraphComputed<Value> {
  @usableFromInline var node: Computed<Value>?

  /// Makes a property that has no rule yet.
  @inlinable
  public init() {}

  /// The node. Setting it gives the property its rule.
  @inlinable
  public var projectedValue: Computed<Value> {
    get {
      guard let node else { preconditionFailure("A computed property is used before its rule.") }
      return node
    }
    set { node = newValue }
  }

  /// The value, by the rule.
  @inlinable
  public var wrappedValue: Value { projectedValue.wrappedValue }
}

extension Stored {
  /// The current value. Observation follows a read outside of rules.
  @inlinable
  public var wrappedValue: Value {
    get {
      if !isReadByRule, ObservationProbe.isTracking { ObservedNode.follow(self) }
      return value
    }
    set { set(newValue) }
  }
}

extension Computed {
  /// The current value. Observation follows a read outside of rules.
  @inlinable
  public var wrappedValue: Value {
    if !isReadByRule, ObservationProbe.isTracking { ObservedNode.follow(self) }
    return value
  }
}

/// Stops a debug build in which a `didSet` sets its own property without an end.
@usableFromInline
func watchNesting<Value>(of node: Stored<Value>) { node.watchNesting() }

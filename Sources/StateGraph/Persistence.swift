import GraphCore

/// A place that keeps texts by their keys, such as a file or a table of settings.
public protocol GraphStore: AnyObject {
  /// Returns the kept text, or nil.
  func text(for key: String) -> String?
  /// Keeps a text, or removes it.
  func setText(_ text: String?, for key: String)
  /// The nodes that stand for keys of this store.
  var nodes: PersistedNodes { get }
}

/// The nodes that stand for keys of one store: one for each key, so that all its handles agree.
public final class PersistedNodes {
  private struct Entry {
    weak var node: AnyObject?
    let reload: () -> Void
  }

  private var entries: [String: Entry] = [:]

  /// Makes an empty table.
  public init() {}

  /// Reads a key again after the store was changed by somebody else. An equal value is no change.
  public func reload(_ key: String) { entries[key]?.reload() }

  fileprivate func node<Value: Equatable & LosslessStringConvertible>(
    _ key: String, _ initial: Value, in store: some GraphStore
  ) -> Stored<Value> {
    if let known = entries[key]?.node as? Stored<Value> { return known }
    let node = Stored(store.text(for: key).flatMap { Value($0) } ?? initial, name: key)
    entries[key] = Entry(
      node: node,
      reload: { [weak node, unowned store] in
        node?.set(store.text(for: key).flatMap { Value($0) } ?? initial)
      })
    return node
  }
}

/// A store in memory, for tests and for values that last as long as the program.
public final class MemoryStore: GraphStore {
  private var texts: [String: String]
  /// The nodes that stand for keys of this store.
  public let nodes = PersistedNodes()

  /// Makes a store with its first texts.
  public init(_ texts: [String: String] = [:]) { self.texts = texts }

  /// Returns the kept text, or nil.
  public func text(for key: String) -> String? { texts[key] }
  /// Keeps a text, or removes it.
  public func setText(_ text: String?, for key: String) { texts[key] = text }
}

/// A property that is a stored node of the shared graph, and is kept in a store as text.
///
/// Two properties with one key and one store are one node. The value is written to the store before
/// it is delivered. A kept text that is not a value gives the initial value.
@propertyWrapper
public struct GraphPersisted<Value: Equatable & LosslessStringConvertible> {
  /// The node. Setting the node directly does not write to the store.
  public let projectedValue: Stored<Value>
  private let store: any GraphStore
  private let key: String

  /// Makes a property from what the store keeps, or else with an initial value.
  public init(wrappedValue: Value, _ key: String, in store: some GraphStore) {
    self.store = store
    self.key = key
    projectedValue = store.nodes.node(key, wrappedValue, in: store)
  }

  /// The value. Setting it writes to the store, unless it is equal.
  public var wrappedValue: Value {
    get { projectedValue.wrappedValue }
    nonmutating set {
      if projectedValue.untrackedValue != newValue { store.setText(newValue.description, for: key) }
      projectedValue.set(newValue)
    }
  }
}

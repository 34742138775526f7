/// A node of a graph: something with a current value that computed nodes and observers can read.
///
/// The node lives as long as this handle; dropping the handle takes it out of its graph.
public class GraphNode<Value> {
  public final let graph: Graph
  @usableFromInline final let arena: Arena
  @usableFromInline final let id: Int32
  /// The current value, and for a stored node the one before behind it.
  @usableFromInline final let slot: UnsafeMutablePointer<Value>
  @usableFromInline final let areEqual: (Value, Value) -> Bool

  @inlinable
  init(
    graph: Graph, id: Int32, slot: UnsafeMutablePointer<Value>,
    areEqual: @escaping (Value, Value) -> Bool
  ) {
    self.graph = graph
    self.arena = graph.arena
    self.id = id
    self.slot = slot
    self.areEqual = areEqual
  }

  deinit {
    arena.release(id)
  }

  /// The current value. Inside a computed rule or a tracking group the read is recorded.
  @inlinable
  public final var value: Value {
    arena.willRead(id)
    return slot.pointee
  }

  /// The current value, without recording the read.
  @inlinable
  public final var untrackedValue: Value {
    arena.untracked { value }
  }

  /// The name it was given, or its number.
  public final var name: String { arena.name(of: id) }

  /// How many recorded reads lead from other nodes and observers to this one.
  public final var subscriberCount: Int {
    var count = 0
    var edge = arena.nodes[Int(id)].subscribers
    while edge >= 0 {
      count += 1
      edge = arena.edges[Int(edge)].nextSubscriber
    }
    return count
  }
}

/// A node whose value is set from outside.
public final class Stored<Value>: GraphNode<Value> {
  /// Makes a node in the current graph; it notifies of every assignment unless `areEqual` says
  /// that nothing changed.
  @inlinable
  public convenience init(
    _ initial: Value, name: String? = nil, areEqual: @escaping (Value, Value) -> Bool
  ) {
    self.init(graph: .current, initial, name: name, areEqual: areEqual)
  }

  @inlinable
  init(
    graph: Graph, _ initial: Value, name: String?, areEqual: @escaping (Value, Value) -> Bool
  ) {
    let arena = graph.arena
    let slot = arena.allocate(Value.self, count: 2)
    slot.initialize(to: initial)
    let id = arena.addNode(.stored)
    super.init(graph: graph, id: id, slot: slot, areEqual: areEqual)
    arena.install(id, name: name) { operation, saved in
      switch operation {
      case .update:
        let previous = (slot + 1).move()
        return !areEqual(previous, slot.pointee)
      case .destroy:
        if arena.nodes[Int(id)].flags.contains(.dirty) { (slot + 1).deinitialize(count: 1) }
        slot.deinitialize(count: 1)
        arena.free(slot, count: 2)
      case .save:
        let copy = arena.allocate(Value.self, count: 1)
        copy.initialize(to: slot.pointee)
        arena.didSave(id, UnsafeMutableRawPointer(copy))
      case .forget, .restore:
        guard let copy = saved?.assumingMemoryBound(to: Value.self) else { return false }
        if operation == .restore { Stored.restore(slot, from: copy, id: id, in: arena) }
        copy.deinitialize(count: 1)
        arena.free(copy, count: 1)
      case .stage, .deliver, .rebase, .fallBack: break
      }
      return false
    }
  }

  /// Sets the value. An equal value is no change; inside a computed rule the write is refused with
  /// a diagnostic.
  @inlinable
  public func set(_ newValue: Value) {
    guard arena.mayWrite(id), !areEqual(slot.pointee, newValue) else { return }
    if arena.state.pointee.transactionDepth > 0 { arena.saveForRollback(id) }
    Stored.write(newValue, to: slot, id: id, in: arena)
    arena.didWrite(id)
  }

  @inlinable
  public var wrappedValue: Value {
    get { value }
    set { set(newValue) }
  }

  @inlinable
  static func write(
    _ newValue: Value, to slot: UnsafeMutablePointer<Value>, id: Int32, in arena: Arena
  ) {
    if arena.nodes[Int(id)].flags.contains(.dirty) {
      slot.pointee = newValue
    } else {
      (slot + 1).moveInitialize(from: slot, count: 1)
      slot.initialize(to: newValue)
      arena.nodes[Int(id)].flags.insert(.dirty)
    }
  }

  /// Puts a saved value back: exactly as it was where nobody saw the new one, otherwise as one
  /// more change.
  @usableFromInline
  static func restore(
    _ slot: UnsafeMutablePointer<Value>, from copy: UnsafeMutablePointer<Value>, id: Int32,
    in arena: Arena
  ) {
    let isDirty = arena.nodes[Int(id)].flags.contains(.dirty)
    if isDirty, !arena.state.pointee.restoresDirty {
      slot.deinitialize(count: 1)
      slot.moveInitialize(from: slot + 1, count: 1)
      arena.nodes[Int(id)].flags.remove(.dirty)
    } else {
      write(copy.pointee, to: slot, id: id, in: arena)
      arena.propagate(from: id)
    }
  }
}

/// A node whose value follows from others by a rule. Lazy: the rule runs when somebody looks, and
/// only if something it read last time has changed.
public final class Computed<Value>: GraphNode<Value> {
  @inlinable
  public convenience init(
    name: String? = nil, fallback: Value? = nil, areEqual: @escaping (Value, Value) -> Bool,
    _ rule: @escaping (Reader) -> Value
  ) {
    self.init(graph: .current, name: name, fallback: fallback, areEqual: areEqual, rule)
  }

  @inlinable
  init(
    graph: Graph, name: String?, fallback: Value?,
    areEqual: @escaping (Value, Value) -> Bool, _ rule: @escaping (Reader) -> Value
  ) {
    let arena = graph.arena
    let slot = arena.allocate(Value.self, count: 1)
    let id = arena.addNode([.computed, .dirty])
    super.init(graph: graph, id: id, slot: slot, areEqual: areEqual)
    arena.install(id, name: name) { operation, _ in
      switch operation {
      case .update:
        let newValue = rule(Reader(arena: arena))
        let flags = arena.nodes[Int(id)].flags
        if flags.isDisjoint(with: .cyclic), flags.contains(.valued) {
          if areEqual(slot.pointee, newValue) { return false }
          slot.pointee = newValue
          return true
        }
        return Computed.begin(with: newValue, fallback, in: slot, id: id, arena)
      case .fallBack:
        return Computed.fallBack(to: fallback, in: slot, id: id, arena)
      case .destroy:
        if arena.nodes[Int(id)].flags.contains(.valued) { slot.deinitialize(count: 1) }
        arena.free(slot, count: 1)
      case .stage, .deliver, .rebase, .save, .forget, .restore: break
      }
      return false
    }
  }

  @inlinable
  public var wrappedValue: Value { value }

  /// The first value, or the outcome of an evaluation that met itself.
  @usableFromInline
  static func begin(
    with newValue: Value, _ fallback: Value?, in slot: UnsafeMutablePointer<Value>, id: Int32,
    _ arena: Arena
  ) -> Bool {
    if arena.nodes[Int(id)].flags.contains(.cyclic) {
      if fallBack(to: fallback, in: slot, id: id, arena) { return true }
    }
    slot.initialize(to: newValue)
    arena.nodes[Int(id)].flags.insert(.valued)
    return true
  }

  @usableFromInline
  static func fallBack(
    to fallback: Value?, in slot: UnsafeMutablePointer<Value>, id: Int32, _ arena: Arena
  ) -> Bool {
    let isValued = arena.nodes[Int(id)].flags.contains(.valued)
    guard let fallback else { return isValued }
    if isValued { slot.pointee = fallback } else { slot.initialize(to: fallback) }
    arena.nodes[Int(id)].flags.insert(.valued)
    return true
  }
}

/// What a computed rule is given: a way to look without being tied to what it saw.
@frozen
public struct Reader {
  @usableFromInline let arena: Arena

  @inlinable
  init(arena: Arena) { self.arena = arena }

  /// Reads inside are not recorded.
  @inlinable
  public func untracked<Result>(_ body: () throws -> Result) rethrows -> Result {
    try arena.untracked(body)
  }

  @inlinable
  public func callAsFunction<Value>(_ node: GraphNode<Value>) -> Value { node.value }
}

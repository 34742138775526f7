/// A node of a graph: a current value that computed nodes and observers can read.
///
/// The node lives as long as this handle. Releasing the handle removes it from its graph. Its
/// readers keep their values until something else that they read changes.
public class GraphNode<Value> {
  /// The graph of the node.
  public final let graph: Graph
  @usableFromInline final let arena: Arena
  @usableFromInline final let id: Int32
  /// The slot of the current value; for a stored node, the previous value follows it.
  @usableFromInline final let slot: UnsafeMutablePointer<Value>
  @usableFromInline final let areEqual: (Value, Value) -> Bool
  /// The observer of this node for the toolchain's Observation.
  package final var observation: AnyObject?

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
    arena.alone { arena.release(id) }
  }

  /// The current value. Inside a computed rule or a tracking group the read is recorded.
  @inlinable
  public final var value: Value {
    // Both ways end in one load. Otherwise each read retains and releases a copy.
    @inline(__always)
    get {
      if arena.isShared { arena.willReadShared(id) } else { arena.willRead(id) }
      return slot.pointee
    }
  }

  /// The current value; the read is not recorded.
  @inlinable
  public final var untrackedValue: Value {
    arena.alone {
      arena.untracked {
        arena.bringUpToDate(id)
        return slot.pointee
      }
    }
  }

  /// True while no rule or group of the graph runs, so that a read is one from outside.
  package final var isReadOutside: Bool { arena.alone { arena.state.pointee.active == -1 } }

  /// True in a rule or group of the graph on this thread, so that a read is recorded there.
  @usableFromInline
  package final var isReadByRule: Bool {
    (!arena.isShared || arena.isRunByThisThread) && arena.state.pointee.active >= 0
  }

  /// The given name, or its number.
  public final var name: String { arena.name(of: id) }

  /// The number of recorded reads of this node by other nodes and observers.
  public final var subscriberCount: Int {
    arena.alone {
      var count = 0
      var edge = arena.nodes[Int(id)].subscribers
      while edge >= 0 {
        count += 1
        edge = arena.edges[Int(edge)].nextSubscriber
      }
      return count
    }
  }
}

/// A node whose value is set from outside.
public final class Stored<Value>: GraphNode<Value> {
  /// The function that is called after each assignment; nil without one.
  @exclusivity(unchecked) @usableFromInline var assigned: ((Value, Value) -> Void)?

  /// Makes a node in the shared graph. It reports every assignment unless `areEqual` says that
  /// nothing changed.
  @inlinable
  public convenience init(
    _ initial: Value, name: String? = nil, areEqual: @escaping (Value, Value) -> Bool
  ) {
    self.init(
      graph: .shared, initial, name: name, areEqual: areEqual, flags: [.stored, .asksOnce])
  }

  @inlinable
  init(
    graph: Graph, _ initial: Value, name: String?, areEqual: @escaping (Value, Value) -> Bool,
    flags: NodeFlags = .stored
  ) {
    let arena = graph.arena
    if arena.isShared { arena.lock() }
    defer { if arena.isShared { arena.unlock() } }
    let work = StoredWork(
      arena.addNode(flags), in: arena, name: name, initial: initial, areEqual: areEqual)
    super.init(graph: graph, id: work.id, slot: work.slot, areEqual: areEqual)
    arena.install(work.work)
  }

  /// Sets the value. An equal value is no change. Inside a computed rule, the write is refused with
  /// a diagnostic.
  @inlinable
  public func set(_ newValue: Value) {
    if let assigned {
      assign(newValue, then: assigned)
    } else if arena.isShared {
      arena.lock()
      write(newValue)
      arena.unlock()
    } else {
      write(newValue)
    }
  }

  @inlinable
  @inline(__always)
  func write(_ newValue: Value) {
    guard arena.mayWrite(id) else { return }
    if arena.state.pointee.transactionDepth > 0, arena.nodes[Int(id)].flags.contains(.asksOnce) {
      arena.saveForRollback(id)
      StoredWork.write(newValue, to: slot, id: id, in: arena)
      return arena.didWrite(id)
    }
    if areEqual(slot.pointee, newValue) {
      // An equal object is stored, so that nobody keeps the one that was replaced.
      if Value.self is AnyObject.Type { slot.pointee = newValue }
      return
    }
    if arena.state.pointee.transactionDepth > 0 { arena.saveForRollback(id) }
    StoredWork.write(newValue, to: slot, id: id, in: arena)
    arena.didWrite(id)
  }
}

/// A node whose value follows from others by a rule. It is lazy: the rule runs on a read, and only
/// if something that it read last time has changed.
public final class Computed<Value>: GraphNode<Value> {
  /// Makes a node of the shared graph; its values are compared by a function.
  @inlinable
  public convenience init(
    name: String? = nil, fallback: Value? = nil, areEqual: @escaping (Value, Value) -> Bool,
    _ rule: @escaping (Reader) -> Value
  ) {
    self.init(graph: .shared, name: name, fallback: fallback, areEqual: areEqual, rule)
  }

  @inlinable
  init(
    graph: Graph, name: String?, fallback: Value?,
    areEqual: @escaping (Value, Value) -> Bool, _ rule: @escaping (Reader) -> Value
  ) {
    let arena = graph.arena
    if arena.isShared { arena.lock() }
    defer { if arena.isShared { arena.unlock() } }
    let work = ComputedWork(
      arena.addNode([.computed, .dirty]), in: arena, name: name,
      ComputedPayload(rule: rule, areEqual: areEqual, fallback: fallback),
      body: { work, operation, _ in ComputedWork<Value>(work).perform(operation) })
    super.init(graph: graph, id: work.id, slot: work.slot, areEqual: areEqual)
    arena.install(work.work)
  }

  /// Makes the node as above, with an inlined comparison.
  @inlinable
  init(
    comparing graph: Graph, name: String?, fallback: Value?, _ rule: @escaping (Reader) -> Value
  ) where Value: Equatable {
    let arena = graph.arena
    if arena.isShared { arena.lock() }
    defer { if arena.isShared { arena.unlock() } }
    let areEqual: (Value, Value) -> Bool = { $0 == $1 }
    let work = ComputedWork(
      arena.addNode([.computed, .dirty]), in: arena, name: name,
      ComputedPayload(rule: rule, areEqual: areEqual, fallback: fallback),
      body: { work, operation, _ in
        let work = ComputedWork<Value>(work)
        return operation == .update ? work.update(areEqual: { $0 == $1 }) : work.perform(operation)
      })
    super.init(graph: graph, id: work.id, slot: work.slot, areEqual: areEqual)
    arena.install(work.work)
  }
}

/// The argument of a computed rule, which can read without recording.
@frozen
public struct Reader {
  @usableFromInline let arena: Arena

  @inlinable
  init(arena: Arena) { self.arena = arena }

  /// Runs the body without recording its reads.
  @inlinable
  public func untracked<Result>(_ body: () throws -> Result) rethrows -> Result {
    try arena.untracked(body)
  }

  /// Returns the value of a node, recorded as a read.
  @inlinable
  public func callAsFunction<Value>(_ node: GraphNode<Value>) -> Value { node.value }
}

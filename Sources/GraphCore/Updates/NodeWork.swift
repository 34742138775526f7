@usableFromInline
final class StoredWork<Value>: NodeWork {
  /// The slot of the value; while the node is dirty, the previous value follows it.
  @usableFromInline let slot: UnsafeMutablePointer<Value>
  @usableFromInline let areEqual: (Value, Value) -> Bool
  /// The number of values that became current and differed from the one before. Nothing checks the
  /// accesses of this and of `seen`: each ends before other code runs.
  @exclusivity(unchecked) @usableFromInline var changes: UInt32 = 0

  @inlinable
  init(
    _ id: Int32, in arena: Arena, name: String?, slot: UnsafeMutablePointer<Value>,
    areEqual: @escaping (Value, Value) -> Bool, body: @escaping Body
  ) {
    self.slot = slot
    self.areEqual = areEqual
    super.init(id, in: arena, name: name, body: body)
  }

  @inlinable
  func perform(_ operation: NodeOperation, _ saved: UnsafeMutableRawPointer?) -> Bool {
    switch operation {
    case .update:
      let previous = (slot + 1).move()
      if arena.nodes[Int(id)].flags.contains(.asksOnce) { return decide(previous) }
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
      if operation == .restore { restore(copy) }
      copy.deinitialize(count: 1)
      arena.free(copy, count: 1)
    case .stage, .deliver, .rebase, .fallBack: break
    }
    return false
  }

  /// Asks the owner's comparison. A value that it calls equal is dropped.
  @usableFromInline
  func decide(_ previous: Value) -> Bool {
    if areEqual(previous, slot.pointee) {
      slot.pointee = previous
      return false
    }
    changes &+= 1
    return true
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

  /// Restores a saved value: without a trace if nobody saw the new one, otherwise as one more
  /// change.
  @usableFromInline
  func restore(_ copy: UnsafeMutablePointer<Value>) {
    let isDirty = arena.nodes[Int(id)].flags.contains(.dirty)
    if isDirty, !arena.state.pointee.restoresDirty {
      slot.deinitialize(count: 1)
      slot.moveInitialize(from: slot + 1, count: 1)
      arena.nodes[Int(id)].flags.remove(.dirty)
    } else {
      StoredWork.write(copy.pointee, to: slot, id: id, in: arena)
      arena.propagate(from: id)
    }
  }
}

@usableFromInline
final class ComputedWork<Value>: NodeWork {
  @usableFromInline let rule: (Reader) -> Value
  /// The slot of the value, once the node has one.
  @usableFromInline let slot: UnsafeMutablePointer<Value>
  @usableFromInline let areEqual: (Value, Value) -> Bool
  @usableFromInline let fallback: Value?

  @inlinable
  init(
    _ id: Int32, in arena: Arena, name: String?, fallback: Value?,
    areEqual: @escaping (Value, Value) -> Bool, rule: @escaping (Reader) -> Value,
    body: @escaping Body
  ) {
    self.rule = rule
    self.areEqual = areEqual
    self.fallback = fallback
    slot = arena.allocate(Value.self, count: 1)
    super.init(id, in: arena, name: name, body: body)
  }

  @inlinable
  @inline(__always)
  func update(areEqual: (Value, Value) -> Bool) -> Bool {
    let newValue = rule(Reader(arena: arena))
    let flags = arena.nodes[Int(id)].flags
    guard flags.contains(.valued), flags.isDisjoint(with: .cyclic) else { return begin(newValue) }
    if areEqual(slot.pointee, newValue) { return false }
    slot.pointee = newValue
    return true
  }

  /// Sets the first value, or the result of an evaluation that met itself.
  @usableFromInline
  func begin(_ newValue: Value) -> Bool {
    if arena.nodes[Int(id)].flags.contains(.cyclic), fallBack() { return true }
    slot.initialize(to: newValue)
    arena.nodes[Int(id)].flags.insert(.valued)
    return true
  }

  @inlinable
  func perform(_ operation: NodeOperation) -> Bool {
    switch operation {
    case .fallBack: return fallBack()
    case .destroy:
      if arena.nodes[Int(id)].flags.contains(.valued) { slot.deinitialize(count: 1) }
      arena.free(slot, count: 1)
    case .update, .stage, .deliver, .rebase, .save, .forget, .restore: break
    }
    return false
  }

  @usableFromInline
  func fallBack() -> Bool {
    let isValued = arena.nodes[Int(id)].flags.contains(.valued)
    guard let fallback else { return isValued }
    if isValued { slot.pointee = fallback } else { slot.initialize(to: fallback) }
    arena.nodes[Int(id)].flags.insert(.valued)
    return true
  }
}

@usableFromInline
final class ObserverWork<Value>: NodeWork {
  @usableFromInline let node: GraphNode<Value>
  /// The last delivered value.
  @usableFromInline let last: UnsafeMutablePointer<Value>
  /// The caller's own comparison, if there is one.
  @usableFromInline let isNews: ((Value, Value) -> Bool)?
  /// The number of changes of a node that asks once, when `last` was taken.
  @exclusivity(unchecked) @usableFromInline var seen: UInt32 = 0
  @usableFromInline let onChange: (Value) -> Void

  @inlinable
  init(
    _ id: Int32, of node: GraphNode<Value>, isNews: ((Value, Value) -> Bool)?,
    onChange: @escaping (Value) -> Void, body: @escaping Body
  ) {
    self.node = node
    self.isNews = isNews
    self.onChange = onChange
    last = node.arena.allocate(Value.self, count: 1)
    super.init(id, in: node.arena, name: nil, body: body)
    let outer = arena.beginTracking(id)
    // Inlined, the read would keep this out of its callers, which then count references twice.
    arena.willReadShared(node.id)
    last.initialize(to: node.slot.pointee)
    arena.endTracking(id, outer: outer)
    seen = changes
  }

  /// The number of changes, if the node is one that asks once.
  @usableFromInline
  var changes: UInt32 {
    let record = node.arena.nodes[Int(node.id)]
    guard record.flags.contains(.asksOnce), let work = record.work else { return seen }
    return work._withUnsafeGuaranteedRef {
      unsafeDowncast($0, to: StoredWork<Value>.self).changes
    }
  }

  /// Returns whether the settled value differs from the last one. If exactly one change has come
  /// since, the comparison was asked for it already.
  @inlinable
  @inline(__always)
  func hasChanged() -> Bool {
    if node.arena.nodes[Int(node.id)].flags.contains(.asksOnce) {
      let before = seen
      seen = changes
      if seen == before &+ 1 { return true }
    }
    return !node.areEqual(last.pointee, node.slot.pointee)
  }

  @inlinable
  func perform(_ operation: NodeOperation) -> Bool {
    switch operation {
    case .stage:
      arena.settleUnlessSettled(node.id)
      if let isNews {
        if !isNews(last.pointee, node.slot.pointee) { return false }
      } else if !hasChanged() {
        return false
      }
      last.pointee = node.slot.pointee
      return true
    case .deliver: onChange(last.pointee)
    case .rebase:
      last.pointee = node.slot.pointee
      seen = changes
    case .destroy:
      last.deinitialize(count: 1)
      arena.free(last, count: 1)
    case .update, .save, .forget, .restore, .fallBack: break
    }
    return false
  }
}

final class GroupWork: NodeWork {
  private let run: () -> Void
  private let children = AnyCancellable()

  init(_ id: Int32, in arena: Arena, name: String?, run: @escaping () -> Void) {
    self.run = run
    super.init(id, in: arena, name: name) { work, operation, _ in
      unsafeDowncast(work, to: GroupWork.self).perform(operation)
    }
  }

  private func perform(_ operation: NodeOperation) -> Bool {
    switch operation {
    case .stage: return true
    case .deliver:
      children.cancelChildren()
      TrackingScope.open(children, turn: turn, in: arena.state.pointee.graph, run)
    case .destroy: children.cancel()
    case .update, .save, .forget, .restore, .rebase, .fallBack: break
    }
    return false
  }
}

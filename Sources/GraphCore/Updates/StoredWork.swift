/// The record of a stored node. It has places for two values: the current one, and while the node
/// is dirty, the previous one behind it.
@usableFromInline
typealias StoredWork<Value> = TypedWork<StoredPayload<Value>, Value>

/// The contents that the record of a stored node lends to calls of its owner's code.
@usableFromInline
struct StoredPayload<Value>: ~Copyable {
  @usableFromInline let areEqual: (Value, Value) -> Bool

  @inlinable
  init(areEqual: @escaping (Value, Value) -> Bool) { self.areEqual = areEqual }

  @inlinable
  @inline(__always)
  borrowing func compare(_ left: Value, _ right: Value) -> Bool { areEqual(left, right) }
}

extension TypedWork where Payload == StoredPayload<Value> {
  @inlinable
  init(
    _ id: Int32, in arena: Arena, name: String?, initial: Value,
    areEqual: @escaping (Value, Value) -> Bool
  ) {
    self.init(
      NodeWork.Header(id, in: arena, name: name) { Self($0).perform($1, $2) },
      StoredPayload(areEqual: areEqual), values: 2)
    slot.initialize(to: initial)
  }

  @inlinable
  func perform(_ operation: NodeOperation, _ saved: UnsafeMutableRawPointer?) -> Bool {
    switch operation {
    case .update:
      let previous = (slot + 1).move()
      if arena.nodes[Int(id)].flags.contains(.asksOnce) { return decide(previous) }
      let hasChanged = !record.pointee.payload.compare(previous, slot.pointee)
      if hasChanged { noteChange() }
      return hasChanged
    case .destroy:
      if arena.nodes[Int(id)].flags.contains(.dirty) { (slot + 1).deinitialize(count: 1) }
      slot.deinitialize(count: 1)
      destroy(values: 2)
    case .save:
      let copy = arena.allocate(Value.self, count: 1)
      copy.initialize(to: slot.pointee)
      arena.didSave(id, UnsafeMutableRawPointer(copy))
    case .forget, .restore:
      guard let copy = saved?.assumingMemoryBound(to: Value.self) else { return false }
      if operation == .restore { restore(copy) }
      copy.deinitialize(count: 1)
      arena.free(copy, count: 1)
    case .stage, .deliver, .rebase, .fallBack, .close: break
    }
    return false
  }

  /// Asks the owner's comparison. A value that it calls equal is dropped.
  @inlinable
  @inline(never)
  func decide(_ previous: Value) -> Bool {
    if record.pointee.payload.compare(previous, slot.pointee) {
      slot.pointee = previous
      return false
    }
    noteChange()
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
      Self.write(copy.pointee, to: slot, id: id, in: arena)
      arena.propagate(from: id)
    }
  }
}

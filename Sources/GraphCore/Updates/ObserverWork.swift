/// The record of an observer. Its place has the last delivered value.
@usableFromInline
typealias ObserverWork<Value> = TypedWork<ObserverPayload<Value>, Value>

/// The contents that the record of an observer lends to calls of its owner's code.
@usableFromInline
struct ObserverPayload<Value>: ~Copyable {
  /// Keeps the node alive.
  @usableFromInline let node: GraphNode<Value>
  /// The caller's own comparison, if there is one.
  @usableFromInline let isNews: ((Value, Value) -> Bool)?
  @usableFromInline let onChange: (Value) -> Void

  @inlinable
  init(
    _ node: GraphNode<Value>, isNews: ((Value, Value) -> Bool)?, onChange: @escaping (Value) -> Void
  ) {
    self.node = node
    self.isNews = isNews
    self.onChange = onChange
  }

  @inlinable
  @inline(__always)
  borrowing func deliver(_ value: Value) { onChange(value) }

  @inlinable
  @inline(__always)
  borrowing func settle() { node.arena.settleUnlessSettled(node.id) }

  @inlinable
  @inline(__always)
  borrowing func copyValue() -> Value { node.slot.pointee }

  /// The number of changes of the node.
  @inlinable
  @inline(__always)
  borrowing func changes() -> UInt32 { node.arena.changes(of: node.id) }

  /// Returns whether the settled value is news compared with the last one. `changes` is the number
  /// of changes in between: if there was exactly one, the node's comparison was asked for it.
  @inlinable
  @inline(__always)
  borrowing func isDue(after last: UnsafeMutablePointer<Value>, changes: UInt32) -> Bool {
    if let isNews { return isNews(last.pointee, node.slot.pointee) }
    return changes == 1 || !node.areEqual(last.pointee, node.slot.pointee)
  }
}

extension TypedWork where Payload == ObserverPayload<Value> {
  // Called, it would count the references of its arguments twice.
  @inlinable
  @inline(__always)
  init(
    _ id: Int32, of node: GraphNode<Value>, isNews: ((Value, Value) -> Bool)?,
    onChange: @escaping (Value) -> Void
  ) {
    self.init(
      NodeWork.Header(id, in: node.arena, name: nil) { work, operation, _ in
        Self(work).perform(operation)
      },
      ObserverPayload(node, isNews: isNews, onChange: onChange), values: 1)
    let outer = arena.beginTracking(id)
    // An inlined read would be a copy in each of the callers.
    arena.willReadShared(node.id)
    slot.initialize(to: node.slot.pointee)
    record.pointee.header.changes = record.pointee.payload.changes()
    arena.endTracking(id, outer: outer)
  }
}

extension TypedWork where Payload == ObserverPayload<Value> {
  @inlinable
  func perform(_ operation: NodeOperation) -> Bool {
    switch operation {
    case .stage: return stage()
    case .deliver: record.pointee.payload.deliver(slot.pointee)
    case .rebase: takeValue()
    case .destroy:
      slot.deinitialize(count: 1)
      destroy(values: 1)
    case .update, .save, .forget, .restore, .fallBack, .close: break
    }
    return false
  }

  /// Settles the node, and takes its value if that is to be delivered.
  @inlinable
  @inline(__always)
  func stage() -> Bool {
    record.pointee.payload.settle()
    let changes = record.pointee.payload.changes() &- record.pointee.header.changes
    guard record.pointee.payload.isDue(after: slot, changes: changes) else { return false }
    takeValue()
    return true
  }

  /// Takes the node's value as the last delivered one.
  @inlinable
  @inline(__always)
  func takeValue() {
    slot.pointee = record.pointee.payload.copyValue()
    record.pointee.header.changes = record.pointee.payload.changes()
  }
}

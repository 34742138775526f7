/// The record of a computed node. Its place has a value once the node is valued.
@usableFromInline
typealias ComputedWork<Value> = TypedWork<ComputedPayload<Value>, Value>

/// The contents that the record of a computed node lends to calls of its owner's code.
@usableFromInline
struct ComputedPayload<Value>: ~Copyable {
  @usableFromInline let rule: (Reader) -> Value
  @usableFromInline let areEqual: (Value, Value) -> Bool
  @usableFromInline let fallback: Value?

  @inlinable
  init(
    rule: @escaping (Reader) -> Value, areEqual: @escaping (Value, Value) -> Bool, fallback: Value?
  ) {
    self.rule = rule
    self.areEqual = areEqual
    self.fallback = fallback
  }

  @inlinable
  @inline(__always)
  borrowing func evaluate(_ reader: Reader) -> Value { rule(reader) }

  @inlinable
  @inline(__always)
  borrowing func compare(_ left: Value, _ right: Value) -> Bool { areEqual(left, right) }
}

extension TypedWork where Payload == ComputedPayload<Value> {
  @inlinable
  init(
    _ id: Int32, in arena: Arena, name: String?, _ payload: consuming ComputedPayload<Value>,
    body: @escaping NodeWork.Body
  ) {
    self.init(NodeWork.Header(id, in: arena, name: name, body: body), payload, values: 1)
  }

  @inlinable
  @inline(__always)
  func evaluate() -> Value { record.pointee.payload.evaluate(Reader(arena: arena)) }

  /// Evaluates the node. Returns whether its value has changed.
  @inlinable
  @inline(__always)
  func update(areEqual: (Value, Value) -> Bool) -> Bool {
    let newValue = evaluate()
    let flags = arena.nodes[Int(id)].flags
    guard flags.contains(.valued), flags.isDisjoint(with: .cyclic) else { return begin(newValue) }
    if areEqual(slot.pointee, newValue) { return false }
    slot.pointee = newValue
    noteChange()
    return true
  }

  /// Sets the first value, or the result of an evaluation that met itself.
  @inlinable
  @inline(never)
  func begin(_ newValue: Value) -> Bool {
    if arena.nodes[Int(id)].flags.contains(.cyclic), fallBack() { return true }
    slot.initialize(to: newValue)
    arena.nodes[Int(id)].flags.insert(.valued)
    noteUnknownChange()
    return true
  }

  @inlinable
  func perform(_ operation: NodeOperation) -> Bool {
    switch operation {
    case .update: return update { record.pointee.payload.compare($0, $1) }
    case .fallBack: return fallBack()
    case .destroy:
      if arena.nodes[Int(id)].flags.contains(.valued) { slot.deinitialize(count: 1) }
      destroy(values: 1)
    case .stage, .deliver, .rebase, .save, .forget, .restore, .close: break
    }
    return false
  }

  @inlinable
  @inline(never)
  func fallBack() -> Bool {
    let isValued = arena.nodes[Int(id)].flags.contains(.valued)
    guard let fallback = record.pointee.payload.fallback else { return isValued }
    if isValued { slot.pointee = fallback } else { slot.initialize(to: fallback) }
    arena.nodes[Int(id)].flags.insert(.valued)
    noteUnknownChange()
    return true
  }
}

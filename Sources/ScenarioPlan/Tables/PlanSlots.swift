import CEL
import Secrets
import Values

/// The slots that expressions read, by the plan's ids. CEL knows no plan and numbers its slots;
/// only this file maps one to the other.
package protocol PlanSlots: CELSlots {
  func value(of slot: SlotID) -> Value
  /// Returns whether a capture has a value.
  func isCaptured(_ slot: SlotID) -> Bool
  /// Notes texts that an expression has computed from secrets, and the name that stands for them.
  func note(computedSecrets: [String], named name: String)
  /// The filter for all secrets that are known by now; nil if nobody knows of any.
  var secretMask: SecretMask? { get }
}

extension PlanSlots {
  package func isCaptured(_ slot: SlotID) -> Bool { true }
  package func note(computedSecrets: [String], named name: String) {}
  package var secretMask: SecretMask? { nil }
}

extension PlanSlots {
  @inlinable @inline(__always) package func value(of slot: Int) -> Value { value(of: SlotID(slot)) }
}

extension ExpressionPlan {
  /// The slots it reads, in their order.
  package var readSlots: LazyMapSequence<[Int], SlotID> {
    program.readSlots.lazy.map { SlotID($0) }
  }
}

extension CELScope {
  package mutating func declare(_ address: String, type: CELType = .dyn, slot: SlotID) {
    declare(address, type: type, slot: slot.index)
  }

  /// Lets names that nothing declares mean fields of this slot's value.
  mutating func setFallback(_ slot: SlotID, type: CELType) {
    fallbackSlot = slot.index
    fallbackType = type
  }

  mutating func declareAddressFunction(
    _ name: String, type: CELType, takes: String = "a source",
    known: @escaping @Sendable () -> [String],
    events: (@Sendable (String) -> SlotID?)? = nil,
    resolve: @escaping @Sendable (String) -> SlotID?
  ) {
    var numbers: (@Sendable (String) -> Int?)?
    if let events { numbers = { events($0)?.index } }
    declareAddressFunction(
      name, type: type, takes: takes, known: known, events: numbers,
      resolve: { resolve($0)?.index })
  }

  mutating func declareSlotFunction(_ name: String, type: CELType, slot: SlotID) {
    declareSlotFunction(name, type: type, slot: slot.index)
  }
}

extension ScenarioPlan {
  /// True if an expression makes values by chance.
  package var hasRandomValues: Bool {
    slots.contains { if case .drawn = $0 { true } else { false } }
  }
}

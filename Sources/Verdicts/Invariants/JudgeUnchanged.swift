import Events
import ScenarioPlan
import Values

/// An `unchanged`, and the values that must stay.
struct UnchangedValues {
  struct Held {
    var value: Value
    var event: EventID
  }

  let invariant: InvariantID
  let plan: UnchangedPlan
  /// By key: the value since the condition holds. Values of the stage have the empty key.
  var held = KeyedState<Held>()
  /// True once the condition held.
  var hasHeld = false
}

extension AssertionState {
  /// Compares a value of the stage with the one before.
  mutating func sampleUnchanged(_ invariant: InvariantID, _ event: Event) {
    let entry = invariants.unchanged.firstIndex { $0.invariant == invariant }
    guard let entry, invariants.unchanged[entry].plan.when.isEmpty else { return }
    load(invariant, captures: [])
    hold(entry, [], event.sequence)
  }

  /// Compares an event with the one before that captured the same.
  mutating func compare(_ entry: Int, _ emission: EmissionBuffer.Emission) {
    let (invariant, plan) = (
      invariants.unchanged[entry].invariant, invariants.unchanged[entry].plan
    )
    guard let captured = captures(emission, plan.when, invariant) else { return }
    load(invariant, captures: captured)
    slots.matched = emission.value
    hold(entry, captured.values(of: plan.key), emission.sequence)
  }

  private mutating func hold(_ entry: Int, _ key: [Value], _ event: EventID) {
    let (invariant, plan) = (
      invariants.unchanged[entry].invariant, invariants.unchanged[entry].plan
    )
    switch slots.evaluate(plan.condition) {
    case .success(.bool(false)): return invariants.unchanged[entry].held.remove(key)
    case .success(.bool(true)): break
    case .success, .failure:
      return breakInvariant(.invariant(invariant, readCondition(plan.condition)), origin: event)
    }
    guard case .success(let value) = slots.evaluate(plan.of) else {
      return breakInvariant(.invariant(invariant, readCondition(plan.of)), origin: event)
    }
    invariants.unchanged[entry].hasHeld = true
    if let before = invariants.unchanged[entry].held[key] {
      guard before.value != value else { return }
      return breakInvariant(
        invariant, .changed(readCondition(plan.of), from: before.value, since: before.event),
        at: event)
    }
    let state = UnchangedValues.Held(value: value, event: event)
    if !invariants.unchanged[entry].held.set(state, for: key, removing: { _ in false }) {
      reachInvariantLimit(.keys, at: event)
    }
  }
}

import CEL
import Secrets
import Values

/// How to find out what an expression shows of the secrets that it reads.
///
/// A result that stays the same with other secrets shows nothing about them: the size of a token,
/// or a region that was chosen by it. A result that changes is a secret as well, unless the secret
/// is found in it anyway.
package final class SecretDerivation: Sendable {
  /// The name that stands for the result in traces: `token#1`.
  package let name: String
  /// The expression with other values in place of those secrets that are constants.
  private let program: CELProgram
  /// The slots that hold secrets.
  private let slots: [SlotID]
  /// The slots whose values may have secrets in them, or what was computed from some: nodes, what a
  /// `let` has set, events.
  private let carriers: [SlotID]
  /// The constants that are secrets, and what is in their place.
  private let constants: [Value]
  private let text: String

  init(
    name: String, program: CELProgram, slots: [SlotID], carriers: [SlotID], constants: [Value],
    text: String
  ) {
    self.name = name
    self.program = program
    self.slots = slots
    self.carriers = carriers
    self.constants = constants
    self.text = text
  }

  /// Returns the texts of a result that are secrets.
  ///
  /// - Parameter reads: What the expression has read.
  func secrets(in result: Value, _ reads: ReadSlots) -> [String] {
    let (carried, decoysRead) = carriedSecrets(reads)
    let values = constants + slots.compactMap { reads.values[$0]?.first }
    if values.isEmpty, carried.texts.isEmpty { return [] }
    let decoys = DecoySlots(reads, slots, decoysRead)
    let other = try? program.evaluate(decoys).get()
    let known = SecretMask(values.flatMap(\.secretTexts) + carried.texts)
    let knownDecoys = SecretMask(
      values.flatMap { $0.decoy.secretTexts } + carried.texts.map(\.decoy))
    return result.leaves(beside: other).compactMap { leaf, decoy in
      let shown = leaf.plainText
      guard leaf != decoy, leaf.maySayAnything, !text.contains(shown) else { return nil }
      let rest = known.masked(shown)
      // What is left of it says nothing if it is the same with any secret.
      if rest != shown, let decoy, rest == knownDecoys.masked(decoy.plainText) { return nil }
      return shown
    }
  }
}

extension SecretDerivation {
  /// Returns the parts of known secrets in the read values, and by slot the values that were read,
  /// with other texts in place of secrets.
  fileprivate func carriedSecrets(
    _ reads: ReadSlots
  ) -> (carried: CarriedSecrets, decoys: [SlotID: [Value]]) {
    var carried = CarriedSecrets()
    var decoys: [SlotID: [Value]] = [:]
    let wanted = carriers.filter { reads.values[$0] != nil }
    guard !wanted.isEmpty, let mask = reads.secretMask, !mask.isEmpty else {
      return (carried, decoys)
    }
    for slot in wanted {
      let values = reads.values[slot] ?? []
      let others = values.map { carried.decoy(of: $0, mask) }
      if zip(values, others).contains(where: { $0 != $1 }) { decoys[slot] = others }
    }
    return (carried, decoys)
  }
}

/// Slots that keep what was read of them.
final class ReadSlots: PlanSlots {
  private let slots: any PlanSlots
  private(set) var values: [SlotID: [Value]] = [:]

  init(_ slots: any PlanSlots) { self.slots = slots }

  func value(of slot: SlotID) -> Value {
    let value = slots.value(of: slot)
    values[slot, default: []].append(value)
    return value
  }

  func isCaptured(_ slot: SlotID) -> Bool { slots.isCaptured(slot) }
  var secretMask: SecretMask? { slots.secretMask }
}

/// The slots of an evaluation that was done, with other values in place of secrets. Nothing is read
/// again: a random number would be another one, and change the next one of the run.
private final class DecoySlots: CELSlots {
  private let secrets: [SlotID]
  private var values: [SlotID: [Value]]

  init(_ reads: ReadSlots, _ secrets: [SlotID], _ decoys: [SlotID: [Value]]) {
    self.secrets = secrets
    values = reads.values.merging(decoys) { $1 }.mapValues { $0.reversed() }
  }

  func value(of slot: Int) -> Value {
    let slot = SlotID(slot)
    guard var left = values[slot], let next = left.last else { return .null }
    if left.count > 1 {
      left.removeLast()
      values[slot] = left
    }
    return secrets.contains(slot) ? next.decoy : next
  }
}

extension Value {
  /// The scalars in here, each with that at the same place of another value.
  fileprivate func leaves(beside other: Value?) -> [(Value, Value?)] {
    switch self {
    case .list(let elements):
      elements.enumerated().flatMap { index, element in
        element.leaves(beside: other?.element(index))
      }
    case .map(let map):
      map.flatMap { key, value in value.leaves(beside: other?.member(key)) }
    case .optional(let inner?): inner.leaves(beside: other)
    case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type,
      .optional:
      [(self, other)]
    }
  }

  private func member(_ key: Value) -> Value? {
    if case .map(let map) = self { map[key] } else { nil }
  }

  private func element(_ index: Int) -> Value? {
    guard case .list(let elements) = self, index < elements.count else { return nil }
    return elements[index]
  }

  /// False for what is too short to be hidden wherever it occurs, and for what is never hidden.
  fileprivate var maySayAnything: Bool {
    switch self {
    case .null, .bool, .duration, .type, .list, .map, .optional: false
    case .int, .uint, .double, .digits, .string, .bytes, .timestamp:
      plainText.count >= SecretMask.shortestInsideWords
    }
  }
}

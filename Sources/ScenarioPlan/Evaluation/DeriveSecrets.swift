import CEL
import TextSearch
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
    let carried = carriedSecrets(reads)
    let values = constants + slots.compactMap { reads.values[$0]?.first }
    if values.isEmpty, carried.texts.isEmpty { return [] }
    let decoys = DecoySlots(reads, slots, carried)
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
  /// What the read values carry of the secrets that are known by now.
  fileprivate func carriedSecrets(_ reads: ReadSlots) -> CarriedSecrets {
    var carried = CarriedSecrets()
    let wanted = carriers.filter { reads.values[$0] != nil }
    guard !wanted.isEmpty, let mask = reads.secretMask, !mask.isEmpty else { return carried }
    for slot in wanted {
      let values = reads.values[slot] ?? []
      let others = values.map { carried.decoy(of: $0, mask) }
      if zip(values, others).contains(where: { $0 != $1 }) { carried.decoys[slot] = others }
    }
    return carried
  }
}

/// The secrets inside of values that an expression has read.
private struct CarriedSecrets {
  /// The parts of the values that are secrets, in the form that they have there.
  var texts: [String] = []
  /// By slot: what was read of it, with other texts in place of secrets.
  var decoys: [SlotID: [Value]] = [:]

  mutating func decoy(of value: Value, _ mask: SecretMask) -> Value {
    switch value {
    case .string(let text): return .string(decoy(of: text, mask))
    case .list(let elements): return .list(elements.map { decoy(of: $0, mask) })
    case .map(let map):
      return .map(ValueMap(map.map { (decoy(of: $0.key, mask), decoy(of: $0.value, mask)) }))
    case .optional(let inner): return .optional(inner.map { decoy(of: $0, mask) })
    case .int, .uint, .double, .bytes, .timestamp, .duration:
      let found = value.secretTexts.filter { !mask.places(in: $0).isEmpty }
      texts += found
      return found.isEmpty ? value : value.decoy
    case .null, .bool, .type: return value
    }
  }

  private mutating func decoy(of text: String, _ mask: SecretMask) -> String {
    let places = mask.places(in: text)
    if places.isEmpty { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var position = 0
    for place in places {
      let part = String(decoding: bytes[place], as: UTF8.self)
      texts.append(part)
      result += bytes[position..<place.lowerBound] + Array(part.decoy.utf8)
      position = place.upperBound
    }
    return String(decoding: result + bytes[position...], as: UTF8.self)
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

  init(_ reads: ReadSlots, _ secrets: [SlotID], _ carried: CarriedSecrets) {
    self.secrets = secrets
    values = reads.values.merging(carried.decoys) { $1 }.mapValues { $0.reversed() }
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
  /// A value of the same form in which each text and each number is another one.
  var decoy: Value {
    switch self {
    case .string(let text): .string(text.decoy)
    case .int(let number): .int(Int(String(number).decoy) ?? ~number)
    case .uint(let number): .uint(number ^ 1)
    case .double(let number): .double(number + 1)
    case .bytes(let bytes): .bytes(bytes.map { $0 ^ 1 })
    case .timestamp(let time):
      .timestamp(Timestamp(seconds: time.seconds ^ 1, nanoseconds: time.nanoseconds))
    case .list(let elements): .list(elements.map(\.decoy))
    case .map(let map): .map(ValueMap(map.map { key, value in (key, value.decoy) }))
    case .optional(let inner): .optional(inner?.decoy)
    case .null, .bool, .duration, .type: self
    }
  }

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
    case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .type,
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
    case .int, .uint, .double, .string, .bytes, .timestamp:
      plainText.count >= SecretMask.shortestInsideWords
    }
  }
}

extension String {
  /// The text with the next letter or digit in place of each: a secret may have to be hexadecimal,
  /// or Base64.
  fileprivate var decoy: String {
    String(String.UnicodeScalarView(unicodeScalars.map(next)))
  }

  private func next(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "f": "a"
    case "F": "A"
    case "z": "g"
    case "Z": "G"
    case "9": "1"
    case "0"..."8", "a"..."y", "A"..."Y": Unicode.Scalar(scalar.value + 1) ?? scalar
    default: scalar
    }
  }
}

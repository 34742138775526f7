import Values

/// The secrets inside of values that an expression has read.
package struct CarriedSecrets {
  /// The parts of the values that are secrets, in the form that they have there.
  package private(set) var texts: [String] = []

  package init() {}

  /// Returns a value with other texts in place of the secrets in it.
  package mutating func decoy(of value: Value, _ mask: SecretMask) -> Value {
    switch value {
    case .string(let text): return .string(decoy(of: text, mask))
    case .list(let elements): return .list(elements.map { decoy(of: $0, mask) })
    case .map(let map):
      return .map(ValueMap(map.map { (decoy(of: $0.key, mask), decoy(of: $0.value, mask)) }))
    case .optional(let inner): return .optional(inner.map { decoy(of: $0, mask) })
    case .int, .uint, .double, .digits, .bytes, .timestamp, .duration:
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

extension Value {
  /// A value of the same form in which each text and each number is another one.
  package var decoy: Value {
    switch self {
    case .string(let text): .string(text.decoy)
    case .int(let number): .int(Int(String(number).decoy) ?? ~number)
    case .uint(let number): .uint(number ^ 1)
    case .double(let number): .double(number + 1)
    case .digits(let text): .digits(text.decoy)
    case .bytes(let bytes): .bytes(bytes.map { $0 ^ 1 })
    case .timestamp(let time):
      .timestamp(Timestamp(seconds: time.seconds ^ 1, nanoseconds: time.nanoseconds))
    case .list(let elements): .list(elements.map(\.decoy))
    case .map(let map): .map(ValueMap(map.map { key, value in (key, value.decoy) }))
    case .optional(let inner): .optional(inner?.decoy)
    case .null, .bool, .duration, .type: self
    }
  }
}

extension String {
  /// The text with the next letter or digit in place of each: a secret may have to be hexadecimal,
  /// or Base64.
  package var decoy: String {
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

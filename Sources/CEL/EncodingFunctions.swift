import Values

extension Builtins {
  static let encodings: [Builtin] = [
    global(
      "base64.encode", Signature([.bytes], .string), body: .one(EncodingFunctions.encode)),
    global(
      "base64.decode", Signature([.string], .bytes), body: .one(EncodingFunctions.decode)),
  ]
}

/// Base64, with or without padding when it is read, with padding when it is written.
enum EncodingFunctions {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .bytes(let bytes) = value else { throw .noOverload("base64.encode", value) }
    try meter.make(bytes: bytes.count / 3 * 4 + 4)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 3 * 4 + 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        let index = Int(bits >> UInt32(18 - 6 * place) & 63)
        text.append(place <= group.count ? alphabet[index] : UInt8(ascii: "="))
      }
    }
    return .string(String(decoding: text, as: UTF8.self))
  }

  static func decode(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let text) = value else { throw .noOverload("base64.decode", value) }
    try meter.make(bytes: text.utf8.count)
    var digits = Array(text.utf8)
    let padded = digits.count % 4 == 0
    while padded, digits.last == UInt8(ascii: "="), digits.count % 4 != 2 { digits.removeLast() }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3 + 3)
    var bits: UInt32 = 0
    for (index, digit) in digits.enumerated() {
      guard let number = alphabetIndex(digit) else { throw CELFault("this is not base64") }
      bits = bits << 6 | number
      let place = index % 4
      if place > 0 { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(6 - 2 * place))) }
    }
    guard digits.count % 4 != 1 else { throw CELFault("this is not base64: it ends too early") }
    return .bytes(bytes)
  }

  private static func alphabetIndex(_ digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

import Values

/// Returns the value of a plain scalar by the core schema of YAML 1.2. A number that no value can
/// hold stays text: rounded, it would be another one.
package func coreValue(of text: String) -> Value {
  guard let first = text.utf8.first else { return .null }
  if isSurelyText(first) { return .string(text) }
  switch first {
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
    UInt8(ascii: "."):
    return coreNumber(of: text) ?? .string(text)
  case UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "~"), UInt8(ascii: "t"),
    UInt8(ascii: "T"), UInt8(ascii: "f"), UInt8(ascii: "F"):
    return coreWord(of: text) ?? .string(text)
  default:
    return .string(text)
  }
}

/// Returns whether the first byte shows that a plain scalar is text. That of most does.
func isSurelyText(_ first: UInt8) -> Bool {
  switch first | 0x20 {
  case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "f"): return false
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "/"), UInt8(ascii: "$"): return true
  default: return false
  }
}

/// Returns the value that a tag requires; nil if the text does not allow it.
func taggedValue(of text: String, as tag: YAMLScalar.TypeTag) -> Value? {
  switch (tag, coreValue(of: text)) {
  case (.none, let value): value
  case (.text, _): .string(text)
  case (.int, .int(let number)): .int(number)
  case (.int, .uint(let number)): .uint(number)
  case (.float, .int(let number)): .double(Double(number))
  case (.float, .uint(let number)): .double(Double(number))
  case (.float, .double(let number)): .double(number)
  case (.float, .string) where hasFormOfNumber(text): Double(text).map { .double($0) }
  case (.bool, .bool(let truth)): .bool(truth)
  case (.null, .null): .null
  default: nil
  }
}

private func coreWord(of text: String) -> Value? {
  // Most words with such a beginning have another length.
  switch text.utf8.count {
  case 1, 4, 5: break
  default: return nil
  }
  return switch text {
  case "~", "null", "Null", "NULL": .null
  case "true", "True", "TRUE": .bool(true)
  case "false", "False", "FALSE": .bool(false)
  default: nil
  }
}

private func coreNumber(of text: String) -> Value? {
  var text = text
  return text.withUTF8 { bytes in
    if let value = prefixedInteger(bytes) { return value }
    switch numberForm(bytes) {
    case .none: return specialNumber(bytes)
    case .integer: return integer(bytes)
    case .float: return double(bytes)
    }
  }
}

/// Returns whether a text is written as a number of the core schema, however large.
func hasFormOfNumber(_ text: String) -> Bool {
  var text = text
  return text.withUTF8 { bytes in
    if numberForm(bytes) != .none { return true }
    guard bytes.count > 2, bytes[0] == UInt8(ascii: "0") else { return false }
    let digits = String(decoding: bytes[2...], as: UTF8.self)
    switch bytes[1] {
    case UInt8(ascii: "o"): return digits.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 8 }
    case UInt8(ascii: "x"): return digits.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit)
    default: return false
    }
  }
}

private enum NumberForm {
  case none, integer, float
}

/// Recognizes `[-+]? digits`, or `[-+]? ( . digits | digits ( . digits? )? ) ( e [-+]? digits )?`.
private func numberForm(_ bytes: UnsafeBufferPointer<UInt8>) -> NumberForm {
  var reader = NumberReader(bytes: bytes)
  _ = reader.take("-") || reader.take("+")
  let whole = reader.digits()
  if whole > 0, reader.isAtEnd { return .integer }
  let fraction = reader.take(".") ? reader.digits() : 0
  guard whole + fraction > 0 else { return .none }
  if reader.take("e") || reader.take("E") {
    _ = reader.take("-") || reader.take("+")
    guard reader.digits() > 0 else { return .none }
  }
  return reader.isAtEnd ? .float : .none
}

private struct NumberReader {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0

  var isAtEnd: Bool { position == bytes.count }

  mutating func take(_ letter: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: letter) else { return false }
    position += 1
    return true
  }

  mutating func digits() -> Int {
    let start = position
    while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    return position - start
  }
}

/// Reads `0o17` and `0x1F`; nil for anything else and beyond 64 bits.
private func prefixedInteger(_ bytes: UnsafeBufferPointer<UInt8>) -> Value? {
  guard bytes.count > 2, bytes[0] == UInt8(ascii: "0") else { return nil }
  let radix: Int
  switch bytes[1] {
  case UInt8(ascii: "o"): radix = 8
  case UInt8(ascii: "x"): radix = 16
  default: return nil
  }
  guard bytes[2] != UInt8(ascii: "+"), bytes[2] != UInt8(ascii: "-"),
    let number = UInt(String(decoding: bytes[2...], as: UTF8.self), radix: radix)
  else { return nil }
  return Int(exactly: number).map { .int($0) } ?? .uint(number)
}

private func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Value? {
  if let number = shortInteger(bytes) { return .int(number) }
  let text = String(decoding: bytes, as: UTF8.self)
  return Int(text).map { .int($0) } ?? UInt(text).map { .uint($0) }
}

/// Reads `[-+]? digits` that surely fit, as nearly all do; nil if there are more.
private func shortInteger(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
  let mostBytes = 18
  guard bytes.count <= mostBytes else { return nil }
  var number = 0
  for byte in bytes where byte >= UInt8(ascii: "0") {
    number = number &* 10 &+ Int(byte &- UInt8(ascii: "0"))
  }
  return bytes.first == UInt8(ascii: "-") ? -number : number
}

/// Reads a number; nil beyond the range of a double. Readers of data report such a number.
private func double(_ bytes: UnsafeBufferPointer<UInt8>) -> Value? {
  guard let number = Double(String(decoding: bytes, as: UTF8.self)), number.isFinite else {
    return nil
  }
  return .double(number)
}

private func specialNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Value? {
  guard bytes.count == 4 || bytes.count == 5, bytes[bytes.count - 4] == UInt8(ascii: ".") else {
    return nil
  }
  return switch String(decoding: bytes, as: UTF8.self) {
  case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": .double(.infinity)
  case "-.inf", "-.Inf", "-.INF": .double(-.infinity)
  case ".nan", ".NaN", ".NAN": .double(.nan)
  default: nil
  }
}

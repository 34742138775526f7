import Glibc
import Values

extension Builtins {
  static let formats: [Builtin] = [
    member(
      "format", Signature([.string, .list(.dyn)], .string),
      Signature([.timestamp, .string], .string), body: .two(FormatFunctions.either)
    ).note(
      """
      A template with values in place of its clauses: `%s` any, `%d` whole, `%.2f`, `%e`, `%x`, \
      `%X`, `%o` and `%b` numbers, `%%` a percent sign.
      """, "'%s has %d of %.1f'.format(['x', 3, 2.55])", "'x has 3 of 2.5'")
  ]
}

/// The function `format`: `'%s has %d'.format([name, count])`.
enum FormatFunctions {
  /// The largest number of digits after the decimal point.
  private static let largestPrecision = 1000

  /// Writes a timestamp by a format, or a list by a template.
  static func either(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    if case .timestamp = a { return try TimeFormat.text([a, b], &meter) }
    return try format(a, b, &meter)
  }

  static func format(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let template) = a, case .list(let arguments) = b else {
      throw .noOverload("format", a, b)
    }
    try meter.make(bytes: template.utf8.count)
    let bytes = Array(template.utf8)
    var result: [UInt8] = []
    var position = 0
    var used = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      guard byte == UInt8(ascii: "%") else {
        result.append(byte)
        continue
      }
      if position < bytes.count, bytes[position] == UInt8(ascii: "%") {
        result.append(byte)
        position += 1
        continue
      }
      let precision = try precision(bytes, &position)
      guard position < bytes.count else { throw CELFault("a format ends after its `%`") }
      guard used < arguments.count else {
        throw CELFault("format argument \(used + 1) is missing: index \(used) out of range")
      }
      let text = try clause(bytes[position], precision, arguments[used], &meter)
      position += 1
      used += 1
      result += Array(text.utf8)
      try meter.make(bytes: result.count)
    }
    return .string(String(decoding: result, as: UTF8.self))
  }

  private static func precision(
    _ bytes: [UInt8], _ position: inout Int
  ) throws(CELFault) -> Int? {
    guard position < bytes.count, bytes[position] == UInt8(ascii: ".") else { return nil }
    position += 1
    var number = 0
    while position < bytes.count, isDigit(bytes[position]) {
      number = min(number * 10 + Int(bytes[position] - UInt8(ascii: "0")), largestPrecision + 1)
      position += 1
    }
    guard number <= largestPrecision else {
      throw CELFault("a format's precision is at most \(largestPrecision)")
    }
    return number
  }

  private static func clause(
    _ letter: UInt8, _ precision: Int?, _ value: Value, _ meter: inout Meter
  ) throws(CELFault) -> String {
    switch letter {
    case UInt8(ascii: "s"): return try text(value, &meter)
    case UInt8(ascii: "d"): return try decimal(value)
    case UInt8(ascii: "f"): return try real(value, precision, exponent: false)
    case UInt8(ascii: "e"): return try real(value, precision, exponent: true)
    case UInt8(ascii: "b"):
      if case .bool(let truth) = value { return truth ? "1" : "0" }
      return try digits(value, radix: 2, "binary")
    case UInt8(ascii: "o"): return try digits(value, radix: 8, "octal")
    case UInt8(ascii: "x"): return try hexadecimal(value, uppercase: false, &meter)
    case UInt8(ascii: "X"): return try hexadecimal(value, uppercase: true, &meter)
    default:
      throw CELFault("a format has no clause `%\(Unicode.Scalar(letter))`")
    }
  }

  private static func decimal(_ value: Value) throws(CELFault) -> String {
    switch value {
    case .int(let number): return String(number)
    case .uint(let number): return String(number)
    case .double(let number): return number.shortText
    default: throw CELFault("`%d` writes numbers, not \(value.article)")
    }
  }

  private static func digits(
    _ value: Value, radix: Int, _ name: String
  ) throws(CELFault) -> String {
    switch value {
    case .int(let number): return String(number, radix: radix)
    case .uint(let number): return String(number, radix: radix)
    default: throw CELFault("\(name) digits are written for whole numbers, not \(value.article)")
    }
  }

  private static func hexadecimal(
    _ value: Value, uppercase: Bool, _ meter: inout Meter
  ) throws(CELFault) -> String {
    let bytes: [UInt8]
    switch value {
    case .int(let number): return String(number, radix: 16, uppercase: uppercase)
    case .uint(let number): return String(number, radix: 16, uppercase: uppercase)
    case .string(let text): bytes = Array(text.utf8)
    case .bytes(let content): bytes = content
    default: throw CELFault("`%x` writes whole numbers, texts and bytes, not \(value.article)")
    }
    try meter.make(bytes: bytes.count * 2)
    let letters = Array((uppercase ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
    let digits = bytes.flatMap { [letters[Int($0 >> 4)], letters[Int($0 & 15)]] }
    return String(decoding: digits, as: UTF8.self)
  }

  private static func real(
    _ value: Value, _ precision: Int?, exponent: Bool
  ) throws(CELFault) -> String {
    let number: Double
    switch value {
    case .double(let real): number = real
    case .int(let whole): number = Double(whole)
    case .uint(let whole): number = Double(whole)
    default:
      throw CELFault("`%\(exponent ? "e" : "f")` writes numbers, not \(value.article)")
    }
    guard number.isFinite else { return number.shortText }
    return printed(number, precision ?? 6, exponent ? "%.*e" : "%.*f")
  }

  private static func printed(_ number: Double, _ precision: Int, _ format: String) -> String {
    // The largest double has 309 digits before its point.
    var buffer = [CChar](repeating: 0, count: 340 + precision)
    let length = withVaList([Int32(precision), number]) {
      vsnprintf(&buffer, buffer.count, format, $0)
    }
    let bytes = buffer.prefix(max(0, Int(length))).map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the text for `%s`: texts unchanged, also inside lists and maps; maps in the order of
  /// keys.
  private static func text(_ value: Value, _ meter: inout Meter) throws(CELFault) -> String {
    try meter.spend(1)
    switch value {
    case .string(let text): return text
    case .null: return "null"
    case .list(let list):
      var parts: [String] = []
      for element in list { parts.append(try text(element, &meter)) }
      return try joined(parts, "[", "]", &meter)
    case .map(let map) where NetworkValue(value) == nil:
      var parts: [(key: String, whole: String)] = []
      for (key, element) in map {
        let name = try text(key, &meter)
        parts.append((name, name + ": " + (try text(element, &meter))))
      }
      return try joined(parts.sorted { $0.key < $1.key }.map(\.whole), "{", "}", &meter)
    case .optional(let wrapped):
      guard let wrapped else { return "optional.none()" }
      return "optional.of(" + (try text(wrapped, &meter)) + ")"
    case .bool, .int, .uint, .double, .digits, .bytes, .map, .timestamp, .duration, .type:
      guard case .string(let text) = try ConversionFunctions.string(value, &meter) else {
        return ""
      }
      return text
    }
  }

  private static func joined(
    _ parts: [String], _ open: String, _ close: String, _ meter: inout Meter
  ) throws(CELFault) -> String {
    var size = 2
    for part in parts { size += part.utf8.count + 2 }
    try meter.make(bytes: size)
    return open + parts.joined(separator: ", ") + close
  }
}

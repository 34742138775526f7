import Values

extension Builtins {
  private static let test = Signature([.string, .string], .bool)

  static let texts: [Builtin] = [
    member("startsWith", test, body: .two(TextFunctions.startsWith)),
    member("endsWith", test, body: .two(TextFunctions.endsWith)),
    member("contains", test, body: .two(TextFunctions.contains)),
    member("matches", test, body: .two(TextFunctions.matches)),
    global("matches", test, body: .two(TextFunctions.matches)),
    member("charAt", Signature([.string, .int], .string), body: .two(TextFunctions.charAt)),
    member("indexOf", Signature([.string, .string], .int), body: .any(TextFunctions.indexOf)),
    member(
      "indexOf", Signature([.string, .string, .int], .int), body: .any(TextFunctions.indexOf)),
    member(
      "lastIndexOf", Signature([.string, .string], .int), body: .any(TextFunctions.lastIndexOf)),
    member(
      "lastIndexOf", Signature([.string, .string, .int], .int),
      body: .any(TextFunctions.lastIndexOf)),
    member("lowerAscii", Signature([.string], .string), body: .one(TextFunctions.lowerAscii)),
    member("upperAscii", Signature([.string], .string), body: .one(TextFunctions.upperAscii)),
    member(
      "replace", Signature([.string, .string, .string], .string),
      body: .any(TextFunctions.replace)),
    member(
      "replace", Signature([.string, .string, .string, .int], .string),
      body: .any(TextFunctions.replace)),
    member(
      "split", Signature([.string, .string], .list(.string)), body: .any(TextFunctions.split)),
    member(
      "split", Signature([.string, .string, .int], .list(.string)),
      body: .any(TextFunctions.split)),
    member("substring", Signature([.string, .int], .string), body: .any(TextFunctions.substring)),
    member(
      "substring", Signature([.string, .int, .int], .string), body: .any(TextFunctions.substring)),
    member("trim", Signature([.string], .string), body: .one(TextFunctions.trim)),
    member("join", Signature([.list(.string)], .string), body: .any(TextFunctions.join)),
    member("join", Signature([.list(.string), .string], .string), body: .any(TextFunctions.join)),
    member("reverse", Signature([.string], .string), body: .one(TextFunctions.reverse)),
    global("strings.quote", Signature([.string], .string), body: .one(TextFunctions.quote)),
  ]
}

/// Functions over texts; positions count characters by their code points.
enum TextFunctions {
  private typealias Letters = [Unicode.Scalar]

  private static func letters(
    _ text: String, _ meter: inout Meter
  ) throws(CELFault) -> [Unicode.Scalar] {
    try meter.make(bytes: text.utf8.count)
    return Array(text.unicodeScalars)
  }

  private static func text(_ letters: some Sequence<Unicode.Scalar>) -> Value {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: letters)
    return .string(String(text))
  }

  static func startsWith(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let text) = a, case .string(let part) = b else {
      throw .noOverload("startsWith", a, b)
    }
    try meter.spend(part.utf8.count >> 4)
    return .bool(text.utf8.starts(with: part.utf8))
  }

  static func endsWith(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let text) = a, case .string(let part) = b else {
      throw .noOverload("endsWith", a, b)
    }
    try meter.spend(part.utf8.count >> 4)
    return .bool(text.utf8.reversed().starts(with: part.utf8.reversed()))
  }

  static func contains(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let text) = a, case .string(let part) = b else {
      throw .noOverload("contains", a, b)
    }
    let found = try TextSearch.first(Array(part.utf8), in: Array(text.utf8), from: 0, &meter)
    return .bool(found != nil)
  }

  static func matches(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let text) = a, case .string(let source) = b else {
      throw .noOverload("matches", a, b)
    }
    try meter.spend(source.utf8.count)
    let pattern = try CELPattern.compile(source, once: true).get()
    return .bool(try pattern.matches(text, &meter))
  }

  static func charAt(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let whole) = a, case .int(let index) = b else {
      throw .noOverload("charAt", a, b)
    }
    let letters = try letters(whole, &meter)
    guard index >= 0, index <= letters.count else { throw .outside(index) }
    return text(letters[index..<min(index + 1, letters.count)])
  }

  static func indexOf(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let whole) = values[0], case .string(let part) = values[1] else {
      throw .noOverload("indexOf", values)
    }
    let letters = try letters(whole, &meter)
    var start = 0
    if values.count > 2 {
      guard case .int(let wanted) = values[2] else { throw .noOverload("indexOf", values) }
      guard wanted >= 0, wanted <= letters.count else { throw .outside(wanted) }
      start = wanted
    }
    let found = try TextSearch.first(Array(part.unicodeScalars), in: letters, from: start, &meter)
    return .int(found ?? -1)
  }

  static func lastIndexOf(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let whole) = values[0], case .string(let part) = values[1] else {
      throw .noOverload("lastIndexOf", values)
    }
    let letters = try letters(whole, &meter)
    var start = letters.count
    if values.count > 2 {
      guard case .int(let wanted) = values[2] else { throw .noOverload("lastIndexOf", values) }
      guard wanted >= 0, wanted <= letters.count else { throw .outside(wanted) }
      start = wanted
    }
    let found = try TextSearch.last(Array(part.unicodeScalars), in: letters, from: start, &meter)
    return .int(found ?? -1)
  }

  static func lowerAscii(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let whole) = value else { throw .noOverload("lowerAscii", value) }
    try meter.make(bytes: whole.utf8.count)
    let bytes = whole.utf8.map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }
    return .string(String(decoding: bytes, as: UTF8.self))
  }

  static func upperAscii(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let whole) = value else { throw .noOverload("upperAscii", value) }
    try meter.make(bytes: whole.utf8.count)
    let bytes = whole.utf8.map { $0 &- UInt8(ascii: "a") < 26 ? $0 & ~0x20 : $0 }
    return .string(String(decoding: bytes, as: UTF8.self))
  }

  static func substring(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let whole) = values[0], case .int(let start) = values[1] else {
      throw .noOverload("substring", values)
    }
    let letters = try letters(whole, &meter)
    var end = letters.count
    if values.count > 2 {
      guard case .int(let wanted) = values[2] else { throw .noOverload("substring", values) }
      end = wanted
    }
    guard start >= 0, start <= letters.count else { throw .outside(start) }
    guard end >= 0, end <= letters.count else { throw .outside(end) }
    guard start <= end else {
      throw CELFault("invalid substring range: it starts at \(start) and ends at \(end)")
    }
    return text(letters[start..<end])
  }

  static func trim(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let whole) = value else { throw .noOverload("trim", value) }
    let letters = try letters(whole, &meter)
    let inner = letters.drop(while: \.properties.isWhitespace)
    guard let last = inner.lastIndex(where: { !$0.properties.isWhitespace }) else {
      return .string("")
    }
    return text(inner[...last])
  }

  static func reverse(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let whole) = value else { throw .noOverload("reverse", value) }
    return text(try letters(whole, &meter).reversed())
  }
}

extension CELFault {
  static func outside(_ index: Int) -> CELFault { CELFault("index out of range: \(index)") }
}

/// A search for a part in a text; the evaluation pays for what it compares.
enum TextSearch {
  static func first<Element: Equatable>(
    _ part: [Element], in whole: [Element], from start: Int, _ meter: inout Meter
  ) throws(CELFault) -> Int? {
    guard part.count <= whole.count else { return nil }
    var position = start
    while position <= whole.count - part.count {
      if try isAt(position, part, whole, &meter) { return position }
      position += 1
    }
    return nil
  }

  static func last<Element: Equatable>(
    _ part: [Element], in whole: [Element], from start: Int, _ meter: inout Meter
  ) throws(CELFault) -> Int? {
    guard part.count <= whole.count else { return nil }
    var position = min(start, whole.count - part.count)
    while position >= 0 {
      if try isAt(position, part, whole, &meter) { return position }
      position -= 1
    }
    return nil
  }

  private static func isAt<Element: Equatable>(
    _ position: Int, _ part: [Element], _ whole: [Element], _ meter: inout Meter
  ) throws(CELFault) -> Bool {
    var length = 0
    while length < part.count, part[length] == whole[position + length] { length += 1 }
    try meter.spend(1 + length >> 4)
    return length == part.count
  }
}

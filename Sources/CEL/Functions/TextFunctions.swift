import Values

extension Builtins {
  private static let test = [
    Signature([.string, .string], .bool), Signature([.bytes, .bytes], .bool),
  ]
  private static let search = [
    Signature([.string, .string], .int), Signature([.bytes, .bytes], .int),
    Signature([.list(.parameter(0)), .parameter(0)], .int),
  ]
  private static let searchFrom = [
    Signature([.string, .string, .int], .int), Signature([.bytes, .bytes, .int], .int),
    Signature([.list(.parameter(0)), .parameter(0), .int], .int),
  ]

  static let texts: [Builtin] = [
    member("startsWith", test, body: .two(TextFunctions.startsWith)).note(
      "Whether a text or bytes begin with others.", "'filename'.startsWith('file')", "true"),
    member("endsWith", test, body: .two(TextFunctions.endsWith)).note(
      "Whether a text or bytes end with others.", "'filename'.endsWith('name')", "true"),
    member("contains", test, body: .two(TextFunctions.contains)).note(
      "Whether a text or bytes contain others.", "'filename'.contains('lena')", "true"),
    member("charAt", Signature([.string, .int], .string), body: .two(TextFunctions.charAt)).note(
      "The character at a position, which begins at 0.", "'naïve'.charAt(2)", "'ï'"),
    member("indexOf", search, body: .any(TextFunctions.indexOf)),
    member("indexOf", searchFrom, body: .any(TextFunctions.indexOf)).note(
      """
      The first position of a text in another, or of an element in a list, from a position on, or \
      -1. A row is found by one of its parts: `rows.map(x, x.id).indexOf('b')`.
      """, "'banana'.indexOf('an', 2) + ['a', 'b'].indexOf('b')", "4"),
    member("lastIndexOf", search, body: .any(TextFunctions.lastIndexOf)),
    member("lastIndexOf", searchFrom, body: .any(TextFunctions.lastIndexOf)).note(
      """
      The last position of a text in another, or of an element in a list, up to a position, or -1.
      """, "'banana'.lastIndexOf('an') + ['a', 'b', 'a'].lastIndexOf('a')", "5"),
    member("lowerAscii", Signature([.string], .string), body: .one(TextFunctions.lowerAscii)).note(
      "The text with small letters for A to Z.", "'MiXed'.lowerAscii()", "'mixed'"),
    member("upperAscii", Signature([.string], .string), body: .one(TextFunctions.upperAscii)).note(
      "The text with capital letters for a to z.", "'MiXed'.upperAscii()", "'MIXED'"),
    member(
      "replace", Signature([.string, .string, .string], .string),
      body: .any(TextFunctions.replace)),
    member(
      "replace", Signature([.string, .string, .string, .int], .string),
      body: .any(TextFunctions.replace)
    ).note(
      "The text with a replacement for a part of it, everywhere or a number of times.",
      "'a-b-c'.replace('-', '+')", "'a+b+c'"),
    member(
      "split", Signature([.string, .string], .list(.string)), body: .any(TextFunctions.split)),
    member(
      "split", Signature([.string, .string, .int], .list(.string)),
      body: .any(TextFunctions.split)
    ).note(
      "The parts of a text between separators, with the most parts.", "'a,b,c'.split(',', 2)",
      "['a', 'b,c']"),
    member("substring", Signature([.string, .int], .string), body: .any(TextFunctions.substring)),
    member(
      "substring", Signature([.string, .int, .int], .string), body: .any(TextFunctions.substring)
    ).note(
      "A part of a text, from one position up to, but not including, another, or to the end.",
      "'tacocat'.substring(0, 4)", "'taco'"),
    member("trim", Signature([.string], .string), body: .one(TextFunctions.trim)).note(
      "The text without blanks at both ends.", "'  a b '.trim()", "'a b'"),
    member("join", Signature([.list(.string)], .string), body: .any(TextFunctions.join)),
    member("join", Signature([.list(.string), .string], .string), body: .any(TextFunctions.join))
      .note("The texts of a list as one, with a separator.", "['a', 'b'].join('/')", "'a/b'"),
    member(
      "reverse", Signature([.string], .string),
      Signature([.list(.parameter(0))], .list(.parameter(0))), body: .one(TextFunctions.reverse)
    ).note(
      "The characters of a text or the elements of a list from the last to the first.",
      "[1, 2, 3].reverse()", "[3, 2, 1]"),
    global("strings.quote", Signature([.string], .string), body: .one(TextFunctions.quote)).note(
      "The text in double quotes, with escapes.", #"strings.quote('a "b"')"#, #"'"a \\"b\\""'"#),
  ]
}

/// Functions over texts; positions count characters by their code points.
enum TextFunctions {
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
    switch (a, b) {
    case (.string(let text), .string(let part)):
      try meter.spend(part.utf8.count >> 4)
      return .bool(text.utf8.starts(with: part.utf8))
    case (.bytes(let bytes), .bytes(let part)):
      try meter.spend(part.count >> 4)
      return .bool(bytes.starts(with: part))
    default: throw .noOverload("startsWith", a, b)
    }
  }

  static func endsWith(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch (a, b) {
    case (.string(let text), .string(let part)):
      try meter.spend(part.utf8.count >> 4)
      return .bool(text.utf8.reversed().starts(with: part.utf8.reversed()))
    case (.bytes(let bytes), .bytes(let part)):
      try meter.spend(part.count >> 4)
      return .bool(bytes.suffix(part.count).elementsEqual(part))
    default: throw .noOverload("endsWith", a, b)
    }
  }

  static func contains(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch (a, b) {
    case (.string(let text), .string(let part)):
      let found = try TextSearch.first(Array(part.utf8), in: Array(text.utf8), from: 0, &meter)
      return .bool(found != nil)
    case (.bytes(let bytes), .bytes(let part)):
      return .bool(try TextSearch.first(part, in: bytes, from: 0, &meter) != nil)
    default: throw .noOverload("contains", a, b)
    }
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
    switch (values[0], values[1]) {
    case (.string(let whole), .string(let part)):
      let letters = try letters(whole, &meter)
      let start = try position("indexOf", values, upTo: letters.count) ?? 0
      let parts = Array(part.unicodeScalars)
      return .int(try TextSearch.first(parts, in: letters, from: start, &meter) ?? -1)
    case (.bytes(let whole), .bytes(let part)):
      let start = try position("indexOf", values, upTo: whole.count) ?? 0
      return .int(try TextSearch.first(part, in: whole, from: start, &meter) ?? -1)
    case (.list(let whole), let part):
      let start = try position("indexOf", values, upTo: whole.count) ?? 0
      return .int(try ListFunctions.index(of: part, in: whole, start..<whole.count, &meter) ?? -1)
    default: throw .noOverload("indexOf", values)
    }
  }

  static func lastIndexOf(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    switch (values[0], values[1]) {
    case (.string(let whole), .string(let part)):
      let letters = try letters(whole, &meter)
      let start = try position("lastIndexOf", values, upTo: letters.count) ?? letters.count
      let parts = Array(part.unicodeScalars)
      return .int(try TextSearch.last(parts, in: letters, from: start, &meter) ?? -1)
    case (.bytes(let whole), .bytes(let part)):
      let start = try position("lastIndexOf", values, upTo: whole.count) ?? whole.count
      return .int(try TextSearch.last(part, in: whole, from: start, &meter) ?? -1)
    case (.list(let whole), let part):
      let start = try position("lastIndexOf", values, upTo: whole.count) ?? whole.count
      let positions = (0..<min(start + 1, whole.count)).reversed()
      return .int(try ListFunctions.index(of: part, in: whole, positions, &meter) ?? -1)
    default: throw .noOverload("lastIndexOf", values)
    }
  }

  /// Returns the position at which a search begins, if one is given.
  private static func position(
    _ name: String, _ values: [Value], upTo count: Int
  ) throws(CELFault) -> Int? {
    guard values.count > 2 else { return nil }
    guard case .int(let wanted) = values[2] else { throw .noOverload(name, values) }
    guard wanted >= 0, wanted <= count else { throw .outside(wanted) }
    return wanted
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
    if case .list(let list) = value {
      try meter.make(elements: list.count)
      return .list(list.reversed())
    }
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

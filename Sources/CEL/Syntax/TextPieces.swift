import Values

// Functions that split and join texts.
extension TextFunctions {
  static func replace(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let whole) = values[0], case .string(let old) = values[1],
      case .string(let new) = values[2]
    else { throw .noOverload("replace", values) }
    var limit = Int.max
    if values.count > 3 {
      guard case .int(let wanted) = values[3] else { throw .noOverload("replace", values) }
      if wanted >= 0 { limit = wanted }
    }
    if limit == 0 { return values[0] }
    let pieces = try cut(whole, at: old, limit: limit == .max ? .max : limit + 1, &meter)
    let emptySeparator = old.isEmpty
    let size = whole.utf8.count + pieces.count * new.utf8.count
    try meter.make(bytes: size)
    if emptySeparator { return .string(interleave(whole, new, limit: limit)) }
    return .string(pieces.joined(separator: new))
  }

  /// Replaces an empty text, which is found before each character and at the end.
  private static func interleave(_ whole: String, _ new: String, limit: Int) -> String {
    var result = ""
    var done = 0
    for letter in whole.unicodeScalars {
      if done < limit {
        result += new
        done += 1
      }
      result.unicodeScalars.append(letter)
    }
    return done < limit ? result + new : result
  }

  static func split(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let whole) = values[0], case .string(let separator) = values[1] else {
      throw .noOverload("split", values)
    }
    var limit = Int.max
    if values.count > 2 {
      guard case .int(let wanted) = values[2] else { throw .noOverload("split", values) }
      if wanted >= 0 { limit = wanted }
    }
    if limit == 0 { return .list([]) }
    if limit == 1 { return .list([values[0]]) }
    let pieces = try cut(whole, at: separator, limit: limit, &meter)
    return .list(pieces.map(Value.string))
  }

  /// Splits into at most this many pieces; the last holds the rest. With an empty separator, each
  /// character is a piece.
  private static func cut(
    _ whole: String, at separator: String, limit: Int, _ meter: inout Meter
  ) throws(CELFault) -> [String] {
    try meter.make(bytes: whole.utf8.count)
    let bytes = Array(whole.utf8)
    let wanted = Array(separator.utf8)
    if wanted.isEmpty { return try characters(whole, limit: limit, &meter) }
    var pieces: [String] = []
    var start = 0
    while pieces.count < limit - 1,
      let found = try TextSearch.first(wanted, in: bytes, from: start, &meter)
    {
      try meter.make(elements: pieces.count / 1000)
      pieces.append(String(decoding: bytes[start..<found], as: UTF8.self))
      start = found + wanted.count
    }
    pieces.append(String(decoding: bytes[start...], as: UTF8.self))
    try meter.make(elements: pieces.count)
    return pieces
  }

  private static func characters(
    _ whole: String, limit: Int, _ meter: inout Meter
  ) throws(CELFault) -> [String] {
    let letters = Array(whole.unicodeScalars)
    try meter.make(elements: letters.count)
    guard letters.count >= limit else { return letters.map { String($0) } }
    var pieces = letters.prefix(limit - 1).map { String($0) }
    var rest = String.UnicodeScalarView()
    rest.append(contentsOf: letters.dropFirst(limit - 1))
    pieces.append(String(rest))
    return pieces
  }

  static func join(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .list(let list) = values[0] else { throw .noOverload("join", values) }
    var separator = ""
    if values.count > 1 {
      guard case .string(let wanted) = values[1] else { throw .noOverload("join", values) }
      separator = wanted
    }
    var result = ""
    for (index, element) in list.enumerated() {
      guard case .string(let text) = element else { throw .noOverload("join", .list([element])) }
      if index > 0 { result += separator }
      result += text
      try meter.spend(1)
      if result.utf8.count > CELLimits.textSize { throw .textTooLarge }
    }
    try meter.make(bytes: result.utf8.count)
    return .string(result)
  }

  static func quote(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let text) = value else { throw .noOverload("strings.quote", value) }
    try meter.make(bytes: text.utf8.count * 2)
    var quoted = "\""
    for letter in text.unicodeScalars {
      switch letter {
      case "\u{07}": quoted += "\\a"
      case "\u{08}": quoted += "\\b"
      case "\u{0C}": quoted += "\\f"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{0B}": quoted += "\\v"
      case "\\": quoted += "\\\\"
      case "\"": quoted += "\\\""
      default: quoted.unicodeScalars.append(letter)
      }
    }
    return .string(quoted + "\"")
  }
}

import Values

extension Builtins {
  static let patterns: [Builtin] = [
    member("matches", Signature([.string, .string], .bool), body: .two(PatternFunctions.matches))
      .note(
        "Whether a regular expression is found anywhere in a text.",
        #"'10 EUR'.matches(r'^\d+ EUR$')"#, "true"),
    global("matches", Signature([.string, .string], .bool), body: .two(PatternFunctions.matches)),
    global(
      "regex.extract", Signature([.string, .string], .optional(.string)),
      body: .pattern(PatternFunctions.extract)
    ).note(
      """
      What a regular expression finds first in a text, or its group if it has one. If nothing is \
      found, there is no value.
      """, #"regex.extract('order 17 of 20', r'order (\d+)').orValue('?')"#, "'17'"),
    global(
      "regex.extractAll", Signature([.string, .string], .list(.string)),
      body: .pattern(PatternFunctions.extractAll)
    ).note(
      "All that a regular expression finds in a text, or its group in each.",
      #"regex.extractAll('order 17 of 20', r'\d+')"#, "['17', '20']"),
    replace([.string, .string, .string]),
    replace([.string, .string, .string, .int]).note(
      #"""
      The text with a replacement for the matches of a regular expression, everywhere or a number \#
      of times. `\1` in the replacement is the first group, `\0` all that was found.
      """#, #"regex.replace('2026-03-01', r'(\d+)-(\d+)-(\d+)', r'\3.\2.\1')"#, "'01.03.2026'"),
  ]

  private static func replace(_ parameters: [CELType]) -> Builtin {
    global(
      "regex.replace", Signature(parameters, .string), body: .pattern(PatternFunctions.replace))
  }
}

/// Functions with regular expressions. The pattern is their second argument.
enum PatternFunctions {
  /// A function whose pattern may be compiled with the expression.
  typealias Function =
    @Sendable ([Value], CELPattern, inout Meter) throws(CELFault) -> Value

  static func matches(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let text) = a, case .string(let source) = b else {
      throw .noOverload("matches", a, b)
    }
    try meter.spend(source.utf8.count)
    let pattern = try CELPattern.compile(source, once: true).get()
    return .bool(try pattern.matches(text, &meter))
  }

  static func extract(
    _ values: [Value], _ pattern: CELPattern, _ meter: inout Meter
  ) throws(CELFault) -> Value {
    let text = try text("regex.extract", values)
    var found: String?
    try pattern.forEachMatch(in: text, &meter) { groups throws(CELFault) in
      found = try part("regex.extract", groups, of: text)
      return found == nil
    }
    return .optional(found.map { .string($0) })
  }

  static func extractAll(
    _ values: [Value], _ pattern: CELPattern, _ meter: inout Meter
  ) throws(CELFault) -> Value {
    let text = try text("regex.extractAll", values)
    var found: [Value] = []
    try pattern.forEachMatch(in: text, &meter) { groups throws(CELFault) in
      if found.count == CELLimits.elements { throw .tooManyElements }
      if let part = try part("regex.extractAll", groups, of: text) { found.append(.string(part)) }
      return true
    }
    return .list(found)
  }

  static func replace(
    _ values: [Value], _ pattern: CELPattern, _ meter: inout Meter
  ) throws(CELFault) -> Value {
    let text = try text("regex.replace", values)
    guard case .string(let replacement) = values[2],
      case .int(let wanted) = values.count > 3 ? values[3] : -1
    else { throw .noOverload("regex.replace", values) }
    let pieces = try pieces(of: replacement)
    var (result, position, count): ([UInt8], Int, Int) = ([], 0, 0)
    if wanted == 0 { return values[0] }
    try pattern.forEachMatch(in: text, &meter) { groups throws(CELFault) in
      guard let whole = groups[0] else { return false }
      result += text[position..<whole.lowerBound]
      for piece in pieces { result += try bytes(of: piece, groups, in: text) }
      if result.count > CELLimits.textSize { throw .textTooLarge }
      position = whole.upperBound
      count += 1
      return count != wanted
    }
    result += text[position...]
    if result.count > CELLimits.textSize { throw .textTooLarge }
    return .string(String(decoding: result, as: UTF8.self))
  }

  private static func text(_ name: String, _ values: [Value]) throws(CELFault) -> [UInt8] {
    guard case .string(let text) = values[0] else { throw .noOverload(name, values) }
    return Array(text.utf8)
  }

  /// Returns the group of a match, or all of it if the pattern has no group.
  private static func part(
    _ name: String, _ groups: [Range<Int>?], of text: [UInt8]
  ) throws(CELFault) -> String? {
    guard groups.count <= 2 else {
      throw CELFault(
        "`\(name)` takes a pattern with one group, and this one has \(groups.count - 1)",
        help: "write `(?:…)` for groups that are only there to hold together")
    }
    return groups[groups.count - 1].map { String(decoding: text[$0], as: UTF8.self) }
  }

  /// A part of a replacement: text, or what a group has found.
  private enum Piece {
    case text([UInt8])
    case group(Int)
  }

  private static func pieces(of replacement: String) throws(CELFault) -> [Piece] {
    var pieces: [Piece] = []
    var rest = Array(replacement.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        pieces.append(.text([byte] + rest.prefix { $0 != UInt8(ascii: "\\") }))
        rest = rest.drop { $0 != UInt8(ascii: "\\") }
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "\\"): pieces.append(.text([byte]))
      case let digit? where isDigit(digit): pieces.append(.group(Int(digit - UInt8(ascii: "0"))))
      default: throw CELFault("a backslash in a replacement is followed by a digit or another one")
      }
    }
    return pieces
  }

  private static func bytes(
    of piece: Piece, _ groups: [Range<Int>?], in text: [UInt8]
  ) throws(CELFault) -> ArraySlice<UInt8> {
    switch piece {
    case .text(let bytes): return bytes[...]
    case .group(let number):
      guard groups.indices.contains(number) else {
        throw CELFault(
          "the replacement has \\\(number), but the pattern has \(groups.count - 1) groups")
      }
      return groups[number].map { text[$0] } ?? []
    }
  }
}

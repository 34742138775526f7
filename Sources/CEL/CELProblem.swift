import Diagnostics

/// A mistake that is found in an expression before its evaluation.
package struct CELProblem: Sendable, Equatable, Error {
  /// Byte offset into the expression's text.
  package var offset: Int
  /// The number of bytes that the mistake covers.
  package var length: Int
  /// The stable id in kebab-case.
  package var id: DiagnosticID
  package var message: String
  package var help: String?
  /// The text in place of the mistake, if it is certain.
  package var correction: String?

  init(
    _ id: DiagnosticID, _ span: Span, _ message: String, help: String? = nil,
    correction: String? = nil
  ) {
    offset = Int(span.start)
    length = max(0, Int(span.end) - Int(span.start))
    self.id = id
    self.message = message
    self.help = help
    self.correction = correction
  }
}

/// All mistakes of one expression, in the order in which they were found; never empty.
package struct CELProblems: Error, Sendable, Equatable {
  package var all: [CELProblem]
}

/// A range of bytes in an expression's text; the end is not included.
struct Span: Sendable, Equatable {
  var start: Int32
  var end: Int32

  init(_ start: Int, _ end: Int) {
    self.start = Int32(truncatingIfNeeded: start)
    self.end = Int32(truncatingIfNeeded: end)
  }

  func joined(with other: Span) -> Span {
    var span = self
    span.start = min(start, other.start)
    span.end = max(end, other.end)
    return span
  }
}

/// The ids of problems that other rooms look for.
extension DiagnosticID {
  package static let expressionSyntax: DiagnosticID = "expression-syntax"
  package static let reservedWord: DiagnosticID = "reserved-word"
  package static let unknownName: DiagnosticID = "unknown-name"
  package static let unknownFunction: DiagnosticID = "unknown-function"
  package static let invalidLiteral: DiagnosticID = "invalid-literal"
}

extension CELProblem {
  static func syntax(_ span: Span, _ message: String, help: String? = nil) -> CELProblem {
    CELProblem(.expressionSyntax, span, message, help: help)
  }

  static func tooLong(_ length: Int) -> CELProblem {
    CELProblem(
      "expression-too-long", Span(0, min(length, 1)),
      "an expression has at most \(CELLimits.textLength) bytes")
  }

  static func tooDeep(_ span: Span) -> CELProblem {
    CELProblem(
      "expression-too-deep", span, "an expression nests at most \(CELLimits.nesting) levels deep")
  }

  static func reservedWord(_ span: Span, _ word: String) -> CELProblem {
    CELProblem(
      .reservedWord, span, "`\(word)` is a reserved word and cannot be a name",
      help: "as a field it is allowed: `x.\(word)`")
  }

  /// Of many names a complaint shows no more than these.
  static let namesShown = 8

  /// Lists the names that could stand here, if no known name is near enough.
  static func unknownName(
    _ span: Span, _ name: String, nearest: String?, known: [String] = []
  ) -> CELProblem {
    let listed = known.prefix(namesShown).map { "`\($0)`" }.joined(separator: ", ")
    let isNull = ["undefined", "None", "nil", "NULL", "Null"].contains(name)
    return CELProblem(
      .unknownName, span, "nothing here is named `\(name)`",
      help: (isNull ? "null" : nearest).map { "did you mean `\($0)`?" }
        ?? helpForVariable(name)
        ?? (listed.isEmpty ? "a text has quotes: `'\(name)'`" : "known here: \(listed)"),
      correction: isNull ? "null" : nearest.flatMap { lastPart(of: $0, besides: name) })
  }

  /// Returns what replaces the last part of an address, if all before it is the same.
  private static func lastPart(of nearest: String, besides name: String) -> String? {
    let group = String(
      name[..<(name.lastIndex(of: ".").map { name.index(after: $0) } ?? name.startIndex)])
    return nearest.hasPrefix(group) ? String(nearest.dropFirst(group.count)) : nil
  }

  /// Returns the help for a name that looks like a variable of the environment: `TOKEN`.
  private static func helpForVariable(_ name: String) -> String? {
    let isUpperCase = name.utf8.allSatisfy { byte in
      (65...90).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "_")
    }
    guard isUpperCase, name.utf8.count > 2 else { return nil }
    return "write `env.\(name)` for the variable of the environment"
  }

  /// Makes the problem of a name that could only be a field of the value at hand, which has none.
  static func noFieldOfValue(
    _ span: Span, _ name: String, type: CELType, nearest: String?
  ) -> CELProblem {
    CELProblem(
      .unknownName, span,
      "nothing here is named `\(name)`, and the values are of type \(type), without fields",
      help: nearest.map { "did you mean `\($0)`?" }
        ?? "write `value` for the value itself, and a text in quotes: `'\(name)'`",
      correction: nearest)
  }

  /// Makes the problem of a name that a function of addresses does not find.
  static func unknownAddress(
    _ span: Span, _ name: String, function: String, takes: String, nearest: String?,
    known: [String]
  ) -> CELProblem {
    let listed = known.prefix(8).map { "`\($0)`" }.joined(separator: ", ")
    return CELProblem(
      .unknownName, span, "nothing here is named `\(name)`",
      help: nearest.map { "did you mean `\($0)`?" }
        ?? "`\(function)` takes the name of \(takes)" + (listed.isEmpty ? "" : ": \(listed)"),
      correction: nearest)
  }

  /// The fields by which other languages give the number of elements.
  static let wordsForSize = ["length", "count", "len", "size"]

  static func unknownFunction(_ span: Span, _ name: String, nearest: String?) -> CELProblem {
    CELProblem(
      .unknownFunction, span, "there is no function `\(name)`",
      help: nearest.map { "did you mean `\($0)`?" },
      // Of `a.b`, only `b` is underlined.
      correction: name.contains(".") ? nil : nearest)
  }

  static func wrongArguments(_ span: Span, _ message: String, help: String? = nil) -> CELProblem {
    CELProblem("wrong-arguments", span, message, help: help)
  }

  static func wrongTypes(_ span: Span, _ message: String, help: String? = nil) -> CELProblem {
    CELProblem("wrong-types", span, message, help: help)
  }

  static func notAnAddress(_ span: Span, function: String, takes: String) -> CELProblem {
    CELProblem("not-an-address", span, "`\(function)` takes the name of \(takes), not a value")
  }

  /// Makes the problem of a name that is known but has another kind than the function takes.
  static func otherAddress(
    _ span: Span, _ address: String, function: String, takes: String, known: [String]
  ) -> CELProblem {
    let listed = known.prefix(namesShown).map { "`\($0)`" }.joined(separator: ", ")
    return CELProblem(
      "not-an-address", span,
      "`\(function)` takes the name of \(takes), which `\(address)` is not",
      help: listed.isEmpty ? nil : "known here: \(listed)")
  }

  static func invalidLiteral(
    _ span: Span, _ message: String, help: String? = nil
  ) -> CELProblem {
    CELProblem(.invalidLiteral, span, message, help: help)
  }

  static func noMessages(_ span: Span) -> CELProblem {
    CELProblem(
      "no-messages", span, "there are no message types here",
      help: "write a map: `{'key': value}`")
  }
}

import Diagnostics

/// The diagnostics of durations, points in time, and expressions inside values.
extension Diagnostic {
  static func bareNumberDuration(_ number: String, for subject: String, at range: SourceRange)
    -> Diagnostic
  {
    Diagnostic(
      "bare-number-duration", "\(subject) takes a duration, and a duration names its unit",
      labels: [.init(range)], help: "write `\(number)ms` or `\(number)s`")
  }

  static func badDuration(
    _ subject: String, reason: String, mended: String?, at range: SourceRange
  ) -> Diagnostic {
    Diagnostic(
      "bad-duration", "\(subject) takes a duration such as `300ms`, `2s` or `1m30s`",
      labels: [.init(range, reason)], help: mended.map { "write `\($0)`" }
    ).fixed(by: mended)
  }

  static func badTimestamp(_ subject: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "bad-timestamp", "\(subject) takes a point in time such as `2026-03-01T09:00:00Z`, or `now`",
      labels: [.init(range)])
  }

  static func unterminatedExpression(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "unterminated-expression", "an expression that begins with `${` ends with `}`",
      labels: [.init(range, "no `}` closes this")],
      help: "close it, or write `$${` for the characters themselves")
  }

  package static func unreadableNumber(_ text: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "number-too-large", "a number has at most 64 bits", labels: [.init(range, "too large")],
      help: "write `\"\(text)\"` for the text")
  }

  static func wrappedExpression(_ inner: String?, for subject: String, at range: SourceRange)
    -> Diagnostic
  {
    Diagnostic(
      "wrapped-expression", "\(subject) takes an expression as it stands, without `${}`",
      labels: [.init(range)],
      help: inner.map { "write `\($0)`" } ?? "leave out `${` and `}`: write `count == 3`")
  }

  /// Makes the diagnostic of a document of another tool.
  static func foreignDocument(_ keys: [String], at range: SourceRange) -> Diagnostic {
    let known = Set(keys)
    let help: String
    if known.contains("openapi") || known.contains("swagger") {
      help = "this is a description of an interface; write its routes under `http` of an endpoint"
    } else if keys.first == ForeignNames.traceKey {
      help = ForeignNames.traceHelp
    } else if known.contains("log") {
      help = "`rehearse import FILE` makes a scenario of a recording"
    } else {
      help = "begin with `scenario: TITLE`; `rehearse init` writes an example"
    }
    return wrongType(
      "a document", takes: MappingName.scenario.phrase, found: "no key of a scenario", at: range,
      help: help)
  }

  static func emptyExpression(_ subject: String, at range: SourceRange) -> Diagnostic {
    Diagnostic("empty-expression", "\(subject) takes an expression", labels: [.init(range)])
  }

  static func literalDuration(_ subject: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "literal-only", "\(subject) takes a duration without expressions", labels: [.init(range)],
      help: "write the duration out, such as `300ms`, `2s` or `1m30s`")
  }

  static func noExpression(
    in subject: String, takes expected: String, at range: SourceRange
  ) -> Diagnostic {
    Diagnostic(
      "literal-only", "\(subject) takes \(expected), written out",
      labels: [.init(range, "no expression can stand here")])
  }

  /// An expression in the place of `set` that is no index.
  static func expressionInPlace(_ corrected: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "literal-only", "an expression in the place of a value stands in brackets, as an index",
      labels: [.init(range)],
      help: corrected.hasPrefix("[")
        ? "begin with the name of a node: `items[${at}].qty`" : "write `\(corrected)`")
  }

  static func literalKey(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "literal-only", "a key of a matcher, and the name of a header or of an item, is literal",
      labels: [.init(range)], help: "write the key out")
  }

  static func literalOnly(_ subject: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "literal-only", "\(subject) takes a value without expressions", labels: [.init(range)],
      help: "compute it where it is used, or write `$${` for the characters themselves")
  }

  static func notAMessagePart(
    _ text: String, _ members: [String], at range: SourceRange
  ) -> Diagnostic {
    let known = members.map { "`\($0)`" }.joined(separator: ", ")
    return Diagnostic(
      "not-a-message-part", "`\(text)` names no part of a message", labels: [.init(range)],
      help: "write the name of a header, or begin with \(known): `body.user.email`")
  }
}

import Diagnostics

/// The diagnostics of names.
extension Diagnostic {
  static func badName(_ name: String, at range: SourceRange) -> Diagnostic {
    let mended = String(name.map { isNameCharacter($0) ? $0 : "_" })
    let startsWell = mended.first.map { !$0.isNumber } ?? false
    // Without its letters, a word of another alphabet is no suggestion.
    let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
    return Diagnostic(
      "bad-name",
      "a name is letters from a to z, digits and `_`, and does not begin with a digit",
      labels: [.init(range)],
      help: helpForCall(name) ?? (startsWell && isASCII ? "write `\(mended)`" : nil))
  }

  static func badAddress(_ address: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "bad-name", "an address is names joined by dots, such as `counter.count`",
      labels: [.init(range)],
      help: address.hasSuffix("()")
        ? "write `\(address.dropLast(2))`"
        : address.contains(" ")
          ? "a condition is written under `check`, or for the whole run under `invariants`: "
            + "`- always: a != 2`" : nil)
  }

  /// Returns the help for a name with parameters, such as `load(id)`.
  private static func helpForCall(_ name: String) -> String? {
    guard let open = name.firstIndex(of: "("), name.hasSuffix(")") else { return nil }
    let parameters = name[name.index(after: open)...].dropLast()
    return "write `\(name[..<open]): { params: [\(parameters)], steps: [{ wait: 1s }] }`"
  }

  static func reservedName(_ name: String, because reason: String, at range: SourceRange)
    -> Diagnostic
  {
    Diagnostic(
      "reserved-name", "`\(name)` is \(reason) and cannot be used as a name",
      labels: [.init(range)], help: "choose another name")
  }

  static func duplicateName(_ name: String, at range: SourceRange, first: SourceRange) -> Diagnostic
  {
    Diagnostic(
      "duplicate-name", "everything on the stage has a name of its own, and `\(name)` is taken",
      labels: [.init(range), .init(first, "`\(name)` is already here")], help: "rename one of them")
  }

  /// Makes the error of a name that a list declares twice.
  static func repeatedName(
    _ name: Located<String>, first: SourceRange, of list: String
  ) -> Diagnostic {
    Diagnostic(
      "duplicate-name", "the names of \(list) differ, and `\(name.value)` is there twice",
      labels: [.init(name.range), .init(first, "`\(name.value)` is already here")],
      help: "rename one of them, or remove it")
  }

  static func duplicateCase(_ id: String, at range: SourceRange, first: SourceRange) -> Diagnostic {
    Diagnostic(
      "duplicate-case", "every row of `cases` has an id of its own, and `\(id)` is taken",
      labels: [.init(range), .init(first, "`\(id)` is already here")],
      help: "give one of them another `id`")
  }

  static func raggedCases(missing column: String, at range: SourceRange, first: SourceRange)
    -> Diagnostic
  {
    Diagnostic(
      "ragged-cases", "every row of `cases` has the same columns",
      labels: [
        .init(range, "no `\(column)` in this row"), .init(first, "`\(column)` is a column here"),
      ], help: "add `\(column)`, or take it away in all rows")
  }

  static func pathWithoutSlash(_ path: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "path-without-slash", "a path begins with `/`", labels: [.init(range)],
      help: helpWithoutSlash(path))
  }

  private static func helpWithoutSlash(_ path: String) -> String {
    let scheme = path.prefix { $0 != ":" }
    let rest = path.dropFirst(scheme.count)
    guard rest.hasPrefix("://") else { return "write `/\(path)`" }
    let target = rest.dropFirst(3).drop { $0 != "/" }.prefix { $0 != "?" }
    return "write the path alone, `\(target.isEmpty ? "/" : target)`; "
      + "the address of the real endpoint is its `url`"
  }

  static func webSocketMethod(_ method: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "websocket-method", "a WebSocket is opened by a GET", labels: [.init(range)],
      help: "write `get:` instead of `\(method.lowercased()):`")
  }
}

private func isNameCharacter(_ character: Character) -> Bool {
  character == "_" || (character.isASCII && (character.isLetter || character.isNumber))
}

import Diagnostics

/// The ids of diagnostics that other code looks for.
extension DiagnosticID {
  package static let missingSpaceAfterColon: DiagnosticID = "missing-space-after-colon"
  package static let yaml11Reading: DiagnosticID = "yaml-1-1-reading"
  package static let unknownTag: DiagnosticID = "unknown-tag"
  package static let commentCut: DiagnosticID = "comment-cut"
  package static let splitByComma: DiagnosticID = "split-by-comma"
  package static let anchorOnNothing: DiagnosticID = "anchor-on-nothing"
}

/// The diagnostics about the syntax of a file; `yamlPages` has the long form of each.
extension Diagnostic {
  private static func written(_ line: String?) -> String? { line.map { "write `\($0)`" } }

  static func yamlSyntax(_ range: SourceRange, rule: String, help: String? = nil) -> Diagnostic {
    Diagnostic("yaml-syntax", rule, labels: [Label(range)], help: help)
  }

  static func needsQuotes(_ range: SourceRange, rule: String, quoted: String?) -> Diagnostic {
    Diagnostic(
      "needs-quotes", rule, labels: [Label(range)], help: written(quoted),
      fix: quoted.map { .line($0) })
  }

  static func colonInValue(
    _ range: SourceRange, quoted: String, mayBeMapping: Bool
  ) -> Diagnostic {
    let mapping = "; a mapping in a mapping begins on a line of its own"
    return Diagnostic(
      "needs-quotes", "a plain value holds no colon followed by a space", labels: [Label(range)],
      help: "write `\(quoted)`" + (mayBeMapping ? " for text" + mapping : ""),
      fix: mayBeMapping ? nil : .line(quoted))
  }

  static func missingSpaceAfterColon(
    _ range: SourceRange, severity: Severity, fixed: String
  ) -> Diagnostic {
    Diagnostic(
      .missingSpaceAfterColon, severity: severity, "a key's colon is followed by a space",
      labels: [Label(range, "this is one word")], help: written(fixed), fix: .line(fixed))
  }

  static func unclosedQuote(_ range: SourceRange) -> Diagnostic {
    Diagnostic(
      "unclosed-quote", "text in quotes ends with the quote it began with",
      labels: [Label(range, "opened here, and not closed")])
  }

  static func unclosedBracket(_ range: SourceRange, opened: SourceRange) -> Diagnostic {
    Diagnostic(
      "unclosed-bracket",
      "elements in brackets or braces are separated by commas, and the bracket is closed",
      labels: [Label(range), Label(opened, "opened here")])
  }

  static func tabIndentation(_ range: SourceRange) -> Diagnostic {
    Diagnostic(
      "tab-indentation", "lines are indented with spaces, not with tabs", labels: [Label(range)],
      help: "replace the tab with spaces")
  }

  static func duplicateKey(_ key: YAMLScalar, earlier: YAMLScalar) -> Diagnostic {
    Diagnostic(
      "duplicate-key", "a mapping has each key once, but `\(key.text)` occurs twice",
      labels: [Label(key.range), Label(earlier.range, "first here")],
      help: key.isMergeKey ? "merge several mappings with one `<<: [*first, *second]`" : nil)
  }

  static func complexKey(_ range: SourceRange) -> Diagnostic {
    Diagnostic("complex-key", "a key is text, not a list or a map", labels: [Label(range)])
  }

  static func unknownTag(_ tag: String, at range: SourceRange, quoted: String?) -> Diagnostic {
    let isLocal = tag.hasPrefix("!") && !tag.hasPrefix("!!")
    return Diagnostic(
      .unknownTag, "the tags are `!!str !!int !!float !!bool !!null !!map !!seq`",
      labels: [Label(range, "`\(shortTag(tag))` is none of them")],
      help: isLocal
        ? quoted.map { "a value that begins with `!` must be in quotes: `\($0)`" } : nil)
  }

  private static func shortTag(_ tag: String) -> String {
    let prefix = "tag:yaml.org,2002:"
    return tag.hasPrefix(prefix) ? "!!" + tag.dropFirst(prefix.count) : tag
  }

  static func tagMismatch(_ scalar: YAMLScalar, tag: String) -> Diagnostic {
    Diagnostic(
      "tag-mismatch", "a value with the tag `\(shortTag(tag))` reads as one",
      labels: [Label(scalar.range)])
  }

  static func anchorOnNothing(_ range: SourceRange, name: String) -> Diagnostic {
    Diagnostic(
      .anchorOnNothing, severity: .warning, "`&\(name)` names the value after it",
      labels: [Label(range, "names null, because nothing follows")],
      help: "text that begins with `&` must be in quotes: `\"&\(name)\"`")
  }

  static func undefinedAlias(
    _ name: String, at range: SourceRange, known: [String], quoted: String?
  ) -> Diagnostic {
    let nearest = nearestName(to: name, among: known.prefix(1_000))
    return Diagnostic(
      "undefined-alias", "`*\(name)` refers to a value that is named before it",
      labels: [Label(range, "no `&\(name)` stands before it")],
      help: nearest.map { "write `*\($0)`" }
        ?? quoted.map { "text that begins with `*` must be in quotes: `\($0)`" })
  }

  static func recursiveAlias(_ name: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "recursive-alias", "a value does not contain itself",
      labels: [Label(range, "is inside the value that `&\(name)` names")])
  }

  static func aliasBomb(_ range: SourceRange) -> Diagnostic {
    Diagnostic(
      "alias-bomb",
      "a document has at most \(YAMLLimit.nodes) nodes, each alias counted as the value it names",
      labels: [Label(range, "exceeded here")])
  }

  static func tooManyNodes(_ range: SourceRange) -> Diagnostic {
    Diagnostic(
      "too-many-nodes", "a file has at most \(YAMLLimit.nodesInFile) nodes",
      labels: [Label(range, "exceeded here; the rest of the file is not read")],
      help: "make several files of it, or keep data in a JSON or CSV file")
  }

  static func mergeNotMapping(_ range: SourceRange) -> Diagnostic {
    Diagnostic(
      "merge-not-mapping", "`<<` merges a mapping or a list of mappings", labels: [Label(range)])
  }

  static func tooDeep(_ range: SourceRange) -> Diagnostic {
    Diagnostic(
      "too-deep", "lists and maps are nested at most \(YAMLLimit.depth) levels deep",
      labels: [Label(range)])
  }
}

extension Diagnostic {
  static func fileTooLarge(_ size: Int, file: Int32) -> Diagnostic {
    Diagnostic(
      "file-too-large", "a file has at most \(YAMLLimit.fileSize) bytes",
      labels: [Label(SourceRange(file: file, start: 0, end: 0), "has \(size)")])
  }

  static func emptyFile(_ file: Int32) -> Diagnostic {
    Diagnostic(
      "empty-file", "a file holds at least one document",
      labels: [Label(SourceRange(file: file, start: 0, end: 0), "nothing but space and comments")])
  }

  static func emptyDocument(_ range: SourceRange) -> Diagnostic {
    Diagnostic(
      "empty-document", severity: .warning, "a document between two `---` lines has content",
      labels: [Label(range, "this document is empty and left out")])
  }

  /// Makes the one diagnostic of a file that is no text, or text in another encoding.
  static func otherEncoding(_ encoding: String?, _ range: SourceRange) -> Diagnostic {
    Diagnostic(
      "invalid-utf8", "a file is UTF-8 text",
      labels: [Label(range, encoding.map { "this file is \($0)" } ?? "this file is not text")],
      help: encoding.map { "convert it: `iconv -f \($0) -t UTF-8 FILE`" })
  }

  /// Makes the diagnostic of a no-break space that looks like an indentation.
  static func noBreakSpace(_ range: SourceRange) -> Diagnostic {
    Diagnostic(
      "no-break-space", "lines are indented by spaces",
      labels: [Label(range, "this is U+00A0, a no-break space")], help: "replace it by a space")
  }

  static func invalidUTF8(_ range: SourceRange) -> Diagnostic {
    Diagnostic(
      "invalid-utf8", "a file is UTF-8 text", labels: [Label(range, "this byte is not")],
      help: "save the file as UTF-8, or convert it: `iconv -f ISO-8859-1 -t UTF-8 FILE`")
  }

  static func controlCharacter(_ range: SourceRange, _ code: UInt32) -> Diagnostic {
    Diagnostic(
      "control-character", "control characters are written as escapes",
      labels: [Label(range, "this is U+\(hexadecimal(code))")],
      help: "in double quotes it is `\\u\(hexadecimal(code))`")
  }

  static func unusualLineBreak(_ range: SourceRange, _ code: UInt32) -> Diagnostic {
    Diagnostic(
      "unusual-line-break", severity: .warning, "lines end with a line feed",
      labels: [Label(range, "U+\(hexadecimal(code)) breaks the line for YAML as well")],
      help: "in double quotes it is `\\u\(hexadecimal(code))`")
  }

  private static func hexadecimal(_ code: UInt32) -> String {
    String(String(0x10000 + code, radix: 16, uppercase: true).suffix(4))
  }

  static func yaml11Reading(_ scalar: YAMLScalar, _ reading: YAML11Reading) -> Diagnostic {
    Diagnostic(
      .yaml11Reading, severity: .warning,
      "`\(scalar.text)` is \(reading.here) here, and was \(reading.other) in YAML 1.1",
      labels: [Label(scalar.range)],
      help: reading.here == "text"
        ? "write `\"\(scalar.text)\"` for the text, or `\(reading.other)`"
        : "write `\(reading.here)` or `\(reading.other)`, or `\"\(scalar.text)\"` for the text")
  }

  static func commentCut(
    _ range: SourceRange, comment: SourceRange, quoted: String?
  ) -> Diagnostic {
    Diagnostic(
      .commentCut, severity: .warning, "a `#` after a space begins a comment",
      labels: [Label(comment, "cut off from the value"), Label(range, "a quote is open here")],
      help: written(quoted))
  }

  static func splitByComma(
    _ range: SourceRange, rest: SourceRange?, quoted: String?
  ) -> Diagnostic {
    let follower = rest.map { [Label($0, "this is read as the next entry")] } ?? []
    return Diagnostic(
      .splitByComma, severity: .warning,
      "within brackets and braces a comma ends a plain value, also between parentheses",
      labels: [Label(range, "the value ends here")] + follower, help: written(quoted))
  }

  static func listOfOneWord(_ range: SourceRange, key: String, word: String) -> Diagnostic {
    Diagnostic(
      "list-of-one-word", severity: .warning, "brackets make a list",
      labels: [Label(range, "a list with the single text `\(word)`")],
      help: "write `\(key): \"[\(word)]\"` for the text, or `\(key): [\"\(word)\"]` for the list")
  }
}

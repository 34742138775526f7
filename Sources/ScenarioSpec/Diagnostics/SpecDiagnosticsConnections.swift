import Diagnostics

/// The diagnostics of connections and of what mocks do with them.
extension Diagnostic {
  static func badHexadecimal(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "bad-hexadecimal", "bytes are pairs of hexadecimal digits",
      labels: [.init(range, "no pairs of digits")], help: "write two digits for each byte: `0a ff`")
  }

  static func partOfNoBody(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "fault-without-body", "`partialBody` sends the first half of a body, and there is none",
      labels: [.init(range)], help: "add `json`, `text`, `file` or `bytes`")
  }

  static func restBeforeTheEnd(_ segment: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "path-pattern", "`\(segment)` stands for all segments that follow, so it is the last one",
      labels: [.init(range)],
      help: "end the path with it, or write `{\(segment.dropFirst().dropLast(4))}` for one segment")
  }

  static func restWithinSegment(_ segment: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "path-pattern", "`{name...}` stands for whole segments, and `\(segment)` has more text",
      labels: [.init(range)], help: "write `{name}` for the part of one segment")
  }

  static func namesInOneSegment(_ segment: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "path-pattern", "a segment of a path has one name in braces, and `\(segment)` has several",
      labels: [.init(range)],
      help: "write one name for the whole segment, and take it apart with `split` or a pattern")
  }

  static func foreignPattern(
    _ segment: String, _ ours: String, at range: SourceRange
  ) -> Diagnostic {
    Diagnostic(
      "path-pattern", severity: .warning, "`\(segment)` in a path stands for itself",
      labels: [.init(range)],
      help: ours.hasSuffix("...}")
        ? "write `\(ours)` for all segments that follow" : "write `\(ours)` for one segment")
  }

  /// Makes the warning of a route whose path has a query. Routes are chosen by path alone.
  static func queryInRoute(_ path: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "path-pattern", severity: .warning, "a query in the path of a route fits no request",
      labels: [.init(range)],
      help: "write `\(path)`, with `match: { query: { NAME: \"VALUE\" } }` beside it")
  }
}

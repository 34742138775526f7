import Diagnostics

/// The diagnostics of values in files of their own.
extension Diagnostic {
  /// An expression without quotes is no JSON, although other tools take it.
  static func wrongDataFile(_ message: String, isExpression: Bool, at range: SourceRange)
    -> Diagnostic
  {
    Diagnostic(
      "wrong-data-file", message, labels: [.init(range)],
      help: isExpression ? "put quotes around it, `\"${…}\"`: the value keeps its type" : nil)
  }

  static func severalValues(in path: Located<String>, _ second: SourceRange) -> Diagnostic {
    Diagnostic(
      "wrong-data-file", "a file under `$file` holds one value",
      labels: [.init(second, "a second one"), .init(path.range, "this file is used here")])
  }

  static func dataFileTooLarge(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "wrong-data-file", "a file under `$file` has at most \(TableLimit.fileSize >> 20) MiB",
      labels: [.init(range, "this has more")])
  }

  static func misplacedDataFile(_ path: Located<String>) -> Diagnostic {
    Diagnostic(
      "misplaced-data-file", "`$file` stands in scenarios, components and files of steps",
      labels: [.init(path.range, "not here")], help: "write the value in place")
  }
}

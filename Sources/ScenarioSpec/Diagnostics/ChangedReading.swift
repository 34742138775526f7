import Diagnostics

extension Diagnostic {
  /// Makes the note about a place that means something else since version 0.2.
  ///
  /// - Parameters:
  ///   - subject: The part of the file: "the header `X-Version`".
  ///   - now: What happens with it: "is sent as `1.10`".
  ///   - before: What happened until then: "it was sent as `1.1`".
  ///   - line: The line that has the meaning of before, if there is one.
  package static func changedReading(
    of subject: String, now: String, before: String, toKeepWrite line: String?,
    at range: SourceRange
  ) -> Diagnostic {
    Diagnostic(
      "changed-in-0.2", severity: .note, "\(subject) \(now); before 0.2, \(before)",
      labels: [.init(range)], help: line.map { "to keep that, write `\($0)`" })
  }
}

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

/// The page about places that mean something else since a version.
package let changedReadingPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "changed-in-0.2", title: "A place that means something else since 0.2",
    text: """
      The note has the meaning that the place has now, the one that it had before version 0.2, and
      what to write to keep that. It never makes a run fail. Write the value in the way that no
      version reads differently, and the note is gone: text in quotes is what it shows.

      Other changes of 0.2 are listed in the changelog, under "what changes for your scenarios".
      """,
    wrong: """
      scenario: A version is asked for
      endpoints:
        api: { http: [{ get: /, respond: { json: "${request.query.v}" } }] }
      steps:
        - request: { endpoint: api, get: /, query: { v: 1.10 }, expect: { json: "1.10" } }
      """,
    right: """
      scenario: A version is asked for
      endpoints:
        api: { http: [{ get: /, respond: { json: "${request.query.v}" } }] }
      steps:
        - request: { endpoint: api, get: /, query: { v: "1.10" }, expect: { json: "1.10" } }
      """)
]

import Diagnostics
import Values

/// A mistake in a line of a trace, and its place.
package struct TraceProblem: Error, Sendable, Equatable {
  /// The kinds of mistakes.
  package enum Kind: Sendable, Equatable {
    case notJSON(String)
    case notObject
    case noHeader
    case unknownVersion(Int)
    case badMember(TraceMember)
    case badHeaderMember(TraceHeaderMember)
    case lineTooLong
    /// So many lines more cannot be read; the first of them is here.
    case moreUnreadable(Int)
    /// The number of an event is not that of the line before plus one.
    case wrongNumber(Int, expected: Int)
    /// The run has no event with the number of the cause.
    case unknownCause(Int)
  }

  package var kind: Kind
  package var place: TracePlace

  package init(_ kind: Kind, _ place: TracePlace) {
    self.kind = kind
    self.place = place
  }
}

extension TraceProblem {
  /// Returns the problem in words; `file` is the trace.
  package func diagnostic(in file: Int32) -> Diagnostic {
    let labels = [Diagnostic.Label(place.range(in: file))]
    return switch kind {
    case .notJSON, .notObject, .badMember, .badHeaderMember, .moreUnreadable:
      Diagnostic("unreadable-trace-line", message, labels: labels)
    case .noHeader:
      Diagnostic(
        "trace-without-header", message, labels: labels,
        help: "write `{\"trace\":1}` as the first line")
    case .unknownVersion:
      Diagnostic(
        "unknown-trace-version", message, labels: labels,
        help: "record it again, or use the version that wrote it")
    case .lineTooLong:
      Diagnostic(
        "trace-line-too-long", message, labels: labels,
        help: "put the value into the folder of the trace's bodies")
    case .wrongNumber(let number, let expected):
      Diagnostic(
        "trace-number", severity: number > expected ? .warning : .error, message,
        labels: labels, facts: [.init("actual", "\(number)"), .init("expected", "\(expected)")],
        help: number > expected
          ? "lines are missing here: record the trace again, or leave `n` out"
          : "give each line its own number, or leave `n` out; `{\"trace\":1}` begins another run")
    case .unknownCause:
      Diagnostic(
        "trace-cause", severity: .warning, message, labels: labels,
        help: "write the number of an event of the same run, or leave `cause` out")
    }
  }

  private var message: String {
    switch kind {
    case .notJSON(let reason): "a line of a trace is a JSON object: \(reason)"
    case .notObject: "a line of a trace is a JSON object"
    case .noHeader: "the first line of a trace is its header"
    case .unknownVersion(let version): "this version of Rehearsal cannot read traces \(version)"
    case .badMember(let member): "`\(member.rawValue)` is \(member.form.text)"
    case .badHeaderMember(let member): "`\(member.rawValue)` is \(member.form.text)"
    case .lineTooLong:
      "a line of a trace has at most \(TraceLimit.lineBytes >> 20) MiB"
    case .moreUnreadable(let count):
      count == 1 ? "1 more line cannot be read" : "\(count) more lines cannot be read"
    case .wrongNumber: "the numbers of a run's lines rise by one"
    case .unknownCause(let number):
      "this event was caused by event \(number), which is not in this trace"
    }
  }
}

extension TraceMember.Form {
  fileprivate var text: String {
    switch self {
    case .integer: "an integer"
    case .microseconds: "an integer from 0 on, the microseconds since the start"
    case .text: "text"
    case .side: "`client` or `server`"
    case .flag: "`true` or `false`"
    case .timestamp: timestampText
    case .anyValue: "a value"
    }
  }
}

private let timestampText = "a time such as `2026-01-31T12:00:00.5Z`"

extension TraceHeaderMember.Form {
  fileprivate var text: String {
    switch self {
    case .integer: "an integer"
    case .text: "text"
    case .timestamp: timestampText
    case .scenario: "an object with `path`, `line`, `title` and `row`"
    case .time: "`virtual` or `real`"
    case .map: "an object"
    case .sides: "an object with `client` or `server` for each endpoint"
    case .texts: "a list of names"
    }
  }
}

/// The pages of `rehearse explain` about traces.
package let tracePages = [
  DiagnosticPage(
    id: "unreadable-trace-line", title: "A line of a trace cannot be read",
    text: "Each line is one JSON object. Unknown kinds and members are ignored.",
    wrong: "{\"us\":\"soon\",\"source\":\"cart.total\",\"value\":1}",
    right: "{\"us\":1500,\"source\":\"cart.total\",\"value\":1}"),
  DiagnosticPage(
    id: "unreadable-trace-body", title: "A large value of a trace cannot be read",
    text: """
      A value over 64 KiB lies in the folder `NAME.bodies/` beside the trace. The name of its file
      is the SHA-256 of its bytes. The file is missing, or it is not the one that was recorded.
      """,
    wrong: "cp traces/shop.trace.jsonl kept/",
    right: "cp -r traces/shop.trace.jsonl traces/shop.bodies kept/"),
  DiagnosticPage(
    id: "trace-without-header", title: "A trace begins with its header",
    text: "The first line has the key `trace` with the version of the format.",
    wrong: "{\"source\":\"cart.total\",\"value\":1}",
    right: "{\"trace\":1}"),
  DiagnosticPage(
    id: "unknown-trace-version", title: "The trace is of another version",
    text: "This version reads traces of version 1.",
    wrong: "{\"trace\":2}", right: "{\"trace\":1}"),
  DiagnosticPage(
    id: "trace-line-too-long", title: "A line of a trace is too long",
    text: "Values over 64 KiB lie in files of their own, in the folder `NAME.bodies/`.",
    wrong: "{\"source\":\"api\",\"value\":\"… 300 MiB …\"}",
    right: "{\"source\":\"api\",\"value\":{\"$body\":\"9f86d0…\",\"bytes\":314572800}}"),
  DiagnosticPage(
    id: "trace-number", title: "The numbers of a trace do not rise by one",
    text: """
      `n` is the number of an event, by which `cause` and the commands name it. It rises by one from
      line to line, and begins anywhere. A number that was there before names two events: that is an
      error. If a number is too high, lines are missing: that is a warning. Of each kind, the first
      one of a run is reported. A line without `n` has the next number.
      """,
    wrong: """
      {"n":1,"source":"cart","value":1}
      {"n":1,"source":"cart","value":2}
      """,
    right: """
      {"n":1,"source":"cart","value":1}
      {"n":2,"source":"cart","value":2}
      """),
  DiagnosticPage(
    id: "trace-cause", title: "The cause of an event is not in the trace",
    text: """
      `cause` is the number of the event that led to this one. No event of the run has that number:
      lines were left out, or the number is wrong. The trace is read all the same, and
      `rehearse trace why` ends there. The first one of a run is reported.
      """,
    wrong: """
      {"n":1,"source":"cart","value":1}
      {"n":2,"source":"total","cause":7,"value":9}
      """,
    right: """
      {"n":1,"source":"cart","value":1}
      {"n":2,"source":"total","cause":1,"value":9}
      """),
  DiagnosticPage(
    id: "no-such-event", title: "A trace does not have this event",
    text: "An event is named by its number, which is `n` in its line.",
    wrong: "rehearse trace why prices.trace.jsonl 99999",
    right: "rehearse trace why prices.trace.jsonl 13"),
  DiagnosticPage(
    id: "no-such-run", title: "The run of a log is not named",
    text: """
      A log may hold several runs, each with a header. `--run` names one of them by its number,
      which is `run` in the header.
      """,
    wrong: "rehearse trace stats runs.jsonl", right: "rehearse trace stats runs.jsonl --run 2"),
]

import Diagnostics

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

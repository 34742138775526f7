import Diagnostics
import Values

/// A value of a trace that cannot be read, and the place of its line.
package struct UnreadableTraceValue: Sendable, Equatable {
  package var problem: TraceValueProblem
  package var place: TracePlace

  package init(_ problem: TraceValueProblem, _ place: TracePlace) {
    self.problem = problem
    self.place = place
  }

  /// Returns the problem in words; `file` is the trace.
  package func diagnostic(in file: Int32) -> Diagnostic {
    let labels = [Diagnostic.Label(place.range(in: file))]
    let message = "a value of a trace cannot be read: \(problem.message)"
    switch problem {
    case .badEncoding: return Diagnostic("unreadable-trace-line", message, labels: labels)
    case .body(let body):
      return Diagnostic(
        "unreadable-trace-body", message, labels: labels, notes: body.notes, help: body.help)
    }
  }
}

extension [UnreadableTraceValue] {
  /// The most values that are reported one by one.
  private static let mostShown = ReadTrace.mostUnreadable

  /// Returns the first problems in words, and how many there are besides; `file` is the trace.
  package func diagnostics(in file: Int32) -> [Diagnostic] {
    let shown = prefix(Self.mostShown).map { $0.diagnostic(in: file) }
    guard let next = dropFirst(Self.mostShown).first else { return shown }
    let count = self.count - Self.mostShown
    var rest = next.diagnostic(in: file)
    let values = count == 1 ? "1 more value" : "\(count) more values"
    rest.message = "\(values) of the trace cannot be read"
    rest.notes = []
    return shown + [rest]
  }
}

extension TraceRun {
  /// Returns the lines with a large part that cannot be read from its file.
  package func unreadableBodies(
    _ body: (String) -> TraceBodyFile?, of wanted: (TraceLine) -> Bool
  ) -> [UnreadableTraceValue] {
    entries.compactMap { entry in
      guard wanted(entry.line), case .failure(let problem) = entry.line.withBodies(body) else {
        return nil
      }
      return UnreadableTraceValue(.body(problem), entry.place)
    }
  }
}

extension TraceBodyProblem {
  var message: String {
    switch self {
    case .noFolder(let hash): "the body \(hash) is not in the folder of the trace's bodies"
    case .unreadable(let path, let reason): "the file of its body is `\(path)`: \(reason)"
    case .changed(let path, _, _): "the file of its body was changed: `\(path)`"
    case .notJSON(let path, let reason): "the file of its body is not JSON: `\(path)`: \(reason)"
    case .nestedTooDeeply: "with its bodies, it is nested at most \(JSONLimit.depth) levels deep"
    case .tooLarge: "its bodies have at most \(TraceLimit.bodiesBytes >> 20) MiB together"
    }
  }

  fileprivate var notes: [Diagnostic.Fact] {
    guard case .changed(_, let expected, let actual) = self else { return [] }
    return [.init("expected", "SHA-256 \(expected)"), .init("actual", "SHA-256 \(actual)")]
  }

  fileprivate var help: String? {
    switch self {
    case .noFolder, .unreadable: "copy the folder `NAME.bodies/` together with the trace"
    case .changed, .notJSON, .nestedTooDeeply, .tooLarge: "record the trace again"
    }
  }
}

import Diagnostics
import ScenarioPlan
import TextSearch
import Traces
import Values

extension Diagnostic {
  static func unreadableTrace(_ path: String, _ reason: String) -> Diagnostic {
    Diagnostic("unreadable-file", "`\(path)` cannot be read: \(reason)")
  }

  static func traceWithoutScenario(
    _ reason: String, _ place: TracePlace?, in file: Int32
  ) -> Diagnostic {
    Diagnostic(
      "trace-without-scenario", "the scenario of the trace cannot be run: \(reason)",
      labels: place.map { [.init($0.range(in: file))] } ?? [],
      help: "say where it is now: `--scenario FILE`")
  }

  static func bytesNotRecorded(_ place: TracePlace, in file: Int32) -> Diagnostic {
    Diagnostic(
      "bytes-not-recorded", severity: .warning,
      "a client broke the rules of its protocol here, and the trace does not have its bytes",
      labels: [.init(place.range(in: file))],
      notes: [.init("note", "other bytes are sent, and the rest of the connection is not compared")]
    )
  }

  static func scenarioChanged(
    _ files: [String], _ place: TracePlace?, in file: Int32
  ) -> Diagnostic {
    let names = files.prefix(3).map { "`\($0)`" }.joined(separator: ", ")
    let more = files.count > 3 ? " and \(files.count - 3) more" : ""
    return Diagnostic(
      "scenario-changed", severity: .warning,
      "not the file that was recorded: \(names)\(more)",
      labels: place.map { [.init($0.range(in: file))] } ?? [])
  }

  static func scenarioRenamed(
    _ title: String, _ plan: ScenarioPlan, _ place: TracePlace?, in file: Int32
  ) -> Diagnostic {
    let now = visibleText(plan.secretMask.masked(plan.title))
    return Diagnostic(
      "scenario-renamed", severity: .warning,
      "the file has no scenario `\(visibleText(title))`; `\(now)` has most of its steps",
      labels: place.map { [.init($0.range(in: file))] } ?? [],
      help: "if it has a new title, `rehearse replay … --update` writes it into the trace")
  }

  package static func traceWithoutSteps(_ place: TracePlace?, in file: Int32) -> Diagnostic {
    Diagnostic(
      "trace-without-steps", severity: .warning,
      "an older version recorded the trace, which does not say what its steps are",
      labels: place.map { [.init($0.range(in: file))] } ?? [],
      notes: [.init("note", "steps are found by their lines, so that a new line breaks the trace")],
      help: "`rehearse replay … --update` writes it into the trace")
  }

  static func otherOrder(_ count: Int, _ place: TracePlace?, in file: Int32) -> Diagnostic {
    Diagnostic(
      "replay-order", severity: .warning,
      "only independent events changed places: \(count) of them",
      labels: place.map { [.init($0.range(in: file))] } ?? [],
      notes: [.init("note", "same values, same times, same order within each source")])
  }

  static func traceIsCut(_ run: TraceRun, in file: Int32) -> Diagnostic {
    let place = run.cut ?? run.entries.last?.place ?? run.place
    return Diagnostic(
      "trace-cut", "cut: the trace ends before its run did, and holds up to its end",
      labels: place.map { [.init($0.range(in: file))] } ?? [],
      help: "record it again, or accept that: `--allow-cut`")
  }

  static func updateOfCutTrace(_ place: TracePlace?, in file: Int32) -> Diagnostic {
    Diagnostic(
      "update-of-cut-trace", "a trace that was cut is not updated, since its end is unknown",
      labels: place.map { [.init($0.range(in: file))] } ?? [],
      help: "record it again: `rehearse run … --record`")
  }

  /// A trace that came out of a pipe: there is no file to update, and none to write noise beside.
  static func writesBesidePipe(_ path: String) -> Diagnostic {
    Diagnostic(
      "trace-without-file",
      path == standardInputPath
        ? "the trace came from standard input, so there is no file to change"
        : "`\(visibleText(path))` is a pipe, so there is no file to change",
      help: "write the trace into a file, and name it: `--update` and `--learn` write there")
  }

  static func updateOfLog(_ place: TracePlace?, in file: Int32) -> Diagnostic {
    Diagnostic(
      "update-of-log", "a log of several runs is not updated",
      labels: place.map { [.init($0.range(in: file))] } ?? [],
      help: "record a trace of each run: `rehearse run … --record`")
  }

  static func eventNotReached(_ event: Int, _ run: TraceRun, in file: Int32) -> Diagnostic {
    let isKnown = run.entry(event) != nil
    let place = run.entry(event)?.place ?? run.place
    return Diagnostic(
      "no-such-event",
      isKnown
        ? "event \(event) did not come again" : "the trace has no event \(event)",
      labels: place.map { [.init($0.range(in: file))] } ?? [], help: isKnown ? nil : run.eventsHelp)
  }
}

extension [Diagnostic] {
  /// Returns failures with a note where a header may be missing only because a trace leaves it out.
  package func noting(leftOutOf header: TraceHeader) -> [Diagnostic] {
    guard header.hasRealEndpoints else { return self }
    return map { failure in
      guard failure.lacksHeader else { return failure }
      var noted = failure
      noted.notes.append(
        .init(
          "note",
          "left out of the trace: of a real endpoint it has only the headers that the scenario "
            + "named when it was recorded. Record it again"))
      return noted
    }
  }
}

extension Diagnostic {
  /// True if a header that is expected did not come.
  fileprivate var lacksHeader: Bool {
    let texts = [message] + (labels.map(\.text) + facts.map(\.text) + notes.map(\.text))
    return texts.contains { $0.contains("headers") && $0.contains("no entry") }
      || differences.contains { $0.kind == .missing && $0.path.contains("headers") }
  }
}

/// The pages of `rehearse explain` about replays. Their examples are command lines, or lines of a
/// trace.
package let replayPages = [
  DiagnosticPage(
    id: "replay-diverged", title: "A replay is not what was recorded",
    text: """
      A replay runs the scenario against the inputs of a trace, and compares what the scenario does
      with what it did. The first difference is shown with both sides. If the new behaviour is
      right, `--update` accepts it: the inputs stay, and what is compared is written again.
      """,
    wrong: "rehearse replay scenarios/traces", right: "rehearse replay scenarios/traces --update"),
  DiagnosticPage(
    id: "trace-without-scenario", title: "The scenario of a trace is not where it was",
    text: """
      The header of a trace names the file and the title of its scenario. The path begins at the
      folder of the trace.
      """,
    wrong: "rehearse replay moved.trace.jsonl",
    right: "rehearse replay moved.trace.jsonl --scenario scenarios/prices.scenario.yaml"),
  DiagnosticPage(
    id: "bytes-not-recorded", title: "A trace does not have what a client sent",
    text: """
      A trace has requests and messages. If a client of a served endpoint sends bytes that are
      neither, the trace only says so. A replay sends other bytes that break the rules, and compares
      nothing on that connection from there on.
      """,
    wrong: "rehearse replay served.trace.jsonl",
    right: "rehearse serve shop.scenario.yaml --record"),
  DiagnosticPage(
    id: "scenario-changed", title: "A file is not the one that was recorded",
    text: """
      The header of a trace has a hash of each file that was read. A replay runs the files as they
      are now, and says which of them changed.
      """,
    wrong: "rehearse replay prices.trace.jsonl", right: "rehearse run prices.scenario.yaml --record"
  ),
  DiagnosticPage(
    id: "scenario-renamed", title: "The scenario of a trace has another title now",
    text: """
      The header of a trace names its scenario by title. If the file has no such scenario any more,
      the one is taken whose steps have most in common with those of the trace, and more than half
      of them. `--update` writes the new title.
      """,
    wrong: "rehearse replay prices.trace.jsonl",
    right: "rehearse replay prices.trace.jsonl --update"),
  DiagnosticPage(
    id: "trace-without-steps", title: "A trace does not say what its steps are",
    text: """
      A trace names each step by its path in the document and a hash of its text. So it is found
      again below a new comment or a new step. A trace of an older version has only lines and
      columns. `--update` adds what is missing.
      """,
    wrong: "rehearse replay prices.trace.jsonl",
    right: "rehearse replay prices.trace.jsonl --update"),
  DiagnosticPage(
    id: "replay-order", title: "Events that have nothing to do with each other changed places",
    text: """
      Events of one time came in another order than in the trace. Each source has the same events in
      the same order, and no event came before its cause. That is no divergence.
      """,
    wrong: "rehearse replay prices.trace.jsonl", right: "rehearse run prices.scenario.yaml --record"
  ),
  DiagnosticPage(
    id: "update-of-cut-trace", title: "A trace that was cut cannot be updated",
    text: "`--update` keeps the inputs of a trace. Nobody knows those after a cut.",
    wrong: "rehearse replay cut.trace.jsonl --update",
    right: "rehearse run prices.scenario.yaml --record"),
  DiagnosticPage(
    id: "trace-without-file", title: "A trace that came through a pipe cannot be changed",
    text: """
      `--update` writes the trace again, and `--learn` writes a file beside it. What comes from
      standard input or a pipe has no file.
      """,
    wrong: "rehearse replay - --update", right: "rehearse replay prices.trace.jsonl --update"),
  DiagnosticPage(
    id: "update-of-log", title: "A log of several runs cannot be updated",
    text: "`--update` writes traces of one run. `--record` makes one for each scenario and row.",
    wrong: "rehearse replay runs.jsonl --update",
    right: "rehearse run scenarios --record"),
]

import Diagnostics
import ScenarioPlan
import TextSearch
import Traces

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

import Diagnostics
import ScenarioRuns
import Traces
import Values

/// Answers a question about a trace, or exports it.
func answer(
  _ arguments: TraceArguments, _ trace: ShownTrace, _ style: DiagnosticStyle
) -> ExitCode {
  guard !trace.diagnostics.hasErrors else { return .badInput }
  do throws(TraceRefusal) {
    let run = try chosenRun(trace, arguments.run)
    if arguments.action == .export, arguments.format == .har {
      try refuseUnreadableBodies(of: run, trace, arguments.path, style) { line in
        line.knownKind == .request || line.knownKind == .response
      }
    }
    if let cut = trace.trace.cut {
      Terminal.complain("cut: line \(cut.line) of \(visibleText(arguments.path)) has no end")
    }
    if arguments.action == .export, arguments.format == .har, run.isArchivedWithoutDate {
      let first = run.place ?? run.entries.first?.place
      Terminal.complain(
        render(.archiveWithoutDate(first, in: trace.file), in: trace.sources, style: style))
    }
    return try answer(arguments, run, style)
  } catch {
    return error.shown(style)
  }
}

/// The reason why a question has no answer.
struct TraceRefusal: Error {
  /// Nil if it was printed already.
  var problem: Diagnostic?
  /// The texts that it has places in.
  var sources = SourceMap()
  var code = ExitCode.badInput

  func shown(_ style: DiagnosticStyle) -> ExitCode {
    if let problem { Terminal.complain([problem], in: sources, style) }
    return code
  }
}

private func answer(
  _ arguments: TraceArguments, _ run: TraceRun, _ style: DiagnosticStyle
) throws(TraceRefusal) -> ExitCode {
  let event = arguments.event ?? 0
  switch arguments.action {
  case .why:
    guard let causes = TraceCauses(of: event, in: run) else { throw noEvent(event, run) }
    return say(causes.answer, arguments)
  case .state:
    guard let state = TraceState(at: event, in: run, sources: arguments.sources) else {
      throw noEvent(event, run)
    }
    return say(state.answer, arguments)
  case .requests:
    return arguments.isForPrograms
      ? Terminal.show(requestsJSON(of: run), pretty: true)
      : Terminal.show { show in
        var lines = ShownLines(all: arguments.showsAll)
        visitRequests(of: run) { lines.add($0, to: show) }
        lines.end(show)
      }
  case .stats: return say(TraceStatistics(of: run).answer, arguments)
  case .diff: return try compare(run, arguments, style)
  case .export: return export(run, arguments)
  case .show, .audit: return .passed
  }
}

private func say(_ answer: TraceAnswer, _ arguments: TraceArguments) -> ExitCode {
  let text =
    arguments.isForPrograms
    ? answer.json.json(pretty: true) + "\n" : answer.text(all: arguments.showsAll)
  return Terminal.show(text, as: arguments.isForPrograms ? .json : .text)
}

private func compare(
  _ run: TraceRun, _ arguments: TraceArguments, _ style: DiagnosticStyle
) throws(TraceRefusal) -> ExitCode {
  let path = arguments.otherPath ?? ""
  let bytes: TraceBytes
  switch openTrace(path) {
  case .success(let opened): bytes = opened
  case .failure(let problem):
    throw TraceRefusal(problem: .unreadable(path, problem.message), code: .couldNotRun)
  }
  let other = ShownTrace(path, bytes)
  Terminal.complain(other.diagnostics, in: other.sources, style)
  guard !other.diagnostics.hasErrors else { return .badInput }
  if let cut = other.trace.cut {
    Terminal.complain("cut: line \(cut.line) of \(visibleText(path)) has no end")
  }
  var sources = SourceMap()
  let noise = ReplayNoise.read(beside: arguments.path, &sources)
  if let problem = noise.diagnostics.first {
    throw TraceRefusal(problem: problem, sources: sources)
  }
  let differences = TraceDifferences(
    run, try chosenRun(other, arguments.run), noise: noise.value)
  let code = say(arguments.isSummary ? differences.summary : differences.answer, arguments)
  guard code == .passed else { return code }
  return differences.areEqual ? .passed : .failed
}

private func export(_ run: TraceRun, _ arguments: TraceArguments) -> ExitCode {
  switch arguments.format {
  case .otlp?:
    return Terminal.show(openTelemetryTrace(of: run, endingAt: lastChange(of: arguments.path)))
  case .chrome?: return Terminal.show(chromeTrace(of: run))
  case .har?:
    return Terminal.show(
      httpArchive(of: run) { readBody($0, of: arguments.path) }, pretty: true)
  case .marbles?:
    return Terminal.show { show in
      var lines = ShownLines(all: arguments.showsAll)
      visitMarbles(of: run) { lines.add($0, to: show) }
      lines.end(show)
    }
  case nil: return .badInput
  }
}

/// Refuses a run with a large value that cannot be read from its file, and prints why.
func refuseUnreadableBodies(
  of run: TraceRun, _ trace: ShownTrace, _ path: String, _ style: DiagnosticStyle,
  in read: (TraceLine) -> Bool
) throws(TraceRefusal) {
  let problems = run.unreadableBodies({ readBody($0, of: path) }, of: read)
  Terminal.complain(problems.diagnostics(in: trace.file), in: trace.sources, style)
  guard problems.isEmpty else { throw TraceRefusal(problem: nil) }
}

/// Returns the run with a number, or the only one.
func chosenRun(_ shown: ShownTrace, _ number: Int?) throws(TraceRefusal) -> TraceRun {
  let runs = shown.trace.runs
  let labels = runs.prefix(mostRunsShown).compactMap { run in
    run.place.map {
      Diagnostic.Label($0.range(in: shown.file), run.header.run.map { "run \($0)" } ?? "")
    }
  }
  guard let wanted = number else {
    if runs.count == 1 { return runs[0] }
    throw TraceRefusal(
      problem: Diagnostic(
        "no-such-run", "the file holds \(runs.count) runs", labels: labels,
        help: "name one of them: `--run \(runs.first?.header.run ?? 1)`"),
      sources: shown.sources)
  }
  if let run = runs.first(where: { $0.header.run == wanted }) { return run }
  if runs.count == 1, runs[0].header.run == nil, wanted == 1 { return runs[0] }
  throw TraceRefusal(
    problem: Diagnostic(
      "no-such-run", "the file has no run \(wanted)", labels: labels,
      help: runs.count == 1
        ? "it holds one run: leave out `--run`" : "it holds \(runs.count) runs"),
    sources: shown.sources)
}

/// The most runs of a file whose headers a complaint shows.
private let mostRunsShown = 3

extension Diagnostic {
  fileprivate static func archiveWithoutDate(_ place: TracePlace?, in file: Int32) -> Diagnostic {
    Diagnostic(
      "trace-without-date", severity: .warning,
      "the trace does not say when it was recorded, so the archive begins at 1970-01-01",
      labels: place.map { [.init($0.range(in: file))] } ?? [],
      help: "write the date into the header: `\"clock\":\"2026-01-31T12:00:00Z\"`")
  }
}

private func noEvent(_ number: Int, _ run: TraceRun) -> TraceRefusal {
  TraceRefusal(
    problem: Diagnostic(
      "no-such-event", "the trace has no event \(number)", help: run.eventsHelp))
}

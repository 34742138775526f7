import Diagnostics
import Glibc
import ScenarioRuns
import TraceRecording
import Traces
import Values

/// Shows a trace, or searches traces for secrets.
func traceVerb(_ arguments: TraceArguments) -> ExitCode {
  let style = Terminal.style(of: STDERR_FILENO, color: arguments.color)
  if arguments.action == .audit { return auditVerb(arguments, style) }
  switch openTrace(arguments.path) {
  case .failure(let problem):
    Terminal.complain(
      render(.unreadable(arguments.path, problem.message), in: SourceMap(), style: style))
    return .couldNotRun
  case .success(let bytes):
    let trace = ShownTrace(arguments.path, bytes)
    for problem in trace.diagnostics {
      Terminal.complain(render(problem, in: trace.sources, style: style))
    }
    return arguments.action == .show
      ? show(trace, arguments, style) : answer(arguments, trace, style)
  }
}

/// A file of traces that was read, and its problems.
struct ShownTrace {
  let sources: SourceMap
  /// The number of the file among the sources.
  let file: Int32
  let trace: ReadTrace
  let diagnostics: [Diagnostic]

  init(_ path: String, _ bytes: TraceBytes) {
    var sources = SourceMap()
    file = sources.add(SourceFile(path: path, reading: { bytes.all }))
    self.sources = sources
    trace = ReadTrace(bytes)
    diagnostics = trace.problems.map { [file] in $0.diagnostic(in: file) }
  }
}

private func show(
  _ trace: ShownTrace, _ arguments: TraceArguments, _ style: DiagnosticStyle
) -> ExitCode {
  var runs = trace.trace.runs
  if arguments.run != nil {
    do throws(TraceRefusal) {
      runs = [try chosenRun(trace, arguments.run)]
    } catch {
      return error.shown(style)
    }
  }
  let shown = runs.map { run in (run, run.entries.filter(arguments.wants)) }
  let end = ending(of: trace.trace)
  let code =
    arguments.isForPrograms
    ? Terminal.show(json(of: shown, end).json(pretty: true) + "\n", as: .json)
    : Terminal.show(text(of: shown, arguments) + (end.map { $0 + "\n" } ?? ""))
  guard code == .passed else { return code }
  return trace.diagnostics.hasErrors ? .badInput : .passed
}

private typealias ShownRun = (run: TraceRun, entries: [TraceReader.Entry])

private func text(of runs: [ShownRun], _ arguments: TraceArguments) -> String {
  var lines: [String] = []
  for (run, entries) in runs {
    if run.place != nil { lines.append(headline(run.header)) }
    lines += entries.map { "\($0.number)  \($0.text)" }
    if entries.isEmpty, !run.entries.isEmpty { lines.append(nothingShown(of: run, arguments)) }
  }
  return TraceAnswer(lines: lines, json: .null).text(all: arguments.showsAll)
}

private func json(of runs: [ShownRun], _ end: String?) -> Value {
  let shown = runs.map { run, entries -> Value in
    [
      "title": run.header.scenario?.title.map { .string($0) } ?? .null,
      "events": .list(entries.map(\.json)),
    ]
  }
  return ["runs": .list(shown), "cut": end.map { .string($0) } ?? .null]
}

/// Says that no line was asked for, and what there is.
private func nothingShown(of run: TraceRun, _ arguments: TraceArguments) -> String {
  let areKinds = arguments.sources.isEmpty && !arguments.kinds.isEmpty
  let all = run.entries.indices.compactMap {
    areKinds ? run.entries[$0].line.kind.name : run.entries.source(of: $0)
  }
  let names = Set(all).sorted()
  let list = names.prefix(20).map(visibleText).joined(separator: ", ")
  return "no line of \(run.entries.count) is like this"
    + (names.isEmpty
      ? "" : "; \(areKinds ? "kinds" : "sources") are \(list)\(names.count > 20 ? ", …" : "")")
}

private func headline(_ header: TraceHeader) -> String {
  let scenario = header.scenario
  let place = scenario?.path.map { path in
    "  \(path)" + (scenario?.line.map { ":\($0)" } ?? "")
  }
  let time = header.isVirtual.map { $0 ? "virtual time" : "real time" }
  let worlds = Set(header.worlds.values.map(\.plainText)).sorted().joined(separator: ", ")
  let facts = [time, worlds.isEmpty ? nil : worlds, header.by].compactMap(\.self)
  let title = header.displayName + (place ?? "")
  return visibleText(title + (facts.isEmpty ? "" : "  (\(facts.joined(separator: "; ")))"))
}

/// Returns where a trace ends, if it has no verdict.
private func ending(of trace: ReadTrace) -> String? {
  if let cut = trace.cut {
    return "cut: line \(cut.line) has no end; the last complete line is \(cut.line - 1)"
  }
  guard let last = trace.runs.last, !last.hasVerdict else { return nil }
  guard let entry = last.entries.last else { return "cut: the trace ends behind its header" }
  return "cut: the trace ends before the run did, with line \(entry.place.line), at "
    + durationText(entry.time)
}

extension TraceArguments {
  fileprivate func wants(_ entry: TraceReader.Entry) -> Bool {
    if !sources.isEmpty, !sources.contains(entry.line.source ?? "") { return false }
    if !kinds.isEmpty, !kinds.contains(entry.line.kind.name) { return false }
    if let begin, entry.time < begin { return false }
    if let end, entry.time > end { return false }
    return true
  }
}

import Diagnostics
import Glibc
import ScenarioRuns
import TraceRecording
import Traces
import Values

/// Shows a trace, or searches it for secrets.
func traceVerb(_ arguments: TraceArguments) -> ExitCode {
  let style = Terminal.style(of: STDERR_FILENO, color: arguments.color)
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
    switch arguments.action {
    case .show: return show(trace, arguments)
    case .audit: return audit(trace, bytes.all, arguments, style)
    case .why, .state, .requests, .stats, .diff, .export:
      return answer(arguments, trace, style)
    }
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

private func show(_ trace: ShownTrace, _ arguments: TraceArguments) -> ExitCode {
  var text = ""
  for run in trace.trace.runs {
    if run.place != nil { text += headline(run.header) + "\n" }
    for entry in run.entries where arguments.wants(entry) { text += entry.text + "\n" }
  }
  text += ending(of: trace.trace)
  guard Terminal.say(text) == .passed else { return .couldNotRun }
  return trace.diagnostics.isEmpty ? .passed : .badInput
}

private func headline(_ header: TraceHeader) -> String {
  let scenario = header.scenario
  let row = scenario?.row.map { " [\($0)]" } ?? ""
  let place = scenario?.path.map { path in
    "  \(path)" + (scenario?.line.map { ":\($0)" } ?? "")
  }
  let time = header.isVirtual.map { $0 ? "virtual time" : "real time" }
  let worlds = Set(header.worlds.values.map(\.plainText)).sorted().joined(separator: ", ")
  let facts = [time, worlds.isEmpty ? nil : worlds, header.by].compactMap(\.self)
  let title = (scenario?.title ?? "trace") + row + (place ?? "")
  return visibleText(title + (facts.isEmpty ? "" : "  (\(facts.joined(separator: "; ")))"))
}

/// Returns where a trace ends, if it has no verdict.
private func ending(of trace: ReadTrace) -> String {
  if let cut = trace.cut {
    return "cut: line \(cut.line) has no end; the last complete line is \(cut.line - 1)\n"
  }
  return trace.runs.last?.hasVerdict == true
    ? "" : "no verdict: the trace ends before the run did\n"
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

/// Searches a trace for tokens, and for the values that the command line gives.
private func audit(
  _ trace: ShownTrace, _ bytes: [UInt8], _ arguments: TraceArguments, _ style: DiagnosticStyle
) -> ExitCode {
  let inputs = loadInputs(
    variables: arguments.variables, variableFiles: arguments.variableFiles,
    environmentFiles: arguments.environmentFiles)
  for problem in inputs.diagnostics {
    Terminal.complain(render(problem, in: SourceMap(), style: style))
  }
  guard inputs.diagnostics.isEmpty, trace.diagnostics.isEmpty else { return .badInput }
  let names = Dictionary(
    inputs.value.variables.map { ($0.text, $0.name) }, uniquingKeysWith: { first, _ in first })
  let unreadable = trace.trace.runs.flatMap { run in
    run.unreadableBodies({ readBody($0, of: arguments.path) }, of: { _ in true })
  }
  for problem in unreadable {
    Terminal.complain(render(problem.diagnostic(in: trace.file), in: trace.sources, style: style))
  }
  guard unreadable.isEmpty else { return .badInput }
  let found = auditTrace(bytes, secrets: inputs.value.variables.map(\.text), names: names) {
    readBody($0, of: arguments.path)
  }
  for finding in found {
    Terminal.complain(
      "\(visibleText(arguments.path)):\(finding.line): \(visibleText(finding.name))")
  }
  let lines = found.count == 1 ? "1 line" : "\(found.count) lines"
  Terminal.say(found.isEmpty ? "no secrets found\n" : "\(lines) with secrets\n")
  return found.isEmpty ? .passed : .failed
}

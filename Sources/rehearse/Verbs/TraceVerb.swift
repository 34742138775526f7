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
    if arguments.action == .show, let text = beginning(of: bytes, arguments) {
      return Terminal.show(text)
    }
    let trace = ShownTrace(arguments.path, bytes)
    Terminal.complain(trace.diagnostics, in: trace.sources, style)
    return arguments.action == .show
      ? show(trace, arguments, style) : answer(arguments, trace, style)
  }
}

/// The bytes of a trace that are read to show its first lines. Of a smaller one all are.
private let bytesOfBeginning = 1 << 20

/// Returns the first lines of a large trace; nil if more must be read to know what to show.
private func beginning(of bytes: TraceBytes, _ arguments: TraceArguments) -> String? {
  guard !arguments.showsAll, !arguments.isForPrograms, arguments.run == nil,
    let head = bytes.head(bytesOfBeginning)
  else { return nil }
  let trace = ReadTrace(head)
  guard trace.problems.isEmpty else { return nil }
  let lines = shownLines(of: trace.runs, arguments, atMost: TraceAnswer.mostLines).lines
  guard lines.count == TraceAnswer.mostLines else { return nil }
  let shown = lines.dropLast() + ["… more lines; --all shows them"]
  return shown.map { $0 + "\n" }.joined()
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
    let trace = ReadTrace(bytes)
    self.trace = trace
    file = sources.add(SourceFile(path: path, reading: { bytes.quotable(trace.problems) }))
    self.sources = sources
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
  let end = ending(of: trace.trace)
  let code: ExitCode
  if arguments.isForPrograms {
    let shown = runs.map { run in
      (
        run,
        run.entries.indices.filter { arguments.wants($0, of: run.entries) }.map { run.entries[$0] }
      )
    }
    code = Terminal.show(json(of: shown, end).json(pretty: true) + "\n", as: .json)
  } else {
    code = Terminal.show(text(of: runs, arguments) + (end.map { $0 + "\n" } ?? ""))
  }
  guard code == .passed else { return code }
  return trace.diagnostics.hasErrors ? .badInput : .passed
}

private typealias ShownRun = (run: TraceRun, entries: [TraceReader.Entry])

private func text(of runs: [TraceRun], _ arguments: TraceArguments) -> String {
  let most = arguments.showsAll ? Int.max : TraceAnswer.mostLines
  let (lines, count) = shownLines(of: runs, arguments, atMost: most)
  guard count > lines.count else { return lines.map { $0 + "\n" }.joined() }
  let rest = "… \(count - lines.count + 1) more lines; --all shows them"
  return (lines.dropLast() + [rest]).map { $0 + "\n" }.joined()
}

/// Returns the first lines for people, and how many there are. No other line is read.
private func shownLines(
  of runs: [TraceRun], _ arguments: TraceArguments, atMost most: Int
) -> (lines: [String], count: Int) {
  var lines: [String] = []
  var count = 0
  func add(_ line: @autoclosure () -> String) {
    count += 1
    if lines.count < most { lines.append(line()) }
  }
  for run in runs {
    if run.place != nil { add(headline(run.header)) }
    let before = count
    for index in run.entries.indices where arguments.wants(index, of: run.entries) {
      add("\(run.entries.number(of: index))  \(run.entries[index].text)")
    }
    if count == before, !run.entries.isEmpty { add(nothingShown(of: run, arguments)) }
  }
  return (lines, count)
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
  /// Returns whether a line is to be shown, without reading it if its index knows.
  fileprivate func wants(_ index: Int, of entries: TraceEntries) -> Bool {
    if !sources.isEmpty, !sources.contains(entries.source(of: index) ?? "") { return false }
    if !kinds.isEmpty,
      !kinds.contains(entries.kind(of: index)?.rawValue ?? entries[index].line.kind.name)
    {
      return false
    }
    if let begin, entries.time(of: index) < begin { return false }
    if let end, entries.time(of: index) > end { return false }
    return true
  }
}

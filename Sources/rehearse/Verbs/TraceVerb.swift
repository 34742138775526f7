import Diagnostics
import Glibc
import ScenarioRuns
import Traces
import Values

/// Shows a trace, or searches traces for secrets.
func traceVerb(_ arguments: TraceArguments) -> ExitCode {
  let style = arguments.color.complaintStyle
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
  var lines: [String] = []
  visitLines(of: trace.runs, arguments) { line in
    if lines.count < TraceAnswer.mostLines { lines.append(line()) }
    return lines.count < TraceAnswer.mostLines
  }
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
    file = sources.add(SourceFile(path: path, recording: bytes))
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
  let code =
    arguments.isForPrograms
    ? Terminal.show(json(of: runs, arguments, end), pretty: true)
    : Terminal.show { show in
      var lines = ShownLines(all: arguments.showsAll)
      visitLines(of: runs, arguments) { lines.add($0, to: show) }
      lines.end(show)
      if let end { _ = show(end) }
    }
  guard code == .passed else { return code }
  return trace.diagnostics.hasErrors ? .badInput : .passed
}

/// The lines for people: the first ones and the count of the others, unless all are wanted. Lines
/// that are only counted are not made.
struct ShownLines {
  private let areAll: Bool
  private var count = 0
  private var last = ""

  init(all: Bool) { areAll = all }

  /// Takes the next line; false if nobody reads any more.
  mutating func add(_ line: () -> String, to show: (String) -> Bool) -> Bool {
    if areAll { return show(line()) }
    count += 1
    if count == TraceAnswer.mostLines { last = line() }
    return count >= TraceAnswer.mostLines || show(line())
  }

  func end(_ show: (String) -> Bool) {
    let rest = count - TraceAnswer.mostLines + 1
    if rest > 0 { _ = show(rest == 1 ? last : "… \(rest) more lines; --all shows them") }
  }
}

/// Visits the lines for people until the visitor returns false.
private func visitLines(
  of runs: [TraceRun], _ arguments: TraceArguments, _ visit: (() -> String) -> Bool
) {
  for run in runs {
    if run.place != nil, !visit({ headline(run.header) }) { return }
    var isEmpty = true
    for index in run.entries.indices where arguments.wants(index, of: run.entries) {
      isEmpty = false
      let line = { "\(run.entries.number(of: index))  \(run.entries[index].text)" }
      if !visit(line) { return }
    }
    if isEmpty, !run.entries.isEmpty, !visit({ nothingShown(of: run, arguments) }) { return }
  }
}

private func json(of runs: [TraceRun], _ arguments: TraceArguments, _ end: String?) -> LongJSON {
  let shown = runs.lazy.map { run -> LongJSON in
    let wanted = run.entries.indices.lazy.filter { arguments.wants($0, of: run.entries) }
    return .map([
      ("title", .value(run.header.scenario?.title.map { .string($0) } ?? .null)),
      ("events", .list(wanted.map { .value(run.entries[$0].json) })),
    ])
  }
  return .map([("runs", .list(shown)), ("cut", .value(end.map { .string($0) } ?? .null))])
}

/// Says that no line was asked for, and what there is.
private func nothingShown(of run: TraceRun, _ arguments: TraceArguments) -> String {
  let areKinds = arguments.sources.isEmpty && !arguments.kinds.isEmpty
  let all = run.entries.indices.lazy.compactMap {
    areKinds ? run.entries.kindName(of: $0) : run.entries.source(of: $0)
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
    if !kinds.isEmpty, !kinds.contains(entries.kindName(of: index)) { return false }
    if let begin, entries.time(of: index) < begin { return false }
    if let end, entries.time(of: index) > end { return false }
    return true
  }
}

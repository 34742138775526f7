import Diagnostics
import Glibc
import Imports
import ScenarioRuns
import Traces
import Values

/// Makes a scenario from a recording, and prints or writes it.
func importVerb(_ arguments: ImportArguments) -> ExitCode {
  let style = arguments.color.complaintStyle
  do throws(TraceRefusal) {
    let flow = try readRecording(arguments.path, arguments.run, style)
    let other = try arguments.other.map { path throws(TraceRefusal) in
      try readRecording(path, arguments.run, style)
    }
    let text = try scenario(of: flow, comparedWith: other)
    return try put(text, arguments.destination)
  } catch {
    return error.shown(style)
  }
}

private func scenario(
  of flow: ImportedFlow, comparedWith other: ImportedFlow?
) throws(TraceRefusal) -> String {
  do throws(ImportProblem) {
    let noise = try other.map { other throws(ImportProblem) in
      try ImportNoise.between(flow, other).get()
    }
    return try importScenario(flow, noise: noise ?? ImportNoise()).get()
  } catch {
    throw TraceRefusal(problem: error.diagnostic, code: .badInput)
  }
}

/// Prints the text, or writes it into a file that does not exist yet.
private func put(_ text: String, _ path: String?) throws(TraceRefusal) -> ExitCode {
  guard let path else { return Terminal.show(file: text) }
  guard access(path, F_OK) != 0 else {
    throw TraceRefusal(
      problem: Diagnostic("file-exists", "`\(path)` exists already and was left as it is"),
      code: .couldNotRun)
  }
  if let problem = writeFile(path, text) {
    throw TraceRefusal(problem: .unwritable(path, problem.message), code: .couldNotRun)
  }
  return Terminal.show("wrote \(visibleText(path))\nrun it: rehearse run \(visibleText(path))\n")
}

/// Reads an archive, which is one JSON object with `log`, or else a trace.
private func readRecording(
  _ path: String, _ run: Int?, _ style: DiagnosticStyle
) throws(TraceRefusal) -> ImportedFlow {
  let bytes: [UInt8]
  switch readInput(path) {
  case .success(let read): bytes = read
  case .failure(let problem):
    throw TraceRefusal(problem: .unreadable(path, problem.message), code: .couldNotRun)
  }
  let name =
    path == standardInputPath
    ? "standard input" : path.split(separator: "/").last.map(String.init) ?? path
  if case .success(let json) = parseJSON(bytes.withoutMark), json["log"] != nil {
    do { return try readArchive(json, named: name).get() } catch {
      throw TraceRefusal(problem: error.diagnostic, code: .badInput)
    }
  }
  return try readTrace(path, bytes, name, run, style)
}

private func readTrace(
  _ path: String, _ bytes: [UInt8], _ name: String, _ run: Int?, _ style: DiagnosticStyle
) throws(TraceRefusal) -> ImportedFlow {
  let shown = ShownTrace(path, TraceBytes(bytes))
  guard !shown.trace.runs.isEmpty else {
    var sources = SourceMap()
    let file = sources.add(SourceFile(path: path, recording: TraceBytes(bytes)))
    throw TraceRefusal(problem: .neitherRecording(name, bytes, in: file), sources: sources)
  }
  Terminal.complain(shown.diagnostics, in: shown.sources, style)
  guard !shown.diagnostics.hasErrors else { throw TraceRefusal(problem: nil, code: .badInput) }
  let chosen = try chosenRun(shown, run)
  try refuseUnreadableBodies(of: chosen, shown, path, style) { $0.from != nil }
  return readFlow(of: chosen, named: name) { readBody($0, of: path) }
}

extension Diagnostic {
  /// Makes the complaint about a file that is not JSON, which nearly always is an archive that was
  /// cut.
  static func neitherRecording(_ name: String, _ bytes: [UInt8], in file: Int32) -> Diagnostic {
    var reason = ""
    var offset = 0
    let json = bytes.withoutMark
    if case .failure(let problem) = parseJSON(json) {
      reason = ": \(problem.message)"
      offset = min(json.startIndex + problem.offset, bytes.count)
    }
    let place = SourceRange(
      file: file, start: Int32(clamping: offset), end: Int32(clamping: offset))
    return Diagnostic(
      "unreadable-archive", "`\(name)` is neither a trace nor an HTTP Archive\(reason)",
      labels: [.init(place)],
      help: name.hasSuffix(".yaml") || name.hasSuffix(".yml")
        ? "this command reads recordings; for a scenario write `rehearse validate \(name)`"
        : "record a trace with `rehearse run --record`, or export an archive from a browser")
  }
}

extension [UInt8] {
  /// The bytes without the mark that some programs write before JSON.
  fileprivate var withoutMark: ArraySlice<UInt8> {
    starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
  }
}

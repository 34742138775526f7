import Diagnostics
import Imports
import Reports
import ScenarioRuns
import TraceRecording
import Traces
import Values
import Verdicts

/// Applies the rules of protocols to recordings, and reports each run of them as a case.
func checkVerb(_ arguments: CheckArguments) -> ExitCode {
  let checked = resultsInOrder(
    of: recordingFiles(arguments.recordings), jobs: arguments.jobs ?? processorCount(),
    checkedRecording)
  var report = RunReport(
    files: checked.map { $0.report(isStrict: arguments.failsOn.isStrict) }, wall: nil)
  for recording in checked { report.rules.add(recording.rules) }
  let isWritten = arguments.output.write(report, showsResults: true)
  complainOfNothing(
    report.files, arguments.recordings, "`*.trace.jsonl` and `*.har`", arguments.output.color)
  return exitCode(ofTraces: report.files, isWritten: isWritten, arguments.failsOn)
}

private func recordingFiles(_ paths: [String]) -> [String] {
  paths.flatMap { path in
    switch findFiles(at: path, ending: traceSuffixes + [".har"]) {
    case .files(let files): files
    // Reading it says what is wrong.
    case .missing, .unreadable: [path]
    }
  }
}

/// A recording that was checked, or the reasons why it could not be.
private struct CheckedRecording: Sendable {
  var report: FileReport
  var rules: [RuleTally] = []

  init(_ path: String, _ sources: SourceMap, _ problems: [Diagnostic]) {
    report = FileReport(
      path: path, sources: sources, diagnostics: problems.sortedForReport(), scenarios: [])
  }

  /// Adds a run with what the rules found in it.
  mutating func add(
    _ watch: TrafficWatch, title: String, line: Int = 1, row: String? = nil,
    at place: SourceRange? = nil
  ) {
    let tally = watch.tally.map {
      RuleTally($0.rule.rawValue, exercised: $0.exercised, broken: $0.found)
    }
    let findings = watch.diagnostics.filter { $0.severity != .note }
    let exercised = tally.reduce(0) { $0 + $1.exercised }
    let broken = tally.reduce(0) { $0 + $1.broken }
    var verdict = Verdict(
      findings.isEmpty ? .passed : .failed, failures: findings, assertionsReached: exercised,
      assertionsMet: max(0, exercised - broken))
    verdict.warnings = watch.diagnostics.filter { $0.severity == .note }
    if exercised == 0 { verdict.warnings.append(.noRuleExercised(at: place)) }
    report.scenarios.append(ScenarioReport(title: title, line: line, row: row, verdict: verdict))
    rules.add(tally)
  }

  /// Returns the report. A strict one fails recordings in which no rule was exercised.
  func report(isStrict: Bool) -> FileReport {
    guard isStrict else { return report }
    var strict = report
    for index in strict.scenarios.indices {
      let warnings = strict.scenarios[index].verdict.warnings.filter { $0.severity != .note }
      guard !warnings.isEmpty else { continue }
      strict.scenarios[index].verdict = Verdict(.failed, failures: warnings.map(\.asError))
    }
    return strict
  }
}

private func checkedRecording(_ path: String) -> CheckedRecording {
  switch openTrace(path) {
  case .failure(let problem):
    return CheckedRecording(path, SourceMap(), [.unreadable(path, problem.message)])
  case .success(let bytes):
    return isLineOfTrace(bytes) ? checkedTrace(path, bytes) : checkedArchive(path, bytes.all)
  }
}

/// Returns whether the first line is a JSON object of its own. An archive is one object as well, in
/// one line or in several.
func isLineOfTrace(_ bytes: TraceBytes) -> Bool {
  bytes.count == 0 || bytes.withLine(at: 0) { line, _ in isLineOfTrace(line) }
}

/// Returns the JSON of an HTTP Archive; nil for any other file.
func archive(_ bytes: [UInt8]) -> Value? {
  guard case .success(let json) = parseJSON(withoutMark(bytes)), json["log"]?["entries"] != nil
  else { return nil }
  return json
}

/// Returns the bytes of a file without the byte order mark that some programs write.
private func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
  bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
}

private func isLineOfTrace(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
  guard case .success(let json) = parseJSON(line) else { return false }
  return json["log"]?["entries"] == nil && !(json["log"] != nil && json["kind"] == nil)
}

private func checkedTrace(_ path: String, _ bytes: TraceBytes) -> CheckedRecording {
  let shown = ShownTrace(path, bytes)
  let unreadable = shown.trace.runs.flatMap { run in
    run.unreadableBodies({ readBody($0, of: path) }, of: { $0.from != nil })
  }
  let stray = shown.trace.runs.flatMap { $0.strayLines.warnings(in: shown.file) }
  let problems = shown.diagnostics + unreadable.diagnostics(in: shown.file) + stray
  var checked = CheckedRecording(path, shown.sources, problems)
  guard !problems.hasErrors else { return checked }
  for run in shown.trace.runs {
    let watch = run.watched(in: shown.file) { readBody($0, of: path) }
    let scenario = run.header.scenario
    checked.add(
      watch, title: scenario?.title ?? fileName(path), line: run.place?.line ?? 1,
      row: scenario?.row, at: run.place?.range(in: shown.file))
  }
  return checked
}

private func checkedArchive(_ path: String, _ bytes: [UInt8]) -> CheckedRecording {
  let name = fileName(path)
  switch parseJSON(withoutMark(bytes)) {
  case .failure:
    var sources = SourceMap()
    let file = sources.add(SourceFile(path: path, recording: TraceBytes(bytes)))
    return CheckedRecording(path, sources, [.neitherRecording(name, bytes, in: file)])
  case .success(let json):
    switch watchArchive(json, named: name) {
    case .failure(let problem):
      return CheckedRecording(path, SourceMap(), [problem.diagnostic])
    case .success(let watch):
      var checked = CheckedRecording(path, SourceMap(), [])
      checked.add(watch, title: name)
      return checked
    }
  }
}

private func fileName(_ path: String) -> String {
  path.split(separator: "/").last.map(String.init) ?? path
}

extension Diagnostic {
  fileprivate static func noRuleExercised(at place: SourceRange?) -> Diagnostic {
    Diagnostic(
      "no-rule-exercised", severity: .warning, "nothing in this recording is about any rule",
      labels: place.map { [.init($0, "was not checked by any")] } ?? [],
      help: "rules are about requests, answers, streams and messages: does it have them?")
  }

  fileprivate var asError: Diagnostic {
    var error = self
    error.severity = .error
    return error
  }
}

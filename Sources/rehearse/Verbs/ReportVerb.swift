import Diagnostics
import Glibc
import Reports
import ScenarioRuns
import Verdicts

/// Merges reports of parts of a run.
func reportVerb(_ arguments: ReportArguments) -> ExitCode {
  switch arguments.action {
  case .merge: mergeVerb(arguments)
  }
}

private func mergeVerb(_ arguments: ReportArguments) -> ExitCode {
  let style = arguments.output.color.complaintStyle
  let complain = { (diagnostics: [Diagnostic], sources: SourceMap) in
    Terminal.complain(diagnostics, in: sources, style)
  }
  let paths = partFiles(arguments.parts)
  var (parts, unread): ([ReportPart], [Diagnostic]) = ([], [])
  for path in paths {
    switch readFile(path) {
    case .success(let bytes): parts.append(ReportPart(path: path, bytes: bytes))
    case .failure(let problem): unread.append(.unreadable(path, problem.message))
    }
  }
  let over =
    arguments.output.written.filter(paths.contains).map(Diagnostic.reportOverInput)
    + arguments.output.problemsOfEarlierRuns
  guard !paths.isEmpty, unread.isEmpty, over.isEmpty else {
    complain(unread + over + (paths.isEmpty ? [.noParts] : []), SourceMap())
    return .badInput
  }
  var merged = mergeReports(parts)
  if arguments.failsOn.isStrict { merged.run.failNeverExercised() }
  for part in parts { complain(part.problems, part.sources) }
  complain(merged.problems, SourceMap())
  let isWritten = arguments.output.write(merged.run, showsResults: true)
  return isWritten && merged.problems.isEmpty && parts.allSatisfy(\.problems.isEmpty)
    ? exitCode(of: merged.run, arguments) : .couldNotRun
}

/// Returns the files that paths name: themselves, or the parts in a folder in the order of their
/// names.
private func partFiles(_ paths: [String]) -> [String] {
  paths.flatMap { path in
    switch findFiles(at: path, ending: [".ndjson"]) {
    case .files(let files): files
    // Reading it says what is wrong.
    case .missing, .unreadable: [path]
    }
  }
}

/// Returns the exit code that the run would have had on one machine.
private func exitCode(of run: RunReport, _ arguments: ReportArguments) -> ExitCode {
  let scenarios = run.files.flatMap(\.scenarios)
  let tally = Tally(run.files)
  if scenarios.contains(where: { $0.verdict.obstacle == .system }) { return .couldNotRun }
  if tally.couldNotRun > 0 || run.files.contains(where: { $0.diagnostics.hasErrors }) {
    return .badInput
  }
  if tally.failed > 0 { return .failed }
  let reason = arguments.failsOn.reason(in: run.files)
  if let reason {
    Terminal.complain(reason)
    return .failed
  }
  return scenarios.isEmpty ? .nothingSelected : .passed
}

extension RunReport {
  /// Fails scenarios for what none of their rows has exercised on any machine.
  fileprivate mutating func failNeverExercised() {
    for file in files.indices {
      for scenario in files[file].scenarios.indices {
        files[file].scenarios[scenario].verdict = files[file].scenarios[scenario].verdict.strict()
      }
    }
  }
}

extension Diagnostic {
  fileprivate static let noParts = Diagnostic(
    "no-report-parts", "the folder has no part of a report",
    help: "its parts have names that end with `.ndjson`")
}

import Diagnostics
import Glibc
import Reports
import ScenarioRuns

/// The reports that a command line asks for.
struct ReportOutput: Equatable {
  /// At least one, and at most one without a path.
  var requests = [ReportRequest(format: .human)]
  var detail = Detail.normal
  var color = ColorChoice.auto
  /// The file with the results of the last runs, which gets those of this run.
  var history: String?
  /// The JSON report, or the history, whose last run this one is compared with.
  var compared: String?

  /// The files that the reports are written to.
  var paths: [String] { requests.compactMap(\.path) }
  /// The files that are written: reports, and the history.
  var written: [String] { paths + (history.map { [$0] } ?? []) }
  /// True if standard output has the report for people.
  var isShown: Bool { requests.contains { $0.format == .human && $0.path == nil } }

  /// Writes the reports, and returns whether all could be written. That for people is shown on
  /// standard output while a run goes on, or here.
  ///
  /// A report of events that was written while the run went on is not written again.
  func write(
    _ report: RunReport, showsResults: Bool = false, withEvents: Bool = true
  ) -> Bool {
    var report = report
    let earlier = try? EarlierRuns(self)
    earlier?.add(to: &report)
    var isWhole = true
    for request in requests {
      let text: String
      switch (request.format, request.path) {
      case (.human, nil):
        guard showsResults else { continue }
        text = shown(report)
      case (.human, _?): text = humanReport(report, detail: detail)
      case (.junit, _): text = junitReport(report)
      case (.json, _): text = jsonReport(report)
      case (.ndjson, _):
        guard withEvents else { continue }
        text = reportEvents(report)
      case (.tap, _): text = tapReport(report)
      case (.ctrf, _): text = ctrfReport(report)
      case (.github, _): text = gitHubAnnotations(report)
      case (.codequality, _): text = codeQualityReport(report)
      case (.html, _): text = htmlReport(report)
      }
      isWhole = put(text, request) && isWhole
    }
    guard let problem = earlier?.keep(report) else { return isWhole }
    Terminal.complain([problem], color.complaintStyle)
    return false
  }

  private func shown(_ report: RunReport) -> String {
    let style = Terminal.style(of: STDOUT_FILENO, color: color)
    let files = report.files.map { humanReport(file: $0, detail: detail, style: style) }
    let coverage = report.coverage.map { humanCoverage($0, detail: detail) } ?? ""
    return files.joined() + humanRules(report.rules) + coverage
      + humanSummary(report, style: style)
  }

  private func put(_ text: String, _ request: ReportRequest) -> Bool {
    let problem: Diagnostic
    if let path = request.path {
      guard let failure = writeFile(path, text) else { return true }
      problem = .unwritable(path, failure.message)
    } else {
      if Terminal.say(text, as: request.format.form) == .passed { return true }
      problem = .unwritable("standard output", lastSystemError())
    }
    Terminal.complain([problem], color.complaintStyle)
    return false
  }
}

extension FailureConditions {
  /// Returns the line that says which of them the files meet; nil if they meet none.
  func reason(in files: [FileReport]) -> String? {
    var found = Found()
    for file in files { found.add(file.diagnostics, file.scenarios.map(\.verdict)) }
    return reason(found)
  }
}

extension ReportRequest.Format {
  fileprivate var form: OutputForm {
    switch self {
    case .human, .tap: .text
    case .json, .ndjson, .ctrf, .codequality: .json
    case .junit: .markup
    // What a page has of a run is JSON in it.
    case .html: .json
    case .github: .commands
    }
  }
}

/// The exit code of a command whose cases are traces.
func exitCode(
  ofTraces files: [FileReport], isWritten: Bool, _ conditions: FailureConditions = .init()
) -> ExitCode {
  if let code = Interruption.exitCode { return code }
  if !isWritten { return .couldNotRun }
  if files.contains(where: { $0.diagnostics.hasErrors }) { return .badInput }
  let outcomes = files.flatMap { $0.scenarios.map(\.verdict.outcome) }
  if outcomes.isEmpty { return .nothingSelected }
  if outcomes.contains(.couldNotRun) { return .couldNotRun }
  if outcomes.contains(.failed) { return .failed }
  guard let reason = conditions.reason(in: files) else { return .passed }
  Terminal.complain(reason)
  return .failed
}

/// Says that paths name no recording, if there is nothing in a report: it does not say why.
///
/// The trace of a run that was killed may be the one that is looked for.
func complainOfNothing(
  _ files: [FileReport], _ paths: [String], _ wanted: String, _ color: ColorChoice
) {
  guard files.allSatisfy({ $0.scenarios.isEmpty && !$0.diagnostics.hasErrors }) else { return }
  let unfinished = traceFiles(paths, ending: [unfinishedTraceSuffix]).first {
    $0.hasSuffix(unfinishedTraceSuffix) && !paths.contains($0)
  }
  let problem = Diagnostic(
    "nothing-selected", "no trace was selected: \(paths.joined(separator: ", "))",
    help: unfinished.map { "`\($0)` was not completed; it can be named itself" }
      ?? "name files or folders of \(wanted)")
  Terminal.complain([problem], color.complaintStyle)
}

/// Returns the traces that paths name, in the order of their names.
func traceFiles(_ paths: [String], ending suffixes: [String] = traceSuffixes) -> [String] {
  paths.flatMap { path in
    switch findFiles(at: path, ending: suffixes) {
    case .files(let files): files
    // Reading it says what is wrong.
    case .missing, .unreadable: [path]
    }
  }
}

import Diagnostics
import Glibc
import Reports
import ScenarioRuns
import Values

/// A step of a workflow of GitHub, as its environment describes it.
struct GitHubWorkflow {
  private let summaryPath: String?
  private let annotates: Bool

  /// Returns nil outside of a workflow.
  init?(_ environment: ValueMap, _ reports: [ReportRequest]) {
    guard environment["GITHUB_ACTIONS"] == .string("true") else { return nil }
    summaryPath = environment["GITHUB_STEP_SUMMARY"]?.plainText
    annotates = !reports.contains { $0.format == .github }
  }

  /// Marks the lines of failures, and adds the summary of the run to that of the step. Returns what
  /// went wrong with it, which changes no verdict.
  ///
  /// GitHub reads both outputs of a step. Marks stay out of a report on standard output.
  func publish(_ report: RunReport, _ arguments: RunArguments) -> [Diagnostic] {
    if annotates {
      let marks = gitHubAnnotations(report)
      if arguments.output.isShown, arguments.log == nil {
        _ = Terminal.say(marks, as: .commands)
      } else if !marks.isEmpty {
        Terminal.complain(marks, as: .commands)
      }
    }
    guard let summaryPath, !summaryPath.isEmpty else { return [] }
    return append(gitHubSummary(report), to: summaryPath).map { [.noSummary(summaryPath, $0)] }
      ?? []
  }

  private func append(_ text: String, to path: String) -> String? {
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { return lastSystemError() }
    defer { close(file) }
    return writeAll(text, to: file) ? nil : lastSystemError()
  }
}

extension Diagnostic {
  fileprivate static func noSummary(_ path: String, _ reason: String) -> Diagnostic {
    Diagnostic(
      "no-step-summary", severity: .warning,
      "the summary of this step cannot be written to `\(path)`: \(reason)")
  }
}

import Diagnostics
import Secrets
import Verdicts

/// A diagnostic that a build server shows beside the line it is about.
struct MarkedDiagnostic {
  var diagnostic: Diagnostic
  var file: FileReport
  var mask: SecretMask
  /// The display name of the scenario; nil if the diagnostic is of the file.
  var scenario: String?
  /// The line of the scenario, for a diagnostic without a place.
  var line: Int?
  /// True if the scenario passed when it ran again.
  var isFlaky = false
}

extension RunReport {
  /// The marks for build servers: errors, warnings and notes of files, the failures of scenarios,
  /// and the warnings of passed scenarios. An error of a file and of its scenario comes once.
  var markedDiagnostics: [MarkedDiagnostic] {
    files.flatMap { file in
      file.diagnostics.filter { file.couldNotRun || $0.severity != .error }
        .map { MarkedDiagnostic(diagnostic: $0, file: file, mask: file.mask) }
        + file.scenarios.flatMap { marks(of: $0, in: file) }
    }
  }

  private func marks(of scenario: ScenarioReport, in file: FileReport) -> [MarkedDiagnostic] {
    let verdict = scenario.verdict
    let mark = { (diagnostic: Diagnostic) in
      MarkedDiagnostic(
        diagnostic: diagnostic, file: file, mask: scenario.mask, scenario: scenario.name,
        line: scenario.line)
    }
    switch verdict.outcome {
    case .failed, .couldNotRun: return verdict.failures.map(mark)
    case .flaky:
      return (verdict.tries.first ?? []).map {
        var warning = mark($0)
        warning.diagnostic.severity = .warning
        warning.isFlaky = true
        return warning
      }
    case .passed, .skipped: return verdict.warnings.map(mark)
    }
  }
}

import Diagnostics
import Glibc
import ScenarioPlan

extension ArgumentWords {
  /// Returns whether credentials are shown as they are. Reports for programs are kept, and may not
  /// have them.
  func showsCredentials(in reports: [ReportRequest]) throws(UsageProblem) -> Bool {
    guard let word = value(of: .showCredentials) else { return false }
    let isKept = reports.contains { $0.format != .human || $0.path != nil }
    if isKept, let format = value(of: .format) { throw .contradiction(word, format, line) }
    return true
  }
}

/// Returns the complaint about credentials that would be shown where output is kept.
func credentialProblems(_ shows: Bool, _ inputs: PlanInputs) -> [Diagnostic] {
  guard shows else { return [] }
  if inputs.isOnBuildServer { return [.credentialsStayHidden(because: "CI is set")] }
  if isatty(STDOUT_FILENO) == 0 {
    return [.credentialsStayHidden(because: "standard output is no terminal")]
  }
  return []
}

extension Diagnostic {
  fileprivate static func credentialsStayHidden(because reason: String) -> Diagnostic {
    Diagnostic(
      "credentials-stay-hidden", "credentials are shown on a terminal only, and \(reason)",
      help: "leave `--show-credentials` out: names and lengths tell credentials apart")
  }
}

import Diagnostics
import Glibc
import ScenarioPlan

extension ArgumentWords {
  /// Refuses credentials in reports for programs, which are kept.
  func refuseCredentialsInFiles() throws(UsageProblem) {
    guard let word = value(of: .showCredentials), let format = value(of: .format) else { return }
    if try reports().contains(where: { $0.format != .human || $0.path != nil }) {
      throw .contradiction(word, format, line)
    }
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

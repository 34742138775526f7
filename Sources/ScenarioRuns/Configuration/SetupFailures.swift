import Diagnostics
import Values

/// A watcher of the set-ups of scenarios that do not run as a suite. Only failures are of interest.
package final class SetupFailures: SuiteWatcher {
  /// The set-ups that failed, each with what there is to say.
  package private(set) var all: [(file: FileResult, problems: [Diagnostic])] = []
  private var file = FileResult(path: "")

  package init() {}

  package func began(_ file: FileResult) {
    self.file = file
    let errors = file.diagnostics.filter { $0.severity == .error }
    if !errors.isEmpty { all.append((file, errors.sortedForReport())) }
  }

  package func ran(_ scenario: ScenarioResult) {
    if !scenario.verdict.failures.isEmpty { all.append((file, scenario.verdict.failures)) }
  }

  package func ended(_ file: FileResult) {}
  package func takesLong(_ scenario: String, _ duration: Microseconds) {}
  package func working(_ status: SuiteStatus) {}
}

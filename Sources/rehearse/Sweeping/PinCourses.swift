import Diagnostics
import Glibc
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Values
import Verdicts

/// The writer of courses that fail, each as a scenario of its own beside the one that was swept.
struct CoursePins {
  let inputs: PlanInputs
  let seed: Int

  /// Writes the shortest course of each group. Returns a line for each file, and a warning for each
  /// course that cannot be pinned.
  func write(
    _ groups: [SweepGroup], of plan: ScenarioPlan, in file: SourceFile, _ mask: SecretMask
  ) -> (lines: [String], warnings: [Diagnostic]) {
    var lines: [String] = []
    var warnings: [Diagnostic] = []
    for group in groups {
      let text = pinnedScenario(
        plan, in: file, to: group.shortest, because: mask.masked(group.diagnostic.message))
      let path = pinnedPath(beside: file.path) { access($0, F_OK) == 0 }
      guard fails(text, at: path, with: group.diagnostic.id) else {
        warnings.append(.notPinned(group.shortest, plan))
        continue
      }
      if let problem = writeFile(path, text) {
        warnings.append(.unwritablePin(path, problem.message))
      } else {
        lines.append("  pinned: \(visibleText(path))\n")
      }
    }
    return (lines, warnings)
  }

  /// Returns whether a pinned scenario fails as its course did, also where it has lost the row of
  /// a table or the seed of the command line.
  private func fails(_ text: String, at path: String, with id: DiagnosticID) -> Bool {
    let loaded = loadScenarios(SourceFile(path: path, text: text), inputs: inputs)
    guard loaded.plans.count == 1, let plan = loaded.plans.first, plan.columns.isEmpty else {
      return false
    }
    let run = runScenario(
      plan, inputs: RunInputs(seed: plan.seed ?? seed), sources: loaded.sources)
    return run.verdict.failures.first?.id == id
  }
}

extension Diagnostic {
  fileprivate static func notPinned(_ course: SweepCourse, _ plan: ScenarioPlan) -> Diagnostic {
    Diagnostic(
      "not-pinned", severity: .warning,
      "`\(course.name)` cannot be pinned: as a scenario of its own it does not fail so",
      labels: [.init(plan.range)],
      help: "a row of a table and a seed of the command line are not pinned; `--disturb` has both")
  }

  fileprivate static func unwritablePin(_ path: String, _ reason: String) -> Diagnostic {
    Diagnostic("not-pinned", severity: .warning, "`\(path)` cannot be written: \(reason)")
  }
}

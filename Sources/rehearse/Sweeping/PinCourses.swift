import Diagnostics
import Glibc
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Secrets
import Verdicts

/// The writer of courses that fail, each as a scenario of its own beside the one that was swept.
struct CoursePins {
  let inputs: PlanInputs
  let configurations: Configurations
  /// The seed of the command line.
  let seed: Int?
  /// True if another run may not come to the same places.
  let isRandom: Bool

  /// Writes the shortest course of each group. Returns a line for each file, and a warning for each
  /// course that cannot be pinned.
  func write(
    _ groups: [SweepGroup], of plan: ScenarioPlan, _ row: RowPlan?, in file: SourceFile,
    _ mask: SecretMask
  ) -> (lines: [String], warnings: [Diagnostic]) {
    var lines: [String] = []
    var warnings: [Diagnostic] = []
    for group in groups {
      let pin = PinnedCourse(
        plan, group.shortest, row: row, seed: seed, isRandom: isRandom)
      if let obstacle = pin.obstacle {
        warnings.append(.notPinned(group.shortest, plan, obstacle))
        continue
      }
      let text = pin.text(in: file, because: mask.masked(group.diagnostic.message))
      // A course that was pinned before keeps its file.
      let path = pinnedPath(beside: file.path) { access($0, F_OK) == 0 && !has($0, text) }
      guard fails(text, at: path, with: group.diagnostic.id) else {
        warnings.append(
          .notPinned(group.shortest, plan, "as a file of its own it does not fail so"))
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

  private func has(_ path: String, _ text: String) -> Bool {
    guard case .success(let bytes) = readFile(path) else { return false }
    return bytes.elementsEqual(text.utf8)
  }

  /// Returns whether a pinned scenario fails as its course did.
  private func fails(_ text: String, at path: String, with id: DiagnosticID) -> Bool {
    let loaded = loadScenarios(
      SourceFile(path: path, text: text), inputs: inputs,
      configuration: configurations.configuration(of: path))
    guard loaded.plans.count == 1, let plan = loaded.plans.first, plan.rows.count <= 1 else {
      return false
    }
    let run = runScenario(
      plan, inputs: RunInputs(seed: plan.seed ?? Suite.defaultSeed, row: plan.rows.first),
      sources: loaded.sources)
    return run.verdict.failures.first?.id == id
  }
}

extension Diagnostic {
  fileprivate static func notPinned(
    _ course: SweepCourse, _ plan: ScenarioPlan, _ reason: String
  ) -> Diagnostic {
    Diagnostic(
      "not-pinned", severity: .warning, "`\(course.name)` cannot be pinned: \(reason)",
      labels: [.init(plan.range)],
      help: "`rehearse run --disturb` repeats it; the failure has the command")
  }

  fileprivate static func unwritablePin(_ path: String, _ reason: String) -> Diagnostic {
    Diagnostic("not-pinned", severity: .warning, "`\(path)` cannot be written: \(reason)")
  }
}

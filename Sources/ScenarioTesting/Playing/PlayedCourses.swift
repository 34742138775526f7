import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import VirtualTime

/// The objects of a stage in the runs of one scenario: new ones for each run.
@MainActor
final class PlayedCourses: @preconcurrency CourseSubjects {
  private let bindings: [Binding]
  private let plan: ScenarioPlan
  private let inputs: RunInputs
  /// The objects of the run that is under way.
  private var subjects: LiveSubjects?

  init(_ bindings: [Binding], _ plan: ScenarioPlan, _ inputs: RunInputs) {
    self.bindings = bindings
    self.plan = plan
    self.inputs = inputs
  }

  /// Makes the objects of a run, which begins now.
  func make() -> LiveSubjects {
    VirtualExecutor.shared.begin()
    let made = LiveSubjects(bindings, plan, row: inputs.row, seed: inputs.seed)
    subjects = made
    return made
  }

  func begin() -> any StageSubjects { make() }

  func end() {
    subjects?.end()
    subjects = nil
    VirtualExecutor.shared.end()
  }

  /// The names that do not fit, found by making the objects once without a run.
  var mismatches: [Diagnostic] {
    let found = make().mismatches
    end()
    return found.map { .subject($0) }
  }

  func line(repeating course: SweepCourse) -> String {
    let names = course.disturbances.map { "\($0)".debugDescription }.joined(separator: ", ")
    return "await stage.test(scenario, disturb: [\(names)])"
  }
}

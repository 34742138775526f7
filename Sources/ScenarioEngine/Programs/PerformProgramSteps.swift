import Events
import ScenarioPlan
import Values
import World

/// The steps that use programs.
extension ScriptRun {
  func send(_ payload: Value, to program: ProgramID, _ step: StepPlan) -> ScriptFailure? {
    guard let live = run.programs?[program] else { return cannot(step, "no programs run here") }
    return live.write(payload).map { failure(of: live, $0, step) }
  }

  /// Ends programs; the step ends with the last of them.
  func end(_ programs: [ProgramID], _ step: StepPlan) -> Flow {
    let live = programs.compactMap { run.programs?[$0] }
    guard live.count == programs.count else { return .fails(cannot(step, "no programs run here")) }
    for program in live where program.endedUnasked {
      guard let end = program.end else { continue }
      return .fails(failure(of: program, .usedAfterExit(end), step))
    }
    let running = live.filter { !$0.isOver }
    var open = running.count
    if open == 0 { return .next }
    for program in running {
      program.stop { [weak self] in
        open -= 1
        guard open == 0, let self else { return }
        let phase: Scheduler.Phase = isMainScript ? .assertion : .source
        run.loop.after(0, phase: phase) { self.resume() }
      }
    }
    return .waits
  }

  private func failure(
    of program: LiveProgram, _ kind: ProgramProblem.Kind, _ step: StepPlan
  ) -> ScriptFailure {
    let problem = program.problem(kind, step: isMainScript ? lastReference : nil)
    let message = "`\(program.plan.name)` cannot be used: \(kind.words)"
    return ScriptFailure(error: ["message": .string(message)], problem: .program(problem))
  }
}

extension ProgramProblem.Kind {
  /// The problem in a few words, for `catch` and `fails`.
  fileprivate var words: String {
    switch self {
    case .notStarted(let message, _): message
    case .exitedBeforeReady, .exited, .usedAfterExit: "it has ended"
    case .notReady: "it is not ready"
    case .inputClosed: "it has closed its standard input"
    case .inputFull: "it does not read its standard input"
    case .lineTooLong: "it wrote a line that is too long"
    }
  }
}

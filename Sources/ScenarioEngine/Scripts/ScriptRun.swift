import Diagnostics
import Events
import ScenarioPlan
import Secrets
import Values
import World

/// A script under way: its next step, its locals, and the event that it waits for.
///
/// It is the one interpreter of all scripts. The role of a script decides the meaning of a few
/// steps.
final class ScriptRun: PlanSlots {
  /// The owner of the script.
  enum Role {
    /// Steps of the scenario, in one of its branches.
    case steps(branch: BranchID)
    case action(RunningAction)
    case call(MockCall)
    case conversation(MockConversation)
    /// A mock's script that only says what its real endpoint must do.
    case shadow(any Shadow)
    /// The inside of a transaction: it cannot wait.
    case transaction(branch: BranchID)
  }

  /// The end of a script.
  enum Outcome {
    case completed
    case failed(ScriptFailure)
    case cancelled
  }

  /// The result of a step.
  enum Flow {
    case next
    /// Something resumes the script later.
    case waits
    case fails(ScriptFailure)
  }

  // The run lets go of its scripts when it ends, so this closes no circle for long.
  let run: RunParts
  let role: Role
  let branch: BranchID
  /// Where the values of a mock's script are read that is only followed.
  private let shadow: (any Shadow)?
  private let phase: ScriptSupervisor.Phase
  @exclusivity(unchecked) var locals: [Value]
  // No access to frames or locals spans a step, so there is none to guard.
  @exclusivity(unchecked) private(set) var frames: [ScriptFrame] = []
  @exclusivity(unchecked) private(set) var hasEnded = false
  /// Called once at the script's end.
  var onEnd: ((Outcome) -> Void)?
  /// Called to stop a pending wait.
  var onCancel: (() -> Void)?
  /// The time before which the server of the last answer does not want to be asked again.
  var notBefore: Microseconds = 0
  /// The branches of a `parallel` under way that end with this script.
  var children: [ScriptRun] = []
  /// The step under way, for reports.
  @exclusivity(unchecked) private(set) var lastReference: StepReference
  /// Turns of the loops around the script, when a `parallel` in a loop started it.
  private let outerTurns: [Int]
  /// The places that include the script's file, likewise.
  private let outerIncludes: [SourceRange]
  /// The assertion that the script waits for, if its condition is evaluated repeatedly.
  @exclusivity(unchecked) var polled: PolledCondition?

  init(
    _ run: RunParts, frame: FramePlan, role: Role, locals: [Value]? = nil,
    turns: [Int] = [],
    includes: [SourceRange] = []
  ) {
    self.run = run
    self.role = role
    branch = role.branch
    shadow = if case .shadow(let shadow) = role { shadow } else { nil }
    phase = run.supervisor.phase
    self.locals = locals ?? [Value](filledWith: .null, count: frame.localCount)
    outerTurns = turns
    outerIncludes = includes
    lastReference = StepReference(verb: "", range: run.plan.range, branch: .main, turns: [])
    frames = [ScriptFrame(frame.script, of: run.shared, .body)]
  }

  /// Creates a script with these locals; it begins when it is resumed.
  convenience init(_ run: RunParts, _ script: ScriptID, _ role: Role, _ locals: [Value]) {
    let frame = FramePlan(script: script, localCount: locals.count)
    self.init(run, frame: frame, role: role, locals: locals)
  }

  // They would tell a script that is gone. A weak reference to it would cost each of its counts.
  deinit { for child in children { child.onEnd = nil } }

  func value(of slot: SlotID) -> Value {
    if let shadow {
      return shadow.driftChecker.value(of: slot, locals: locals, branch: branch)
    }
    return run.stage.value(of: slot, locals: locals, branch: branch)
  }

  var secretMask: SecretMask? { run.stage.secretMask }

  func note(computedSecrets: [String], named name: String) {
    run.stage.note(computedSecrets: computedSecrets, named: name)
  }

  func isCaptured(_ slot: SlotID) -> Bool {
    if shadow != nil { return true }
    return run.stage.isCaptured(slot, in: branch)
  }

  /// Takes steps until one has to wait or the script is over.
  func resume() {
    while !hasEnded, mayGoOn {
      guard let place = frames.indices.last else { return end(.completed) }
      let step = frames[place].nextStep
      switch step.map(take) ?? leaveFrame() {
      case .next: continue
      case .waits: return
      case .fails(let failure): fail(failure)
      }
    }
  }

  /// False once the scenario has failed, if the script is one of its own. Actions and mocks
  /// continue.
  var mayGoOn: Bool {
    guard isMainScript else { return true }
    let supervisor = run.supervisor
    return !supervisor.isStopped && phase == supervisor.phase
  }

  private func take(_ step: StepPlan) -> Flow {
    frames[frames.count - 1].next += 1
    guard run.supervisor.mayTakeStep() else { return .waits }
    let place = frames.count - 1
    run.progress.note(frames[place].next, of: frames[place].script)
    if isMainScript { return takeOfScenario(step) }
    if let shadow, let flow = shadow.follow(step, in: self) { return flow }
    return perform(step)
  }

  /// A step of the scenario is caused by nothing, and an acting one causes what follows from it.
  private func takeOfScenario(_ step: StepPlan) -> Flow {
    lastReference = StepReference(
      verb: step.verb, range: step.verbRange, branch: branch, turns: turns, includes: includes)
    let recorder = run.recorder
    let traits = step.kind.traits
    if let waking = run.loop.scheduler.wakesAt, case .acting(let acting) = step.kind,
      acting.usesClient
    {
      // Nobody uses a machine that sleeps.
      frames[frames.count - 1].next -= 1
      run.loop.after(waking - run.loop.now, phase: .assertion) { self.resume() }
      return .waits
    }
    // In a recording what a step did is recorded, and it does nothing again.
    if run.role.isJudged {
      if step.kind.isPlayed { return takePlayed(step.kind) }
      if waitsForRecorded(step) {
        frames[frames.count - 1].next -= 1
        return .waits
      }
    }
    let began =
      traits.isActing
      ? recorder.caused(by: nil) { recorder.record(.script(.stepBegan(lastReference))) } : nil
    return recorder.caused(by: began) {
      switch perform(step) {
      case .next: return traits.drains ? drain() : .next
      case .waits: return .waits
      case .fails(let failure):
        // The failure is caused by the step as well.
        fail(failure)
        return .next
      }
    }
  }

  /// Every acting step of the scenario ends by draining its instant.
  private func drain() -> Flow {
    if run.loop.scheduler.isInstantDrained, !run.loop.hasBytesUnderWay { return .next }
    run.loop.after(0, phase: .assertion) { self.resume() }
    return .waits
  }

  /// The action whose script it is.
  var action: ActionID? { if case .action(let running) = role { running.action } else { nil } }

  var isMainScript: Bool {
    switch role {
    case .steps: true
    case .action, .call, .conversation, .shadow, .transaction: false
    }
  }

  /// Does what writes or emits, as a mock if this is the script of one.
  func owned(_ write: () -> Flow) -> Flow {
    switch role {
    case .call, .conversation: run.recorder.byMock(write)
    case .steps, .action, .shadow, .transaction: write()
    }
  }

  /// The step that it has begun last; nil before the first of a list.
  var begunStep: StepPlan? {
    guard let frame = frames.last, frame.next > 0 else { return nil }
    return frame.steps[frame.next - 1]
  }

  /// Nil before the first.
  var stepUnderWay: StepReference? { lastReference.verb.isEmpty ? nil : lastReference }

  /// The turns of the loops around the current step, outermost first.
  var turns: [Int] {
    // The first frame is that of the script itself.
    if frames.count < 2 { return outerTurns }
    let turns = frames.compactMap(\.turn)
    return turns.isEmpty ? outerTurns : outerTurns + turns
  }

  /// The places that include the current step's file, outermost first.
  var includes: [SourceRange] {
    if frames.count < 2 { return outerIncludes }
    let includes = frames.compactMap(\.included)
    return includes.isEmpty ? outerIncludes : outerIncludes + includes
  }

  func enter(_ script: ScriptID, _ kind: ScriptFrame.Kind = .body) {
    frames.append(ScriptFrame(script, of: run.shared, kind))
  }

  /// Turns of a loop count like steps: an empty loop has no others.
  private func leaveFrame() -> Flow {
    guard run.supervisor.mayTakeStep() else { return .waits }
    guard var frame = frames.popLast() else { return .next }
    switch frame.kind {
    case .body, .attempt, .included: return .next
    case .retrying(let retrying): return evaluateConditions(of: retrying, in: frame.script)
    case .whileHolds(let turn): return beginNext(after: turn)
    case .repeating(let turn, let total, let local):
      guard turn < total else { return .next }
      number(turn: turn + 1, local)
      frame.kind = .repeating(turn: turn + 1, of: total, number: local)
    case .forEach(let local, let items, let turn, let numbered):
      guard turn < items.count else { return .next }
      locals[local.index] = items[turn]
      number(turn: turn + 1, numbered)
      frame.kind = .forEach(local, items: items, turn: turn + 1, number: numbered)
    }
    frame.next = 0
    frames.append(frame)
    return .next
  }

  /// Gives the steps of a loop the number of their turn.
  func number(turn: Int, _ local: LocalID?) {
    if let local { locals[local.index] = .int(turn) }
  }

  /// Takes the next turn of the `while` that the script is back at, if its condition still holds.
  private func beginNext(after turn: Int) -> Flow {
    guard let step = begunStep, case .structure(.while(let loop)) = step.kind else { return .next }
    if isMainScript {
      lastReference = StepReference(
        verb: step.verb, range: step.verbRange, branch: branch, turns: turns, includes: includes)
    }
    return begin(turn: turn + 1, of: loop, step)
  }

  /// Takes a turn of a `while` if its condition holds.
  func begin(turn: Int, of loop: WhilePlan, _ step: StepPlan) -> Flow {
    switch evaluateCondition(loop.condition, in: self) {
    case .failure(let failure): return .fails(scriptFailure(failure))
    case .success(false): return .next
    case .success(true):
      guard turn <= loop.most else {
        let turns = loop.most == 1 ? "1 turn" : "\(loop.most) turns"
        return .fails(
          cannot(step, "its condition still holds after \(turns), and `atMost` allows no more"))
      }
      number(turn: turn, loop.turn)
      enter(loop.body, .whileHolds(turn: turn))
      return .next
    }
  }

  /// Goes on in the nearest `catch`; without one the script is over.
  func fail(_ failure: ScriptFailure) {
    while let frame = frames.popLast() {
      guard case .attempt(let handler, let error) = frame.kind else { continue }
      locals[error.index] = failure.error
      if let handler { enter(handler) }
      return
    }
    end(.failed(failure))
  }

  /// True inside a `retry` whose tries are judged by their requests and checks.
  var decidesTries: Bool {
    guard isMainScript, case .retrying(let retrying)? = frames.last?.kind,
      case .retry(let retry) = run.plan.assertions[retrying.assertion].kind
    else { return false }
    return retry.until == nil
  }

  /// Skips the rest of a try that has failed.
  func leaveTry() {
    guard let frame = frames.last, case .retrying = frame.kind else { return }
    frames[frames.count - 1].next = frame.steps.count
  }

  func cancel() {
    guard !hasEnded else { return }
    onCancel?()
    end(.cancelled)
  }

  private func end(_ outcome: Outcome) {
    hasEnded = true
    frames = []
    onCancel = nil
    let handler = onEnd
    onEnd = nil
    handler?(outcome)
  }
}

/// A list of steps that a script is inside of, and the next step there.
struct ScriptFrame {
  /// The step that the list belongs to, with the progress of its turns.
  enum Kind {
    case body
    /// Turns count from 1.
    case repeating(turn: Int, of: Int, number: LocalID?)
    case whileHolds(turn: Int)
    case forEach(LocalID, items: [Value], turn: Int, number: LocalID?)
    case attempt(handler: ScriptID?, error: LocalID)
    case retrying(Retrying)
    case included(at: SourceRange)
  }

  let script: ScriptID
  /// The steps of the script, so that none is looked for in the plan.
  let steps: [StepPlan]
  var next = 0
  var kind: Kind

  init(_ script: ScriptID, of shared: SharedPlan, _ kind: Kind) {
    self.script = script
    steps = shared.plan.scripts[script].steps
    self.kind = kind
  }

  /// Nil at the end of the list.
  var nextStep: StepPlan? { next < steps.count ? steps[next] : nil }

  var turn: Int? {
    switch kind {
    case .repeating(let turn, _, _), .whileHolds(let turn), .forEach(_, _, let turn, _): turn
    case .retrying(let retrying): retrying.turn
    case .body, .attempt, .included: nil
    }
  }

  var included: SourceRange? {
    if case .included(let range) = kind { range } else { nil }
  }
}

/// The reason why a script could not continue: the error that a `catch` sees, and the problem that
/// is reported without one.
struct ScriptFailure {
  var error: Value
  var problem: RunProblem
}

extension ScriptFailure {
  init(_ failure: EvaluationFailure, at step: StepReference?) {
    self.init(
      error: ["message": .string(failure.message)], problem: .evaluation(failure, step: step))
  }
}

extension ScriptRun.Role {
  /// The branch whose captures it sees.
  fileprivate var branch: BranchID {
    switch self {
    case .steps(let branch), .transaction(let branch): branch
    case .conversation(let conversation): conversation.branch
    case .shadow(let shadow): shadow.branch
    case .action, .call: .main
    }
  }
}

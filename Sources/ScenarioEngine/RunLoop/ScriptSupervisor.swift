import Events
import ScenarioPlan
import Values

/// The state of the scenario's scripts: which of them go on, which wait for the judge, and why none
/// goes on any more.
final class ScriptSupervisor {
  /// The scripts that run: the steps, or those under `finally`. The other ones wait.
  enum Phase { case steps, finally }

  /// The reason why the scenario's steps no longer run.
  enum StopReason: Equatable {
    /// An assertion does not hold, or a step failed.
    case failed
    /// A limit was reached. Bytes on their way have no effect, so the run ends soon.
    case exhausted
    /// The run was ended from outside, perhaps after a limit was reached.
    case interrupted(isExhausted: Bool)
    /// The scenario has ended. Later events are not part of it.
    case resting
  }

  private(set) var phase = Phase.steps
  @exclusivity(unchecked) private(set) var stopReason: StopReason?
  /// The script of the steps, or of `finally`, as long as it is run.
  var main: ScriptRun?
  /// Scripts that wait for the judge.
  private(set) var awaiting: [ScriptRun] = []
  /// Steps under `fails`, innermost last: what fails now fails them.
  var expectedFailures: [ExpectedFailure] = []
  /// The `receive` steps that scripts reached, and whether each was met; only if endpoints are
  /// served.
  var awaitedMessages: [AssertionID: AwaitedMessage] = [:]
  private var branchCount = 1
  private let recorder: EventRecorder
  private let budget: RunBudget
  private let judge: any Judge
  private let isEndless: Bool
  private let isInterruptedFromOutside: () -> Bool
  /// True if an interrupted run has no more time for `finally`.
  private let isOutOfTime: () -> Bool
  /// True if a limit of one instant was reached, whose jobs would never come to an end.
  private(set) var isInstantEndless = false

  init(
    _ recorder: EventRecorder, _ budget: RunBudget, _ judge: any Judge, isEndless: Bool,
    isInterrupted: @escaping () -> Bool, isOutOfTime: @escaping () -> Bool = { false }
  ) {
    self.recorder = recorder
    self.budget = budget
    self.judge = judge
    self.isEndless = isEndless
    isInterruptedFromOutside = isInterrupted
    self.isOutOfTime = isOutOfTime
  }

  /// Numbers new branches of scripts; returns the first.
  func addBranches(_ count: Int) -> BranchID {
    defer { branchCount += count }
    return BranchID(branchCount)
  }

  func invalidate() {
    awaiting = []
    awaitedMessages = [:]
  }
}

// Stopping.
extension ScriptSupervisor {
  /// True if the scenario cannot continue.
  var isStopped: Bool { stopReason != nil }

  var isExhausted: Bool {
    switch stopReason {
    case .exhausted, .interrupted(isExhausted: true): true
    case .failed, .interrupted(isExhausted: false), .resting, nil: false
    }
  }

  var isInterrupted: Bool {
    switch stopReason {
    case .interrupted: true
    case .failed, .exhausted, .resting, nil: false
    }
  }

  /// Logs what went wrong and stops the scenario, unless it has stopped before.
  ///
  /// A run without an end continues after any failure, unless it reaches a limit.
  func fail(_ problem: RunProblem) {
    let hadStopped = isStopped
    if case .limit = problem { exhaust() } else { stop() }
    if !hadStopped { recorder.record(.run(.failed(problem))) }
  }

  /// Stops the scenario. A run without an end continues up to its `finally`.
  func stop() {
    if !isEndless || phase == .finally, stopReason == nil { stopReason = .failed }
  }

  /// Stops the steps at a broken invariant. It stays broken during `finally`, which runs anyway.
  func stopAtInvariant() {
    if phase == .steps { stop() }
  }

  private func exhaust() {
    stopReason = isInterrupted ? .interrupted(isExhausted: true) : .exhausted
  }

  /// Lets all scripts of the scenario rest: what comes from now on is no part of it.
  func rest() { stopReason = stopReason ?? .resting }

  /// Stops the steps after Ctrl-C, and `finally` once its time is over, so that a report can be
  /// written.
  func stopIfInterrupted() {
    guard !isInterrupted, isInterruptedFromOutside(), phase == .steps || isOutOfTime() else {
      return
    }
    interrupt()
  }

  /// Ends the steps, or `finally`, where they are.
  func interrupt() {
    guard !isInterrupted else { return }
    let hadStopped = isStopped
    stopReason = .interrupted(isExhausted: isExhausted)
    if !isEndless || phase == .finally, !hadStopped {
      recorder.record(.run(.failed(.interrupted(main?.stepUnderWay))))
    }
  }

  /// Begins `finally`, which runs after any end of the steps. It is judged by its own events, and
  /// has limits of its own.
  func beginFinally() {
    stopReason = nil
    isInstantEndless = false
    budget.beginFinally(after: recorder.log.nextID.index)
    phase = .finally
    awaiting = []
    expectedFailures = []
  }
}

// Spending.
extension ScriptSupervisor {
  /// Counts a step, or a turn of a loop without any; false when no step may be taken any more.
  func mayTakeStep() -> Bool {
    act(on: budget.spendStep()) && !isInterrupted
  }

  /// Counts values that a stream sets out to play or to ask others for; false once there have been
  /// too many, or nothing is to go on.
  func mayWork(_ count: Int, at now: Microseconds) -> Bool {
    if isStopped { return false }
    return act(on: budget.spendStreamWork(count, at: now)) && !isStopped
  }

  /// Counts a job of the scheduler.
  func countJob() { _ = act(on: budget.spendJob()) }

  private func act(on charge: RunBudget.Charge) -> Bool {
    switch charge {
    case .granted: return true
    case .grantedAndDue:
      stopIfInterrupted()
      return true
    case .exceeded(let limit):
      reach(limit)
      return false
    }
  }

  /// Stops the scenario at a limit.
  func reach(_ limit: LimitReached, lastSources: () -> [String] = { [] }) {
    switch limit {
    case .eventsInOneChain, .streamWork: isInstantEndless = true
    case .events, .bytesInLog, .jobs, .steps: break
    }
    fail(RunProblem(limit, lastSources: lastSources))
  }

  /// Stops the scenario at a limit of the queue of jobs.
  func reachSchedulerLimit(_ problem: RunProblem) {
    isInstantEndless = true
    fail(problem)
  }
}

// Waiting for the judge.
extension ScriptSupervisor {
  /// The script is resumed when its assertion is met.
  func awaitJudge(_ script: ScriptRun) { awaiting.append(script) }

  /// Lets waiting scripts evaluate their conditions again, and asks the judge, if something
  /// happened since it was asked last.
  func reevaluate(resume: (ScriptRun) -> Void) {
    guard recorder.hasNews, !awaiting.isEmpty, !isStopped else { return }
    for script in awaiting { script.reevaluate() }
    _ = askJudge(resume: resume)
  }

  /// Resumes the scripts whose assertions are met; true when an open assertion came to its end.
  func askJudge(resume: (ScriptRun) -> Void) -> Bool {
    recorder.takeNews()
    var isDecided = false
    for script in awaiting where !isStopped && !judge.isWaiting(in: script.branch) {
      switch judge.status(in: script.branch) {
      case .pending: continue
      case .met:
        awaiting.removeAll { $0 === script }
        resume(script)
      // A try is decided at its check, which waits for nothing.
      case .failed, .retried: stop()
      }
      isDecided = true
    }
    return isDecided
  }

  /// The earliest time by which an open assertion must be decided; nil if none has a deadline.
  var earliestDeadline: Microseconds? {
    var earliest: Microseconds?
    for script in awaiting {
      guard case .pending(let until?) = judge.status(in: script.branch) else { continue }
      earliest = min(earliest ?? until, until)
    }
    return earliest
  }
}

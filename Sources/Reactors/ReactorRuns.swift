/// The runs of one reactor that have an id or end with its lifecycle.
///
/// A reactor is a class of the user and has no place for them, so they stand in one table. An entry
/// exists only while such a run does. Each run keeps its reactor alive, so no entry outlives it.
@MainActor
final class ReactorRuns {
  private static var all: [ObjectIdentifier: ReactorRuns] = [:]

  private var policies = ActionPolicies<CancelID, Int>()
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var lastRun = 0

  /// Returns whether such a run of the reactor has begun and not ended.
  static func hasRuns(of reactor: some Reactor) -> Bool { all[ObjectIdentifier(reactor)] != nil }

  /// Makes the task of a run. Its policy decides when the task starts, not now: runs that are sent
  /// in one turn meet each other in the order of sending.
  static func start(
    of reactor: some Reactor, _ policy: ActionPolicy<CancelID>,
    _ body: @escaping @MainActor () async -> Void
  ) -> Task<Void, Never> {
    let own = OwnTask()
    let task = Task {
      let key = ObjectIdentifier(reactor)
      let runs = all[key] ?? ReactorRuns()
      all[key] = runs
      await runs.perform(own.task, policy, body)
      if runs.tasks.isEmpty { all[key] = nil }
      withExtendedLifetime(reactor) {}
    }
    own.task = task
    return task
  }

  static func endLifecycle(of reactor: some Reactor) {
    guard let runs = all[ObjectIdentifier(reactor)] else { return }
    for decision in runs.policies.lifecycleEnded() { runs.cancel(decision) }
  }

  /// The task that a run has, as it is known only after it was made.
  @MainActor
  private final class OwnTask {
    var task: Task<Void, Never>?
  }

  private func perform(
    _ task: Task<Void, Never>?, _ policy: ActionPolicy<CancelID>,
    _ body: @MainActor () async -> Void
  ) async {
    lastRun += 1
    let run = lastRun
    tasks[run] = task
    for decision in policies.actionSent(run, policy) {
      switch decision {
      case .cancel: cancel(decision)
      case .start: await body()
      case .join(let other): await tasks[other]?.value
      }
    }
    tasks[run] = nil
    policies.actionEnded(run)
  }

  private func cancel(_ decision: ActionPolicies<CancelID, Int>.Decision) {
    if case .cancel(let run) = decision { tasks[run]?.cancel() }
  }
}

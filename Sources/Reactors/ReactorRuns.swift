/// The runs of one reactor that have an id or end with its lifecycle.
///
/// A reactor is a class of the user and has no place for them, so they stand in one table. An entry
/// exists only while such a run does. It does not keep its reactor alive: the body of a run does,
/// if it uses the reactor.
@MainActor
final class ReactorRuns {
  private static var all: [ObjectIdentifier: ReactorRuns] = [:]

  private var policies = ActionPolicies<CancelID, Int>()
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var lastRun = 0
  /// The number of runs that have not ended, also of those that have not begun.
  private var openRuns = 0
  private weak var reactor: (any Reactor)?

  private init(_ reactor: any Reactor) { self.reactor = reactor }

  /// Returns whether the reactor has such a run that has not ended.
  static func hasRuns(of reactor: some Reactor) -> Bool { existing(of: reactor) != nil }

  /// Returns the runs of a reactor. A later reactor may have the address of one that is gone.
  private static func existing(of reactor: any Reactor) -> ReactorRuns? {
    let runs = all[ObjectIdentifier(reactor)]
    return runs?.reactor === reactor ? runs : nil
  }

  /// Makes the task of a run. Its policy decides when the task starts, not now: runs that are sent
  /// in one turn meet each other in the order of sending.
  static func start(
    of reactor: some Reactor, _ policy: ActionPolicy<CancelID>,
    _ body: @escaping @MainActor () async -> Void
  ) -> Task<Void, Never> {
    let key = ObjectIdentifier(reactor)
    let runs = existing(of: reactor) ?? ReactorRuns(reactor)
    all[key] = runs
    runs.openRuns += 1
    let own = OwnTask()
    let task = Task {
      await runs.perform(own.task, policy, body)
      runs.openRuns -= 1
      if runs.openRuns == 0, all[key] === runs { all[key] = nil }
    }
    own.task = task
    return task
  }

  static func endLifecycle(of reactor: some Reactor) {
    guard let runs = existing(of: reactor) else { return }
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

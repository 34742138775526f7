import Synchronization

extension VirtualLoop {
  /// The number of rounds without a job for the loop before its program counts as waiting.
  private static var quietRounds: Int { 3 }
  /// The priorities that tasks may have.
  private static var priorities: [TaskPriority] { [.high, .medium, .low, .background] }
  /// The longest real time to wait for threads that compute, and for the main actor, which may be
  /// blocked. Such threads may have nothing to do with the loop.
  private static var patience: Duration { .milliseconds(50) }

  /// Lets the tasks of the program run until they wait.
  ///
  /// No function says so. But a task is either in a queue, before the tasks that are started here,
  /// or on a thread that computes. One that runs gives the loop something to do sooner or later.
  func settle() async {
    let hasMainRun = Flag()
    Task { @MainActor in hasMainRun.set() }
    let end = ContinuousClock.now + Self.patience
    var quietRounds = 0
    var count = jobCount.load(ordering: .relaxed)
    while quietRounds < Self.quietRounds {
      await letTasksRun()
      let present = jobCount.load(ordering: .relaxed)
      let isQuiet = present == count && hasMainRun.isSet && ProcessThreads.computing() == 1
      quietRounds = isQuiet || ContinuousClock.now > end ? quietRounds + 1 : 0
      count = present
    }
  }

  private func letTasksRun() async {
    await withTaskGroup { group in
      for priority in Self.priorities { group.addTask(priority: priority) { await Task.yield() } }
    }
  }
}

/// Something that has happened or not.
final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}

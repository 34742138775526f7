import Synchronization

extension VirtualLoop {
  /// The number of rounds without a job for the loop before its program counts as waiting.
  private static var quietRounds: Int { 3 }
  /// The priorities that tasks may have.
  private static var priorities: [TaskPriority] { [.high, .medium, .low, .background] }
  /// The longest real time to wait for threads that compute. They may have nothing to do with the
  /// loop.
  private static var patience: Duration { .milliseconds(50) }
  /// The longest real time to wait for a main actor that is busy. One that was blocked for so long
  /// is waited for no longer than for other threads, until it has run again.
  private static var patienceWithMain: Duration { .seconds(2) }

  /// Lets the tasks of the program run until they wait.
  ///
  /// No function says so. But a task is either in a queue, before the tasks that are started here,
  /// or on a thread that computes. One that runs gives the loop something to do sooner or later.
  func settle() async {
    let start = ContinuousClock.now
    let end = start + Self.patience
    let endOfMain = isMainBlocked.isSet ? end : start + Self.patienceWithMain
    var quietRounds = 0
    var count = jobCount.load(ordering: .relaxed)
    while quietRounds < Self.quietRounds {
      let hasMainRun = Flag()
      Task { @MainActor [isMainBlocked] in
        hasMainRun.set()
        isMainBlocked.clear()
      }
      repeat { await letTasksRun() } while !hasMainRun.isSet && ContinuousClock.now < endOfMain
      if !hasMainRun.isSet { isMainBlocked.set() }
      let present = jobCount.load(ordering: .relaxed)
      let isQuiet = present == count && ProcessThreads.computing() == 1
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
  func clear() { value.store(false, ordering: .relaxed) }
}

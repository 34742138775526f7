import VirtualTime

/// Measures a million sleeps of a hundred tasks in virtual time: the cost of Swift objects that
/// wait.
func virtualSleepsBenchmark() {
  let (tasks, sleeps) = (100, 10_000)
  let clock = ContinuousClock()
  let times = (0..<3).map { _ in
    clock.measure {
      let counted = MainActor.assumeIsolated { try? sleepSideBySide(tasks, sleeps) }
      precondition(counted == tasks * sleeps)
    }
  }
  let seconds = (times.min() ?? .zero) / .seconds(1)
  let name = #""benchmark":"virtual-sleeps","figure":"million-virtual-sleeps""#
  print(#"{\#(name),"value":\#(seconds),"unit":"s"}"#)
}

@MainActor
private func sleepSideBySide(_ tasks: Int, _ sleeps: Int) throws -> Int {
  try withVirtualTime { clock in await sleepInGroup(tasks, sleeps, by: clock) }
}

private func sleepInGroup(_ tasks: Int, _ sleeps: Int, by clock: VirtualClock) async -> Int {
  await withTaskGroup(of: Int.self) { group in
    for task in 0..<tasks { group.addTask { await sleep(sleeps, times: task, by: clock) } }
    var count = 0
    for await done in group { count += done }
    return count
  }
}

/// Sleeps so many times, for lengths that differ by task, and returns the number.
private func sleep(_ count: Int, times task: Int, by clock: VirtualClock) async -> Int {
  for turn in 0..<count {
    try? await clock.sleep(for: .microseconds((turn + task) % 97 + 1))
  }
  return count
}

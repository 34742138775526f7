import StateGraph

/// Jobs and timers performed by hand: the smallest scheduler for a reactor.
final class Jobs {
  private struct Timer {
    let due: Int
    let job: () -> Void
  }

  private var ready: [() -> Void] = []
  private var timers: [Timer] = []
  private(set) var time = 0

  func add(_ job: @escaping () -> Void) {
    ready.append(job)
  }

  func wait(_ ticks: Int, _ answer: @escaping (Int) -> Void) -> AnyCancellable? {
    timers.append(Timer(due: time + ticks) { answer(ticks) })
    return nil
  }

  func drain() {
    while !ready.isEmpty { ready.removeFirst()() }
  }

  func advance(to end: Int) {
    drain()
    while let next = timers.map(\.due).min(), next <= end {
      time = next
      let due = timers.filter { $0.due == next }
      timers.removeAll { $0.due == next }
      for timer in due { timer.job() }
      drain()
    }
    time = end
  }
}

import Reactors
import VirtualTime

/// Measures what a `send` costs above the work of its action, on the main actor.
func reactorsBenchmark() {
  let count = 100_000
  let (sends, calls) = (seconds { await send($0, count) }, seconds { await call($0, count) })
  report("send", sends / Double(count))
  report("call", calls / Double(count))
  report("send-above-call", (sends - calls) / Double(count))
}

private func report(_ figure: String, _ seconds: Double) {
  printFigure("reactors", figure, (seconds * 1e10).rounded() / 10, "ns")
}

/// Returns the shortest of five times.
private func seconds(_ work: @escaping @MainActor (CountingReactor) async -> Void) -> Double {
  let clock = ContinuousClock()
  let times = (0..<5).map { _ in
    clock.measure {
      MainActor.assumeIsolated { try? withVirtualTime { _ in await work(CountingReactor()) } }
    }
  }
  return (times.min() ?? .zero) / .seconds(1)
}

/// Sends as the views of one turn do, ten times, and waits for the last one.
@MainActor
private func send(_ reactor: CountingReactor, _ count: Int) async {
  for _ in 0..<count / 10 {
    for _ in 1..<10 { reactor.send(.increment) }
    await reactor.send(.increment).value
  }
  precondition(reactor.state.count == count)
}

@MainActor
private func call(_ reactor: CountingReactor, _ count: Int) async {
  for _ in 0..<count { await reactor.action(.increment) }
  precondition(reactor.state.count == count)
}

@MainActor
private final class CountingReactor: Reactor {
  enum Action { case increment }

  struct State {
    var count = 0
  }

  private(set) var state = State()

  func action(_ action: Action) async {
    switch action {
    case .increment: state.count += 1
    }
  }
}

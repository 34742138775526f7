import Publishers
import Reactors
import StateGraph

/// Benchmarks of the Swift products, in this process.
let productBenchmarks: [Benchmark] = [
  Benchmark(name: "graph") { _ in
    let graph = Graph()
    let first = graph.stored(0)
    var last = graph.computed { _ in first.wrappedValue + 1 }
    for _ in 1..<1_000 {
      let before = last
      last = graph.computed { _ in before.wrappedValue + 1 }
    }
    let token = last.onChange { _ in }
    var value = 0
    let seconds = best {
      for _ in 0..<100 {
        value += 1
        first.wrappedValue = value
      }
    }
    token.cancel()
    return [Figure(name: "chain", value: seconds / 100 / 1_000 * 1e9, unit: "ns/node")]
  },
  Benchmark(name: "publishers") { _ in
    let subject = PassthroughSubject<Int, Never>()
    var sum = 0
    let token = subject.map { $0 * 2 }.filter { $0 > 0 }.removeDuplicates().sink { sum += $0 }
    let seconds = best { for value in 0..<1_000_000 { subject.send(value) } }
    token.cancel()
    return [Figure(name: "three-operators", value: 1e6 / seconds, unit: "1/CPU-s")]
  },
  Benchmark(name: "reactors") { _ in
    [Figure(name: "action", value: await actionTime() * 1e6, unit: "us")]
  },
]

@MainActor
private final class Counter: AsyncReactor {
  enum Action { case add }
  struct State { var count = 0 }
  @Published private(set) var state = State()

  func action(_ action: Action) async { state.count += 1 }
}

/// Measures an action from its sending to its end.
@MainActor
private func actionTime() async -> Double {
  let counter = Counter()
  var least = Double.infinity
  for _ in 0..<rounds {
    let start = processorTime()
    for _ in 0..<10_000 { await counter.send(.add).value }
    least = min(least, (processorTime() - start) / 10_000)
  }
  return least
}

private func best(_ work: () -> Void) -> Double {
  var least = Double.infinity
  for _ in 0..<rounds {
    let start = processorTime()
    work()
    least = min(least, processorTime() - start)
  }
  return least
}

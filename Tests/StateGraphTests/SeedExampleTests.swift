import StateGraph
import Testing

/// The counter of the README.
private final class CounterViewModel {
  @GraphStored var count: Int = 0
  @GraphComputed var isEven: Bool
  @GraphComputed var displayText: String

  init() {
    self.$isEven = .init { [$count] _ in
      $count.wrappedValue % 2 == 0
    }
    self.$displayText = .init { [$count, $isEven] _ in
      let count = $count.wrappedValue
      return "Count: \(count)" + ($isEven.wrappedValue ? " (even)" : " (odd)")
    }
  }

  func increment() { count += 1 }
  func decrement() { count -= 1 }
}

@Suite struct SeedExampleTests {
  @Test func `the counter of the seed works as it is written`() {
    let model = CounterViewModel()
    var log: [String] = []
    let subscription = withGraphTracking {
      model.$count.onChange { log.append("count \($0)") }
      model.$isEven.onChange { log.append("even \($0)") }
      model.$displayText.onChange { log.append($0) }
    }
    model.increment()
    model.count = 3
    model.count = 3
    #expect(
      log == [
        "count 0", "even true", "Count: 0 (even)", "count 1", "even false", "Count: 1 (odd)",
        "count 3", "Count: 3 (odd)",
      ])
    subscription.cancel()
    model.decrement()
    #expect(log.count == 8)
  }

  @Test func `a chain of a hundred thousand nodes is read, changed and dropped`() {
    let graph = Graph()
    let head = graph.stored(0)
    var last: GraphNode<Int> = head
    for _ in 0..<100_000 {
      last = graph.computed { [last] _ in last.value + 1 }
    }
    #expect(last.value == 100_000)
    var seen: [Int] = []
    let subscription = graph.observe(last) { seen.append($0) }
    head.set(5)
    #expect(seen == [100_000, 100_005])
    subscription.cancel()
    last = head
    #expect(graph.nodeCount == 1)
    #expect(graph.edgeCount == 0)
  }
}

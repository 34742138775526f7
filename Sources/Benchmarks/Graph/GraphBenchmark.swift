import Glibc
import GraphCore
import StateGraph
import Values

/// Measures the graph on the shapes by which reactive libraries are usually compared. Prints one
/// JSON line per figure. Arguments pick the figures whose names begin with one of them.
func graphBenchmark(arguments: [String]) {
  for (name, run) in GraphBenchmark.all
  where arguments.isEmpty || arguments.contains(where: name.hasPrefix) {
    run(name)
  }
}

enum GraphBenchmark {
  typealias Figure = (name: String, run: (String) -> Void)

  static var all: [Figure] {
    [
      ("chain", chain), ("properties", properties), ("diamond", diamond),
      ("small-graph", smallGraph), ("broad", broad), ("mux", mux), ("unstable", unstable),
      ("repeated", repeatedObservers), ("avoidable", avoidable), ("cellx", cellx),
      ("dynamic", dynamicLayers),
    ]
  }

  static func report(_ figure: String, _ value: Double, unit: String = "ns") {
    let rounded = (value * 100).rounded() / 100
    print(
      "{\"benchmark\":\"graph\",\"figure\":\"\(figure)\",\"value\":\(rounded),\"unit\":\"\(unit)\"}"
    )
  }

  /// Returns the shortest of ten mean times of the body, in nanoseconds.
  static func bestTime(turns: Int, _ body: (Int) -> Void) -> Double {
    for turn in 0..<3 { body(turn) }
    var best = Double.infinity
    var turn = 3
    for _ in 0..<10 {
      let time = nanoseconds {
        for _ in 0..<turns {
          body(turn)
          turn += 1
        }
      }
      best = min(best, time / Double(turns))
    }
    return best
  }

  static func nanoseconds(_ body: () -> Void) -> Double {
    var start = timespec()
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &start)
    body()
    clock_gettime(CLOCK_MONOTONIC, &end)
    return Double(end.tv_sec - start.tv_sec) * 1e9 + Double(end.tv_nsec - start.tv_nsec)
  }

  private static func chain(_ name: String) {
    let graph = Graph()
    let head = graph.stored(0)
    var last: GraphNode<Int> = head
    for _ in 0..<1_000 { last = graph.computed { [last] _ in last.value &+ 1 } }
    var seen = 0
    let token = graph.observe(last) { seen = $0 }
    let time = bestTime(turns: 500) { turn in
      head.set(turn + 1)
      precondition(seen == turn + 1 + 1_000)
    }
    report("chain-1000 ns-per-node", time / 1_000)
    token.cancel()
  }

  /// The chain of the properties of an application's objects.
  private static func properties(_ name: String) {
    let head = Link(nil)
    var last = head
    for _ in 0..<1_000 { last = Link(last) }
    var seen = 0
    let node = last.$sum
    let token = node.graph.observe(node) { seen = $0 }
    let time = bestTime(turns: 500) { turn in
      head.start = turn + 1
      precondition(seen == turn + 1 + 1_000)
    }
    report("chain-1000-of-properties ns-per-node", time / 1_000)
    token.cancel()
  }

  private final class Link {
    @GraphStored var start = 0
    @GraphComputed var sum: Int

    init(_ previous: Link?) {
      $sum = Computed { [self] _ in previous.map { $0.sum &+ 1 } ?? start }
    }
  }

  private static func diamond(_ name: String) {
    let graph = Graph()
    let head = graph.stored(0)
    let middle = NodeValues(
      (0..<1_000).map { index in graph.computed { _ in head.value &+ index } })
    let sum = graph.computed { _ in
      var sum = 0
      for value in middle { sum &+= value }
      return sum
    }
    var seen = 0
    let token = graph.observe(sum) { seen = $0 }
    let time = bestTime(turns: 500) { turn in
      head.set(turn + 1)
      precondition(seen == (turn + 1) * 1_000 + 499_500)
    }
    report("diamond-1000 ns-per-node", time / 1_000)
    token.cancel()
  }

  /// A small graph of dynamic values that is made, changed and dropped, as the engine does.
  private static func smallGraph(_ name: String) {
    var heard = 0
    let time = bestTime(turns: 10_000) { turn in
      let graph = Graph()
      let a = graph.stored(Value.int(turn), name: "a")
      let b = graph.stored(Value.string("even"), name: "b")
      let c = rule("c", in: graph) { isEven(a.value) }
      let d = rule("d", in: graph) { c.value == .bool(true) ? "even" : "odd" }
      let e = rule("e", in: graph) { .bool(b.value == d.value) }
      let nodes: [GraphNode<Value>] = [a, b, c, d, e]
      let tokens = nodes.map { graph.observe($0, initial: false) { _ in heard += 1 } }
      for step in 1...3 { a.set(.int(turn + step)) }
      for token in tokens { token.cancel() }
    }
    precondition(heard > 0)
    report("small-graph-5-nodes-3-updates", time)
  }

  private static func rule(
    _ name: String, in graph: Graph, _ body: @escaping () -> Value
  ) -> Computed<Value> {
    graph.computed(name: name, fallback: Value.null) { _ in body() }
  }

  private static func isEven(_ value: Value) -> Value {
    if case .int(let number) = value { .bool(number % 2 == 0) } else { .null }
  }
}

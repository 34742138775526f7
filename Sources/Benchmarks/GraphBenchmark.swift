import Glibc
import StateGraph

/// Times the graph on the usual shapes; one JSON line per figure.
func graphBenchmark(arguments: [String]) {
  if arguments.contains("chain") {
    for _ in 0..<30 { chains() }
    return
  }
  if arguments.contains("diamond") {
    for _ in 0..<30 { diamonds() }
    return
  }
  chains()
  diamonds()
  smallGraphs()
}

/// Prints one figure the way every benchmark here does.
func report(_ figure: String, _ value: Double, unit: String = "ns") {
  let rounded = (value * 100).rounded() / 100
  print(
    "{\"benchmark\":\"graph\",\"figure\":\"\(figure)\",\"value\":\(rounded),\"unit\":\"\(unit)\"}")
}

/// The best of ten: the shortest time of one turn of the body in nanoseconds.
func bestTime(turns: Int, _ body: (Int) -> Void) -> Double {
  for turn in 0..<3 { body(turn) }
  var best = Double.infinity
  var turn = 3
  for _ in 0..<10 {
    let start = now()
    for _ in 0..<turns {
      body(turn)
      turn += 1
    }
    best = min(best, Double(now() - start) / Double(turns))
  }
  return best
}

func now() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

private func chains() {
  let graph = Graph()
  let head = graph.stored(0)
  var last: GraphNode<Int> = head
  for _ in 0..<1_000 { last = graph.computed { [last] _ in last.value &+ 1 } }
  var seen = 0
  let subscription = graph.observe(last) { seen = $0 }
  let time = bestTime(turns: 500) { turn in
    head.set(turn + 1)
    precondition(seen == turn + 1 + 1_000)
  }
  report("chain-1000 ns-per-node", time / 1_000)
  subscription.cancel()
}

private func diamonds() {
  let graph = Graph()
  let head = graph.stored(0)
  let middle = (0..<1_000).map { index in graph.computed { _ in head.value &+ index } }
  let values = NodeValues(middle)
  let sum = graph.computed { _ in
    var sum = 0
    for value in values { sum &+= value }
    return sum
  }
  var seen = 0
  let subscription = graph.observe(sum) { seen = $0 }
  let time = bestTime(turns: 500) { turn in
    head.set(turn + 1)
    precondition(seen == (turn + 1) * 1_000 + 499_500)
  }
  report("diamond-1000 ns-per-node", time / 1_000)
  subscription.cancel()
}

/// What the scenario engine does: a small graph made, changed and dropped.
private func smallGraphs() {
  var heard = 0
  let time = bestTime(turns: 10_000) { turn in
    let graph = Graph()
    let a = graph.stored(turn)
    let b = graph.stored("text")
    let c = graph.computed { _ in a.value % 2 == 0 }
    let d = graph.computed { _ in c.value ? "even" : "odd" }
    let e = graph.computed { _ in b.value == d.value }
    let tokens = [
      graph.observe(a, initial: false) { _ in heard += 1 },
      graph.observe(b, initial: false) { _ in heard += 1 },
      graph.observe(c, initial: false) { _ in heard += 1 },
      graph.observe(d, initial: false) { _ in heard += 1 },
      graph.observe(e, initial: false) { _ in heard += 1 },
    ]
    for step in 1...3 { a.set(turn + step) }
    for token in tokens { token.cancel() }
  }
  precondition(heard > 0)
  report("small-graph-5-nodes-3-updates ns", time)
}

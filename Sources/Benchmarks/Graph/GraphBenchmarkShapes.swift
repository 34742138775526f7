import GraphCore

/// The shapes of the kairo suite, with its number of iterations.
extension GraphBenchmark {
  static func broad(_ name: String) {
    let graph = Graph()
    let head = graph.stored(0)
    var heard = 0
    var last = 0
    let tokens = (0..<50).map { index in
      let first = graph.computed { _ in head.value + index }
      let second = graph.computed { _ in first.value + 1 }
      return graph.observe(second, initial: false) {
        heard += 1
        last = $0
      }
    }
    let time = bestTime(turns: 100) { _ in
      head.set(-1)
      heard = 0
      for turn in 0..<50 {
        head.set(turn)
        precondition(last == turn + 50)
      }
      precondition(heard == 2_500)
    }
    report("broad ns-per-evaluation", time / 5_100)
    AnyCancellable(tokens).cancel()
  }

  static func mux(_ name: String) {
    let graph = Graph()
    let heads = (0..<100).map { _ in graph.stored(0) }
    let values = NodeValues(heads)
    let joined = graph.computed(areEqual: { _, _ in false }, { _ in Array(values) })
    let split = heads.indices.map { index in
      let part = graph.computed { _ in joined.value[index] }
      return graph.computed { _ in part.value + 1 }
    }
    let tokens = split.map { graph.observe($0, initial: false) { _ in } }
    let time = bestTime(turns: 100) { _ in
      for index in 0..<10 {
        heads[index].set(index)
        precondition(split[index].value == index + 1)
      }
      for index in 0..<10 {
        heads[index].set(index * 2)
        precondition(split[index].value == index * 2 + 1)
      }
    }
    report("mux ns-per-evaluation", time / 1_836)
    AnyCancellable(tokens).cancel()
  }

  static func unstable(_ name: String) {
    let graph = Graph()
    let head = graph.stored(0)
    let double = graph.computed { _ in head.value * 2 }
    let inverse = graph.computed { _ in -head.value }
    let sum = graph.computed { _ in
      var sum = 0
      for _ in 0..<20 { sum += head.value % 2 != 0 ? double.value : inverse.value }
      return sum
    }
    let token = graph.observe(sum, initial: false) { _ in }
    let time = bestTime(turns: 500) { _ in
      head.set(1)
      precondition(sum.value == 40)
      for turn in 0..<100 { head.set(turn) }
    }
    report("unstable ns-per-write", time / 101)
    token.cancel()
  }

  static func repeatedObservers(_ name: String) {
    let graph = Graph()
    let head = graph.stored(0)
    let sum = graph.computed { _ in
      var sum = 0
      for _ in 0..<30 { sum += head.value }
      return sum
    }
    let token = graph.observe(sum, initial: false) { _ in }
    let time = bestTime(turns: 500) { _ in
      head.set(1)
      for turn in 0..<100 {
        head.set(turn)
        precondition(sum.value == turn * 30)
      }
    }
    report("repeated-observers ns-per-write", time / 101)
    token.cancel()
  }

  static func avoidable(_ name: String) {
    let graph = Graph()
    let head = graph.stored(0)
    let first = graph.computed { _ in head.value }
    let zero = graph.computed { _ in first.value * 0 }
    var last = graph.computed { _ in zero.value + 1 }
    for _ in 0..<4 { last = graph.computed { [last] _ in last.value + 1 } }
    let token = graph.observe(last, initial: false) { _ in preconditionFailure("no change") }
    let time = bestTime(turns: 100) { _ in
      head.set(1)
      for turn in 0..<1_000 {
        head.set(turn)
        precondition(last.value == 5)
      }
    }
    report("avoidable ns-per-write", time / 1_001)
    token.cancel()
  }

  /// Layers of four nodes that read the layer above, and an observer on each.
  static func cellx(_ name: String) {
    for layers in [1_000, 2_500] {
      var best = Double.infinity
      for _ in 0..<10 { best = min(best, nanoseconds { runCellx(layers) }) }
      report("cellx-\(layers)", best / 1e6, unit: "ms")
    }
  }

  private static func runCellx(_ layers: Int) {
    let graph = Graph()
    let sources = [1, 2, 3, 4].map { graph.stored($0) }
    var layer: [GraphNode<Int>] = sources
    var tokens: [AnyCancellable] = []
    for _ in 0..<layers {
      let (p1, p2, p3, p4) = (layer[0], layer[1], layer[2], layer[3])
      layer = [
        graph.computed { _ in p2.value },
        graph.computed { _ in p1.value &- p3.value },
        graph.computed { _ in p2.value &+ p4.value },
        graph.computed { _ in p3.value },
      ]
      tokens += layer.map { graph.observe($0) { _ in } }
    }
    precondition(layer.map(\.value) == [-3, -6, -2, 2])
    graph.transaction {
      for (source, value) in zip(sources, [4, 3, 2, 1]) { source.set(value) }
    }
    precondition(layer.map(\.value) == [-2, -4, 2, 3])
    AnyCancellable(tokens).cancel()
  }
}

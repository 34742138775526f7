import StateGraph
import Testing

/// The shapes of the kairo suite, with the exact number of runs of rules and observers.
@Suite struct EvaluationCountTests {
  private let graph = Graph()
  private let counter = Counter()
  private let tokens = AnyCancellable()

  private final class Counter {
    var heard = 0
    var last = 0
  }

  private func watch(_ node: GraphNode<Int>) {
    tokens.add(
      graph.observe(node, initial: false) { [counter] in
        counter.heard += 1
        counter.last = $0
      })
  }

  /// Returns the number of rules and observers that run in the body.
  private func runs(of nodes: [GraphNode<Int>], _ body: () -> Void) -> [Int] {
    func total() -> Int { nodes.map { graph.recomputeCount(of: $0) }.reduce(0, +) }
    let before = total()
    counter.heard = 0
    body()
    return [total() - before, counter.heard]
  }

  /// Returns a chain of nodes that each add one.
  private func chain(_ length: Int, from head: GraphNode<Int>) -> [GraphNode<Int>] {
    var nodes: [GraphNode<Int>] = []
    for _ in 0..<length {
      let below = nodes.last ?? head
      nodes.append(graph.computed { _ in below.value + 1 })
    }
    return nodes
  }

  @Test func `deep propagation`() {
    let head = graph.stored(0)
    let nodes = chain(50, from: head)
    watch(nodes[49])
    let counts = runs(of: nodes) {
      head.set(1)
      for turn in 0..<50 {
        head.set(turn)
        #expect(counter.last == turn + 50)
      }
    }
    #expect(counts == [2_550, 51])
  }

  @Test func `broad propagation`() {
    let head = graph.stored(0)
    var nodes: [GraphNode<Int>] = []
    for index in 0..<50 {
      let first = graph.computed { _ in head.value + index }
      let second = graph.computed { _ in first.value + 1 }
      nodes += [first, second]
      watch(second)
    }
    let counts = runs(of: nodes) {
      head.set(1)
      for turn in 0..<50 {
        head.set(turn)
        #expect(counter.last == turn + 50)
      }
    }
    #expect(counts == [5_100, 2_550])
  }

  @Test func `diamond`() {
    let head = graph.stored(0)
    let middle = (0..<5).map { _ in graph.computed { _ in head.value + 1 } }
    let sum = graph.computed { _ in middle.reduce(0) { $0 + $1.value } }
    watch(sum)
    let counts = runs(of: middle + [sum]) {
      head.set(1)
      for turn in 0..<500 {
        head.set(turn)
        #expect(counter.last == (turn + 1) * 5)
      }
    }
    #expect(counts == [3_006, 501])
  }

  @Test func `triangle`() {
    let head = graph.stored(0)
    let nodes = chain(10, from: head)
    let read = [head] + nodes[..<9]
    let sum = graph.computed { _ in read.reduce(0) { $0 + $1.value } }
    watch(sum)
    let counts = runs(of: nodes + [sum]) {
      head.set(1)
      for turn in 0..<100 {
        head.set(turn)
        #expect(counter.last == 45 + 10 * turn)
      }
    }
    #expect(counts == [1_010, 101])
  }

  @Test func `mux`() {
    let heads = (0..<100).map { _ in graph.stored(0) }
    var joins = 0
    let joined = graph.computed(
      areEqual: { (_: [Int], _: [Int]) in false },
      { _ in
        joins += 1
        return heads.map(\.value)
      })
    let parts = heads.indices.map { index in graph.computed { _ in joined.value[index] } }
    let ends = parts.map { part in graph.computed { _ in part.value + 1 } }
    for end in ends { watch(end) }
    joins = 0
    let counts = runs(of: parts + ends) {
      for factor in 1...2 {
        for index in 0..<10 {
          heads[index].set(index * factor)
          #expect(ends[index].value == index * factor + 1)
        }
      }
    }
    #expect([counts[0] + joins, counts[1]] == [1_836, 18])
  }

  @Test func `repeated observers`() {
    let head = graph.stored(0)
    let sum = graph.computed { _ in (0..<30).reduce(0) { sum, _ in sum + head.value } }
    watch(sum)
    let counts = runs(of: [sum]) {
      head.set(1)
      for turn in 0..<100 {
        head.set(turn)
        #expect(counter.last == 30 * turn)
      }
    }
    #expect(counts == [101, 101])
  }

  @Test func `unstable`() {
    let head = graph.stored(0)
    let double = graph.computed { _ in head.value * 2 }
    let inverse = graph.computed { _ in -head.value }
    let sum = graph.computed { _ in
      (0..<20).reduce(0) { sum, _ in sum + (head.value % 2 != 0 ? double : inverse).value }
    }
    watch(sum)
    let counts = runs(of: [double, inverse, sum]) {
      head.set(1)
      #expect(counter.last == 40)
      for turn in 0..<100 { head.set(turn) }
    }
    #expect(counts == [202, 101])
  }

  @Test func `avoidable propagation`() {
    let head = graph.stored(0)
    let same = graph.computed { _ in head.value }
    let zero = graph.computed { _ in same.value * 0 }
    let rest = chain(3, from: zero)
    watch(rest[2])
    let counts = runs(of: [same, zero] + rest) {
      head.set(1)
      for turn in 0..<1_000 { head.set(turn) }
    }
    #expect(counts == [2_002, 0])
  }

  @Test(arguments: [(1, 1), (1, 100), (100, 1), (10, 10), (100, 100)])
  func `width times height`(width: Int, height: Int) {
    let source = graph.stored(0)
    let chains = (0..<width).map { _ in chain(height, from: source) }
    for chain in chains { watch(chain[height - 1]) }
    let counts = runs(of: chains.flatMap { $0 }) { source.set(1) }
    #expect(counts == [width * height, width])
  }

  @Test func `molecule`() {
    let a = graph.stored(0)
    let b = graph.stored(0)
    let c = graph.computed { _ in a.value % 2 + b.value % 2 }
    var lists = 0
    let d = graph.computed(
      areEqual: { (_: [Int], _: [Int]) in false },
      { _ in
        lists += 1
        return (0..<5).map { $0 + a.value % 2 - b.value % 2 }
      })
    let e = graph.computed { _ in c.value + a.value + d.value[0] }
    let f = graph.computed { _ in d.value[2] != 0 ? d.value[2] : b.value }
    let g = graph.computed { _ in
      c.value + (c.value != 0 ? c.value : e.value % 2) + d.value[4] + f.value
    }
    for node in [g, g, f] { watch(node) }
    for turn in 0..<3 {
      lists = 0
      let counts = runs(of: [c, e, f, g]) {
        graph.transaction {
          b.set(1)
          a.set(1 + turn * 2)
        }
        graph.transaction {
          a.set(2 + turn * 2)
          b.set(2)
        }
      }
      if turn > 0 { #expect([counts[0] + lists, counts[1]] == [9, 4]) }
    }
  }

  @Test(arguments: [10, 1_000])
  func `cellx`(layers: Int) {
    let sources = [1, 2, 3, 4].map { graph.stored($0) }
    var layer: [GraphNode<Int>] = sources
    var all: [GraphNode<Int>] = []
    for _ in 0..<layers {
      let (p1, p2, p3, p4) = (layer[0], layer[1], layer[2], layer[3])
      layer = [
        graph.computed { _ in p2.value }, graph.computed { _ in p1.value &- p3.value },
        graph.computed { _ in p2.value &+ p4.value }, graph.computed { _ in p3.value },
      ]
      all += layer
      for node in layer { watch(node) }
    }
    if layers == 1_000 { #expect(layer.map(\.value) == [-3, -6, -2, 2]) }
    let counts = runs(of: all) {
      graph.transaction { for (source, value) in zip(sources, [4, 3, 2, 1]) { source.set(value) } }
    }
    #expect(counts[0] == 4 * layers)
    if layers == 1_000 { #expect(layer.map(\.value) == [-2, -4, 2, 3]) }
  }

  @Test func `one change is compared once, however many observe it`() {
    var comparisons = 0
    let source = graph.stored(0)
    let node = graph.computed(
      areEqual: {
        comparisons += 1
        return $0 == $1
      }, { _ in source.value / 10 })
    var heard: [Int] = []
    let tokens = (0..<3).map { _ in graph.observe(node, initial: false) { heard.append($0) } }
    source.set(10)
    #expect(heard == [1, 1, 1])
    #expect(comparisons == 1)
    graph.transaction {
      source.set(20)
      #expect(node.value == 2)
      source.set(11)
    }
    #expect(heard == [1, 1, 1])
    withExtendedLifetime(tokens) {}
  }
}

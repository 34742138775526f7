import StateGraph
import Testing

/// Very large graphs, and unusual situations.
@Suite struct ExtremeTests {
  private let graph = Graph()

  @Test func `ten thousand observers hear of one change, in order`() {
    let source = graph.stored(0)
    var heard: [Int] = []
    let tokens = (0..<10_000).map { index in
      graph.observe(source, initial: false) { _ in heard.append(index) }
    }
    source.set(1)
    #expect(heard == Array(0..<10_000))
    for token in tokens { token.cancel() }
    #expect(graph.edgeCount == 0)
  }

  @Test func `a long chain of conditions is followed without recursion`() {
    let switches = (0..<5_000).map { _ in graph.stored(true) }
    var last: GraphNode<Int> = graph.stored(7)
    for isOn in switches { last = graph.computed { [last] _ in isOn.value ? last.value : 0 } }
    #expect(last.value == 7)
    switches[2_500].set(false)
    #expect(last.value == 0)
    switches[2_500].set(true)
    #expect(last.value == 7)
  }

  @Test func `deep evaluation of shared nodes goes on with the lock of its thread`() {
    let first = Stored(1)
    var last: GraphNode<Int> = first
    for _ in 0..<2_000 { last = Computed { [last] _ in last.value + first.value } }
    #expect(last.value == 2_001)
  }

  @Test func `nodes and observers made in a rule work as elsewhere`() {
    let source = graph.stored(1)
    var heard: [Int] = []
    var kept: Computed<Int>?
    let rule = graph.computed { [graph] _ in
      let inner = graph.computed { _ in source.value * 2 }
      kept = inner
      let token = graph.observe(inner) { heard.append($0) }
      token.cancel()
      return inner.value
    }
    #expect(rule.value == 2)
    source.set(2)
    #expect(rule.value == 4)
    #expect(heard == [2, 4])
    #expect(kept?.value == 4)
    #expect(graph.nodeCount == 3)
  }

  @Test func `releasing other nodes in a rule leaves the running check intact`() {
    let source = graph.stored(0)
    var victims: [Computed<Int>] = []
    let killer = graph.computed { _ in
      if source.value == 1 { victims.removeAll() }
      return source.value
    }
    victims = (0..<10).map { index in graph.computed { _ in killer.value + index } }
    let sum = graph.computed { [victims = victims.map(Weak.init)] _ in
      victims.reduce(0) { $0 + ($1.node?.value ?? 0) }
    }
    #expect(sum.value == 45)
    source.set(1)
    #expect(sum.value <= 55)
    #expect(killer.value == 1)
    source.set(2)
    #expect(sum.value == 0)
    #expect(graph.nodeCount == 3)
  }

  @Test func `dropping everything in a handler is survived`() {
    var graph: Graph? = Graph()
    var source = graph?.stored(0)
    var tokens: [AnyCancellable] = []
    var heard = 0
    for _ in 0..<3 {
      guard let graph, let source else { return }
      tokens.append(graph.observe(source, initial: false) { _ in heard += 1 })
    }
    if let graph, let source {
      tokens.insert(graph.observe(source, initial: false) { _ in heard += 10 }, at: 0)
    }
    weak let freed = graph
    let clear = source?.onChange(initial: false) { _ in
      tokens.removeAll()
      source = nil
      graph = nil
    }
    source?.set(1)
    #expect(heard == 13)
    clear?.cancel()
    #expect(freed == nil)
  }

  @Test func `after many kinds of change a graph is as small as what is left of it`() {
    let source = graph.stored(0)
    var kept: [Computed<Int>] = []
    for round in 0..<200 {
      kept.append(graph.computed { [below = kept.last] _ in (below?.value ?? 0) + source.value })
      if round % 3 == 0 { kept.removeFirst(kept.count / 2) }
      source.set(round)
      _ = kept.last?.value
    }
    kept = []
    #expect(graph.nodeCount == 1)
    #expect(graph.edgeCount == 0)
    #expect(source.subscriberCount == 0)
  }
}

private struct Weak {
  weak var node: Computed<Int>?
  init(_ node: Computed<Int>) { self.node = node }
}

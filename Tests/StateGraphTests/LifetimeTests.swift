import StateGraph
import Testing

@Suite struct LifetimeTests {
  private final class Owner {
    let node: Stored<Int>
    init(_ graph: Graph) { node = graph.stored(0) }
  }

  private final class Captured {}

  private let graph: Graph

  init() {
    graph = Graph()
  }

  @Test func `a subscription that is not kept ends at once`() {
    let x = graph.stored(0)
    var heard: [Int] = []
    _ = withGraphTracking { x.onChange { heard.append($0) } }
    x.onChange { heard.append($0 + 100) }
    x.set(1)
    #expect(heard == [0, 100])
    #expect(graph.edgeCount == 0)
  }

  @Test(arguments: ["group", "map", "map from", "onChange", "observe"])
  func `cancelling frees what the handler captured at once`(kind: String) {
    let x = graph.stored(0)
    let owner = Owner(graph)
    weak var freed: Captured?
    let token: AnyCancellable
    do {
      let captured = Captured()
      freed = captured
      token = withGraphTracking {
        switch kind {
        case "group": withGraphTrackingGroup(in: graph) { _ = (x.value, captured) }
        case "map":
          withGraphTrackingMap(in: graph) {
            _ = captured
            return x.value
          } onChange: { _ in
          }
        case "map from":
          withGraphTrackingMap(
            from: owner, map: { $0.node.value + x.value }, onChange: { _ in _ = captured })
        case "onChange": x.onChange { _ in _ = captured }
        default:
          TrackingTokens.keep = graph.observe(x) { _ in _ = captured }
        }
      }
    }
    #expect(freed != nil)
    token.cancel()
    TrackingTokens.keep = nil
    #expect(freed == nil)
    #expect(x.subscriberCount == 0)
  }

  @Test func `a map from an owner does not keep the owner, and ends with it`() {
    let x = graph.stored(0)
    var owner: Owner? = Owner(graph)
    weak let watched = owner
    var heard: [Int] = []
    let token = withGraphTrackingMap(
      from: owner.unsafelyUnwrapped, map: { $0.node.value + x.value },
      onChange: { heard.append($0) })
    x.set(1)
    owner = nil
    #expect(watched == nil)
    x.set(2)
    #expect(heard == [0, 1])
    token.cancel()
  }

  @Test func `a graph is empty again when its nodes are dropped`() {
    let source = graph.stored([1])
    do {
      let count = graph.computed { _ in source.value.count }
      let text = graph.computed { _ in "\(count.value)" }
      #expect(text.value == "1")
      #expect(source.subscriberCount == 1)
    }
    #expect(source.subscriberCount == 0)
    #expect(graph.nodeCount == 1)
    #expect(graph.edgeCount == 0)
  }

  @Test func `a released node leaves those that read it with what they have`() {
    let x = graph.stored(1)
    var middle: Computed<Int>? = graph.computed { _ in x.value + 1 }
    let sum = graph.computed { [weak middle] _ in x.value + (middle?.value ?? 100) }
    #expect(sum.value == 3)
    middle = nil
    #expect(sum.value == 3)
    #expect(x.subscriberCount == 1)
    x.set(2)
    #expect(sum.value == 102)
  }

  @Test func `a rule may drop the node it belongs to`() {
    let x = graph.stored(1)
    var node: Computed<Int>?
    node = graph.computed { _ in
      node = nil
      return x.value
    }
    #expect(node?.value == 1)
    #expect(graph.nodeCount == 1)
  }

  @Test func `a handler may cancel itself, and another that was about to be called`() {
    let x = graph.stored(0)
    var heard: [String] = []
    var tokens: [AnyCancellable] = []
    tokens.append(
      graph.observe(x, initial: false) { _ in
        heard.append("first")
        tokens.removeAll()
      })
    tokens.append(graph.observe(x, initial: false) { _ in heard.append("second") })
    x.set(1)
    x.set(2)
    #expect(heard == ["first"])
    #expect(graph.edgeCount == 0)
  }

  @Test func `two scopes on one node are independent`() {
    let x = graph.stored(0)
    var heard: [String] = []
    var bag = Set<AnyCancellable>()
    let first = withGraphTracking { x.onChange(initial: false) { heard.append("first \($0)") } }
    withGraphTracking { x.onChange(initial: false) { heard.append("second \($0)") } }
      .store(in: &bag)
    x.set(1)
    first.cancel()
    x.set(2)
    bag.removeAll()
    x.set(3)
    #expect(heard == ["first 1", "second 1", "second 2"])
  }

  @Test func `cancelling twice, even from within, cancels once`() {
    var count = 0
    var token: AnyCancellable?
    token = AnyCancellable {
      count += 1
      token?.cancel()
    }
    token?.cancel()
    token?.cancel()
    token = nil
    #expect(count == 1)
  }

  @Test func `what is added to a cancelled one is cancelled at once`() {
    var log: [String] = []
    let parent = AnyCancellable { log.append("parent") }
    parent.add(AnyCancellable { log.append("child") })
    parent.cancel()
    parent.add(AnyCancellable { log.append("late") })
    #expect(log == ["parent", "child", "late"])
  }

  @Test func `many subscriptions that come and go reuse their place`() {
    let x = graph.stored(0)
    for _ in 0..<1_000 {
      let token = graph.observe(x, initial: false) { _ in }
      x.set(x.value + 1)
      token.cancel()
    }
    #expect(graph.nodeCount == 1)
    #expect(graph.edgeCount == 0)
  }

  @Test func `each value is ended once, wherever the graph keeps it`() {
    do {
      let source = graph.stored(Counted(1))
      let unread = graph.computed(fallback: Counted(2)) { _ in source.value }
      let read = graph.computed(areEqual: { $0 == $1 }, { _ in Counted(source.value.number) })
      let token = graph.observe(read) { _ in }
      source.set(Counted(3))
      graph.transaction {
        source.set(Counted(4))
        source.set(Counted(5))
      }
      try? graph.transaction {
        source.set(Counted(6))
        #expect(read.value.number == 6)
        throw CancellationError()
      }
      graph.flushesAutomatically = false
      source.set(Counted(7))
      #expect(Counted.live > 0)
      withExtendedLifetime((unread, token)) {}
    }
    #expect(Counted.live == 0)
    #expect(graph.nodeCount == 0)
  }

  @Test func `values of any size and alignment have their place`() {
    typealias Large = InlineArray<100, Int>
    let large = graph.stored(Large(repeating: 1)) { $0[99] == $1[99] }
    let wide = graph.stored(SIMD16<Int>(repeating: 2))
    let empty = graph.stored(())
    let sum = graph.computed { _ in
      empty.value
      return large.value[99] + wide.value[15]
    }
    #expect(sum.value == 3)
    wide.set(SIMD16(repeating: 3))
    large.set(Large(repeating: 4))
    #expect(sum.value == 7)
  }

  @Test func `a handle and a token keep the graph`() {
    weak var watched: Graph?
    var heard: [Int] = []
    do {
      let (node, token) = {
        let graph = Graph()
        watched = graph
        let node = graph.stored(0)
        return (node, graph.observe(node) { heard.append($0) })
      }()
      node.set(1)
      #expect(node.graph.nodeCount == 2)
      #expect(heard == [0, 1])
      token.cancel()
      #expect(watched != nil)
      withExtendedLifetime(node) {}
    }
    #expect(watched == nil)
  }

  @Test func `what ends with a node may make others in the graph`() {
    var made: [Stored<Int>] = []
    do {
      let farewell = Farewell { [graph] in
        for number in 0..<40 { made.append(graph.stored(number)) }
      }
      let node = graph.computed { _ in
        _ = farewell
        return 1
      }
      #expect(node.value == 1)
    }
    #expect(made.map(\.value) == Array(0..<40))
    #expect(graph.nodeCount == 40)
  }

  @Test func `a comparison may drop the node it belongs to`() {
    let captured = Captured()
    var compared = 0
    var node: Stored<Int>?
    node = graph.stored(
      0,
      areEqual: {
        withExtendedLifetime(captured) {}
        node = nil
        compared += 1
        return $0 == $1
      })
    graph.transaction { node?.set(1) }
    #expect(compared == 1)
    #expect(graph.nodeCount == 0)
  }

  @Test func `a rule may drop its node, its graph and all that reads it`() {
    weak var freed: Captured?
    do {
      var graph: Graph? = Graph()
      var nodes: [GraphNode<Int>] = []
      let captured = Captured()
      freed = captured
      let source = Graph().stored(0)
      nodes.append(
        graph.unsafelyUnwrapped.computed { _ in
          _ = captured
          graph = nil
          nodes = []
          return 5
        })
      nodes.append(nodes[0].map { $0 + 1 })
      #expect(nodes[1].value == 6)
      #expect(nodes.isEmpty && graph == nil && source.value == 0)
    }
    #expect(freed == nil)
  }
}

/// A value that counts the live ones.
private final class Counted: Equatable {
  nonisolated(unsafe) static var live = 0
  let number: Int

  init(_ number: Int) {
    self.number = number
    Self.live += 1
  }

  deinit { Self.live -= 1 }

  static func == (left: Counted, right: Counted) -> Bool { left.number == right.number }
}

private final class Farewell {
  private let action: () -> Void

  init(_ action: @escaping () -> Void) { self.action = action }

  deinit { action() }
}

private enum TrackingTokens {
  nonisolated(unsafe) static var keep: AnyCancellable?
}

import StateGraph
import Testing

@Suite struct CycleTests {
  private let graph = Graph()
  private let log = Log()

  private final class Log {
    var paths: [[String]] = []
  }

  /// Nodes that can be made to read each other after they exist.
  private final class Late<Value> {
    unowned(unsafe) var node: Computed<Value>?
  }

  init() {
    graph.onDiagnostic = { [log] in
      if case .cycle(let path) = $0 { log.paths.append(path) }
    }
  }

  @Test(arguments: ["a", "b"])
  func `nodes that read each other take their fallback, whichever is read first`(first: String) {
    let late = Late<Int>()
    let a = graph.computed(name: "a", fallback: -1) { _ in (late.node?.value ?? 0) + 1 }
    let b = graph.computed(name: "b", fallback: -2) { _ in a.value + 1 }
    late.node = b
    let values = first == "a" ? [a.value, b.value] : [b.value, a.value].reversed()
    #expect(values == [-1, -2])
    #expect(log.paths == [first == "a" ? ["a", "b", "a"] : ["b", "a", "b"]])
  }

  @Test func `a node that reads itself is named`() {
    let late = Late<Int>()
    let a = graph.computed(name: "a", fallback: 7) { _ in (late.node?.value ?? 0) + 1 }
    late.node = a
    #expect(a.value == 7)
    #expect(log.paths == [["a", "a"]])
  }

  @Test func `without a fallback the last value stays`() {
    let late = Late<Int>()
    let isClosed = graph.stored(false)
    let a = graph.computed(name: "a") { _ in
      isClosed.value ? (late.node?.value ?? 0) + 1 : 10
    }
    let b = graph.computed(name: "b") { _ in a.value + 1 }
    late.node = b
    #expect([a.value, b.value] == [10, 11])
    isClosed.set(true)
    #expect([a.value, b.value] == [10, 11])
    #expect(log.paths.isEmpty == false)
    isClosed.set(false)
    #expect([a.value, b.value] == [10, 11])
  }

  @Test func `a cycle that opens again is forgotten, on both sides`() {
    let late = Late<Int>()
    let isClosed = graph.stored(true)
    let offset = graph.stored(1)
    let a = graph.computed(name: "a", fallback: -1) { _ in
      isClosed.value ? (late.node?.value ?? 0) + 1 : 0
    }
    let b = graph.computed(name: "b", fallback: -2) { _ in a.value + offset.value }
    late.node = b
    var heard: [Int] = []
    let token = graph.observe(b) { heard.append($0) }
    #expect(heard == [-2])
    offset.set(5)
    #expect(heard == [-2])
    isClosed.set(false)
    #expect([a.value, b.value] == [0, 5])
    #expect(heard == [-2, 5])
    isClosed.set(true)
    #expect([a.value, b.value] == [-1, -2])
    #expect(heard == [-2, 5, -2])
    token.cancel()
  }

  @Test func `a long cycle is met without end or crash`() {
    let late = Late<Int>()
    var nodes: [Computed<Int>] = []
    nodes.append(graph.computed(name: "0", fallback: 0) { _ in (late.node?.value ?? 0) + 1 })
    for index in 1..<2_000 {
      let below = nodes[index - 1]
      nodes.append(graph.computed(name: "\(index)", fallback: index) { _ in below.value + 1 })
    }
    late.node = nodes.last
    #expect(nodes[1_000].value == 1_000)
    #expect(log.paths.first?.count == 2_001)
  }

  @Test func `a fallback that is taken again is not news`() {
    let late = Late<Int>()
    let source = graph.stored(0)
    let a = graph.computed(name: "a", fallback: 7) { _ in (late.node?.value ?? 0) + source.value }
    late.node = a
    var heard: [Int] = []
    let token = graph.observe(a) { heard.append($0) }
    source.set(1)
    source.set(2)
    #expect(a.value == 7)
    #expect(heard == [7])
    withExtendedLifetime(token) {}
  }
}

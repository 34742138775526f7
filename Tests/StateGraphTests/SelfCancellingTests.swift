import StateGraph
import Testing

/// Watchers that end themselves while they run.
@Suite struct SelfCancellingTests {
  private let graph: Graph

  init() {
    graph = Graph()
  }

  @Test func `a map whose projection cancels its scope delivers that value and no other`() {
    let x = graph.stored(0)
    var scope: AnyCancellable?
    var heard: [Int] = []
    scope = withGraphTracking {
      withGraphTrackingMap(in: graph) {
        if x.value == 1 { scope?.cancel() }
        return x.value
      } onChange: {
        heard.append($0)
      }
    }
    for value in 1...3 { x.set(value) }
    #expect(heard == [0, 1])
    #expect(graph.edgeCount == 0)
    #expect(graph.nodeCount == 1)
  }

  @Test func `a watcher that another one cancels is not called any more`() {
    let x = graph.stored(0)
    var heard: [String] = []
    var second: AnyCancellable?
    let first = graph.observe(x, initial: false) { _ in
      heard.append("first")
      second?.cancel()
    }
    second = graph.observe(x, initial: false) { _ in heard.append("second") }
    x.set(1)
    #expect(heard == ["first"])
    first.cancel()
  }

  @Test func `a group that cancels its scope finishes its pass and starts nothing new`() {
    let x = graph.stored(0)
    var scope: AnyCancellable?
    var log: [String] = []
    scope = withGraphTracking {
      withGraphTrackingGroup(in: graph) {
        guard x.value == 1 else { return }
        scope?.cancel()
        log.append("on")
        withGraphTrackingGroup(in: graph) { log.append("group \(x.value)") }
        withGraphTrackingMap(in: graph) {
          x.value
        } onChange: {
          log.append("map \($0)")
        }
        x.onChange { log.append("change \($0)") }
        log.append("done")
      }
    }
    for value in 1...3 { x.set(value) }
    #expect(log == ["on", "done"])
    #expect(graph.edgeCount == 0)
    #expect(graph.nodeCount == 1)
  }
}

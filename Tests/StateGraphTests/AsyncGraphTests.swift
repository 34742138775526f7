import Observation
import StateGraph
import Testing

/// A screen of an application, on the main actor.
@MainActor
private final class Screen {
  @GraphStored var count = 1
  @GraphStored var isLoading = false
  @GraphStored var data: [Int]? = nil
  @GraphComputed var phase: String
  var later: Computed<Int>?

  init() {
    $phase = .init { [$isLoading, $data] _ in
      if $isLoading.wrappedValue { return "loading" }
      return $data.wrappedValue == nil ? "empty" : "loaded"
    }
  }

  func makeLater() { later = Computed { [$count] _ in $count.wrappedValue * 10 } }

  func load() async {
    isLoading = true
    await Task.yield()
    isLoading = false
    data = [1]
  }
}

/// A counter that an actor keeps.
private actor Ledger {
  @GraphStored var entries = 0
  private var twice: Computed<Int>?
  private var heard: [Int] = []
  private var token: AnyCancellable?

  func follow() {
    twice = Computed { [$entries] _ in $entries.value * 2 }
    token = withGraphTracking { twice?.onChange { self.heard.append($0) } }
  }

  func add(_ count: Int) {
    for _ in 0..<count { entries += 1 }
  }

  func result() async -> [Int] {
    for _ in 0..<20 { await Task.yield() }
    return heard
  }
}

@Suite struct AsyncGraphTests {
  @MainActor private func turns(_ count: Int = 10) async {
    for _ in 0..<count { await Task.yield() }
  }

  @MainActor @Test func `a rule that is made after an await follows what it reads`() async {
    for turn in 0..<20 {
      let screen = Screen()
      await Task.detached { await Task.yield() }.value
      screen.makeLater()
      #expect(screen.later?.value == 10)
      screen.count = turn + 2
      #expect(screen.later?.value == (turn + 2) * 10)
    }
  }

  @MainActor @Test func `the writes of one turn of the main actor are one delivery`() async {
    let screen = Screen()
    var phases: [String] = []
    let token = withGraphTracking { screen.$phase.onChange { phases.append($0) } }
    await screen.load()
    await turns()
    #expect(phases == ["empty", "loading", "loaded"])
    token.cancel()
    screen.data = nil
    await turns()
    #expect(phases.count == 3)
  }

  @MainActor @Test func `what is made in a group waits for turns as the group does`() async {
    let screen = Screen()
    var log: [String] = []
    let token = withGraphTracking {
      withGraphTrackingGroup {
        log.append("count \(screen.count)")
        screen.$isLoading.onChange { log.append("loading \($0)") }
      }
    }
    screen.count = 2
    screen.count = 3
    screen.isLoading = true
    screen.isLoading = false
    await turns()
    #expect(log == ["count 1", "loading false", "count 3", "loading false"])
    token.cancel()
  }

  @Test func `the nodes of an actor are delivered on the actor, once per turn`() async {
    let ledger = Ledger()
    await ledger.follow()
    await ledger.add(5)
    #expect(await ledger.result() == [0, 10])
  }

  @Test func `many regions use shared nodes at a time`() async {
    let sums = await withTaskGroup(of: Int.self) { tasks in
      for start in 0..<8 {
        tasks.addTask {
          let nodes = (0..<50).map { Stored($0 + start) }
          let sum = Computed { _ in nodes.reduce(0) { $0 + $1.value } }
          var last = 0
          let token = withGraphTrackingMap {
            sum.value
          } onChange: {
            last = $0
          }
          for node in nodes { node.set(node.value + 1) }
          token.cancel()
          return last - sum.value
        }
      }
      return await tasks.reduce(0, +)
    }
    #expect(sums == 0)
  }

  @Test func `a rule without a graph follows nodes of other graphs`() {
    let first = Graph().stored(1)
    let second = Graph().stored(10)
    let sum = Computed { _ in first.value + second.value }
    var heard: [Int] = []
    let token = withGraphTrackingMap {
      sum.value
    } onChange: {
      heard.append($0)
    }
    first.set(2)
    second.set(20)
    first.set(2)
    #expect(heard == [11, 12, 22])
    #expect(sum.value == 22)
    token.cancel()
    first.set(3)
    #expect(sum.value == 23)
  }

  @Test func `a group without a graph follows nodes of another graph`() {
    let node = Graph().stored(1)
    var heard: [Int] = []
    let token = withGraphTrackingGroup { heard.append(node.value) }
    node.set(2)
    token.cancel()
    node.set(3)
    #expect(heard == [1, 2])
  }

  @Test func `a stream has the present value and each change, for each reader by itself`() async {
    let node = Stored(0)
    let first = node.observe()
    let latest = node.observe(buffering: .bufferingNewest(1))
    for value in [1, 1, 2] { node.set(value) }
    first.cancel()
    latest.cancel()
    var heard: [Int] = []
    for await value in first { heard.append(value) }
    for await value in latest { heard.append(value + 100) }
    #expect(heard == [0, 1, 2, 102])
  }

  @Test func `a stream that is released leaves the node`() async {
    let graph = Graph()
    let node = graph.stored(0)
    do {
      var reader = node.observe().makeAsyncIterator()
      #expect(await reader.next() == 0)
      #expect(node.subscriberCount == 1)
    }
    #expect(node.subscriberCount == 0)
  }

  @MainActor @Test func `a change of a node is seen by the toolchain's observation`() {
    let screen = Screen()
    let heard = Heard()
    withObservationTracking {
      _ = screen.phase
    } onChange: {
      heard.note()
    }
    screen.count = 5
    #expect(heard.count == 0)
    screen.isLoading = true
    screen.isLoading = false
    #expect(heard.count == 1)
  }

  @MainActor @Test func `the values of nodes can be awaited by the toolchain's sequence`() async {
    let screen = Screen()
    var heard: [String] = []
    for await phase in Observations({ screen.phase }) {
      heard.append(phase)
      if phase == "loaded" { break }
      if phase == "empty" { screen.isLoading = true }
      if phase == "loading" {
        screen.isLoading = false
        screen.data = [1]
      }
    }
    #expect(heard == ["empty", "loading", "loaded"])
  }

  @MainActor @Test func `a node that was observed is freed with its owner`() {
    weak var freed: Stored<Int>?
    do {
      let node = Stored(1)
      freed = node
      withObservationTracking {
        _ = node.wrappedValue
      } onChange: {
      }
    }
    #expect(freed == nil)
  }

  @Test func `an equal object is stored and not delivered`() {
    final class Name: Equatable {
      let text: String
      init(_ text: String) { self.text = text }
      static func == (left: Name, right: Name) -> Bool { left.text == right.text }
    }
    let node = Stored(Name("a"))
    var count = 0
    let token = withGraphTracking { node.onChange { _ in count += 1 } }
    let other = Name("a")
    node.set(other)
    #expect(node.value === other)
    #expect(count == 1)
    token.cancel()
  }
}

@Suite struct PersistedNodeTests {
  private final class Settings {
    @GraphPersisted var volume: Int
    init(_ store: MemoryStore) { _volume = GraphPersisted(wrappedValue: 5, "volume", in: store) }
  }

  @Test func `a persisted property is read from its store and written to it`() {
    let store = MemoryStore(["volume": "7"])
    let settings = Settings(store)
    #expect(settings.volume == 7)
    settings.volume = 9
    #expect(store.text(for: "volume") == "9")
  }

  @Test func `two properties of one key are one node`() {
    let store = MemoryStore()
    let first = Settings(store)
    let second = Settings(store)
    var heard: [Int] = []
    let token = withGraphTracking { second.$volume.onChange { heard.append($0) } }
    first.volume = 6
    first.volume = 6
    store.nodes.reload("volume")
    store.setText("8", for: "volume")
    store.nodes.reload("volume")
    store.setText("loud", for: "volume")
    store.nodes.reload("volume")
    #expect(heard == [5, 6, 8, 5])
    token.cancel()
  }
}

/// A count that any thread may raise.
private final class Heard: Sendable {
  @MainActor private(set) var count = 0
  nonisolated func note() { MainActor.assumeIsolated { count += 1 } }
}

import StateGraph
import Testing

/// Random graphs against a model that computes everything again.
@Suite struct RandomGraphTests {
  @Test(arguments: 0..<60)
  func `a random graph agrees with computing everything again`(seed: UInt64) {
    let trial = Trial(seed: seed)
    for _ in 0..<60 { trial.step() }
    trial.finish()
  }
}

private final class Trial {
  /// The nodes that a computed node reads, and whether the first decides how many of the rest.
  private struct Recipe {
    let inputs: [Int]
    let isDynamic: Bool
    let divisor: Int
  }

  private struct Refusal: Error {}

  private struct Watch {
    let node: Int
    let token: AnyCancellable
    var last: Int
  }

  private final class Heard {
    var events: [[Int]] = []
  }

  private let graph = Graph()
  private var random: SeededRandom
  private var stored: [Stored<Int>] = []
  private var model: [Int] = []
  private var recipes: [Recipe] = []
  private var nodes: [GraphNode<Int>] = []
  private var watches: [Int: Watch] = [:]
  private var lastWatch = 0
  private let heard = Heard()

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    for index in 0..<(2 + random.below(4)) {
      stored.append(graph.stored(index))
      model.append(index)
    }
    nodes = stored
    for _ in 0..<(3 + random.below(15)) { addComputed() }
  }

  private func addComputed() {
    let inputs = (0..<(1 + random.below(4))).map { _ in random.below(nodes.count) }
    let recipe = Recipe(
      inputs: inputs, isDynamic: random.below(2) == 0, divisor: 1 + random.below(3))
    let sources = inputs.map { nodes[$0] }
    recipes.append(recipe)
    nodes.append(
      graph.computed { _ in Trial.evaluate(recipe) { sources[$0].value } })
  }

  private static func evaluate(_ recipe: Recipe, _ read: (Int) -> Int) -> Int {
    var sum = read(0)
    let count =
      recipe.isDynamic ? abs(sum) % recipe.inputs.count : recipe.inputs.count - 1
    for index in 0..<count { sum &+= read(index + 1) }
    return (sum % 1_000) / recipe.divisor
  }

  private func expected(_ node: Int) -> Int {
    if node < model.count { return model[node] }
    let recipe = recipes[node - model.count]
    return Trial.evaluate(recipe) { expected(recipe.inputs[$0]) }
  }

  func step() {
    switch random.below(8) {
    case 0: addWatch()
    case 1: removeWatch()
    case 2: readSome()
    case 3: addComputed()
    case 4: change { self.rollBack() }
    case 5: change { self.graph.transaction { self.write(1 + self.random.below(4)) } }
    case 6:
      change {
        graph.flushesAutomatically = false
        write(1 + random.below(4))
        readSome()
        graph.flush()
        graph.flushesAutomatically = true
      }
    default: change { self.write(1) }
    }
  }

  func finish() {
    readSome()
    watches = [:]
    nodes = []
    stored = []
    #expect(graph.nodeCount == 0)
    #expect(graph.edgeCount == 0)
  }

  private func addWatch() {
    let node = random.below(nodes.count)
    lastWatch += 1
    let id = lastWatch
    let token = graph.observe(nodes[node], initial: false) { [heard] in
      heard.events.append([id, $0])
    }
    watches[id] = Watch(node: node, token: token, last: expected(node))
  }

  private func removeWatch() {
    let ids = watches.keys.sorted()
    if ids.isEmpty { return }
    watches[ids[random.below(ids.count)]] = nil
  }

  private func readSome() {
    for _ in 0..<random.below(4) {
      let node = random.below(nodes.count)
      #expect(nodes[node].value == expected(node))
    }
  }

  private func write(_ count: Int) {
    for _ in 0..<count {
      let index = random.below(stored.count)
      let value = random.below(6) - 2
      stored[index].set(value)
      model[index] = value
      if random.below(3) == 0, graph.flushesAutomatically == false { readSome() }
    }
  }

  private func rollBack() {
    let before = model
    try? graph.transaction {
      write(1 + random.below(3))
      readSome()
      graph.transaction { write(1) }
      throw Refusal()
    }
    model = before
  }

  /// Performs a change and expects exactly those deliveries that it calls for, in order, and no
  /// node to be evaluated twice by the delivery.
  private func change(_ body: () -> Void) {
    heard.events = []
    body()
    var due: [[Int]] = []
    for id in watches.keys.sorted() {
      guard let watch = watches[id] else { continue }
      let value = expected(watch.node)
      if value != watch.last { due.append([id, value]) }
      watches[id]?.last = value
    }
    #expect(heard.events == due)
  }
}

/// A generator of reproducible random numbers.
private struct SeededRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }
}

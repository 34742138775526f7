import GraphCore

extension GraphBenchmark {
  /// A grid of nodes. Each reads some nodes of the row above, and some drop a dependency now and
  /// then. Sums and counts of evaluations equal those of other libraries.
  static func dynamicLayers(_ name: String) {
    for layers in Layers.all {
      let grid = LayerGrid(layers)
      _ = grid.run()
      grid.counter.count = 0
      var sum = 0.0
      let time = nanoseconds { sum = grid.run() }
      precondition(sum == layers.sum, "\(layers.name): sum \(sum)")
      precondition(grid.counter.count == layers.count, "\(layers.name): \(grid.counter.count)")
      report("dynamic-\(layers.name) ns-per-evaluation", time / Double(layers.count))
    }
  }
}

private struct Layers {
  let width: Int
  let layers: Int
  let staticFraction: Double
  let sources: Int
  let readFraction: Double
  let iterations: Int
  let sum: Double
  let count: Int

  var name: String { "\(sources)-\(width)x\(layers)" }

  static let all = [
    Layers(10, 5, 1, 2, 0.2, 600_000, 19_199_968, 3_480_000),
    Layers(10, 10, 0.75, 6, 0.2, 15_000, 302_310_782_860, 1_155_000),
    Layers(1_000, 12, 0.95, 4, 1, 7_000, 29_355_933_696_000, 1_463_000),
    Layers(1_000, 5, 1, 25, 1, 3_000, 1_171_484_375_000, 732_000),
    Layers(5, 500, 1, 3, 1, 500, 3.0239642676898464e241, 1_246_500),
    Layers(100, 15, 0.5, 6, 1, 2_000, 15_664_996_402_790_400, 1_078_000),
  ]

  init(
    _ width: Int, _ layers: Int, _ staticFraction: Double, _ sources: Int, _ readFraction: Double,
    _ iterations: Int, _ sum: Double, _ count: Int
  ) {
    self.width = width
    self.layers = layers
    self.staticFraction = staticFraction
    self.sources = sources
    self.readFraction = readFraction
    self.iterations = iterations
    self.sum = sum
    self.count = count
  }
}

private final class Counter {
  var count = 0
}

private struct LayerGrid {
  let graph = Graph()
  let counter = Counter()
  private let layers: Layers
  private let sources: [Stored<Double>]
  private var leaves: [GraphNode<Double>]

  init(_ layers: Layers) {
    self.layers = layers
    graph.flushesAutomatically = false
    let random = Random()
    sources = (0..<layers.width).map { [graph] in graph.stored(Double($0)) }
    leaves = sources
    for _ in 1..<layers.layers { leaves = row(above: leaves, random) }
    let drops = Random()
    let dropped = (Double(layers.width) * (1 - layers.readFraction)).rounded()
    for _ in 0..<Int(dropped) { leaves.remove(at: Int(drops.next() * Double(leaves.count))) }
  }

  /// Writes the sources one by one, reads the leaves after each, and returns the sum of the leaves.
  func run() -> Double {
    for turn in 0..<layers.iterations {
      let index = turn % layers.width
      sources[index].set(Double(turn + index))
      for leaf in leaves { _ = leaf.value }
    }
    return leaves.reduce(0) { $1.value + $0 }
  }

  private func row(above: [GraphNode<Double>], _ random: Random) -> [GraphNode<Double>] {
    above.indices.map { index in
      let inputs = (0..<layers.sources).map { above[(index + $0) % above.count] }
      return random.next() < layers.staticFraction ? fixed(inputs) : changing(inputs)
    }
  }

  private func fixed(_ inputs: [GraphNode<Double>]) -> GraphNode<Double> {
    let values = NodeValues(inputs)
    return graph.computed { [counter] _ in
      counter.count += 1
      var sum = 0.0
      for value in values { sum += value }
      return sum
    }
  }

  /// A node that leaves out one of its inputs while the first is odd.
  private func changing(_ inputs: [GraphNode<Double>]) -> GraphNode<Double> {
    let values = NodeValues(inputs)
    return graph.computed { [counter] _ in
      counter.count += 1
      var sum = values[0]
      let tail = values.count - 1
      let drops = Int(sum) & 1 == 1
      let left = Int(sum) % tail
      for index in 0..<tail where !(drops && index == left) { sum += values[index + 1] }
      return sum
    }
  }
}

/// The generator of random numbers that defines the shapes, seeded with the text "seed".
private final class Random {
  private var state: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
  private var hash: UInt32 = 2_166_136_261

  init() {
    for byte in "seed".utf8 { absorb(UInt32(byte)) }
    hash ^= 4
    state = (draw(), draw(), draw(), draw())
  }

  func next() -> Double {
    state.3 &+= 1
    let result = state.0 &+ state.1 &+ state.3
    state.0 = state.1 ^ (state.1 >> 9)
    state.1 = state.2 &+ (state.2 << 3)
    state.2 = Random.rotated(state.2, by: 21) &+ result
    return Double(result) / 4_294_967_296
  }

  private func absorb(_ byte: UInt32) {
    let mixed = Random.rotated(byte &* 3_432_918_353, by: 15)
    hash = Random.rotated(hash ^ (mixed &* 461_845_907), by: 13)
    hash = hash &* 5 &+ 3_864_292_196
  }

  private func draw() -> UInt32 {
    hash ^= hash >> 16
    hash = hash &* 2_246_822_507
    hash ^= hash >> 13
    hash = hash &* 3_266_489_909
    hash ^= hash >> 16
    return hash
  }

  private static func rotated(_ value: UInt32, by bits: UInt32) -> UInt32 {
    value << bits | value >> (32 - bits)
  }
}

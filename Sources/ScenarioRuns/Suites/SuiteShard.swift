import Values
import World

/// One of the parts into which several machines divide a suite.
package struct SuiteShard: Equatable, Sendable {
  /// The number of this part, from 1.
  package let index: Int
  package let count: Int

  /// The most parts of a suite.
  package static let mostParts = 10_000

  package init?(_ index: Int, of count: Int) {
    guard (1...Self.mostParts).contains(count), (1...count).contains(index) else { return nil }
    (self.index, self.count) = (index, count)
  }
}

/// The division of a suite into parts. It is the same on each machine, because it depends on names
/// and on recorded durations alone.
package struct SuiteDivision: Sendable {
  private let shard: SuiteShard
  /// The parts of the runs whose duration is known.
  private var parts: [String: Int] = [:]

  /// Makes a division in which the known runs take about the same time in each part. The longest
  /// comes first, and goes where there is the least.
  package init(_ shard: SuiteShard, durations: [String: Microseconds] = [:]) {
    self.shard = shard
    var sums = [Microseconds](repeating: 0, count: shard.count)
    let longestFirst = durations.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    for (name, duration) in longestFirst {
      let part = sums.indices.min { (sums[$0], $0) < (sums[$1], $1) } ?? 0
      sums[part] += max(duration, 1)
      parts[name] = part + 1
    }
  }

  /// Returns whether a run belongs to this part. One without a known duration is given to a part by
  /// its name.
  package func contains(_ name: String) -> Bool {
    if let part = parts[name] { return part == shard.index }
    var random = SeededRandom(seed: 0).stream(name)
    return random.int(in: 1...shard.count) == shard.index
  }
}

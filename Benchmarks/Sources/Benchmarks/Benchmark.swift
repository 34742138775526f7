/// One thing that is measured.
struct Benchmark: Sendable {
  var name: String
  var measure: @Sendable (Program) async throws -> [Figure]
}

/// A measured value with its unit.
struct Figure: Sendable {
  var name: String
  var value: Double
  var unit: String
  /// True if more of it is better, as with rates.
  var isRate: Bool { unit.hasPrefix("1/") }

  func json(of benchmark: String) -> String {
    let shown = value >= 1_000 ? value.rounded() : (value * 1_000).rounded() / 1_000
    return """
      {"benchmark":"\(benchmark)","figure":"\(name)","value":\(shown),"unit":"\(unit)"}
      """
  }
}

/// The number of rounds of which the best counts.
let rounds = 5

/// Measures two programs in turns, so that both find the same machine, and prints the ratios.
func compare(_ old: String, _ new: String, _ chosen: [Benchmark]) async -> Int32 {
  do {
    for benchmark in chosen {
      var ratios: [String: [Double]] = [:]
      for _ in 0..<rounds {
        let before = try await benchmark.measure(Program(path: old))
        let after = try await benchmark.measure(Program(path: new))
        for (before, after) in zip(before, after) {
          let ratio = after.isRate ? after.value / before.value : before.value / after.value
          ratios[after.name, default: []].append(ratio)
        }
      }
      for (name, all) in ratios.sorted(by: { $0.key < $1.key }) {
        let sorted = all.sorted()
        print(
          "\(benchmark.name) \(name): \(sorted[sorted.count / 2]) times as fast,",
          "\(sorted[0]) to \(sorted[sorted.count - 1])")
      }
    }
    return 0
  } catch {
    print(error)
    return 1
  }
}

/// One figure of a benchmark, measured in turns by an old and a new program.
///
/// Two runs one after the other share the state of the machine, so that the ratio of a pair says
/// more than two averages.
struct PairedFigure {
  var name: String
  var unit: String
  private(set) var old: [Double] = []
  private(set) var new: [Double] = []

  init(_ name: String, unit: String) {
    self.name = name
    self.unit = unit
  }

  mutating func add(old: Double, new: Double) {
    self.old.append(old)
    self.new.append(new)
  }

  /// The ratios of the pairs, so that more than 1 is faster.
  private var ratios: [Double] {
    zip(old, new).map { old, new in isRate ? new / old : old / new }.filter(\.isFinite)
  }

  /// True if a larger value is better: something per second.
  private var isRate: Bool { unit.contains("/") && !unit.hasPrefix("ns") && !unit.hasPrefix("us") }

  /// The median of the ratios.
  var speedup: Double { median(ratios) }

  /// The median distance of a ratio from their median.
  var noise: Double {
    let middle = speedup
    return median(ratios.map { abs($0 - middle) })
  }

  enum Outcome: String {
    case faster, slower
    case same = ""
  }

  /// The outcome; a difference that the noise may explain is none.
  var outcome: Outcome {
    let difference = speedup - 1
    if abs(difference) <= max(0.02, 3 * noise) { return .same }
    return difference > 0 ? .faster : .slower
  }

  /// The line of a table: `suite text-to-verdict   3255 → 3345 1/CPU-s   1.03 ±0.01`.
  func line(nameWidth: Int) -> String {
    let padding = String(repeating: " ", count: max(0, nameWidth - name.count))
    let values = "\(shown(median(old))) → \(shown(median(new))) \(unit)"
    let ratio = "\(hundredths(speedup)) ±\(hundredths(noise))"
    return "\(name)\(padding)  \(values)  \(ratio)  \(outcome.rawValue)"
  }

  private func shown(_ value: Double) -> String {
    value.magnitude >= 100 ? "\(Int(value.rounded()))" : hundredths(value)
  }

  private func hundredths(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e12 else { return "?" }
    let whole = Int((value * 100).rounded())
    let rest = whole % 100
    return "\(whole / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}

/// Returns the middle of some numbers; if there are two, their mean.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return .nan }
  let middle = sorted.count / 2
  return sorted.count.isMultiple(of: 2)
    ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

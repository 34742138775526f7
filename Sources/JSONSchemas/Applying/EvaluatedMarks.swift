/// The elements of a list or entries of a map that some schema has evaluated. The rules about
/// unevaluated ones read it.
final class EvaluatedMarks {
  private(set) var all = false
  private var flags: [Bool]

  init(count: Int) { flags = [Bool](repeating: false, count: count) }

  func mark(_ position: Int) { flags[position] = true }
  func markAll() { all = true }
  func isMarked(_ position: Int) -> Bool { all || flags[position] }

  /// Returns an empty set for another validation of the same value.
  func fresh() -> EvaluatedMarks { EvaluatedMarks(count: flags.count) }

  func add(_ other: EvaluatedMarks) {
    if other.all { all = true }
    for position in flags.indices where other.flags[position] { flags[position] = true }
  }
}

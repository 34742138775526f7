/// Returns the known name that a mistyped one probably means; nil if none is near enough to help.
///
/// Of names equally near, the first wins, so that a message never changes from run to run. Only the
/// first names are compared: in a file with thousands of names, thousands may be wrong.
public func nearestName(to name: String, among known: some Sequence<String>) -> String? {
  let wanted = Array(name.unicodeScalars)
  guard !wanted.isEmpty, wanted.count <= longestNameCompared else { return nil }
  let wantedLetters = LetterSet(name)
  var comparison = NameComparison(wanted)
  var best: String?
  var bestDistance = max(1, (wanted.count + 1) / 3) + 1
  for candidate in known.prefix(mostNamesCompared) {
    let letters = LetterSet(candidate)
    guard letters.leastDistance(from: wantedLetters) < bestDistance, candidate != name else {
      continue
    }
    let distance = comparison.distance(to: candidate.unicodeScalars)
    if distance < bestDistance, distance < letters.count {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/// Returns whether one slip turns a name into another: a letter inserted, removed, replaced or
/// swapped with its neighbour.
package func isOneSlip(from name: String, to other: String) -> Bool {
  var comparison = NameComparison(Array(name.unicodeScalars))
  return max(name.utf8.count, other.utf8.count) <= longestNameCompared
    && comparison.distance(to: other.unicodeScalars) == 1
}

/// The length of the longest name that is compared; the work grows with its square.
private let longestNameCompared = 100

/// The number of known names that are compared.
package let mostNamesCompared = 2000

/// The letters of a name without their order, which tell most names apart at once.
private struct LetterSet {
  private(set) var count = 0
  /// A bit for each letter; some letters share one.
  private var bits: UInt64 = 0

  init(_ name: String) {
    for letter in name.unicodeScalars {
      count += 1
      bits |= 1 << UInt64(letter.value % 64)
    }
  }

  /// Returns a number of changes that no two names with these letters can be nearer than: a change
  /// gives and takes at most one letter.
  func leastDistance(from other: LetterSet) -> Int {
    let only = (bits & ~other.bits).nonzeroBitCount
    let onlyOther = (other.bits & ~bits).nonzeroBitCount
    return max(abs(count - other.count), only, onlyOther)
  }
}

/// The comparison of one name with others. Its rows are used again for each.
private struct NameComparison {
  private let name: [Unicode.Scalar]
  private var other: [Unicode.Scalar] = []
  private var beforeLast: [Int] = []
  private var last: [Int] = []
  private var current: [Int] = []

  init(_ name: [Unicode.Scalar]) { self.name = name }

  /// Returns how many letters must be inserted, removed, replaced or swapped with their neighbour
  /// to turn one name into the other. A letter in the wrong case counts as replaced.
  mutating func distance(to letters: String.UnicodeScalarView) -> Int {
    other.removeAll(keepingCapacity: true)
    other.append(contentsOf: letters)
    last.removeAll(keepingCapacity: true)
    last.append(contentsOf: 0...other.count)
    for row in name.indices {
      current.removeAll(keepingCapacity: true)
      current.append(row + 1)
      for column in other.indices { current.append(cost(row, column)) }
      (beforeLast, last, current) = (last, current, beforeLast)
    }
    return last[other.count]
  }

  private func cost(_ row: Int, _ column: Int) -> Int {
    let same = name[row] == other[column]
    let cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (same ? 0 : 1))
    guard row > 0, column > 0, name[row] == other[column - 1], name[row - 1] == other[column]
    else { return cost }
    return min(cost, beforeLast[column - 1] + 1)
  }
}

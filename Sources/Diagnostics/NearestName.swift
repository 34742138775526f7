/// Returns the known name that a mistyped one probably means; nil if none is near enough to help.
///
/// Of names equally near, the first wins, so that a message never changes from run to run.
public func nearestName(to name: String, among known: some Sequence<String>) -> String? {
  let wanted = Array(name.unicodeScalars)
  guard !wanted.isEmpty, wanted.count <= longestNameCompared else { return nil }
  var best: String?
  var bestDistance = max(1, (wanted.count + 1) / 3) + 1
  for candidate in known {
    let letters = Array(candidate.unicodeScalars)
    guard abs(letters.count - wanted.count) < bestDistance, candidate != name else { continue }
    let distance = editDistance(wanted, letters)
    if distance < bestDistance, distance < letters.count {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/// The length of the longest name that is compared; the work grows with its square.
private let longestNameCompared = 100

/// Returns how many letters must be inserted, removed, replaced or swapped with their neighbour to
/// turn one name into the other. A letter in the wrong case counts as replaced.
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
  var beforeLast = [Int](repeating: 0, count: right.count + 1)
  var last = Array(0...right.count)
  for row in left.indices {
    var current = [row + 1]
    current.reserveCapacity(right.count + 1)
    for column in right.indices {
      let same = left[row] == right[column]
      var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (same ? 0 : 1))
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        cost = min(cost, beforeLast[column - 1] + 1)
      }
      current.append(cost)
    }
    (beforeLast, last) = (last, current)
  }
  return last[right.count]
}

import TextSearch

/// A part of two sequences that stand beside each other.
package enum AlignedPart: Equatable, Sendable {
  /// An element that both have, by its places.
  case same(Int, Int)
  /// The elements of each sequence between two such elements.
  case gap(Range<Int>, Range<Int>)
}

/// Lays two sequences beside each other, as `diff` does with the lines of two files.
package func aligned<Element>(
  _ a: [Element], _ b: [Element], by isSame: (Element, Element) -> Bool
) -> [AlignedPart] {
  var (removed, added) = (Set<Int>(), Set<Int>())
  for change in b.difference(from: a, by: isSame) {
    switch change {
    case .remove(let offset, _, _): removed.insert(offset)
    case .insert(let offset, _, _): added.insert(offset)
    }
  }
  var parts: [AlignedPart] = []
  var (i, j) = (0, 0)
  while i < a.count || j < b.count {
    let gap = (run(from: i, in: removed), run(from: j, in: added))
    if !gap.0.isEmpty || !gap.1.isEmpty { parts.append(.gap(gap.0, gap.1)) }
    (i, j) = (gap.0.upperBound, gap.1.upperBound)
    guard i < a.count, j < b.count else { break }
    parts.append(.same(i, j))
    (i, j) = (i + 1, j + 1)
  }
  return parts
}

private func run(from start: Int, in offsets: Set<Int>) -> Range<Int> {
  var end = start
  while offsets.contains(end) { end += 1 }
  return start..<end
}

/// The lines that differ between two texts, as `diff -u` shows them.
///
/// Lines are paired by the longest common part, found as Myers described it. Two texts with more
/// differences than the limit are shown as one whole against the other.
struct UnifiedDiff {
  private enum Line: Equatable {
    case same(Substring)
    case removed(Substring)
    case added(Substring)
  }

  /// The most differing lines that are searched for the shortest way.
  private static let mostDifferences = 1000
  /// The lines that are shown around each difference.
  private static let context = 3

  private let lines: [Line]

  init(_ old: String, _ new: String) {
    let before = UnifiedDiff.split(old)
    let after = UnifiedDiff.split(new)
    let start = zip(before, after).prefix { $0 == $1 }.count
    let tail = zip(before[start...].reversed(), after[start...].reversed())
    let end = tail.prefix { $0 == $1 }.count
    lines =
      before[..<start].map { .same($0) }
      + UnifiedDiff.pair(before[start..<before.count - end], after[start..<after.count - end])
      + before[(before.count - end)...].map { .same($0) }
  }

  /// Returns the lines of a text; the last one says so if it does not end.
  private static func split(_ text: String) -> [Substring] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let last = lines.popLast(), !last.isEmpty else { return lines }
    return lines + ["\(last)\n\\ No newline at end of file"]
  }

  /// Returns the text of the difference; empty if there is none.
  func text(from old: String, to new: String) -> String {
    let changed = lines.indices.filter { if case .same = lines[$0] { false } else { true } }
    guard !changed.isEmpty else { return "" }
    var text = "--- \(old)\n+++ \(new)\n"
    var remaining = changed[...]
    while let first = remaining.first {
      var last = first
      while let next = remaining.first, next - last <= 2 * UnifiedDiff.context {
        last = next
        remaining.removeFirst()
      }
      text += hunk(
        max(0, first - UnifiedDiff.context)...min(lines.count - 1, last + UnifiedDiff.context))
    }
    return text
  }

  private func hunk(_ range: ClosedRange<Int>) -> String {
    let before = count(lines[..<range.lowerBound])
    let inside = count(lines[range])
    let body = lines[range].map { line in
      switch line {
      case .same(let text): " \(text)\n"
      case .removed(let text): "-\(text)\n"
      case .added(let text): "+\(text)\n"
      }
    }
    return "@@ -\(before.old + 1),\(inside.old) +\(before.new + 1),\(inside.new) @@\n"
      + body.joined()
  }

  /// Returns how many lines of each text a part holds.
  private func count(_ lines: ArraySlice<Line>) -> (old: Int, new: Int) {
    lines.reduce(into: (old: 0, new: 0)) { count, line in
      switch line {
      case .same: count = (count.old + 1, count.new + 1)
      case .removed: count.old += 1
      case .added: count.new += 1
      }
    }
  }

  private static func pair(
    _ before: ArraySlice<Substring>, _ after: ArraySlice<Substring>
  ) -> [Line] {
    let (before, after) = (Array(before), Array(after))
    guard let steps = furthestReaches(before, after) else {
      return before.map { .removed($0) } + after.map { .added($0) }
    }
    return walkBack(steps, before, after)
  }

  /// Returns, for each number of differences, how far each diagonal reaches; nil above the limit.
  private static func furthestReaches(
    _ before: [Substring], _ after: [Substring]
  ) -> [[Int: Int]]? {
    var reach = [1: 0]
    var steps: [[Int: Int]] = []
    for count in 0...min(before.count + after.count, mostDifferences) {
      steps.append(reach)
      for diagonal in stride(from: -count, through: count, by: 2) {
        let goesDown = isDown(reach, diagonal, count)
        var x = goesDown ? reach[diagonal + 1] ?? 0 : (reach[diagonal - 1] ?? 0) + 1
        while x < before.count, x - diagonal < after.count, x - diagonal >= 0,
          before[x] == after[x - diagonal]
        {
          x += 1
        }
        reach[diagonal] = x
        if x >= before.count, x - diagonal >= after.count { return steps }
      }
    }
    return nil
  }

  private static func isDown(_ reach: [Int: Int], _ diagonal: Int, _ count: Int) -> Bool {
    diagonal == -count
      || (diagonal != count && (reach[diagonal - 1] ?? 0) < (reach[diagonal + 1] ?? 0))
  }

  private static func walkBack(
    _ steps: [[Int: Int]], _ before: [Substring], _ after: [Substring]
  ) -> [Line] {
    var (x, y) = (before.count, after.count)
    var lines: [Line] = []
    for (count, reach) in steps.enumerated().reversed() {
      let diagonal = x - y
      let previous = isDown(reach, diagonal, count) ? diagonal + 1 : diagonal - 1
      let previousX = reach[previous] ?? 0
      let previousY = previousX - previous
      while x > previousX, y > previousY, x > 0, y > 0 {
        lines.append(.same(before[x - 1]))
        (x, y) = (x - 1, y - 1)
      }
      guard count > 0 else { break }
      lines.append(x == previousX ? .added(after[y - 1]) : .removed(before[x - 1]))
      (x, y) = (previousX, previousY)
    }
    return lines.reversed()
  }
}

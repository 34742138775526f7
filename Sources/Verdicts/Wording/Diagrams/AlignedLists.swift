import TextSearch

/// The pairing of two lists' elements, in which an inserted or missing element is one difference.
///
/// The longest common subsequence decides if the lists are short enough for it; elements between
/// common ones are paired by position. Both ends are compared first, so that long lists that differ
/// in the middle take linear time.
struct AlignedLists {
  /// A part of the pairing.
  enum Piece: Equatable {
    /// Elements at these places are compared with each other.
    case pair(expected: Int, actual: Int)
    /// Expected elements without a partner, and the place where the actual list lacks them.
    case missing(Range<Int>, at: Int)
    case unexpected(Range<Int>)
  }

  /// More comparisons than this are not made for one alignment.
  static let mostComparisons = 10_000

  private(set) var pieces: [Piece] = []
  private let areAlike: (_ expected: Int, _ actual: Int) -> Bool

  /// The pieces in order; pairs of elements that are alike are left out.
  static func pieces(
    expected: Int, actual: Int, areAlike: @escaping (_ expected: Int, _ actual: Int) -> Bool
  ) -> [Piece] {
    var lists = AlignedLists(areAlike: areAlike)
    lists.align(expected, actual)
    return lists.pieces
  }

  private init(areAlike: @escaping (Int, Int) -> Bool) { self.areAlike = areAlike }

  private mutating func align(_ expected: Int, _ actual: Int) {
    let shorter = min(expected, actual)
    var first = 0
    while first < shorter, areAlike(first, first) { first += 1 }
    var last = 0
    while last < shorter - first, areAlike(expected - 1 - last, actual - 1 - last) { last += 1 }
    alignMiddle(first..<expected - last, first..<actual - last)
  }

  private mutating func alignMiddle(_ expected: Range<Int>, _ actual: Range<Int>) {
    guard expected.count * actual.count <= AlignedLists.mostComparisons else {
      return addGap(expected, actual)
    }
    var gap = (expected: expected.lowerBound, actual: actual.lowerBound)
    for pair in commonPairs(expected, actual) {
      addGap(gap.expected..<pair.expected, gap.actual..<pair.actual)
      gap = (pair.expected + 1, pair.actual + 1)
    }
    addGap(gap.expected..<expected.upperBound, gap.actual..<actual.upperBound)
  }

  /// Adds elements without a partner. As many as possible are compared with each other.
  private mutating func addGap(_ expected: Range<Int>, _ actual: Range<Int>) {
    let shared = min(expected.count, actual.count)
    for place in 0..<shared {
      pieces.append(
        .pair(expected: expected.lowerBound + place, actual: actual.lowerBound + place))
    }
    if expected.count > shared {
      pieces.append(.missing(expected.dropFirst(shared), at: actual.upperBound))
    } else if actual.count > shared {
      pieces.append(.unexpected(actual.dropFirst(shared)))
    }
  }

  /// A longest common subsequence, the earliest there is.
  private func commonPairs(
    _ expected: Range<Int>, _ actual: Range<Int>
  ) -> [(expected: Int, actual: Int)] {
    let width = actual.count + 1
    let alike = expected.map { one in actual.map { other in areAlike(one, other) } }
    var longest = [Int](repeating: 0, count: (expected.count + 1) * width)
    for row in stride(from: expected.count - 1, through: 0, by: -1) {
      for column in stride(from: actual.count - 1, through: 0, by: -1) {
        let place = row * width + column
        longest[place] =
          alike[row][column]
          ? longest[place + width + 1] + 1 : max(longest[place + width], longest[place + 1])
      }
    }
    var pairs: [(expected: Int, actual: Int)] = []
    var (row, column) = (0, 0)
    while row < expected.count, column < actual.count {
      let place = row * width + column
      if alike[row][column], longest[place] == longest[place + width + 1] + 1 {
        pairs.append((expected.lowerBound + row, actual.lowerBound + column))
        (row, column) = (row + 1, column + 1)
      } else if longest[place + width] >= longest[place + 1] {
        row += 1
      } else {
        column += 1
      }
    }
    return pairs
  }
}

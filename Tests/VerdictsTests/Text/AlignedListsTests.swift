import Testing

@testable import Verdicts

@Suite struct AlignedListsTests {
  static let cases: [(expected: String, actual: String, pieces: [AlignedLists.Piece])] = [
    ("abc", "abc", []),
    ("abc", "axbc", [.unexpected(1..<2)]),
    ("abc", "ac", [.missing(1..<2, at: 1)]),
    ("abc", "xbc", [.pair(expected: 0, actual: 0)]),
    ("", "abc", [.unexpected(0..<3)]),
    ("abcdef", "bcxdef", [.missing(0..<1, at: 0), .unexpected(2..<3)]),
    ("abcd", "adcb", [.missing(1..<3, at: 1), .unexpected(2..<4)]),
    ("aab", "ab", [.missing(1..<2, at: 1)]),
  ]

  @Test(arguments: cases)
  func `an element put in or left out is one difference`(
    expected: String, actual: String, pieces: [AlignedLists.Piece]
  ) {
    let (one, other) = (Array(expected), Array(actual))
    let found = AlignedLists.pieces(expected: one.count, actual: other.count) {
      one[$0] == other[$1]
    }
    #expect(found == pieces)
  }

  @Test func `lists too long to be aligned are compared place by place`() {
    var comparisons = 0
    let pieces = AlignedLists.pieces(expected: 1000, actual: 1001) { _, _ in
      comparisons += 1
      return false
    }
    #expect(pieces.count == 1001)
    #expect(pieces.last == .unexpected(1000..<1001))
    #expect(comparisons == 2)
  }

  @Test func `what is alike at both ends costs one comparison each`() {
    var comparisons = 0
    let pieces = AlignedLists.pieces(expected: 100_000, actual: 100_001) { one, other in
      comparisons += 1
      return other < 50_000 ? one == other : one + 1 == other
    }
    #expect(pieces == [.unexpected(50_000..<50_001)])
    #expect(comparisons < 100_010)
  }
}

import Testing
import Values

@Suite struct ValueOrderTests {
  /// Values of each kind that has an order, from the first to the last.
  static let ascending: [[Value]] = [
    [
      .double(-.infinity), .double(-1e19), .int(.min), .int(.min + 1), -9_007_199_254_740_993,
      .double(-9_007_199_254_740_992), -1, -0.5, 0, 0.5, .uint(1), 1.5, 2, 9_007_199_254_740_991,
      .double(9_007_199_254_740_992), 9_007_199_254_740_993, .uint(9_007_199_254_740_994),
      .int(.max - 1), .int(.max), .double(0x1p63), .uint(0x8000_0000_0000_0001), .uint(.max - 1),
      .uint(.max), .double(0x1p64), .double(1e300), .double(.infinity),
    ],
    ["", "a", "ab", "b", "e\u{301}", "z", "\u{E9}", "\u{FFFD}", "\u{1F431}"],
    [false, true],
    [.bytes([]), .bytes([0]), .bytes([0, 1]), .bytes([1]), .bytes([255])],
    [
      .timestamp(Timestamp(seconds: -1, nanoseconds: 5)), .timestamp(Timestamp(seconds: 0)),
      .timestamp(Timestamp(seconds: 0, nanoseconds: 1)), .timestamp(Timestamp(seconds: .max)),
    ],
    [
      .duration(TimeSpan(seconds: -2)), .duration(TimeSpan(seconds: -1, nanoseconds: -5)),
      .duration(TimeSpan(seconds: -1)), .duration(TimeSpan(seconds: 0, nanoseconds: 1)),
      .duration(TimeSpan(seconds: 1)),
    ],
  ]

  @Test(arguments: ascending)
  func `of two values in order the first is before, and each is the same as itself`(
    values: [Value]
  ) {
    for (place, first) in values.enumerated() {
      for (other, second) in values.enumerated() {
        let expected: ValueOrder = place < other ? .before : place == other ? .same : .after
        #expect(ValueOrder(first, second) == expected, "\(first) and \(second)")
      }
    }
  }

  @Test func `the same number of another kind is the same`() {
    #expect(ValueOrder(2, 2.0) == .same)
    #expect(ValueOrder(.uint(2), 2.0) == .same)
    #expect(ValueOrder(.uint(2), 2) == .same)
    #expect(ValueOrder(0, -0.0) == .same)
    #expect(ValueOrder(.int(.min), .double(-0x1p63)) == .same)
  }

  @Test func `numbers of any kinds are the same just where they are equal`() {
    let numbers = Self.ascending[0] + [2.0, .uint(2), .double(0x1p53), .int(1 << 53)]
    for first in numbers {
      for second in numbers {
        #expect((ValueOrder(first, second) == .same) == (first == second), "\(first), \(second)")
      }
    }
  }

  @Test func `what is no number has no place among numbers`() {
    for number: Value in [1, .uint(1), 1.0, .double(.infinity), .double(.nan)] {
      for order in [ValueOrder(number, .double(.nan)), ValueOrder(.double(.nan), number)] {
        #expect(order == .unordered)
        #expect(order?.isAtMost == false && order?.isAtLeast == false)
      }
    }
  }

  @Test func `values of different kinds have no order, nor have those without one`() {
    #expect(ValueOrder("1", 1) == nil)
    #expect(ValueOrder(true, 1) == nil)
    #expect(ValueOrder(.null, .null) == nil)
    #expect(ValueOrder([1], [1]) == nil)
    #expect(ValueOrder(["a": 1], ["a": 1]) == nil)
    #expect(ValueOrder(numbers: "a", "b") == nil)
    let time = Value.timestamp(Timestamp(seconds: 0))
    #expect(ValueOrder(time, .duration(TimeSpan(seconds: 0))) == nil)
  }
}

import Testing
import Values

/// Two texts that Swift's own operators find equal.
private struct Spellings: Sendable, CustomTestStringConvertible {
  var one: String
  var other: String
  var testDescription: String { one.unicodeScalars.map { String($0.value, radix: 16) }.joined() }
}

private struct Named: Hashable {
  var name: String
  var alias: String?
  var others: [String] = []
}

private let spellings = [
  Spellings(one: "e\u{301}", other: "\u{E9}"), Spellings(one: "K", other: "\u{212A}"),
  Spellings(one: ";", other: "\u{37E}"), Spellings(one: "\u{3A9}", other: "\u{2126}"),
  Spellings(one: "\u{1112}\u{1161}\u{11AB}", other: "\u{D55C}"),
  Spellings(one: "a\u{323}\u{307}", other: "a\u{307}\u{323}"),
  Spellings(one: "cafe\u{301} with a long name", other: "caf\u{E9} with a long name"),
]

@Suite struct TextEqualityTests {
  @Test(arguments: spellings)
  fileprivate func `texts are equal if their code points are`(_ pair: Spellings) {
    let (one, other) = (pair.one, pair.other)
    let present: String? = one
    let maybe: String? = other
    #expect(Set([one, other]).count == 1, "the standard library finds them equal")
    #expect(
      [one == other, other == one, present == maybe, maybe == one] == [false, false, false, false])
    #expect([one != other, present != maybe] == [true, true])
    #expect(
      [one[...] == other, one[...] == other[...], [one] == [other]] == [false, false, false])
    #expect(
      [[one].contains(other), one.hasPrefix(other), one.hasSuffix(other)] == [false, false, false])
    #expect([one].firstIndex(of: other) == nil)
    #expect([Set([one]).contains(other), [one: 1].keys.contains(other)] == [false, false])
    #expect([Set([one]).contains(one), [one: 1].keys.contains(one)] == [true, true])
    #expect((one < other) != (other < one))
    if case one = other { Issue.record("a pattern compares them") }
    #expect(one == String(one) && one[...] == one && [one].contains(one) && one.hasPrefix(one))
  }

  @Test func `a set and the keys of a dictionary are asked by hash, however many there are`() {
    let texts = (0..<20_000).map { "text \($0)" }
    let (set, map) = (Set(texts), Dictionary(uniqueKeysWithValues: texts.map { ($0, 0) }))
    // One text after the other, this would be half a billion comparisons.
    let clock = ContinuousClock()
    let time = clock.measure {
      #expect(texts.allSatisfy { set.contains($0) && map.keys.contains($0) })
    }
    #expect(time < .seconds(10))
  }

  @Test(arguments: spellings)
  fileprivate func `values, keys and structures compare texts alike`(_ pair: Spellings) {
    let (one, other) = (Value.string(pair.one), Value.string(pair.other))
    #expect(one != other && Set([one, other]).count == 2)
    #expect(ValueOrder(one, other) != .same)
    let maps = [ValueMap([(one, Value.int(1))]), ValueMap([(other, Value.int(1))])]
    #expect(maps[0] != maps[1] && maps[0] == ValueMap([(one, Value.int(1))]))
    var large = ValueMap((0..<40).map { (Value.int($0), Value.null) })
    large[one] = 1
    #expect(large[other] == nil && large[one] == 1)
    let names = [Named(name: pair.one), Named(name: pair.other)]
    #expect(names[0] != names[1] && Set(names).count == 2)
    #expect(Named(name: "", alias: pair.one) != Named(name: "", alias: pair.other))
    #expect(Named(name: "", others: [pair.one]) != Named(name: "", others: [pair.other]))
    let gathered = ValueMap(gathering: [
      (name: pair.one, text: "1"), (name: pair.other, text: "2"), (name: pair.other, text: "3"),
    ])
    #expect(gathered[one] == "1" && gathered[other] == ["2", "3"])
  }

  @Test func `names compare without regard to the case of A to Z alone`() {
    #expect("X-Request-ID".lowercasedASCII == "x-request-id")
    #expect("X-\u{212A}ey".lowercasedASCII == "x-\u{212A}ey")
    #expect("\u{C4}B"[...].lowercasedASCII == "\u{C4}b")
  }
}

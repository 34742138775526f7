import Testing
import Values

@Suite struct ValueMapTests {
  /// Keys of each form that a text has in memory: within the value, behind it, and written alike.
  private static let keys: [Value] = [
    "", "a", "b", "id", "identifier", "fifteen letters", "sixteen letters!",
    "a longer key than that",
    "a longer key than those", "é", "e\u{301}", "größe", "日本語日本語", 1, 2, true, 2.5,
  ]

  @Test func `each key finds its own value and no other`() {
    var map = ValueMap()
    for (number, key) in Self.keys.enumerated() { map[key] = .int(number) }
    #expect(map.count == Self.keys.count)
    for (number, key) in Self.keys.enumerated() { #expect(map[key] == .int(number), "\(key)") }
    #expect(map["absent"] == nil && map["sixteen letters?"] == nil && map[3] == nil)
  }

  @Test func `a text that was cut to a short one is the same key as the short text`() {
    var cut = "abcdefghijklmnopqrstuvwxyz"
    cut.removeLast(23)
    var reserved = "ab"
    reserved.reserveCapacity(100)
    let map = ValueMap([("abc", 1), ("ab", 2)])
    #expect(map[cut] == 1 && map[reserved] == 2)
    #expect(ValueMap([(.string(cut), 1), (.string(reserved), 2)]) == map)
  }

  @Test func `texts with the same look and other code points are different values and keys`() {
    #expect(Value.string("é") != .string("e\u{301}"))
    let map = ValueMap([("é", 1), ("e\u{301}", 2)])
    #expect(map.count == 2 && map["é"] == 1 && map["e\u{301}"] == 2)
  }

  @Test(arguments: [1, 2, 8, 31, 32, 33, 34, 100])
  func `a map of any size keeps its order, finds, changes and removes`(size: Int) {
    var map = ValueMap()
    for number in 0..<size { map["key \(number)"] = .int(number) }
    #expect(map.map(\.value) == (0..<size).map { .int($0) })
    let copy = map
    #expect(map.updateValue("new", forKey: "key 0") == 0)
    map["key \(size / 2)"] = nil
    #expect(map["key \(size / 2)"] == nil)
    if size > 2 { #expect(map["key \(size - 1)"] == .int(size - 1)) }
    #expect(map.count == size - 1)
    #expect(copy.count == size && copy["key 0"] == 0, "a copy was changed")
    map["key \(size / 2)"] = "again"
    #expect(map.keys.last == .string("key \(size / 2)"))
  }

  @Test(arguments: [3, 40])
  func `maps are equal in any order of their keys, and only with equal values`(size: Int) {
    let entries = (0..<size).map { (Value.string("key \($0)"), Value.int($0)) }
    #expect(ValueMap(entries) == ValueMap(entries.reversed()))
    #expect(ValueMap(entries) != ValueMap(entries.dropLast()))
    var other = ValueMap(entries.reversed())
    other["key 1"] = 1.0
    #expect(ValueMap(entries) == other)
    other["key 1"] = 1.5
    #expect(ValueMap(entries) != other)
    #expect(ValueMap(entries) != ValueMap(entries.map { (.string("x\($0.1)"), $0.1) }))
  }

  @Test func `a map that is read from text keeps the text until it is changed`() {
    let map = ValueMap([("a", 1)])
    var sent = map.sent(as: #"{ "a": 1 }"#)
    #expect(sent.textAsSent == #"{ "a": 1 }"# && map.textAsSent == nil && sent == map)
    let before = sent
    sent["b"] = 2
    #expect(sent.textAsSent == nil && before.textAsSent != nil)
  }
}

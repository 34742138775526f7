import Testing
import Values

@Suite struct ValueTextTests {
  @Test(
    arguments: [
      (["delta": "Hello"], #"{ delta: "Hello" }"#), ([1, 2], "[1, 2]"), ("loading", "loading"),
      ("true", #""true""#), ("y", #""y""#), ("12", #""12""#), ("", #""""#),
      ("two words", #""two words""#),
      ("/fact", "/fact"), (.map(ValueMap()), "{}"), (.list([]), "[]"), (.double(2), "2.0"),
      (["$gt": 1], "{ $gt: 1 }"), (["No": 1], #"{ "No": 1 }"#), (.double(.infinity), ".inf"),
      (["catFacts.fact": .null], "{ catFacts.fact: null }"), ("a\nb", #""a\nb""#),
    ] as [(Value, String)])
  func `a value is shown as a scenario writes it`(value: Value, text: String) {
    #expect(value.display == text)
  }

  @Test func `short values are shown whole`() {
    #expect(Value.list([1, 2]).display(maxLength: 6) == "[1, 2]")
    #expect(Value.bytes([0, 0x41, 0xFF]).display == #"b"\x00\x41\xff""#)
    #expect(Value.bytes(Array(0...99)).display(maxLength: 12) == #"b"\x00\x01…""#)
  }

  @Test func `long values give way before short ones, and entries go last`() {
    let body = String(repeating: "x ", count: 50)
    let value: Value = ["status": 503, "body": .string(body), "tail": true]
    #expect(value.display(maxLength: 40) == "{ status: 503, body: …, tail: true }")
    #expect(value.display(maxLength: 30) == "{ status: 503, body: …, … }")
  }

  @Test func `of a list of which not all can be named the first are shown`() {
    let numbers = Value.list((1_000..<9_000).map { .int($0) })
    #expect(numbers.display(maxLength: 30) == "[1000, 1001, 1002, 1003, …]")
  }

  @Test(arguments: [5, 10, 20, 40, 80])
  func `shortened text keeps to its length`(length: Int) {
    let words = Value.list((0..<100).map { .string("word number \($0)") })
    let values: [Value] = [words, ["a": words], .string(String(repeating: "é", count: 200))]
    for value in values { #expect(value.display(maxLength: length).count <= length + 6) }
  }
}

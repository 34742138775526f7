import Testing
import Values

@Suite struct JSONWritingTests {
  @Test(
    arguments: [
      (Value.null, "null"), (1, "1"), (.int(.min), "-9223372036854775808"),
      (.uint(.max), "18446744073709551615"), (.double(1), "1.0"), (.double(0.1), "0.1"),
      (.double(-.infinity), #""-Infinity""#), (.double(.nan), #""NaN""#),
      ("a\"\\\n\u{1}\u{1F}é", #""a\"\\\n\u0001\u001fé""#),
      (["a": [1, .null], "b": .map(ValueMap())], #"{"a":[1,null],"b":{}}"#),
      (.bytes([1, 2, 3, 4]), #""AQIDBA==""#),
      (.timestamp(Timestamp(seconds: 0)), #""1970-01-01T00:00:00Z""#),
      (.duration(TimeSpan(seconds: 5400)), #""5400s""#), ([1: true], #"{"1":true}"#),
      (.optional(nil), "null"), (.optional(.some(2)), "2"), (.type("int"), #""int""#),
    ] as [(Value, String)])
  func `a value is written as compact JSON`(value: Value, text: String) {
    #expect(value.json() == text)
  }

  @Test func `pretty text is indented by two`() {
    let value: Value = ["b": [1, ["c": .null]], "a": []]
    #expect(
      value.json(pretty: true)
        == """
        {
          "b": [
            1,
            {
              "c": null
            }
          ],
          "a": []
        }
        """)
  }

  @Test func `keys can be sorted at every level`() {
    let value: Value = ["b": ["z": 1, "y": 2], "a": 0]
    #expect(value.json(sortedKeys: true) == #"{"a":0,"b":{"y":2,"z":1}}"#)
  }

  @Test func `appending keeps what was there`() {
    var bytes = Array("x=".utf8)
    Value.list([1, "a"]).appendJSON(to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == #"x=[1,"a"]"#)
  }

  @Test(arguments: [0.1, 1e300, -.leastNonzeroMagnitude, 123_456_789.123, 1e16, -0.5])
  func `a double reads back as itself`(number: Double) {
    guard case .success(.double(let again)) = parseJSON(Value.double(number).json()) else {
      Issue.record("not a double")
      return
    }
    #expect(again.bitPattern == number.bitPattern)
  }
}

import Testing
import Traces
import Values

@Suite struct TraceValueTests {
  private static let values: [(Value, String)] = [
    (.null, "null"),
    (.int(.min), "-9223372036854775808"),
    (.uint(.max), "18446744073709551615"),
    (1.0, "1.0"),
    (.double(.infinity), #"{"$number":"inf"}"#),
    (.double(-.infinity), #"{"$number":"-inf"}"#),
    (.double(.nan), #"{"$number":"nan"}"#),
    (.double(-0.0), #"{"$number":"-0"}"#),
    (.bytes([0, 255]), #"{"$bytes":"AP8="}"#),
    (.timestamp(Timestamp(seconds: 0)), #"{"$time":"1970-01-01T00:00:00Z"}"#),
    (
      .duration(TimeSpan(seconds: 1, nanoseconds: 500_000_000)), #"{"$duration":"1.5s"}"#
    ),
    (.type("int"), #"{"$type":"int"}"#),
    (.optional(nil), #"{"$optional":[]}"#),
    (.optional(2), #"{"$optional":[2]}"#),
    (["$bytes": "no bytes"], #"{"$map":{"$bytes":"no bytes"}}"#),
    (["$anything": 1], #"{"$map":{"$anything":1}}"#),
    (["$body": "x", "bytes": 2], #"{"$map":{"$body":"x","bytes":2}}"#),
    (["$a": 1, "$b": 2], #"{"$a":1,"$b":2}"#),
    ([2: "b", 1: "a"], #"{"$entries":[[1,"a"],[2,"b"]]}"#),
    (["b": 1, "a": [.bytes([1])]], #"{"a":[{"$bytes":"AQ=="}],"b":1}"#),
  ]

  @Test func `a map that is written again has the text of its first time`() {
    let maps = TraceValueTests.values.map { value, _ -> Value in
      ["long": .string(String(repeating: "x", count: 80)), "inner": value]
    }
    var writer = TraceWriter()
    for _ in 1...2 {
      for map in maps {
        // Deeper in its value, a map is written as it was on top; behind the limit, it is not.
        let deep = (1...TraceLimit.depth).reduce(map) { value, _ in [value] }
        for value in [map, ["payload": map], deep] {
          let fresh = TraceValue(json: TraceValue(value).json)
          var other = TraceWriter()
          #expect(
            writer.write(TraceLine(.emitted, value)).bytes
              == other.write(TraceLine(fresh)).bytes)
        }
      }
    }
  }

  @Test(arguments: values)
  func `a value has one form, and the form gives the value back`(
    value: Value, json: String
  ) throws {
    let written = TraceValue(value)
    #expect(written.json.json(sortedKeys: true) == json)
    let read = TraceValue(json: try parseJSON(json).get())
    #expect(try read.decoded().get() == value)
  }

  private static let broken: [(String, TraceValueProblem)] = [
    (#"{"$bytes":7}"#, .badEncoding(.bytes)),
    (#"{"$bytes":"?"}"#, .badEncoding(.bytes)),
    (#"{"$time":"soon"}"#, .badEncoding(.time)),
    (#"{"$number":"1"}"#, .badEncoding(.number)),
    (#"[{"$entries":[[1]]}]"#, .badEncoding(.entries)),
    (#"{"$body":"abc","bytes":70000}"#, .body(.noFolder(hash: "abc"))),
  ]

  @Test(arguments: broken)
  func `a form that is not whole has no value`(json: String, problem: TraceValueProblem) throws {
    let read = TraceValue(json: try parseJSON(json).get())
    #expect(read.decoded() == .failure(problem))
  }

  @Test func `a value that is nested deeply is read back`() throws {
    var value: Value = [1]
    for level in 0..<1_000 { value = level.isMultiple(of: 3) ? ["a": value] : [value] }
    let json = TraceValue(value).json.json(sortedKeys: true)
    let read = TraceValue(json: try parseJSON(json).get())
    #expect(try read.decoded().get() == value)
  }

  @Test func `a secret is what its reader gives for it`() throws {
    let read = TraceValue(json: ["a": TraceValue.secret("pin").json])
    let resolver = TraceResolver(secret: { ["name": .string($0)] })
    #expect(try read.decoded(resolver).get() == ["a": ["name": "pin"]])
    #expect(read.hasPlaceholder)
  }
}

extension TraceLine {
  fileprivate init(_ value: TraceValue) {
    self.init(.emitted)
    self.value = value
  }
}

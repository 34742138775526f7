import Testing
import Values

private func problem(_ text: String) -> JSONProblem? {
  if case .failure(let problem) = parseJSON(text) { problem } else { nil }
}

@Suite struct JSONReadingTests {
  @Test(
    arguments: [
      ("null", Value.null), (" true ", true), ("{}", .map(ValueMap())),
      ("-12", .int(-12)), ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
      ("9223372036854775808", .uint(9_223_372_036_854_775_808)),
      ("18446744073709551616", .digits("18446744073709551616")),
      ("-9223372036854775809", .digits("-9223372036854775809")), ("1.5e3", .double(1500)),
      ("[]", .list([])), (#""a\n\u00e9\ud83d\ude00/""#, "a\né😀/"),
      (#"{"a":[1,{"b":null}]}"#, ["a": [1, ["b": .null]]]),
    ] as [(String, Value)])
  func `a JSON text reads as its value`(text: String, value: Value) {
    #expect(parseJSON(text) == .success(value))
  }

  @Test(arguments: [
    (#"{"s":1e400}"#, "a JSON number fits into a double, at line 1, column 6"),
    (
      "{\n \"é\": [1\n}",
      "a comma or a closing bracket follows an element in JSON, at line 3, column 1"
    ),
    (#"["é" x]"#, "a comma or a closing bracket follows an element in JSON, at line 1, column 6"),
    ("[1,\n", "the JSON text ends before its value does, at line 2, column 1"),
    ("", "the JSON text ends before its value does, at line 1, column 1"),
  ])
  func `a problem without an excerpt has its line and its column`(_ text: String, _ words: String) {
    #expect(problem(text)?.text(in: text.utf8) == words)
  }

  @Test func `numbers keep the kind their text has`() {
    let kinds = ["1", "9223372036854775808", "1.0"].map { text -> String in
      switch parseJSON(text) {
      case .success(.int): "int"
      case .success(.uint): "uint"
      case .success(.double): "double"
      default: "other"
      }
    }
    #expect(kinds == ["int", "uint", "double"])
  }

  @Test(arguments: [
    ("", JSONProblem.Kind.unexpectedEnd, 0), ("[1,", .unexpectedEnd, 3),
    ("[1 2]", .expectedCommaOrEnd, 3),
    ("{a:1}", .expectedKey, 1), (#"{"a" 1}"#, .expectedColon, 5), ("01", .invalidNumber, 0),
    ("-x", .invalidNumber, 1), ("1e999", .numberTooLarge, 0), (#""\x""#, .invalidEscape, 1),
    (#""\ud800""#, .loneSurrogate, 1), (#""\udc00a""#, .loneSurrogate, 1),
    ("\"a\nb\"", .controlCharacter, 2), ("1 1", .textAfterValue, 2), ("nul", .unexpectedEnd, 3),
    ("nulx", .expectedValue, 0), ("[1,]", .expectedValue, 3), ("\"abc", .unexpectedEnd, 4),
  ])
  func `a broken text is refused at the place of its problem`(
    text: String, kind: JSONProblem.Kind, offset: Int
  ) {
    #expect(problem(text) == JSONProblem(kind: kind, offset: offset))
  }

  @Test func `invalid bytes are refused at their offset`() {
    let result = parseJSON([0x22, 0x61, 0xC3, 0x28, 0x22])
    #expect(result == .failure(JSONProblem(kind: .invalidUTF8, offset: 2)))
  }

  @Test func `of two entries with one key the later stands, or both are refused`() {
    let text = #"{"a":1,"b":2,"a":3}"#
    #expect(parseJSON(text) == .success(["a": 3, "b": 2]))
    let refused = parseJSON(text, refusingDuplicateKeys: true)
    #expect(refused == .failure(JSONProblem(kind: .duplicateKey("a", first: 1), offset: 13)))
  }

  @Test func `maps keep the order of their keys`() throws {
    let names = (0..<20).map { "k\(19 - $0)" }
    let text = "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
    guard case .map(let map) = try parseJSON(text).get() else { throw CancellationError() }
    #expect(map.keys == names.map { .string($0) })
  }

  @Test func `nesting is bounded`() {
    let deepest = String(repeating: "[", count: JSONLimit.depth)
    let closing = String(repeating: "]", count: JSONLimit.depth)
    #expect(problem(deepest + closing) == nil)
    #expect(problem("[" + deepest + closing + "]")?.kind == .tooDeep)
  }

  @Test func `no bytes crash the reader`() {
    let seeds = [#"{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00",null,true]}"#, "[[[[1]]]]", "\"é😀\""]
    var state: UInt64 = 42
    for round in 0..<20_000 {
      var bytes = Array(seeds[round % seeds.count].utf8)
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 56)
      }
      if case .failure(let problem) = parseJSON(bytes) {
        #expect((0...bytes.count).contains(problem.offset))
      }
    }
  }
}

import CEL
import Testing
import Values

@Suite struct LimitTests {
  private static let digits = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]"

  @Test func `an evaluation that never seems to end is stopped`() {
    var text = "true"
    for depth in 0..<9 { text = "\(LimitTests.digits).all(x\(depth), \(text))" }
    #expect(complaint(text)?.contains("\(CELLimits.steps) steps") == true)
  }

  @Test func `a text that doubles and doubles is stopped`() {
    var text = "x"
    for _ in 0..<40 { text = "cel.bind(x, x + x, \(text))" }
    #expect(complaint(text, ["x": "0123456789"])?.contains("bytes; it was stopped") == true)
  }

  @Test func `a list that doubles and doubles is stopped`() {
    var text = "x"
    for _ in 0..<40 { text = "cel.bind(x, x + x, \(text))" }
    #expect(complaint(text, ["x": [1, 2]])?.contains("elements; it was stopped") == true)
  }

  @Test func `a shared list that is compared leaf by leaf is stopped`() {
    var text = "x == y"
    for _ in 0..<40 { text = "cel.bind(x, [x, x], cel.bind(y, [y, y], \(text)))" }
    #expect(complaint(text, ["x": 1, "y": 1])?.contains("steps") == true)
  }

  @Test func `a pattern that backtracks without end is stopped`() {
    let text = String(repeating: "a", count: 40) + "!"
    #expect(complaint("t.matches('^(a+)+$')", ["t": .string(text)])?.contains("too long") == true)
  }

  @Test func `a pattern that only walks along is matched however long the text is`() {
    let text = String(repeating: "ab", count: 20_000)
    #expect(value("t.matches('^(a|b)*$')", ["t": .string(text)]) == true)
    #expect(value("t.matches(dyn('^(a|b)*$'))", ["t": .string(text)]) == true)
  }

  @Test(arguments: ["(", "[", "-", "!", "{1:", "a[", "f(", "true?1:", "1+", "a.b.", "[0].map(x,"])
  func `nesting without end is refused`(opening: String) {
    let text = String(repeating: opening, count: 5000) + "1"
    let found = problem(text)
    #expect(["expression-too-deep", "expression-syntax"].contains(found?.id))
  }

  @Test func `a chain of thousands of bools is no nesting`() {
    let text = Array(repeating: "false", count: 5000).joined(separator: " || ")
    #expect(value(text) == false)
  }

  @Test func `an expression longer than any honest one is refused`() {
    let text = String(repeating: "1 ", count: CELLimits.textLength)
    #expect(problem(text)?.id == "expression-too-long")
  }

  @Test func `no cut-off or garbled expression crashes the compiler`() {
    let text =
      "a.?b[?1].map(x, {'k': x ? b'\\x41' : r\"\"\"q\"\"\"}).f(1u, 0x1F, .5e3) in [!-c, null] // r"
    let bytes = Array(text.utf8)
    for length in 0...bytes.count {
      _ = compileCEL(String(decoding: bytes[..<length], as: UTF8.self), scope: CELScope())
      _ = compileCEL(String(decoding: bytes[length...], as: UTF8.self), scope: CELScope())
    }
    var state: UInt64 = 7
    for _ in 0..<2000 {
      var garbled = bytes
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1
        let from = Int(state >> 33) % bytes.count
        garbled[Int(state >> 40) % bytes.count] = bytes[from]
      }
      _ = compileCEL(String(decoding: garbled, as: UTF8.self), scope: CELScope(), checked: false)
    }
  }
}

@Suite struct ExpressionEndTests {
  @Test(arguments: [
    ("a} rest", 1), ("{'k': 1}.k}", 10), ("'}' + \"}\"}", 9), ("r'\\' + x}", 8),
    ("'''a'}'b'''}", 11), ("b\"\\\"}\"}", 6), ("`a}`}", 4), ("{'a': {'b': '}'}}}", 17),
    ("open", nil), ("'open}", nil), ("{1: 2}", nil), ("", nil),
  ])
  func `the brace that closes an expression is found`(text: String, end: Int?) {
    let bytes = Array("xx\(text)".utf8)
    #expect(endOfExpression(in: bytes[2...]) == end.map { $0 + 2 })
  }
}

import Testing
import Values

@testable import CEL

@Suite struct LanguageTests {
  @Test(
    arguments: [
      ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("7 - 2 - 1", 4), ("17 / 5", 3), ("-17 / 5", -3),
      ("-17 % 5", -2), ("--4", 4), ("0x1F", 31), ("-9223372036854775808", .int(.min)),
      ("2u * 3u", .uint(6)), ("0xFFu", .uint(255)), ("1.5e3 / 2.0", 750.0), (".5 + .25", 0.75),
      ("'a' + \"b\" + r'\\n'", "ab\\n"), ("'''it's'''", "it's"), ("'\\u00e9\\x41\\101'", "éAA"),
      ("b'\\xff\\000'", .bytes([255, 0])), ("[1] + [2, 3]", [1, 2, 3]),
      ("{'a': [1, 2]}.a[1]", 2), ("{1: 'x'}[1.0]", "x"), ("[10, 20][dyn(1u)]", 20),
      ("true ? 1 : 2", 1), ("1 < 2 && !(3 < 2)", true), ("2 in [1, 2]", true),
      ("'k' in {'k': null}", true), ("{'a': 1}.`a`", 1), ("1 // the rest is a remark", 1),
      ("[1, 2,]", [1, 2]), ("type(1) == int", true), ("type(type(1))", .type("type")),
      ("{'in': 1}.in", 1), ("{'for': 2}.for", 2),
    ] as [(String, Value)])
  func `an expression has the value the language gives it`(text: String, expected: Value) {
    #expect(value(text) == expected)
  }

  @Test(arguments: [
    ("9223372036854775807 + 1", "overflow"), ("-9223372036854775807 - 2", "overflow"),
    ("4611686018427387904 * 2", "overflow"), ("0u - 1u", "overflow"),
    ("-(-9223372036854775807 - 1)", "overflow"), ("(-9223372036854775807 - 1) / -1", "overflow"),
    ("1 / 0", "divide by zero"), ("1 % 0", "division by zero"), ("1u / 0u", "divide by zero"),
    ("[1][1]", "outside"), ("[1][-1]", "outside"), ("[1][dyn(0.5)]", "whole number"),
    ("{'name': 1}.nme", "did you mean 'name'"), ("{'a': 1, 'a': 2}", "repeated key"),
    ("{1: 1, 1u: 2}", "repeated key"), ("{dyn(1.5): 1}", "unsupported key"),
    ("dyn(1) + dyn('a')", "no such overload"), ("dyn(null) < dyn(null)", "no such overload"),
    ("dyn(1) && true", "no such overload"), ("dyn('x').size.y", "has no fields"),
    ("dyn(5).exists(x, x)", "no elements"),
  ])
  func `what cannot be computed fails and says why`(text: String, words: String) {
    #expect(complaint(text)?.contains(words) == true, "\(complaint(text) ?? "a value")")
  }

  @Test(arguments: [
    ("dyn(1) == 1.0", true), ("dyn(1u) == 1", true), ("1 < 1.5", true), ("dyn(-1) < 0u", true),
    ("0.0 / 0.0 == 0.0 / 0.0", false), ("[0.0 / 0.0] == [0.0 / 0.0]", false),
    ("dyn(0.0 / 0.0) != 0.0", true), ("'Am\\u00E9' == 'Ame\\u0301'", false),
    ("'a' < 'b' && 'B' < 'a' && 'z' < 'é'", true), ("b'a' < b'ab'", true),
    ("false < true", true), ("{'a': 1, 'b': 2} == {'b': 2u, 'a': 1.0}", true),
    ("dyn('1') == dyn(1)", false), ("dyn([1]) == dyn({0: 1})", false), ("null == null", true),
    ("0.0 / 0.0 < 1.0", false), ("0.0 / 0.0 >= 1.0", false),
  ])
  func `values compare by what they stand for`(text: String, expected: Bool) {
    #expect(value(text) == .bool(expected))
  }

  @Test(arguments: [
    ("false && 1 / 0 == 0", false), ("1 / 0 == 0 && false", false),
    ("true || 1 / 0 == 0", true), ("1 / 0 == 0 || true", true),
    ("1 / 0 == 0 || 1 / 0 == 0 || true", true), ("[0, 2].exists(x, 2 / x == 1)", true),
    ("[0, 2].all(x, 2 / x == 5)", false), ("true ? true : 1 / 0 == 0", true),
  ])
  func `one side that decides makes up for a failure on the other`(text: String, expected: Bool) {
    #expect(value(text) == .bool(expected))
  }

  @Test(arguments: ["1 / 0 == 0 && true", "false || 1 / 0 == 0", "[0, 2].all(x, 2 / x == 1)"])
  func `a failure nothing makes up for is kept`(text: String) {
    #expect(complaint(text) == "divide by zero")
  }

  @Test func `a failure names the part of the expression to blame`() throws {
    var scope = CELScope()
    scope.declare("n", slot: 0)
    let result = try program("1 + (10 / n) * 2", scope).evaluate(FixedSlots([0]))
    let failure = CELFailure(offset: 5, length: 6, message: "divide by zero")
    #expect(result == .failure(failure))
  }
}

import CEL
import Testing
import Values

@Suite struct CheckingTests {
  private static func stage() -> CELScope {
    var scope = CELScope()
    scope.declare("count", type: .int, slot: 0)
    scope.declare("title", type: .string, slot: 1)
    scope.declare("items", type: .list(.int), slot: 2)
    scope.declare("anything", slot: 3)
    scope.declare("facts.list", slot: 4)
    scope.declare("facts.state", slot: 5)
    return scope
  }

  @Test(arguments: [
    ("coutn + 1", "unknown-name", 0, 5, "did you mean `count`?"),
    ("1 + titel.size()", "unknown-name", 4, 5, "did you mean `title`?"),
    ("items.fliter(i, true)", "unknown-function", 6, 6, "did you mean `filter`?"),
    ("title.startWith('a')", "unknown-function", 6, 9, "did you mean `startsWith`?"),
    ("title.toLowerCase()", "unknown-function", 6, 11, "did you mean `lowerAscii`?"),
    ("math.ciel(1.5)", "unknown-function", 5, 4, "did you mean `math.ceil`?"),
    ("math.max(1, 2)", "unknown-function", 5, 3, "did you mean `math.greatest`?"),
    ("count == True", "unknown-name", 9, 4, "did you mean `true`?"),
    ("facts.lits", "unknown-name", 6, 4, "did you mean `facts.list`?"),
    ("facts.nothing", "unknown-name", 6, 7, "known here: `list`, `state`"),
    ("fatcs.list", "unknown-name", 0, 5, "did you mean `facts`?"),
    ("sizee(title)", "unknown-function", 0, 5, "did you mean `size`?"),
    ("not(count == 1)", "unknown-function", 0, 3, "did you mean `!`?"),
    ("items.sorted()", "unknown-function", 6, 6, "did you mean `sort`?"),
    ("items.sortby(i, i)", "unknown-function", 6, 6, "did you mean `sortBy`?"),
    ("regex.extrct(title, 'a')", "unknown-function", 6, 6, "did you mean `regex.extract`?"),
    ("json.parse(title)", "unknown-function", 5, 5, "did you mean `json.decode`?"),
    ("range(count)", "unknown-function", 0, 5, "did you mean `lists.range`?"),
    ("[1].map(number, numbr)", "unknown-name", 16, 5, "did you mean `number`?"),
  ])
  func `a mistyped name is found with its place and the nearest name`(
    text: String, id: String, offset: Int, length: Int, help: String
  ) {
    let found = problem(text, CheckingTests.stage())
    #expect(found?.id.rawValue == id)
    #expect(found?.offset == offset)
    #expect(found?.length == length)
    #expect(found?.help == help)
  }

  @Test(arguments: [
    ("count + title", "wrong-types", 0), ("1 + 1.0", "wrong-types", 0),
    ("count == 'one'", "wrong-types", 0), ("count && true", "wrong-types", 0),
    ("!title", "wrong-types", 1), ("title ? 1 : 2", "wrong-types", 0),
    ("'x' in items", "wrong-types", 0), ("items['x']", "wrong-types", 0),
    ("count.field", "wrong-types", 6), ("-title", "wrong-types", 0),
    ("title.contains(1)", "wrong-arguments", 0), ("title.contains()", "wrong-arguments", 0),
    ("size(1)", "wrong-arguments", 0), ("title.all(c, true)", "wrong-types", 0),
    ("items.all(i, i)", "wrong-types", 13), ("title.matches('(')", "invalid-literal", 14),
    ("duration('soon')", "invalid-literal", 9), ("count.orValue(1)", "wrong-types", 0),
    ("[] < []", "wrong-types", 0), ("title.sort()", "wrong-arguments", 0),
    ("items.sortBy(count)", "unknown-function", 6), ("title.sortBy(c, c)", "wrong-types", 0),
    ("hash.sha256(count)", "wrong-arguments", 0), ("items.slice('1')", "wrong-arguments", 0),
    ("regex.extract(title, '(')", "invalid-literal", 21),
    ("timestamp(0).format('%Q')", "invalid-literal", 20),
    ("hash.hmac('sha512', title, title)", "invalid-literal", 10),
  ])
  func `a wrong type is found before anything runs`(text: String, id: String, offset: Int) {
    let found = problem(text, CheckingTests.stage())
    #expect(found?.id.rawValue == id)
    #expect(found?.offset == offset)
  }

  @Test(arguments: [
    "anything + 1", "anything.a.b[0] == 'x'", "anything ? 1 : 'two'", "count == 1.5",
    "title == null", "anything.exists(x, x.y)", "[1, 'two', null]", "size(anything)",
    "anything in anything", "anything.matches(anything)", "-anything", "!anything",
    "[].exists(x, x == 1)", "{}.a", "anything.orValue(1)", "items[0] + count",
  ])
  func `where a type is not known nothing is refused`(text: String) {
    #expect(problem(text, CheckingTests.stage()) == nil)
  }

  @Test(
    arguments: [
      ("1", .int), ("[1, 2]", .list(.int)), ("[1, 'a']", .list(.dyn)), ("[]", .list(.dyn)),
      ("{'a': 1.5}", .map(.string, .double)), ("{'a': 1.5}.a", .double),
      ("items.map(i, i > 0)", .list(.bool)),
      ("optional.of('x')", .optional(.string)), ("{'a': 1}.?a.orValue(2)", .int),
      ("[optional.of(1), optional.none()]", .list(.optional(.int))), ("anything.x", .dyn),
      ("count > 1 ? 'a' : 'b'", .string), ("title.split(',')", .list(.string)),
      ("duration('1s') + timestamp(0)", .timestamp), ("type(1)", .type), ("anything + 1", .int),
    ] as [(String, CELType)])
  func `the type of a result is known as far as the parts tell`(text: String, type: CELType) throws
  {
    #expect(try program(text, CheckingTests.stage()).type == type)
  }

  @Test func `all mistakes are reported together, in order`() {
    let result = compileCEL("coutn + titel.size()", scope: CheckingTests.stage())
    guard case .failure(let problems) = result else {
      Issue.record("it compiled")
      return
    }
    #expect(problems.all.map(\.offset) == [0, 8])
  }

  @Test(arguments: [
    ("1 +", 3, "a value is expected here"), ("(1", 2, "this parenthesis needs its `)`"),
    ("[1", 2, "this list needs its `]`"),
    ("{'a' 1}", 5, "a `:` separates a map's key from its value"),
    ("f(1", 3, "a call needs its `)`"),
    ("a = 1", 2, "two `==` compare; a single `=` means nothing"),
    ("a === 1", 4, "`===` is written `==`"), ("a <> 1", 3, "`<>` is written `!=`"),
    ("a.0 == 1", 1, "an element of a list is written `[0]`"),
    ("größe", 2, "a name is letters from a to z, digits and `_`; a text has quotes"),
    ("a & b", 2, "`and` is written `&&`"), ("'open", 0, "this text has no closing quote"),
    ("1 2", 2, "the expression ends here"), ("a.", 2, "a field's name follows a `.`"),
    ("true ? 1", 8, "`condition ? a : b` needs its `:`"), ("", 0, "a value is expected here"),
    ("12ab", 0, "a number ends before a letter; a name cannot begin with a digit"),
    ("not a", 0, "`not` is written `!`"), ("a and b", 2, "`and` is written `&&`"),
    ("a OR b", 2, "`OR` is written `||`"),
    ("a # b", 2, "this character means nothing in an expression"),
  ])
  func `a mistake of form is found where it stands`(text: String, offset: Int, message: String) {
    let found = problem(text)
    #expect(found?.id == "expression-syntax")
    #expect(found?.offset == offset)
    #expect(found?.message == message)
  }

  @Test(arguments: [
    ("'\\q'", "invalid-literal", 1), ("'a\\u12'", "invalid-literal", 2),
    ("9223372036854775808", "invalid-literal", 0), ("for + 1", "reserved-word", 0),
    ("Point{x: 1}", "no-messages", 5),
  ])
  func `a wrong literal or word is named`(text: String, id: String, offset: Int) {
    let found = problem(text)
    #expect(found?.id.rawValue == id)
    #expect(found?.offset == offset)
  }

  @Test func `unchecked, an unknown name only matters when it is reached`() throws {
    let program = try compileCEL("nobody || true", scope: CELScope(), checked: false).get()
    #expect(program.evaluate(FixedSlots()) == .success(true))
  }
}

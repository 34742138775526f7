import CEL
import Testing
import Values

@Suite struct FunctionTests {
  @Test(
    arguments: [
      ("size('naïve')", 5), ("'abc'.size()", 3), ("size(b'abc') + size({1: 2})", 4),
      ("'filename'.startsWith('file') && 'filename'.endsWith('name')", true),
      ("'filename'.contains('lena') && !'filename'.contains('x')", true),
      ("'añb'.charAt(1)", "ñ"), ("'añb'.charAt(3)", ""), ("'banana'.indexOf('an', 2)", 3),
      ("'banana'.lastIndexOf('an')", 3), ("'banana'.indexOf('x')", -1),
      ("'MiXé'.lowerAscii() + 'MiXé'.upperAscii()", "mixéMIXé"),
      ("'a-b-c'.replace('-', '+')", "a+b+c"), ("'a-b-c'.replace('-', '+', 1)", "a+b-c"),
      ("'ab'.replace('', '_')", "_a_b_"), ("'a,b,c'.split(',')", ["a", "b", "c"]),
      ("'a,b,c'.split(',', 2)", ["a", "b,c"]), ("'abc'.split('')", ["a", "b", "c"]),
      ("'añb'.substring(1, 2)", "ñ"), ("' \\t x '.trim()", "x"), ("['a', 'b'].join('/')", "a/b"),
      ("'añb'.reverse()", "bña"), ("strings.quote('a\"b\\n')", "\"a\\\"b\\n\""),
      ("'%s has %d of %.1f'.format(['x', 3, 2.55])", "x has 3 of 2.5"),
      ("'%x %X %b %o %e %%'.format([255, 255u, 5, 8, 1.5])", "ff FF 101 10 1.500000e+00 %"),
      ("'%s'.format([[1, 'a', {'k': null}]])", "[1, a, {k: null}]"),
    ] as [(String, Value)])
  func `texts are searched, cut and written`(text: String, expected: Value) {
    #expect(value(text) == expected)
  }

  @Test(
    arguments: [
      ("int('42') + int(3.9) + int(2u)", 47), ("uint(7)", .uint(7)), ("double('1e3')", 1000.0),
      ("string(1.0)", "1"), ("string(1e100)", "1e+100"), ("string(0.00001)", "1e-05"),
      ("string(123456789.125)", "123456789.125"), ("string(b'\\xc3\\xa9')", "é"),
      ("bool('t')", true),
      ("bytes('é')", .bytes([0xC3, 0xA9])), ("base64.encode(b'hi')", "aGk="),
      ("base64.decode('aGk')", .bytes([0x68, 0x69])), ("math.greatest(1, 2.5, 2u)", 2.5),
      ("math.least([3, 1, 2])", 1), ("math.round(-2.5)", -3.0), ("math.abs(-3)", 3),
      ("math.sign(-2.0)", -1.0), ("math.bitAnd(6, 3) + math.bitXor(6, 3)", 7),
      ("math.bitShiftRight(-1, 63)", 1), ("math.sqrt(9)", 3.0),
      ("ip('::1').isLoopback() && cidr('10.0.0.0/8').containsIP('10.2.3.4')", true),
      ("string(cidr('10.1.2.3/8').masked())", "10.0.0.0/8"),
    ] as [(String, Value)])
  func `numbers, bytes and addresses are converted and computed`(text: String, expected: Value) {
    #expect(value(text) == expected)
  }

  @Test(arguments: [
    ("int('x')", "cannot be read"), ("int(1e30)", "range"), ("uint(-1)", "range"),
    ("int(18446744073709551615u)", "range"), ("bool('yes')", "cannot be read"),
    ("string(b'\\xff')", "UTF-8"), ("base64.decode('?')", "Base64"),
    ("'abc'.substring(2, 1)", "invalid substring range"), ("'abc'.charAt(9)", "out of range"),
    ("math.abs(-9223372036854775808)", "overflow"), ("math.bitShiftLeft(1, -1)", "negative"),
    ("'%d'.format([])", "out of range"), ("'%d'.format(['x'])", "writes numbers"),
    ("'%q'.format([1])", "no clause"), ("ip('1.2.3')", "no IP address"),
    ("math.ceil(dyn(1))", "no such overload"), ("size(dyn(1))", "no such overload"),
  ])
  func `a function refuses what it does not take`(text: String, words: String) {
    #expect(complaint(text)?.contains(words) == true, "\(complaint(text) ?? "a value")")
  }

  @Test(arguments: [
    ("'abc'.matches('b')", true), ("'abc'.matches('^b')", false), ("'a\\n'.matches('a$')", false),
    ("'é'.matches('^.$')", true), ("''.matches('^$')", true),
    ("matches('x1', '[a-z]\\\\d')", true),
    ("'x'.matches(dyn('[') + 'x]')", true),
  ])
  func `a pattern is found anywhere in a text`(text: String, expected: Bool) {
    #expect(value(text) == .bool(expected))
  }

  @Test(
    arguments: [
      ("[[1, [2]], 3].flatten(2)", [1, 2, 3]), ("[].sum() + [].flatten().size()", 0),
      ("[duration('1s'), duration('2s')].sum()", .duration(TimeSpan(seconds: 3))),
      ("[1, 2.5, 3].sum()", 6.5), ("[3, 1.5, 2u].sort()", [1.5, .uint(2), 3]),
      ("['b', 'a', 'B'].sort()", ["B", "a", "b"]), ("[true, false].sort()", [false, true]),
      ("[[2, 'x'], [1, 'y'], [2, 'z']].sortBy(x, x[0]).map(x, x[1])", ["y", "x", "z"]),
      ("[1, 1.0, '1', [1], [1.0], null].distinct()", [1, "1", [1], .null]),
      ("lists.range(0) + [1, 2, 3].slice(1) + [1, 2, 3].slice(0, 0)", [2, 3]),
      ("[1, 2].update(0, 5)", [5, 2]), ("{1: 2}.merge({1: 3, 4: 5})[4]", 5),
      ("sets.contains([1, 2], [2.0]) && !sets.intersects([1], [])", true),
    ] as [(String, Value)])
  func `lists and maps are sorted, joined and changed`(text: String, expected: Value) {
    #expect(value(text) == expected)
  }

  @Test(
    arguments: [
      ("regex.extract('id=42', 'id=([0-9]+)').value()", "42"),
      ("regex.extract('id=42', '[0-9]').value()", "4"),
      ("regex.extract('id', '[0-9]').hasValue()", false),
      ("regex.extractAll('a1b22', dyn('[0-9]+'))", ["1", "22"]),
      ("regex.extractAll('a1b22', '([a-z])[0-9]+')", ["a", "b"]),
      (#"regex.replace('a1b2', r'([a-z])(\d)', r'\2\1\\')"#, #"1a\2b\"#),
      ("regex.replace('aaa', 'a', 'b', 2)", "bba"), ("regex.replace('aaa', 'a', 'b', 0)", "aaa"),
      ("regex.replace('é€', '', '-')", "-é-€-"),
    ] as [(String, Value)])
  func `patterns take texts apart`(text: String, expected: Value) {
    #expect(value(text) == expected)
  }

  @Test(
    arguments: [
      ("b'MQTT'.slice(1, 3)", .bytes([0x51, 0x54])), ("b'abc'[2]", 99),
      ("b'abcabc'.indexOf(b'c', 3) + b'abcabc'.lastIndexOf(b'a')", 8),
      ("b'abc'.contains(b'bc') && b'abc'.startsWith(b'a') && b'abc'.endsWith(b'bc')", true),
      ("hex.decode('00ffAB')", .bytes([0, 255, 171])), ("hex.encode(b'\\x00\\xff')", "00ff"),
      ("url.decode(url.encode('ä/?&=+ %')) == 'ä/?&=+ %'", true),
      ("json.decode(json.encode({'a': [1, 2.0, 'x', null]}))", ["a": [1, 2.0, "x", .null]]),
      ("hash.sha1(b'abc')", "a9993e364706816aba3e25717850c26c9cd0d89d"),
      (
        "hash.hmac('sha1', b'Jefe', 'what do ya want for nothing?')",
        "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
      ),
      (
        "timestamp('2026-01-09T13:04:05.006Z').format('%d.%m.%y %I:%M %p %L %j %e')",
        "09.01.26 01:04 PM 006 009 9"
      ),
      (
        "timestamp('2026-07-01T23:00:00Z').format('%a %b %d %H %z', '-03:30')",
        "Wed Jul 01 19 -0330"
      ),
      ("timestamp(0).format('%T %%')", "00:00:00 %"),
    ] as [(String, Value)])
  func `bytes, encodings and times have a text`(text: String, expected: Value) {
    #expect(value(text) == expected)
  }

  @Test func `random values stay within their bounds`() {
    #expect(
      value("lists.range(200).all(i, random.int(-3, 3) >= -3 && random.int(5, 5) == 5)") == true)
    #expect(
      value("lists.range(200).map(i, random.int(1, 6)).distinct().sort()") == [1, 2, 3, 4, 5, 6])
    #expect(value("random.text(50, 'äb').matches('^[äb]{50}$') && random.text(0) == ''") == true)
    #expect(value("lists.range(50).map(i, uuid()).distinct().size()") == 50)
    #expect(
      value("random.int(-9223372036854775807, 9223372036854775807) != random.int(0, 3)") == true)
  }

  @Test(arguments: [
    ("lists.range(1000001)", "elements; it was stopped"), ("random.text(9999999)", "bytes; it"),
    ("lists.range(-1)", "zero or more"), ("[1, 'a'].sort()", "have no order"),
    ("[{}, {}].sort()", "have no order"), ("[1, 'a'].sum()", "no such overload"),
    ("[].max()", "empty list"), ("random.pick([])", "no element to pick"),
    ("random.int(2, 1)", "no number from"), ("b'a'[1]", "outside the bytes"),
    ("b'abc'.slice(2, 1)", "invalid range"), ("[1].update(1, 2)", "out of range"),
    ("hex.decode('4')", "hexadecimal"), ("url.decode('%e4')", "UTF-8"),
    ("url.decode('%4')", "two hexadecimal digits"), ("json.decode('[1,')", "not JSON"),
    ("hash.hmac('sha3', 'k', 't')", "`sha256`"), ("regex.extract('a', '(a)(b)?')", "one group"),
    ("regex.replace('a', 'a', r'\\1')", "has 0 groups"), ("timestamp(0).format('%q')", "no clause"),
    ("timestamp(0).format('%Y', 'Mars')", "no time zone"), ("[NaN].sort()", "nothing here"),
    ("[0.0 / 0.0, 1.0].sort()", "no order"), ("range(3)", "no function"),
  ])
  func `a new function refuses what it does not take`(text: String, words: String) {
    #expect(complaint(text)?.contains(words) == true, "\(complaint(text) ?? "a value")")
  }

  @Test(arguments: [
    ("a + b", "convert one side: `int(x)`, `double(x)` or `uint(x)`"),
    ("b < 'x'", nil), ("a - b", "convert one side: `int(x)`, `double(x)` or `uint(x)`"),
    ("a + 'x'", "convert the other side: `string(x)`"),
  ])
  func `types that are known only when it is evaluated have the help of those known at load`(
    text: String, help: String?
  ) throws {
    var scope = CELScope()
    scope.declare("a", slot: 0)
    scope.declare("b", slot: 1)
    guard case .failure(let failure) = try program(text, scope).evaluate(FixedSlots([1, 2.5]))
    else {
      Issue.record("\(text) has a value")
      return
    }
    #expect(failure.help == help)
  }

  @Test func `without a source of random numbers there are no random values`() {
    #expect(problem("uuid()")?.id == "unknown-function")
    #expect(problem("random.int(1, 2)")?.id == "unknown-function")
  }
}

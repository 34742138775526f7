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
    ("'é'.matches('^.$')", true), ("''.matches('^$')", true), ("matches('x1', '[a-z]\\\\d')", true),
    ("'x'.matches(dyn('[') + 'x]')", true),
  ])
  func `a pattern is found anywhere in a text`(text: String, expected: Bool) {
    #expect(value(text) == .bool(expected))
  }
}

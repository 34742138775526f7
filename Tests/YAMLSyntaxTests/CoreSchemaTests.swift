import Testing
import Values
import YAMLSyntax

@Suite struct CoreSchemaTests {
  @Test(
    arguments: [
      ("", Value.null), ("~", .null), ("null", .null), ("NULL", .null), ("nULL", "nULL"),
      ("true", true),
      ("False", false), ("tRue", "tRue"), ("0", 0), ("010", 10), ("-12", -12), ("+3", 3),
      ("0o17", 15), ("0xfF", 255), ("0x", "0x"), ("0o8", "0o8"), ("0x-1", "0x-1"), ("-0x1", "-0x1"),
      ("9223372036854775808", .uint(9_223_372_036_854_775_808)), ("1.5", 1.5), ("1.", 1.0),
      (".5", 0.5), ("1e3", 1000.0), ("-1.5E-2", -0.015), (".inf", .double(.infinity)),
      ("-.INF", .double(-.infinity)), (".nan", .double(.nan)), (".", "."), ("-", "-"), ("1e", "1e"),
      ("1_000", "1_000"), ("1:30", "1:30"), ("no", "no"), ("on", "on"), ("0b1", "0b1"),
      ("1e999", "1e999"),
      ("2000-01-01", "2000-01-01"), ("inf", "inf"), ("nan", "nan"), ("1.5.2", "1.5.2"),
      ("...", "..."),
    ] as [(String, Value)])
  func `a plain scalar reads as the core schema says`(text: String, value: Value) {
    #expect(coreValue(of: text) == value)
    #expect(coreValue(of: text).kindName == value.kindName)
  }
}

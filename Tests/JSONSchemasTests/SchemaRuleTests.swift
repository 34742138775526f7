import JSONSchemas
import Testing
import Values

/// So many properties are looked up in an index.
private let nineProperties =
  #"{"properties":{"a":{},"b":{},"c":{},"d":{},"e":{},"f":{},"g":{},"h":{},"é":false}}"#

@Suite struct SchemaRuleTests {
  @Test(arguments: [
    (#"{"type": "integer"}"#, "1.0", true),
    (#"{"type": "integer"}"#, "1e400", false),
    (#"{"type": "integer"}"#, "123456789012345678901234567890", true),
    (#"{"const": 1}"#, "1.0", true),
    (#"{"const": 1}"#, "true", false),
    (#"{"const": 9007199254740993}"#, "9007199254740992.0", false),
    (#"{"maximum": 9223372036854775807}"#, "9223372036854775808", false),
    (#"{"maximum": 9007199254740992.0}"#, "9007199254740993", false),
    (#"{"minimum": -0.5}"#, "-1", false),
    (#"{"exclusiveMaximum": 18446744073709551615}"#, "18446744073709551614", true),
    (#"{"multipleOf": 0.01}"#, "19.99", true),
    (#"{"multipleOf": 0.01}"#, "4.02", true),
    (#"{"multipleOf": 0.1}"#, "-0.3", true),
    (#"{"multipleOf": 0.1}"#, "1e300", true),
    (#"{"multipleOf": 1e300}"#, "7", false),
    (#"{"multipleOf": 2.5}"#, "18446744073709551615", true),
    (#"{"multipleOf": 3}"#, "0", true),
    (#"{"uniqueItems": true}"#, #"[{"a": 1, "b": 2}, {"b": 2.0, "a": 1}]"#, false),
    (#"{"uniqueItems": true}"#, "[1, true, [1], [true], 0, false, null]", true),
  ])
  func `numbers are compared exactly`(_ schema: String, _ value: String, _ holds: Bool) throws {
    // A number no double holds is no JSON value here at all.
    guard case .success = parseJSON(value) else { return #expect(value == "1e400") }
    #expect(try isValid(schema, value) == holds)
  }

  @Test(arguments: [
    (#"{"maxLength": 1}"#, #""🐲""#, true), (#"{"maxLength": 1}"#, #""e\u0301""#, false),
    (#"{"minLength": 2}"#, #""🐲""#, false), (#"{"const": "é"}"#, #""e\u0301""#, false),
    (#"{"uniqueItems": true}"#, #"["é", "e\u0301"]"#, true),
    (#"{"enum": ["K"]}"#, #""\u212a""#, false),
    (#"{"required": ["é"]}"#, #"{"e\u0301": 1}"#, false),
    (nineProperties, #"{"e\u0301": 1}"#, true), (nineProperties, #"{"é": 1}"#, false),
    (#"{"properties": {"é": false}}"#, #"{"e\u0301": 1}"#, true),
    (#"{"dependentRequired": {"é": ["x"]}}"#, #"{"e\u0301": 1}"#, true),
  ])
  func `text is its code points`(_ schema: String, _ value: String, _ holds: Bool) throws {
    #expect(try isValid(schema, value) == holds)
  }

  @Test(arguments: [
    (#"^\\d+$"#, "12", true), (#"^\\d+$"#, "१", false), (#"^a$"#, #"a\n"#, false),
    (#"^\\s$"#, #"\ufeff"#, true), (#"^[\\s,]$"#, #"\u00a0"#, true), (#"^\\p{Letter}$"#, "π", true),
    (#"^\\u0041$"#, "A", true), (#"^\\uD83D\\uDC32$"#, "🐲", true), (#"^\\u{1F432}$"#, "🐲", true),
    (#"^[]$"#, "]", false), (#"^[^]$"#, #"\n"#, true), (#"^[[]$"#, "[", true), (#"a]"#, "a]", true),
    (#"^.$"#, #"\u2028"#, false), (#"^\\p{Script=Greek}$"#, "π", true), (#"^\\/$"#, "/", true),
  ])
  func `patterns are those of ECMAScript`(
    _ pattern: String, _ text: String, _ holds: Bool
  ) throws {
    #expect(try isValid(#"{"pattern": "\#(pattern)"}"#, "\"\(text)\"") == holds)
  }

  @Test func `what no schema looked at is seen through references and alternatives`() throws {
    let schema = """
      {"$ref": "#/$defs/base", "anyOf": [{"properties": {"b": {"type": "string"}}}, true],
       "unevaluatedProperties": false, "$defs": {"base": {"properties": {"a": true}}}}
      """
    #expect(try isValid(schema, #"{"a": 1, "b": "x"}"#))
    #expect(try violations(schema, #"{"a": 1, "b": 2}"#) == ["b: must not be there"])
    #expect(try violations(schema, #"{"c": 1}"#) == ["c: must not be there"])
  }

  @Test func `elements that contains found count as looked at from draft 2020-12 on`() throws {
    let schema = #"{"contains": {"type": "string"}, "unevaluatedItems": {"type": "null"}}"#
    #expect(try isValid(schema, #"["a", null]"#))
    #expect(try violations(schema, #"["a", 1]"#) == ["[1]: must be null, not 1"])
  }

  @Test func `a condition chooses between two schemas`() throws {
    let schema = #"{"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"minimum": 2}}"#
    #expect(try isValid(schema, #""ab""#))
    #expect(try violations(schema, #""a""#) == [": must have at least 2 characters, not 1"])
    #expect(try violations(schema, "1") == [": must be at least 2, not 1"])
  }

  @Test func `formats are collected and not judged`() throws {
    #expect(try isValid(#"{"format": "date-time"}"#, #""yesterday""#))
  }
}

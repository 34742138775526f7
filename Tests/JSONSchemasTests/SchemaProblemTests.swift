import JSONSchemas
import Testing

@Suite struct SchemaProblemTests {
  @Test(arguments: [
    (
      ##"{"properties": {"a": {"type": "strng"}}}"##, "/properties/a/type",
      "`strng` is no type; the types are null, boolean, integer, number, string, array, object"
    ),
    (
      ##"{"minLength": -1}"##, "/minLength",
      "`minLength` must be a whole number not below 0, not -1"
    ),
    (##"{"multipleOf": 0}"##, "/multipleOf", "`multipleOf` must be a number above 0, not 0"),
    (##"{"allOf": []}"##, "/allOf", "`allOf` must be a list of at least one schema, not []"),
    (##"{"$defs": {"a": {"items": 3}}}"##, "/$defs/a/items", "`items` must be a schema, not 3"),
    (
      ##"{"required": ["a", "a"]}"##, "/required",
      "`required` must be a list of different texts, not [a, a]"
    ),
    (##"{"items": [true]}"##, "/items", "`items` must be a schema, not [true]"),
    ("3", "", "a schema must be an object, true or false, not 3"),
    (##"{"$ref": "#/$defs/a"}"##, "/$ref", "`#/$defs/a` leads nowhere: there is no `$defs` in `#`"),
    (##"{"$ref": "#a"}"##, "/$ref", "`#a` leads to no anchor: there is no `a`"),
    (
      ##"{"$ref": "other.json"}"##, "/$ref",
      "`other.json` leads to no document that was given (`other.json`)"
    ),
    (##"{"$id": "a#b"}"##, "/$id", "`$id` must be a URI without a fragment, not `a#b`"),
    (
      ##"{"$defs": {"a": {"$id": "x"}, "b": {"$id": "x"}}}"##, "/$defs/b/$id",
      "there are two schemas of the `$id` `x`"
    ),
    (
      ##"{"$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}}}"##, "/$defs/b",
      "there are two anchors `x` in one schema"
    ),
    (
      ##"{"$schema": "http://json-schema.org/draft-04/schema#"}"##, "/$schema",
      "`http://json-schema.org/draft-04/schema#` is neither draft 2020-12 nor draft 7, and is not "
        + "among the documents given"
    ),
    (
      ##"{"pattern": "("}"##, "/pattern",
      "this pattern is not valid: missing closing parenthesis, at character 2"
    ),
    (
      ##"{"patternProperties": {"a\\Z": true}}"##, ##"/patternProperties/a\Z"##,
      ##"this pattern is not valid: there is no `\Z`"##
    ),
    (
      ##"{"$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}}"##, "/$defs/a",
      "this schema applies itself to the same value again, without end"
    ),
  ])
  func `a mistake in a schema is reported with its path`(
    _ text: String, _ path: String, _ message: String
  ) throws {
    let found = try problems(text)
    #expect(found.map(\.path) == [path])
    #expect(found.map(\.message) == [message])
  }

  @Test func `all mistakes of a schema are reported`() throws {
    let found = try problems(
      ##"{"type": "any", "minimum": "3", "$defs": {"a": {"pattern": "["}}}"##)
    #expect(found.map(\.path) == ["/type", "/minimum", "/$defs/a/pattern"])
  }

  @Test func `a mistyped name is reported with the one that was probably meant`() throws {
    #expect(try problems(##"{"type": "strng"}"##).first?.help == "did you mean `string`?")
    #expect(
      try problems(##"{"$ref": "#/$defs/custmer", "$defs": {"customer": true}}"##).first?.help
        == "did you mean `customer`?")
  }

  @Test func `a mistake in another document is reported with its URI`() throws {
    let found = try problems(
      ##"{"$ref": "https://example.com/a"}"##,
      documents: [("https://example.com/a", ##"{"properties": {"x": {"maxItems": "1"}}}"##)])
    #expect(found.map(\.document) == ["https://example.com/a"])
    #expect(found.map(\.path) == ["/properties/x/maxItems"])
  }

  @Test func `a vocabulary that is needed and not known is a problem, another is not`() throws {
    let wanted = { (needed: Bool) in
      try problems(
        ##"{"$schema": "https://example.com/meta"}"##,
        documents: [
          (
            "https://example.com/meta",
            """
            {"$schema": "https://json-schema.org/draft/2020-12/schema",
             "$vocabulary": {"https://example.com/units": \(needed)}}
            """
          )
        ])
    }
    #expect(try wanted(true).map(\.path) == ["/$schema"])
    #expect(try wanted(false) == [])
  }

  @Test func `annotations of values are not checked`() throws {
    #expect(try problems(##"{"title": 3, "examples": {}, "x-own": [1], "format": "own"}"##) == [])
  }
}

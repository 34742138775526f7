import JSONSchemas
import Testing
import Values

@Suite struct SchemaViolationTests {
  @Test func `a violation says where in the value and where in the schema`() throws {
    let schema = try schema(
      """
      {"$id": "https://example.com/list",
       "properties": {"items": {"items": {"$ref": "#/$defs/it"}}},
       "$defs": {"it": {"required": ["name"], "properties": {"name": {"type": "string"}}}}}
      """)
    let found = schema.validate(try json(##"{"items": [{"name": "a"}, {"name": 2}]}"##))
    let violation = try #require(found.first)
    #expect(found.count == 1)
    #expect(violation.instancePath == "items[1].name")
    #expect(violation.instancePointer == "/items/1/name")
    #expect(violation.schemaPath == "/properties/items/items/$ref/properties/name/type")
    #expect(
      violation.keywordLocation == "https://example.com/list#/$defs/it/properties/name/type")
    #expect(violation.keyword == "type")
    #expect(violation.message == "must be a string, not 2")
  }

  @Test(arguments: [
    (##"{"type": ["string", "null"]}"##, "3", "must be null or a string, not 3"),
    (##"{"type": "integer"}"##, "2.5", "must be an integer, not 2.5"),
    (##"{"type": ["number", "array"]}"##, "{}", "must be a number or an array, not {}"),
    (##"{"const": {"a": 1}}"##, "[]", "must be { a: 1 }, not []"),
    (##"{"enum": ["red", "green", 3]}"##, ##""blue""##, "must be red, green or 3, not blue"),
    (##"{"minimum": 3}"##, "2", "must be at least 3, not 2"),
    (##"{"maximum": 3}"##, "3.5", "must be at most 3, not 3.5"),
    (##"{"exclusiveMinimum": 3}"##, "3", "must be above 3, not 3"),
    (##"{"exclusiveMaximum": 3}"##, "3", "must be below 3, not 3"),
    (##"{"multipleOf": 0.01}"##, "1.005", "must be a multiple of 0.01, not 1.005"),
    (##"{"minLength": 1}"##, ##""""##, "must have at least 1 character, not 0"),
    (##"{"maxLength": 2}"##, ##""abc""##, "must have at most 2 characters, not 3"),
    (##"{"pattern": "^a"}"##, ##""ba""##, "must match `^a`, as ba does not"),
    (##"{"minItems": 2}"##, "[1]", "must have at least 2 elements, not 1"),
    (##"{"maxItems": 1}"##, "[1, 2]", "must have at most 1 element, not 2"),
    (##"{"uniqueItems": true}"##, "[1, 2, 1.0]", "must have no element twice, as 1 is at 0 and 2"),
    (
      ##"{"contains": {"type": "null"}}"##, "[1]",
      "must have at least 1 element as `contains` wants them, not 0"
    ),
    (##"{"minProperties": 2}"##, ##"{"a": 1}"##, "must have at least 2 properties, not 1"),
    (##"{"maxProperties": 0}"##, ##"{"a": 1}"##, "must have at most 0 properties, not 1"),
    (##"{"required": ["id"]}"##, "{}", "must have the property `id`"),
    (
      ##"{"required": ["title"]}"##, ##"{"titel": 1}"##,
      "must have the property `title`; there is `titel`"
    ),
    (
      ##"{"dependentRequired": {"card": ["street"]}}"##, ##"{"card": 1}"##,
      "must have the property `street`, as it has `card`"
    ),
    (##"{"not": {"type": "null"}}"##, "null", "must not be as `not` describes it, as null is"),
    ("false", "1", "no value is allowed"),
  ])
  func `a message states the rule and what was found`(
    _ schema: String, _ value: String, _ message: String
  ) throws {
    #expect(try violations(schema, value) == [": " + message])
  }

  @Test func `a property that is not known is reported with the name that was probably meant`()
    throws
  {
    let found = try violations(
      ##"{"properties": {"name": {}}, "additionalProperties": false}"##, ##"{"nmae": 1}"##)
    #expect(
      found == [
        "nmae: must not be there: the schema knows no property `nmae`; did you mean `name`?"
      ])
  }

  @Test func `all violations are reported, those of a wrong type only once`() throws {
    let schema = ##"{"properties": {"a": {"type": "string", "enum": ["x"]}, "b": {"minimum": 2}}}"##
    #expect(
      try violations(schema, ##"{"a": 1, "b": 1}"##)
        == ["a: must be a string, not 1", "b: must be at least 2, not 1"])
  }

  @Test func `of several alternatives the nearest one is reported`() throws {
    let schema = try schema(
      """
      {"oneOf": [
        {"properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}},
         "required": ["kind", "radius"]},
        {"properties": {"kind": {"const": "box"}, "width": {"type": "number"}},
         "required": ["kind", "width"]}]}
      """)
    let violation = try #require(
      schema.validate(try json(##"{"kind": "box", "width": "3"}"##)).first)
    #expect(violation.causes.map(\.instancePath) == ["width"])
    #expect(violation.causes.map(\.schemaPath) == ["/oneOf/1/properties/width/type"])
    #expect(
      violation.message
        == ##"must match one of 2 schemas; the nearest says: `width` must be a number, not "3""##)
  }

  @Test func `of several alternatives just one may hold`() throws {
    #expect(
      try violations(##"{"oneOf": [{"type": "integer"}, {"minimum": 2}, {"minimum": 9}]}"##, "3")
        == [": must match just one of 3 schemas, and matches /oneOf/0 and /oneOf/1"])
  }

  @Test func `keys that are no names stand in brackets in a path and escaped in a pointer`() throws
  {
    let schema = try schema(##"{"additionalProperties": {"additionalProperties": false}}"##)
    let found = schema.validate(try json(##"{"a/b": {"c d": 1}}"##))
    #expect(found.map(\.instancePath) == [##"["a/b"]["c d"]"##])
    #expect(found.map(\.instancePointer) == ["/a~1b/c d"])
  }

  @Test func `no more than a hundred violations are reported`() throws {
    let list = Value.list((0..<1000).map { .int($0) })
    let schema = try schema(##"{"items": {"type": "string"}}"##)
    #expect(schema.validate(list).count == SchemaLimits.violations)
  }
}

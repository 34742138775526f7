import JSONSchemas
import Testing

@Suite struct SchemaReferenceTests {
  @Test func `a relative reference is resolved against the base that is given`() throws {
    let schema = try schema(
      ##"{"$ref": "../b/name.json#/$defs/short"}"##, base: "https://example.com/a/x.json",
      documents: [
        ("https://example.com/b/name.json", ##"{"$defs": {"short": {"maxLength": 2}}}"##)
      ])
    #expect(schema.isValid("ab"))
    #expect(!schema.isValid("abc"))
    #expect(
      schema.validate("abc").map(\.keywordLocation)
        == ["https://example.com/b/name.json#/$defs/short/maxLength"])
  }

  @Test func `a schema may refer to itself where the value grows smaller`() throws {
    let tree = ##"{"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["id"]}"##
    #expect(try isValid(tree, ##"{"id": 1, "next": {"id": 2}}"##))
    #expect(
      try violations(tree, ##"{"id": 1, "next": {"id": 2, "next": {}}}"##)
        == ["next.next: must have the property `id`"])
  }

  @Test func `a dynamic reference leads to the outermost schema that has the anchor`() throws {
    let list = """
      {"$id": "https://example.com/list", "type": "array", "items": {"$dynamicRef": "#element"},
       "$defs": {"any": {"$dynamicAnchor": "element"}}}
      """
    let numbers = try schema(
      """
      {"$id": "https://example.com/numbers", "$ref": "list",
       "$defs": {"number": {"$dynamicAnchor": "element", "type": "number"}}}
      """, documents: [("https://example.com/list", list)])
    #expect(numbers.isValid([1, 2.5]))
    #expect(!numbers.isValid([1, "2"]))
    #expect(try schema(list).isValid([1, "2"]))
  }

  @Test(arguments: [SchemaDraft.draft7, .draft2020])
  func `the schemas that describe schemas can be referred to`(_ draft: SchemaDraft) throws {
    let schema = try schema(##"{"$ref": "\##(draft.metaSchema)#"}"##, draft: draft)
    #expect(schema.isValid(try json(##"{"properties": {"a": {"minLength": 1}}, "x": 3}"##)))
    #expect(schema.isValid(true))
    for wrong in [
      ##"{"properties": {"a": {"minLength": -1}}}"##, ##"{"type": "any"}"##,
      ##"{"required": [1]}"##,
      ##"{"allOf": []}"##, ##"{"multipleOf": 0}"##, "3",
    ] {
      #expect(!schema.isValid(try json(wrong)), "\(wrong)")
    }
  }

  @Test(arguments: [SchemaDraft.draft7, .draft2020])
  func `the schema that describes schemas describes itself`(_ draft: SchemaDraft) throws {
    let schema = try schema(##"{"$ref": "\##(draft.metaSchema)"}"##, draft: draft)
    let itself = try #require(SchemaDocuments()[draft.metaSchema])
    #expect(schema.validate(itself) == [])
  }

  @Test func `a document that was given stands before the built-in one`() throws {
    let uri = SchemaDraft.draft2020.metaSchema
    let schema = try schema(##"{"$ref": "\##(uri)"}"##, documents: [(uri, ##"{"const": 1}"##)])
    #expect(schema.isValid(1))
    #expect(!schema.isValid([:]))
  }

  @Test func `in draft 7 what stands beside a reference is ignored`() throws {
    let text = ##"{"properties": {"a": {"$ref": "#/definitions/t", "maxLength": 1}}, "##
    let whole = text + ##""definitions": {"t": {"type": "string"}}}"##
    #expect(try isValid(whole, ##"{"a": "long"}"##, draft: .draft7))
    #expect(try !isValid(whole, ##"{"a": "long"}"##, draft: .draft2020))
  }

  @Test func `the draft a schema names is the one it is read by`() throws {
    let tuple = ##""items": [{"type": "null"}], "additionalItems": false}"##
    let old = ##"{"$schema": "http://json-schema.org/draft-07/schema#", "## + tuple
    #expect(try isValid(old, "[null]"))
    #expect(try !isValid(old, "[null, 1]"))
    #expect(try problems("{" + tuple).map(\.path) == ["/items"])
  }

  @Test func `a document without a draft is read by that of the one that refers to it`() throws {
    let documents = [("https://example.com/t", ##"{"items": [{"type": "null"}]}"##)]
    let schema = try schema(
      ##"{"$ref": "https://example.com/t"}"##, documents: documents, draft: .draft7)
    #expect(!schema.isValid([1]))
  }
}

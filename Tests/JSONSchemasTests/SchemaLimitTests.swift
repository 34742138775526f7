import JSONSchemas
import Testing
import Values

@Suite struct SchemaLimitTests {
  @Test func `a schema that comes back to itself only sometimes is given up`() throws {
    let schema = try schema(##"{"if": {"type": "null"}, "else": {"$ref": "#"}}"##)
    #expect(schema.isValid(.null))
    #expect(!schema.isValid(1))
    #expect(
      schema.validate(1).map(\.message) == [
        "schemas are applied more than \(SchemaLimits.depth) deep in each other; it was given up"
      ])
  }

  @Test func `giving up is no proof of the contrary`() throws {
    let schema = try schema(
      """
      {"not": {"$ref": "#/$defs/a"}, "$defs": {"a": {"if": true, "then": {"$ref": "#/$defs/a"}}}}
      """)
    #expect(!schema.isValid(1))
    #expect(schema.validate(1).count == 1)
  }

  @Test func `values nested as deep as JSON allows are checked`() throws {
    let depth = JSONLimit.depth - 1
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let lists = try schema(##"{"type": "array", "items": {"$ref": "#"}}"##)
    #expect(lists.validate(try json(text)) == [])
  }

  @Test func `schemas that double at each step are stopped, not waited for`() throws {
    let defs = (0..<40).map {
      let next = ##"{"$ref": "#/$defs/d\##($0 + 1)"}"##
      return ##""d\##($0)": {"allOf": [\##(next), \##(next)]}"##
    }
    let schema = try schema(
      ##"{"$ref": "#/$defs/d0", "$defs": {"d40": true, \##(defs.joined(separator: ", "))}}"##)
    #expect(
      schema.validate(1).map(\.message) == [
        "checking this takes more than \(SchemaLimits.steps) steps; it was given up"
      ])
  }

  @Test func `a chain of a thousand references costs no stack while it is compiled`() throws {
    let defs = (0..<1000).map { ##""d\##($0)": {"items": {"$ref": "#/$defs/d\##($0 + 1)"}}"## }
    let schema = try schema(
      ##"{"$ref": "#/$defs/d0", "$defs": {"d1000": false, \##(defs.joined(separator: ", "))}}"##)
    #expect(schema.isValid([[]]))
  }

  @Test func `a pattern that takes too long is reported`() throws {
    let schema = try schema(##"{"pattern": "^(a+)+$"}"##)
    let text = Value.string(String(repeating: "a", count: 40) + "b")
    let found = schema.validate(text)
    #expect(found.map(\.message) == ["the pattern `^(a+)+$` takes too long here"])
    #expect(found.map(\.keyword) == ["pattern"])
  }

  @Test func `many equal-looking objects are distinguished in time`() throws {
    let list = Value.list((0..<20_000).map { ["id": .int($0), "name": "x"] })
    #expect(try schema(##"{"uniqueItems": true}"##).isValid(list))
  }

}

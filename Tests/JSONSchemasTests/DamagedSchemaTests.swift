import JSONSchemas
import Testing
import Values

@Suite struct DamagedSchemaTests {
  private let whole = """
    {"$id": "https://example.com/a", "type": "object", "required": ["id"], "minProperties": 1,
     "properties": {"id": {"type": ["string", "null"], "minLength": 1, "pattern": "^a"},
       "n": {"minimum": 1, "multipleOf": 0.5, "enum": [1, 2.5]}, "next": {"$ref": "#"},
       "list": {"prefixItems": [{"const": 1}], "items": {"$ref": "#/$defs/b"}, "uniqueItems": true,
         "contains": {"$dynamicRef": "#d"}, "minContains": 1, "unevaluatedItems": false}},
     "patternProperties": {"^x-": {"not": {"type": "null"}}}, "propertyNames": {"maxLength": 9},
     "dependentRequired": {"n": ["id"]}, "dependentSchemas": {"n": {"maxProperties": 9}},
     "anyOf": [{"required": ["n"]}, true], "oneOf": [true], "unevaluatedProperties": false,
     "if": {"required": ["n"]}, "then": {"minProperties": 2}, "else": true,
     "$defs": {"b": {"$anchor": "b", "allOf": [{"$ref": "#b2"}]}, "b2": {"$anchor": "b2"},
       "d": {"$dynamicAnchor": "d", "type": "integer"}}}
    """
  private let damages: [Value] = [
    .null, true, false, -1, 1.5, .double(1e300), "x", "#", "", [], ["x"], [[:]], [:], ["x": 1],
    ["x": ["$ref": "#"]],
  ]

  @Test func `a damaged schema is refused with a path or works, and never crashes`() throws {
    let whole = try json(whole)
    let instance = try json(#"{"id": "a", "n": 2.5, "list": [1, 3, "x"], "x-y": null, "next": {}}"#)
    try #require(problemPaths(whole) == nil)
    for damaged in variants(of: whole) {
      switch JSONSchema.compile(damaged) {
      case .success(let schema):
        #expect(schema.isValid(instance) == schema.validate(instance).isEmpty)
      case .failure(let problems):
        #expect(problems.all.allSatisfy { !$0.message.isEmpty })
        #expect(!problems.all.isEmpty)
      }
    }
  }

  private func problemPaths(_ schema: Value) -> [String]? {
    if case .failure(let problems) = JSONSchema.compile(schema) { return problems.all.map(\.path) }
    return nil
  }

  /// Returns copies of the value, in each of which one damage replaces one part.
  private func variants(of value: Value) -> [Value] {
    var all = damages
    switch value {
    case .map(let map):
      for (key, inner) in map {
        all += variants(of: inner).map { damaged in
          var copy = map
          copy[key] = damaged
          return .map(copy)
        }
      }
    case .list(let list):
      for (position, inner) in list.enumerated() {
        all += variants(of: inner).map { damaged in
          var copy = list
          copy[position] = damaged
          return .list(copy)
        }
      }
    default: break
    }
    return all
  }
}

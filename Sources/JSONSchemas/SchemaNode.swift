import Values

/// A compiled schema. It names other schemas by their positions in the program, so that mutual
/// references keep no cycle alive.
///
/// Rules are grouped by the kind of value, so rules for other kinds are not visited.
final class SchemaNode: @unchecked Sendable {
  // Written only during compilation.
  let resource: Int
  /// The URI of its schema and a JSON Pointer from there.
  let location: String
  /// The result of the schemas `true` and `false`.
  var verdict: Bool?
  var kinds: JSONKinds?
  var constants: [ConstantRule] = []
  var numberRules: [NumberRule] = []
  var textRules: [TextRule] = []
  var listRules: [ListRule] = []
  var mapRules: [MapRule] = []
  var applied: [AppliedRule] = []
  var unevaluatedItems: SchemaId?
  var unevaluatedProperties: SchemaId?

  init(resource: Int, location: String) {
    self.resource = resource
    self.location = location
  }
}

/// The position of a schema in its program.
typealias SchemaId = Int

enum ConstantRule {
  case equal(Value)
  case oneOf([Value])
}

enum NumberRule {
  case minimum(Value)
  case maximum(Value)
  case above(Value)
  case below(Value)
  case multipleOf(Value, DecimalNumber)
}

enum TextRule {
  case minLength(Int)
  case maxLength(Int)
  case pattern(SchemaPattern)
}

enum ListRule {
  case minItems(Int)
  case maxItems(Int)
  case unique
  case elements(ElementRules)
  case contains(ContainsRule)
}

/// The schemas for the elements of a list; the first elements have their own.
struct ElementRules {
  var first: [SchemaId] = []
  var firstKeyword = ""
  var rest: SchemaId?
  var restKeyword = ""
}

struct ContainsRule {
  var schema: SchemaId
  var least: Int
  var most: Int?
  /// True if matching elements count as evaluated, as from draft 2020-12 on.
  var marks: Bool
}

enum MapRule {
  case minProperties(Int)
  case maxProperties(Int)
  case required([Value])
  case members(MemberRules)
  case names(SchemaId)
  case dependentRequired(keyword: String, [(key: Value, needed: [Value])])
  case dependentSchemas(keyword: String, [(key: Value, schema: SchemaId)])
}

/// The schemas for the entries of a map.
final class MemberRules {
  let properties: PropertyTable
  let patterns: [(pattern: SchemaPattern, schema: SchemaId)]
  let additional: SchemaId?

  init(
    _ properties: PropertyTable, _ patterns: [(pattern: SchemaPattern, schema: SchemaId)],
    _ additional: SchemaId?
  ) {
    self.properties = properties
    self.patterns = patterns
    self.additional = additional
  }
}

/// Schemas by the name of a property. A few are searched in order, many are indexed.
struct PropertyTable {
  private(set) var entries: [(name: String, schema: SchemaId)]
  private var index: [String: SchemaId] = [:]

  init(_ entries: [(name: String, schema: SchemaId)]) {
    self.entries = entries
    if entries.count > 8 {
      index = Dictionary(entries.map { ($0.name, $0.schema) }) { first, _ in first }
    }
  }

  @inline(__always)
  func schema(of name: String) -> SchemaId? {
    if !index.isEmpty { return index[name] }
    for at in entries.indices where entries[at].name == name { return entries[at].schema }
    return nil
  }
}

enum AppliedRule {
  case reference(SchemaId)
  /// The target if no schema on the way has the dynamic anchor, and the table of those that have
  /// it.
  case dynamicReference(SchemaId, anchors: Int)
  case all([SchemaId])
  case any([SchemaId])
  case one([SchemaId])
  case not(SchemaId)
  case conditional(SchemaId, then: SchemaId?, otherwise: SchemaId?)

  /// The schemas that are always applied to the same value.
  var always: [SchemaId] {
    switch self {
    case .reference(let schema), .not(let schema), .conditional(let schema, _, _): [schema]
    case .all(let schemas), .any(let schemas), .one(let schemas): schemas
    case .dynamicReference: []
    }
  }
}

/// A whole compiled schema.
final class SchemaProgram: @unchecked Sendable {
  let nodes: [SchemaNode]
  let root: SchemaId
  /// The schemas of each dynamic anchor, by resource.
  let dynamicAnchors: [[Int: SchemaId]]

  init(nodes: [SchemaNode], root: SchemaId, dynamicAnchors: [[Int: SchemaId]]) {
    self.nodes = nodes
    self.root = root
    self.dynamicAnchors = dynamicAnchors
  }
}

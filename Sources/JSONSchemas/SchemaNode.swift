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
  var unevaluatedItems: SchemaID?
  var unevaluatedProperties: SchemaID?

  init(resource: Int, location: String) {
    self.resource = resource
    self.location = location
  }
}

/// The position of a schema in its program.
struct SchemaID: Hashable, Sendable {
  let index: Int

  init(_ index: Int) { self.index = index }
}

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
  case format(SchemaFormat)
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
  var first: [SchemaID] = []
  var firstKeyword = ""
  var rest: SchemaID?
  var restKeyword = ""
}

struct ContainsRule {
  var schema: SchemaID
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
  case names(SchemaID)
  case dependentRequired(keyword: String, [(key: Value, needed: [Value])])
  case dependentSchemas(keyword: String, [(key: Value, schema: SchemaID)])
}

/// The schemas for the entries of a map.
final class MemberRules {
  let properties: PropertyTable
  let patterns: [(pattern: SchemaPattern, schema: SchemaID)]
  let additional: SchemaID?

  init(
    _ properties: PropertyTable, _ patterns: [(pattern: SchemaPattern, schema: SchemaID)],
    _ additional: SchemaID?
  ) {
    self.properties = properties
    self.patterns = patterns
    self.additional = additional
  }
}

/// Schemas by the name of a property. A few are searched in order, many are indexed.
struct PropertyTable {
  private(set) var entries: [(name: String, schema: SchemaID)]
  private var index: [Value: SchemaID] = [:]

  init(_ entries: [(name: String, schema: SchemaID)]) {
    self.entries = entries
    if entries.count > 8 {
      index = Dictionary(entries.map { (.string($0.name), $0.schema) }) { first, _ in first }
    }
  }

  @inline(__always)
  func schema(of name: String) -> SchemaID? {
    if !index.isEmpty { return index[.string(name)] }
    for at in entries.indices where entries[at].name == name { return entries[at].schema }
    return nil
  }
}

enum AppliedRule {
  case reference(SchemaID)
  /// The target if no schema on the way has the dynamic anchor, and the table of those that have
  /// it.
  case dynamicReference(SchemaID, anchors: Int)
  case all([SchemaID])
  case any([SchemaID])
  case one([SchemaID])
  case not(SchemaID)
  case conditional(SchemaID, then: SchemaID?, otherwise: SchemaID?)

  /// The schemas that are always applied to the same value.
  var always: [SchemaID] {
    switch self {
    case .reference(let schema), .not(let schema), .conditional(let schema, _, _): [schema]
    case .all(let schemas), .any(let schemas), .one(let schemas): schemas
    case .dynamicReference: []
    }
  }
}

/// A whole compiled schema.
final class SchemaProgram: @unchecked Sendable {
  private let nodes: [SchemaNode]
  let root: SchemaID
  /// The schemas of each dynamic anchor, by resource.
  let dynamicAnchors: [[Int: SchemaID]]

  init(nodes: [SchemaNode], root: SchemaID, dynamicAnchors: [[Int: SchemaID]]) {
    self.nodes = nodes
    self.root = root
    self.dynamicAnchors = dynamicAnchors
  }

  subscript(schema: SchemaID) -> SchemaNode { nodes[schema.index] }
}

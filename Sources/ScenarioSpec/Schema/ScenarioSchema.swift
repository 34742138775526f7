import Values

/// The JSON Schema (draft 7) of scenarios, for editors and other tools.
package func scenarioSchema() -> String { schemaText(of: LanguageTable.scenario) }

/// The JSON Schema (draft 7) of components.
package func componentSchema() -> String { schemaText(of: LanguageTable.component) }

/// The JSON Schema (draft 7) of files of steps.
package func stepsSchema() -> String { schemaText(of: LanguageTable.stepsFile) }

/// The JSON Schema (draft 7) of configurations.
package func configurationSchema() -> String { schemaText(of: LanguageTable.configuration) }

private func schemaText(of rule: MappingRule) -> String {
  let writer = SchemaWriter()
  var schema = ValueMap([("$schema", "http://json-schema.org/draft-07/schema#")])
  for (key, value) in writer.mapping(rule).map { schema[key] = value }
  schema["definitions"] = .map(writer.definitions())
  return Value.map(schema).json(pretty: true) + "\n"
}

/// A maker of schemas from the table. It collects what they refer to, and defines it once.
final class SchemaWriter {
  private var wanted: [Definition] = []

  /// Something that schemas refer to by name.
  enum Definition: Equatable {
    case mapping(MappingName)
    case step(Place)
    /// The steps of a transaction, in which no time passes.
    case stepsAtOnce(Place)
    case matcher, sequence, streamOperator

    var name: String {
      switch self {
      case .mapping(let name): name.rawValue
      case .step(.scenario), .step(.finally): "scenarioStep"
      case .step(.action): "actionStep"
      case .step(.endpoint): "endpointStep"
      case .step(.eventStream): "eventStreamStep"
      case .step(.lines): "lineStep"
      case .step(.webSocket): "webSocketStep"
      case .stepsAtOnce(let place): Definition.step(place).name + "sAtOnce"
      case .matcher: "matcher"
      case .sequence: "sequence"
      case .streamOperator: "streamOperator"
      }
    }
  }

  func reference(to definition: Definition) -> SchemaPart {
    if !wanted.contains(where: { $0.name == definition.name }) { wanted.append(definition) }
    return ["$ref": .string("#/definitions/" + definition.name)]
  }

  /// Returns the definitions of all references, also of those inside definitions.
  func definitions() -> ValueMap {
    var written: [(Value, Value)] = []
    while written.count < wanted.count {
      let definition = wanted[written.count]
      written.append((.string(definition.name), schema(of: definition).value))
    }
    return ValueMap(written)
  }

  private func schema(of definition: Definition) -> SchemaPart {
    switch definition {
    case .mapping(let name): LanguageTable.mapping(name).map { mapping($0) } ?? [:]
    case .step(let place): step(in: place)
    case .stepsAtOnce(let place): stepsAtOnce(in: place)
    case .matcher: matcher(sequence: false)
    case .sequence: matcher(sequence: true)
    case .streamOperator: streamOperator()
    }
  }

  func mapping(_ rule: MappingRule) -> SchemaPart {
    var properties = SchemaPart()
    for key in rule.keys {
      properties[key.name] = property(key, in: nil, isVerb: false).value
    }
    var schema: SchemaPart = [
      "title": .string(rule.title), "description": .string(rule.text), "type": "object",
      "properties": properties.value,
    ]
    let required = rule.keys.filter(\.isRequired).map { Value.string($0.name) }
    if !required.isEmpty { schema["required"] = .list(required) }
    add(rule.otherKey, to: &schema)
    if rule.name == .entry { schema["not"] = onlyOptions }
    if rule.name == .operators { schema["minProperties"] = 1 }
    if rule.name == .provider { schema["patternProperties"] = piecesOfQuery }
    let conditions = conditions(of: rule)
    if !conditions.isEmpty { schema["allOf"] = .list(conditions) }
    return schema
  }

  /// The schema of a part that a comma has split off a query between braces.
  private var piecesOfQuery: Value { ["\\s": ["type": "null"]] }

  /// The schema of an entry without a source, which has options only.
  private var onlyOptions: Value {
    let options = LanguageTable.entryOptions.filter { $0 != Key.anyOrder.rawValue }
    return ["propertyNames": ["enum": .list(options.map { .string($0) })]]
  }

  private func add(_ otherKey: OtherKey?, to schema: inout SchemaPart) {
    guard let otherKey else {
      schema["additionalProperties"] = false
      return
    }
    var other = self.schema(of: otherKey.shape, in: nil)
    other["description"] = .string(otherKey.text)
    schema["additionalProperties"] = other.value
    schema["minProperties"] = 1
  }

  /// Makes the conditions of keys that need or exclude each other.
  private func conditions(of rule: MappingRule) -> [Value] {
    let exactlyOne = rule.exactlyOneOf.map { group -> Value in
      ["oneOf": .list(group.map { required($0, among: group, rule) })]
    }
    let atMostOne = rule.atMostOneOf.map { group -> Value in
      let none: Value = [
        "not": ["anyOf": .list(group.map { required($0, among: group, rule) })]
      ]
      return ["oneOf": .list(group.map { required($0, among: group, rule) } + [none])]
    }
    let needs = rule.needs.map { need -> Value in
      ["anyOf": .list([["not": required(need.key)]] + need.oneOf.map(required))]
    }
    return exactlyOne + atMostOne + needs
  }

  /// A key that may stand beside another one of its group is then no choice of its own.
  private func required(_ key: Key, among group: [Key], _ rule: MappingRule) -> Value {
    guard let (first, others) = rule.together, key == first,
      group.contains(where: others.contains)
    else { return required(key) }
    return ["allOf": [required(key), ["not": required(others[0])]]]
  }

  func required(_ key: Key) -> Value { ["required": [.string(key.rawValue)]] }

  /// Makes the schema of one property, with its description for editors.
  func property(_ rule: KeyRule, in place: Place?, isVerb: Bool) -> SchemaPart {
    var schema = schema(of: rule.shape, in: place, isNeverEmpty: isVerb)
    schema["description"] = .string(rule.text)
    if let example = exampleValue(rule.example) { schema["examples"] = [example] }
    return schema
  }
}

/// A piece of a schema under construction.
struct SchemaPart: ExpressibleByDictionaryLiteral {
  private(set) var map = ValueMap()

  init() {}

  init(dictionaryLiteral elements: (String, Value)...) {
    for (key, value) in elements { map[key] = value }
  }

  subscript(key: String) -> Value? {
    get { map[key] }
    set { map[key] = newValue }
  }

  var value: Value { .map(map) }
}

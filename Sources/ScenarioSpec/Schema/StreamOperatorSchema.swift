import Values

extension SchemaWriter {
  /// Makes the schema of an operator: one closed map with exactly one verb, or a word.
  func streamOperator() -> SchemaPart {
    let rules = LanguageTable.streamOperators
    let map: SchemaPart = [
      "type": "object", "properties": properties(of: rules).value,
      "additionalProperties": false, "oneOf": .list(rules.map { isVerb($0, among: rules) }),
      "dependencies": dependencies(of: rules).value,
    ]
    let words = rules.filter(\.isWord).map { Value.string($0.verb.name) }
    return [
      "title": "An operator of a stream", "description": "One verb, and what goes with it.",
      "anyOf": [map.value, ["enum": .list(words)]],
    ]
  }

  /// Makes the condition of a verb that is also an option of another verb.
  private func isVerb(_ rule: StreamOperatorRule, among rules: [StreamOperatorRule]) -> Value {
    let owners = owners(of: rule.verb.key, among: rules)
    guard !owners.isEmpty else { return required(rule.verb.key) }
    return ["allOf": [required(rule.verb.key), ["not": ["anyOf": .list(owners.map(required))]]]]
  }

  private func owners(of key: Key, among rules: [StreamOperatorRule]) -> [Key] {
    rules.filter { $0.verb.key != key && $0.mapping.rule(for: key) != nil }.map(\.verb.key)
  }

  private func properties(of rules: [StreamOperatorRule]) -> SchemaPart {
    var properties = SchemaPart()
    for rule in rules {
      for key in rule.mapping.keys {
        let own = property(key, in: nil, isVerb: key === rule.verb)
        guard let other = properties[key.name], other != own.value else {
          properties[key.name] = own.value
          continue
        }
        properties[key.name] = ["anyOf": [other, own.value]]
      }
    }
    return properties
  }

  private func dependencies(of rules: [StreamOperatorRule]) -> SchemaPart {
    var dependencies = SchemaPart()
    let verbs = Set(rules.map(\.verb.name))
    for rule in rules {
      let companions = rule.mapping.keys.filter { $0.isRequired && $0 !== rule.verb }
      if !companions.isEmpty {
        dependencies[rule.verb.name] = ["allOf": .list(companions.map { required($0.key) })]
      }
      for key in rule.mapping.keys where !verbs.contains(key.name) {
        let owners = owners(of: key.key, among: rules)
        dependencies[key.name] = ["anyOf": .list(owners.map(required))]
      }
    }
    return dependencies
  }
}

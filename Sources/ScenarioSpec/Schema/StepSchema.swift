import Values

extension SchemaWriter {
  /// Makes the schema of a step: one closed map with exactly one verb. Editors then offer all
  /// verbs.
  func step(in place: Place) -> SchemaPart {
    let rules = LanguageTable.steps.filter { $0.places.contains(place) }
    let map: SchemaPart = [
      "title": .string("A step in \(place.text)"),
      "description": "One verb, and what goes with it.",
      "type": "object", "properties": properties(of: rules, in: place).value,
      "additionalProperties": false, "oneOf": .list(rules.map { required($0.verb.key) }),
      "dependencies": dependencies(of: rules, in: place).value,
    ]
    let words = rules.filter(\.isWord).map { Value.string($0.verb.name) }
    return words.isEmpty ? map : ["anyOf": [map.value, ["enum": .list(words)]]]
  }

  private func properties(of rules: [StepRule], in place: Place) -> SchemaPart {
    var properties = SchemaPart()
    for rule in rules {
      for key in rule.mapping.keys where key.belongs(in: place) && properties[key.name] == nil {
        var property = property(key, in: place, isVerb: key === rule.verb)
        if key.key == .transaction {
          property["allOf"] = [reference(to: .stepsAtOnce(place)).value]
        }
        properties[key.name] = property.value
      }
    }
    return properties
  }

  /// Makes the schema of steps in which no time passes, those inside other steps included.
  func stepsAtOnce(in place: Place) -> SchemaPart {
    let rules = LanguageTable.steps.filter { $0.places.contains(place) }
    let slow = rules.filter(\.takesTime).map(\.verb.key)
    var inner = SchemaPart()
    for key in rules.filter({ !$0.takesTime }).flatMap(\.mapping.keys) where key.holdsSteps {
      inner[key.name] = reference(to: .stepsAtOnce(place)).value
    }
    let never: Value = ["anyOf": .list((slow + [.awaited]).map(required))]
    return [
      "description": "Steps in which no time passes.",
      "items": ["properties": inner.value, "not": never],
    ]
  }

  /// Makes the conditions of verbs and their keys.
  private func dependencies(of rules: [StepRule], in place: Place) -> SchemaPart {
    var dependencies = SchemaPart()
    for rule in rules {
      let needed = rule.mapping.keys.filter { $0.isRequired && $0 !== rule.verb }
      guard !needed.isEmpty else { continue }
      dependencies[rule.verb.name] = .list(needed.map { .string($0.name) })
    }
    let companions = rules.flatMap { rule in
      rule.mapping.keys.filter { $0 !== rule.verb && $0.belongs(in: place) }
    }
    for companion in companions {
      let owners = rules.filter { $0.mapping.rule(for: companion.key) != nil }
      dependencies[companion.name] = ["anyOf": .list(owners.map { required($0.verb.key) })]
    }
    return dependencies
  }
}

extension Shape {
  fileprivate var isScript: Bool { if case .script = self { true } else { false } }
}

extension KeyRule {
  /// True if the key takes a list of steps.
  fileprivate var holdsSteps: Bool {
    if case .anyOf(let shapes) = shape { return shapes.contains(where: \.isScript) }
    return shape.isScript
  }
}

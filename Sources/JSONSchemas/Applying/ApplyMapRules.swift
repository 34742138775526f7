import Diagnostics
import Values

extension SchemaRun {
  mutating func satisfiesMapRules(
    _ node: SchemaNode, _ map: ValueMap, _ marks: EvaluatedMarks?
  ) -> Bool {
    var isGood = true
    for rule in node.mapRules {
      isGood = satisfies(rule, node, map, marks) && isGood
      if !isGood, !collects { return false }
    }
    return isGood
  }

  private mutating func satisfies(
    _ rule: MapRule, _ node: SchemaNode, _ map: ValueMap, _ marks: EvaluatedMarks?
  ) -> Bool {
    switch rule {
    case .minProperties(let least):
      map.count >= least
        || fail(node, "minProperties") {
          "must have at least \(plural(least, "property")), not \(map.count)"
        }
    case .maxProperties(let most):
      map.count <= most
        || fail(node, "maxProperties") {
          "must have at most \(plural(most, "property")), not \(map.count)"
        }
    case .required(let names): satisfiesRequired(names, node, map)
    case .members(let rules): satisfies(rules, node, map, marks)
    case .names(let schema): satisfiesNames(schema, map)
    case .dependentRequired(let keyword, let needs): satisfies(needs, keyword, node, map)
    case .dependentSchemas(let keyword, let schemas): satisfies(schemas, keyword, map, marks)
    }
  }

  private mutating func satisfiesRequired(
    _ names: [Value], _ node: SchemaNode, _ map: ValueMap
  ) -> Bool {
    var isGood = true
    for name in names where map[name] == nil {
      isGood = fail(node, "required") {
        "must have the property `\(name.plainText)`" + misspelt(name, node, map)
      }
      if !collects { return false }
    }
    return isGood
  }

  private mutating func satisfies(
    _ rules: MemberRules, _ node: SchemaNode, _ map: ValueMap, _ marks: EvaluatedMarks?
  ) -> Bool {
    var isGood = true
    for (position, entry) in map.enumerated() {
      let name = if case .string(let text) = entry.key { text } else { entry.key.plainText }
      isGood = satisfies(rules, node, name, entry.value, position, marks) && isGood
      if !isGood, !collects { return false }
    }
    return isGood
  }

  private mutating func satisfies(
    _ rules: MemberRules, _ node: SchemaNode, _ name: String, _ value: Value, _ position: Int,
    _ marks: EvaluatedMarks?
  ) -> Bool {
    var isKnown = false
    var isGood = true
    if let schema = rules.properties.schema(of: name) {
      isKnown = true
      isGood = holds(schema, value, at: .key(name), ["properties", name])
    }
    for (pattern, schema) in rules.patterns {
      guard let isFound = pattern.isFound(in: name) else {
        return abort(
          node, "patternProperties", "the pattern `\(pattern.text)` takes too long here")
      }
      guard isFound else { continue }
      isKnown = true
      let way = collects ? ["patternProperties", pattern.text] : []
      isGood = holds(schema, value, at: .key(name), way) && isGood
    }
    if !isKnown, let schema = rules.additional {
      isKnown = true
      isGood = satisfiesAdditional(schema, rules, node, name, value)
    }
    if isKnown { marks?.mark(position) }
    return isGood
  }

  private mutating func satisfiesAdditional(
    _ schema: SchemaID, _ rules: MemberRules, _ node: SchemaNode, _ name: String, _ value: Value
  ) -> Bool {
    guard collects, program[schema].verdict == false else {
      return holds(schema, value, at: .key(name), ["additionalProperties"])
    }
    let known = rules.properties.entries.map(\.name)
    let near = nearestName(to: name, among: known).map { "; did you mean `\($0)`?" } ?? ""
    return at(.key(name)) {
      $0.fail(node, "additionalProperties") {
        "must not be there: the schema knows no property `\(name)`" + near
      }
    }
  }

  private mutating func satisfiesNames(_ schema: SchemaID, _ map: ValueMap) -> Bool {
    var isGood = true
    for key in map.keys {
      let name = Value.string(key.plainText)
      isGood = holds(schema, name, at: .key(key.plainText), ["propertyNames"]) && isGood
      if !isGood, !collects { return false }
    }
    return isGood
  }

  private mutating func satisfies(
    _ needs: [(key: Value, needed: [Value])], _ keyword: String, _ node: SchemaNode,
    _ map: ValueMap
  ) -> Bool {
    var isGood = true
    for (key, needed) in needs where map[key] != nil {
      for name in needed where map[name] == nil {
        isGood = fail(node, keyword) {
          "must have the property `\(name.plainText)`, as it has `\(key.plainText)`"
        }
        if !collects { return false }
      }
    }
    return isGood
  }

  private mutating func satisfies(
    _ schemas: [(key: Value, schema: SchemaID)], _ keyword: String, _ map: ValueMap,
    _ marks: EvaluatedMarks?
  ) -> Bool {
    var isGood = true
    for (key, schema) in schemas where map[key] != nil {
      isGood = holds(schema, .map(map), marks, [keyword, key.plainText]) && isGood
      if !isGood, !collects { return false }
    }
    return isGood
  }
}

extension MapRule {
  /// The names for which this rule has a schema of its own.
  fileprivate var declaredNames: [String] {
    switch self {
    case .required(let names): names.map(\.plainText)
    case .members(let rules): rules.properties.entries.map(\.name)
    case .minProperties, .maxProperties, .names, .dependentRequired, .dependentSchemas: []
    }
  }
}

/// Returns a hint for a property that no rule knows and that is near a known name.
private func misspelt(_ name: Value, _ node: SchemaNode, _ map: ValueMap) -> String {
  let known = Set(node.mapRules.flatMap(\.declaredNames))
  let unknown = map.keys.map(\.plainText).filter { !known.contains($0) }
  return nearestName(to: name.plainText, among: unknown).map { "; there is `\($0)`" } ?? ""
}

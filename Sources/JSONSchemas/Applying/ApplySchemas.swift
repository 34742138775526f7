import Values

// Schemas that are applied to the value itself.
extension SchemaRun {
  mutating func satisfiesApplied(
    _ node: SchemaNode, _ value: Value, _ marks: EvaluatedMarks?
  ) -> Bool {
    var isGood = true
    for rule in node.applied {
      isGood = satisfies(rule, node, value, marks) && isGood
      if !isGood, !collects { return false }
    }
    return isGood
  }

  private mutating func satisfies(
    _ rule: AppliedRule, _ node: SchemaNode, _ value: Value, _ marks: EvaluatedMarks?
  ) -> Bool {
    switch rule {
    case .reference(let schema): holds(schema, value, marks, ["$ref"])
    case .dynamicReference(let schema, let anchors):
      holds(target(anchors) ?? schema, value, marks, ["$dynamicRef"])
    case .all(let schemas): satisfiesAll(schemas, value, marks)
    case .any(let schemas): satisfiesAny(schemas, node, value, marks)
    case .one(let schemas): satisfiesOne(schemas, node, value, marks)
    case .not(let schema):
      !holdsQuietly(schema, value, nil)
        || fail(node, "not") { "must not be as `not` describes it, as \(shown(value)) is" }
    case .conditional(let condition, let then, let otherwise):
      satisfiesConditional(condition, then, otherwise, value, marks)
    }
  }

  /// Returns the schema with this anchor in the outermost resource that has one.
  private func target(_ anchors: Int) -> SchemaID? {
    for resource in scopes {
      if let schema = program.dynamicAnchors[anchors][resource] { return schema }
    }
    return nil
  }

  private mutating func satisfiesAll(
    _ schemas: [SchemaID], _ value: Value, _ marks: EvaluatedMarks?
  ) -> Bool {
    var isGood = true
    for (index, schema) in schemas.enumerated() {
      isGood = holds(schema, value, marks, ["allOf", "\(index)"]) && isGood
      if !isGood, !collects { return false }
    }
    return isGood
  }

  private mutating func satisfiesAny(
    _ schemas: [SchemaID], _ node: SchemaNode, _ value: Value, _ marks: EvaluatedMarks?
  ) -> Bool {
    var holdsOnce = false
    for schema in schemas where holdsMarking(schema, value, marks) {
      // If marks are needed, every schema that holds must set its marks.
      if marks == nil { return true }
      holdsOnce = true
    }
    if holdsOnce { return true }
    return failAlternatives(schemas, node, "anyOf", value)
  }

  private mutating func satisfiesOne(
    _ schemas: [SchemaID], _ node: SchemaNode, _ value: Value, _ marks: EvaluatedMarks?
  ) -> Bool {
    var found: [Int] = []
    for (index, schema) in schemas.enumerated() where holdsMarking(schema, value, marks) {
      found.append(index)
      if found.count > 1, !collects { return false }
    }
    if found.count == 1 { return true }
    if found.isEmpty { return failAlternatives(schemas, node, "oneOf", value) }
    return fail(node, "oneOf") {
      "must match just one of \(schemas.count) schemas, and matches "
        + found.map { "/oneOf/\($0)" }.joined(separator: " and ")
    }
  }

  /// Applies a schema as `holdsQuietly` does, and drops the marks of a schema that does not hold.
  private mutating func holdsMarking(
    _ schema: SchemaID, _ value: Value, _ marks: EvaluatedMarks?
  ) -> Bool {
    guard let marks else { return holdsQuietly(schema, value, nil) }
    let own = marks.fresh()
    guard holdsQuietly(schema, value, own) else { return false }
    marks.add(own)
    return true
  }

  /// Reports that none of several schemas holds, with the reasons of the nearest one.
  private mutating func failAlternatives(
    _ schemas: [SchemaID], _ node: SchemaNode, _ keyword: String, _ value: Value
  ) -> Bool {
    guard collects, stop == nil else { return false }
    var nearest: [SchemaViolation] = []
    for (index, schema) in schemas.enumerated() {
      let found = findings(schema, value, [keyword, "\(index)"])
      if index == 0 || distance(found) < distance(nearest) { nearest = found }
    }
    let count = schemas.count == 1 ? "its one schema" : "one of \(schemas.count) schemas"
    let cause = reason(nearest.first)
    return fail(node, keyword, causes: nearest) { "must match \(count)" + cause }
  }

  /// Returns the reasons of the nearest alternative, unless the value itself is meant.
  private func reason(_ cause: SchemaViolation?) -> String {
    guard let cause else { return "" }
    if cause.instancePath == instance.path { return "; the nearest says: \(cause.message)" }
    return "; the nearest says: `\(cause.instancePath)` \(cause.message)"
  }

  /// Returns how far a value is from a schema. Another type or another constant is farther than a
  /// mistake inside.
  private func distance(_ violations: [SchemaViolation]) -> Int {
    violations.reduce(0) { sum, violation in
      sum + (["type", "const", "enum", ""].contains(violation.keyword) ? 10 : 1)
    }
  }

  private mutating func satisfiesConditional(
    _ condition: SchemaID, _ then: SchemaID?, _ otherwise: SchemaID?, _ value: Value,
    _ marks: EvaluatedMarks?
  ) -> Bool {
    let isMet = holdsMarking(condition, value, marks)
    guard let schema = isMet ? then : otherwise else { return true }
    return holds(schema, value, marks, [isMet ? "then" : "else"])
  }
}

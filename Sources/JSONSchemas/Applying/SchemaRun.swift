import Values

/// One validation of a value by a schema.
///
/// The quick one stops at the first broken rule and records nothing. The collecting one records its
/// place and all violations.
struct SchemaRun {
  let program: SchemaProgram
  private(set) var collects: Bool
  private var depth = 0
  private var steps = 0
  /// The reason why the validation stopped early.
  private(set) var stop: String?
  /// The resources entered on the way here, the outermost first.
  private(set) var scopes: [Int] = []
  private(set) var instance: [InstanceStep] = []
  private(set) var schemaWay: [String] = []
  private(set) var violations: [SchemaViolation] = []

  init(_ program: SchemaProgram, collects: Bool) {
    self.program = program
    self.collects = collects
  }

  var isOutOfSteps: Bool { steps > SchemaLimits.steps }

  mutating func judge(_ value: Value) -> Bool { holds(program.root, value, nil) }

  /// Returns whether a schema holds for a value. If `marks` are given, it marks what it evaluates.
  mutating func holds(_ id: SchemaID, _ value: Value, _ marks: EvaluatedMarks?) -> Bool {
    if stop != nil { return false }
    steps += 1
    depth += 1
    defer { depth -= 1 }
    let node = program[id]
    if isOutOfSteps || depth > SchemaLimits.depth { return abort(node) }
    if let verdict = node.verdict { return verdict || refuse(node) }
    if program.dynamicAnchors.isEmpty || scopes.last == node.resource {
      return satisfies(node, value, marks)
    }
    scopes.append(node.resource)
    defer { scopes.removeLast() }
    return satisfies(node, value, marks)
  }

  private mutating func satisfies(
    _ node: SchemaNode, _ value: Value, _ marks: EvaluatedMarks?
  ) -> Bool {
    if let kinds = node.kinds, !kinds.contains(JSONKinds.of(value)) {
      // Other violations of a value of the wrong type would not be helpful.
      return fail(node, "type") { "must be \(kinds.text), not \(shown(value))" }
    }
    if node.unevaluatedItems != nil || node.unevaluatedProperties != nil {
      return satisfiesWithRest(node, value, marks)
    }
    return satisfiesOwn(node, value, marks)
  }

  /// Applies all rules except those about unevaluated parts.
  private mutating func satisfiesOwn(
    _ node: SchemaNode, _ value: Value, _ marks: EvaluatedMarks?
  ) -> Bool {
    var isGood = node.constants.isEmpty || satisfiesConstants(node, value)
    if !isGood, !collects { return false }
    switch value {
    case .int, .uint, .double, .digits:
      if !node.numberRules.isEmpty { isGood = satisfiesNumberRules(node, value) && isGood }
    case .string(let text):
      if !node.textRules.isEmpty { isGood = satisfiesTextRules(node, text) && isGood }
    case .list(let list):
      if !node.listRules.isEmpty { isGood = satisfiesListRules(node, list, marks) && isGood }
    case .map(let map):
      if !node.mapRules.isEmpty { isGood = satisfiesMapRules(node, map, marks) && isGood }
    case .null, .bool, .bytes, .timestamp, .duration, .type, .optional: break
    }
    if !isGood, !collects { return false }
    return node.applied.isEmpty ? isGood : satisfiesApplied(node, value, marks) && isGood
  }

  private mutating func satisfiesWithRest(
    _ node: SchemaNode, _ value: Value, _ marks: EvaluatedMarks?
  ) -> Bool {
    let own: EvaluatedMarks
    switch value {
    case .list(let list): own = EvaluatedMarks(count: list.count)
    case .map(let map): own = EvaluatedMarks(count: map.count)
    case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type,
      .optional:
      return satisfiesOwn(node, value, marks)
    }
    // If another rule is broken already, what it did not reach would only be noise.
    guard satisfiesOwn(node, value, own) else { return false }
    guard satisfiesRest(node, value, own) else { return false }
    marks?.add(own)
    return true
  }

  private mutating func satisfiesRest(
    _ node: SchemaNode, _ value: Value, _ marks: EvaluatedMarks
  ) -> Bool {
    var isGood = true
    switch value {
    case .list(let list):
      guard let schema = node.unevaluatedItems else { return true }
      for (position, element) in list.enumerated() where !marks.isMarked(position) {
        isGood = holds(schema, element, at: .index(position), ["unevaluatedItems"]) && isGood
        if !isGood, !collects { return false }
      }
    case .map(let map):
      guard let schema = node.unevaluatedProperties else { return true }
      for (position, entry) in map.enumerated() where !marks.isMarked(position) {
        let step = InstanceStep.key(entry.key.plainText)
        isGood = holds(schema, entry.value, at: step, ["unevaluatedProperties"]) && isGood
        if !isGood, !collects { return false }
      }
    case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type,
      .optional:
      return true
    }
    marks.markAll()
    return isGood
  }
}

// The place of the validation, and its messages.
extension SchemaRun {
  /// Returns whether a schema holds for a part of the value.
  @inline(__always)
  mutating func holds(
    _ id: SchemaID, _ value: Value, at step: @autoclosure () -> InstanceStep,
    _ way: @autoclosure () -> [String]
  ) -> Bool {
    if !collects { return holds(id, value, nil) }
    instance.append(step())
    defer { instance.removeLast() }
    return holds(id, value, nil, way())
  }

  /// Enters a part of the value while the body runs.
  mutating func at(_ step: InstanceStep, _ body: (inout SchemaRun) -> Bool) -> Bool {
    instance.append(step)
    defer { instance.removeLast() }
    return body(&self)
  }

  /// Returns whether a schema inside a keyword holds for the value itself.
  @inline(__always)
  mutating func holds(
    _ id: SchemaID, _ value: Value, _ marks: EvaluatedMarks?, _ way: @autoclosure () -> [String]
  ) -> Bool {
    if !collects { return holds(id, value, marks) }
    let length = schemaWay.count
    schemaWay += way()
    defer { schemaWay.removeSubrange(length...) }
    return holds(id, value, marks)
  }

  /// Applies a schema as `holds` does, without recording violations.
  mutating func holdsQuietly(_ id: SchemaID, _ value: Value, _ marks: EvaluatedMarks?) -> Bool {
    let collected = collects
    collects = false
    defer { collects = collected }
    return holds(id, value, marks)
  }

  /// Returns the violations of a schema instead of recording them.
  mutating func findings(_ id: SchemaID, _ value: Value, _ way: [String]) -> [SchemaViolation] {
    let outer = violations
    violations = []
    defer { violations = outer }
    _ = holds(id, value, nil, way)
    return violations
  }

  /// Records a broken rule, if violations are collected; always returns false.
  @inline(__always)
  mutating func fail(
    _ node: SchemaNode, _ keyword: String, causes: [SchemaViolation] = [], _ message: () -> String
  ) -> Bool {
    if collects { note(node, keyword, message(), causes) }
    return false
  }

  private mutating func note(
    _ node: SchemaNode, _ keyword: String, _ message: String, _ causes: [SchemaViolation]
  ) {
    guard violations.count < SchemaLimits.violations, stop == nil else { return }
    let inner = keyword.isEmpty ? "" : "/" + keyword
    violations.append(
      SchemaViolation(
        instancePointer: instance.pointer, instancePath: instance.path,
        schemaPath: schemaWay.reduce("") { $0 + "/" + escapedToken($1) } + inner,
        keywordLocation: node.location + inner, keyword: keyword, message: message,
        causes: causes))
  }

  /// Records the violation of a schema that is `false`.
  private mutating func refuse(_ node: SchemaNode) -> Bool {
    let message = instance.isEmpty ? "no value is allowed" : "must not be there"
    return fail(node, "") { message }
  }

  private mutating func abort(_ node: SchemaNode) -> Bool {
    let reason =
      depth > SchemaLimits.depth
      ? "schemas nest more than \(SchemaLimits.depth) levels deep; validation was stopped"
      : "validation takes more than \(SchemaLimits.steps) steps and was stopped"
    return abort(node, "", reason)
  }

  /// Ends the whole validation; always returns false.
  mutating func abort(_ node: SchemaNode, _ keyword: String, _ reason: String) -> Bool {
    collects = true
    violations = []
    note(node, keyword, reason, [])
    stop = reason
    return false
  }
}

/// Returns a value as messages show it.
func shown(_ value: Value) -> String { value.display(maxLength: 40) }

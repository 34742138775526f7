import Diagnostics
import Values
import YAMLSyntax

extension DocumentReader {
  /// Reads a step with other steps in it, or `wait`.
  func readStructure(
    _ fields: MappingReader, _ verb: Key, _ node: YAMLNode, _ context: ScriptContext
  ) -> StepKind? {
    switch verb {
    case .wait: return readWait(node)
    case .let: return readBindings(fields, node)
    case .log: return readData(node).map { .log($0) }
    case .parallel: return readParallel(fields, context)
    case .repeat:
      let count = readRepetitions(node)
      let steps = fields.script(.steps, in: context)
      guard let count, let steps else { return nil }
      return .repeat(count, steps)
    case .while:
      let condition = fields.expression(.while)
      let most = fields.integer(.atMost)
      let steps = fields.script(.steps, in: context)
      guard let condition, let steps else { return nil }
      return .while(condition, atMost: most?.value, steps)
    case .forEach: return readForEach(fields, node, context)
    case .if:
      let condition = fields.expression(.if)
      let then = fields.script(.then, in: context)
      let otherwise = readElse(fields, context)
      guard let condition, let then else { return nil }
      return .if(condition, then: then, else: otherwise)
    case .try: return readAttempt(fields, context)
    case .include: return readInclude(node, context)
    default: return nil
    }
  }

  /// Reads `else`: a script, or one step such as a further `if`.
  private func readElse(_ fields: MappingReader, _ context: ScriptContext) -> ScriptSpec? {
    guard let node = fields[.else]?.value else { return nil }
    guard node.entries != nil else {
      return readScript(node, context, .key(.else), takes: .script(nil))
    }
    return readStep(node, context).map { ScriptSpec(range: node.range, steps: [$0]) }
  }

  private func readInclude(_ node: YAMLNode, _ context: ScriptContext) -> StepKind? {
    reading.includesFiles = true
    let place = context.place.ofStepsFile
    guard case .mapping = node.content else {
      return readText(node, .key(.include))
        .map { .include(IncludeSpec(path: $0, with: [], place: place)) }
    }
    guard let fields = open(node, LanguageTable.include, "`include`") else { return nil }
    let with = fields.namedData(.with)
    return fields.text(.path).map { .include(IncludeSpec(path: $0, with: with, place: place)) }
  }

  private func readWait(_ node: YAMLNode) -> StepKind? {
    if node.text == "forever" { return .wait(nil) }
    if isNearlyForever(node, .wait, takes: "a duration such as `300ms`") { return nil }
    return readAnyDuration(node, .key(.wait)).map { .wait($0) }
  }

  /// Reads how often steps run. `forever` is more often than any run has turns.
  private func readRepetitions(_ node: YAMLNode) -> DataSpec? {
    if node.text == "forever" { return DataSpec(.literal(.int(.max)), node.range) }
    if isNearlyForever(node, .repeat, takes: "an integer from 0 on") { return nil }
    return readCount(node, in: 0...Int.max, .key(.repeat))
  }

  /// Reports a word that is not `forever`, but was meant to be.
  private func isNearlyForever(_ node: YAMLNode, _ verb: Key, takes shape: String) -> Bool {
    guard let scalar = node.scalar, scalar.isText, scalar.text.utf8.allSatisfy({ $0 > 0x39 }),
      nearestName(to: scalar.text, among: ["forever"]) != nil
    else { return false }
    report(
      .unknownWord(
        scalar.text, for: "`\(verb.rawValue)`", takes: "\(shape), or `forever`",
        known: ["forever"], at: node.range))
    return true
  }

  private func readBindings(_ fields: MappingReader, _ node: YAMLNode) -> StepKind? {
    guard case .mapping(let entries) = node.content else {
      reportWrongType(node, fields.rule, .let)
      return nil
    }
    if entries.isEmpty { report(.emptyMap("`let`", at: node.range)) }
    var bindings: [(name: Located<String>, value: ExpressionText)] = []
    for entry in entries {
      let name = readInnerName(entry)
      let value = readExpression(entry.value, .key(.let))
      if let name, let value { bindings.append((name, value)) }
    }
    return entries.isEmpty || bindings.count < entries.count ? nil : .bind(bindings)
  }

  private func readParallel(_ fields: MappingReader, _ context: ScriptContext) -> StepKind? {
    let nodes = fields.elements(.parallel)
    let branches = nodes.compactMap {
      readScript($0, context, .element(.parallel), takes: .script(nil))
    }
    if let node = fields[.parallel]?.value, node.elements?.isEmpty == true {
      report(.emptyList("`parallel`", of: "list of steps", at: node.range))
    }
    return branches.isEmpty || branches.count < nodes.count ? nil : .parallel(branches)
  }

  private func readForEach(_ fields: MappingReader, _ node: YAMLNode, _ context: ScriptContext)
    -> StepKind?
  {
    let steps = fields.script(.steps, in: context)
    guard case .mapping(let entries) = node.content else {
      reportWrongType(node, fields.rule, .forEach)
      return nil
    }
    guard let entry = readOnlyEntry(entries, .forEach, at: node.range),
      let variable = readInnerName(entry), let items = readData(entry.value),
      let steps
    else { return nil }
    return .forEach(variable: variable, items: items, steps)
  }

  private func readAttempt(_ fields: MappingReader, _ context: ScriptContext) -> StepKind? {
    let steps = fields.script(.try, in: context)
    let rescue = fields.script(.catch, in: context)
    guard let steps else { return nil }
    let variable = fields[.catch].map { Located("error", $0.keyRange) }
    return .attempt(steps, catch: rescue, variable: variable)
  }
}

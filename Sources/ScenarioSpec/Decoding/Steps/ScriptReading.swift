import Diagnostics
import YAMLSyntax

/// The place of the steps that are being read.
struct ScriptContext {
  var place: Place
  var isInTransaction = false

  init(_ place: Place) { self.place = place }
}

extension MappingReader {
  /// Reads a script that has its own place in the table.
  func script(_ key: Key) -> ScriptSpec? {
    guard let entry = self[key], case .script(let place?)? = rule.rule(for: key)?.shape else {
      assertShape(key) { if case .script(.some) = $0 { true } else { false } }
      return nil
    }
    return values.readScript(
      entry.value, ScriptContext(place), .key(key), takes: .script(place))
  }

  /// Reads a script within the steps of another.
  func script(_ key: Key, in context: ScriptContext) -> ScriptSpec? {
    assertShape(key) { $0 == .script(nil) }
    return self[key].flatMap {
      values.readScript($0.value, context, .key(key), takes: .script(nil))
    }
  }
}

extension DocumentReader {
  func readScript(
    _ node: YAMLNode, _ context: ScriptContext, _ subject: ValueSubject, takes shape: Shape
  ) -> ScriptSpec? {
    guard case .sequence(let nodes) = node.content else {
      let help = helpForNoScript(node)
      reportWrongType(node, subject, takes: shape, help: help)
      return nil
    }
    var steps: [StepSpec] = []
    steps.reserveCapacity(nodes.count)
    for node in nodes {
      if let step = readStep(node, context) { steps.append(step) }
    }
    return ScriptSpec(range: node.range, steps: steps)
  }

  private func helpForNoScript(_ node: YAMLNode) -> String? {
    guard let entries = node.entries else {
      return node.isNull ? nil : "write a list of steps, such as `[{ wait: 1s }]`"
    }
    let first = entries.first?.key ?? ""
    return first.hasPrefix("-")
      ? "write a space after the dash: `- \(first.dropFirst()): …`" : "begin each step with `- `"
  }

  func readStep(_ node: YAMLNode, _ context: ScriptContext) -> StepSpec? {
    switch node.content {
    case .mapping(let entries): readStep(node, entries, context)
    case .scalar(let scalar): readWordStep(node, scalar, context)
    case .sequence:
      reportNoStep(node)
    }
  }

  private func reportNoStep(_ node: YAMLNode) -> StepSpec? {
    report(.noStep(found: node.isNull ? "nothing" : node.kindName, at: node.range))
    return nil
  }

  private func readStep(_ node: YAMLNode, _ entries: YAMLEntries, _ context: ScriptContext)
    -> StepSpec?
  {
    guard let (rule, verb) = findVerb(node, entries, context) else { return nil }
    guard isAllowed(rule, in: context, at: verb.keyRange),
      !reportsNotIndented(rule, verb, entries),
      let fields = open(node, rule.mapping, ""),
      let kind = readKind(fields, rule, verb, context)
    else { return nil }
    let soft = fields.has(.soft) ? fields[.soft]?.value : nil
    return StepSpec(
      kind: kind, verb: verb.name, range: node.range,
      isSoft: soft.map { readFlag($0, .key(.soft)) } ?? false)
  }

  /// Reports keys that stand beside a verb without a value and belong below it.
  private func reportsNotIndented(_ rule: StepRule, _ verb: YAMLEntry, _ entries: YAMLEntries)
    -> Bool
  {
    guard verb.value.isNull, case .mapping(let name) = rule.verb.shape,
      let inner = LanguageTable.mapping(name)
    else { return false }
    let strays = entries.filter { entry in
      rule.mapping.rule(named: entry.key) == nil && inner.rule(named: entry.key) != nil
    }
    guard !strays.isEmpty else { return false }
    report(.notIndented(KeyPlace(verb), strays.map { KeyPlace($0) }, takes: name.phrase))
    return true
  }

  private func findVerb(_ node: YAMLNode, _ entries: YAMLEntries, _ context: ScriptContext) -> (
    StepRule, YAMLEntry
  )? {
    var found: (rule: StepRule, entry: YAMLEntry)?
    for entry in entries {
      guard let rule = LanguageTable.step(named: entry.key, in: context.place) else { continue }
      if let found {
        let isInside = found.rule.takesInside(entry.key)
        report(.twoVerbs(KeyPlace(found.entry), KeyPlace(entry), inside: isInside))
        return nil
      }
      found = (rule, entry)
    }
    if found == nil { reportNoVerb(node, entries, context) }
    return found
  }

  private func reportNoVerb(_ node: YAMLNode, _ entries: YAMLEntries, _ context: ScriptContext) {
    let available = LanguageTable.steps
    let unknown = entries.first { entry in
      !available.contains { $0.mapping.keys.contains { $0.name == entry.key } }
    }
    if let unknown {
      let fitting = available.filter { $0.places.contains(context.place) }.map(\.verb.name)
      let nearest =
        ForeignNames.verb(for: unknown.key) ?? nearestName(to: unknown.key, among: fitting)
        ?? nearestName(to: unknown.key, among: available.lazy.map(\.verb.name))
      report(.unknownStep(unknown.key, nearest: nearest, at: unknown.keyRange))
    } else {
      let owners = available.filter { rule in
        rule.mapping.keys.contains { $0.name == entries.first?.key }
      }
      report(
        .noVerb(
          entries.map(\.key), belongsTo: owners.map(\.verb.name),
          meant: entries.first.flatMap { ForeignNames.verb(for: $0.key) },
          at: entries.first?.keyRange ?? node.range))
    }
  }

  private func readWordStep(_ node: YAMLNode, _ scalar: YAMLScalar, _ context: ScriptContext)
    -> StepSpec?
  {
    guard let rule = LanguageTable.step(named: scalar.text, in: context.place) else {
      guard scalar.isText else { return reportNoStep(node) }
      let words = LanguageTable.steps.lazy.map(\.verb.name)
      let nearest =
        ForeignNames.verb(for: scalar.text) ?? nearestName(to: scalar.text, among: words)
      report(.unknownStep(scalar.text, nearest: nearest, at: node.range))
      return nil
    }
    guard isAllowed(rule, in: context, at: node.range) else { return nil }
    guard rule.isWord else {
      report(
        .missingValue(rule.verb.name, takes: rule.verb.shape, rule.verb.example, at: node.range))
      return nil
    }
    return wordStep(rule.verb.key, at: node.range, context.place).map {
      StepSpec(kind: $0, verb: Located(scalar.text, node.range), range: node.range)
    }
  }

  /// Returns whether the step is possible here.
  private func isAllowed(_ rule: StepRule, in context: ScriptContext, at range: SourceRange) -> Bool
  {
    if !rule.places.contains(context.place) {
      report(.misplacedStep(rule, in: context.place, at: range))
    } else if context.isInTransaction, rule.takesTime {
      report(.timeInTransaction(rule, at: range))
    } else {
      return true
    }
    return false
  }
}

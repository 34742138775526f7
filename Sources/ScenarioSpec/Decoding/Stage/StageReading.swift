import Diagnostics
import YAMLSyntax

extension DocumentReader {
  func readVariables(_ fields: MappingReader) -> [VariableSpec] {
    fields.entries(.vars).compactMap { entry in
      let name = readStageName(entry)
      let variable = readVariable(entry.value)
      guard let name, let (value, isSecret) = variable else { return nil }
      return VariableSpec(name: name, value: value, isSecret: isSecret)
    }
  }

  private func readVariable(_ node: YAMLNode) -> (DataSpec, isSecret: Bool)? {
    guard node.entry(Key.value.rawValue) != nil || node.entry(Key.secret.rawValue) != nil else {
      return readData(node).map { ($0, false) }
    }
    guard let fields = open(node, LanguageTable.variable, "a variable") else { return nil }
    let isSecret = fields.bool(.secret)?.value ?? false
    if isSecret { reading.marksSecrets = true }
    return fields.data(.value).map { ($0, isSecret) }
  }

  func readGraph(_ fields: MappingReader) -> [NodeSpec] {
    fields.entries(.graph).compactMap { entry in
      let name = readStageName(entry)
      guard let rule = readNode(entry), let name else { return nil }
      return NodeSpec(name: name, rule: rule)
    }
  }

  private func readNode(_ entry: YAMLEntry) -> NodeSpec.Rule? {
    guard case .mapping(let entries) = entry.value.content else {
      return readData(entry.value).map { .stored($0) }
    }
    let kinds = LanguageTable.node.keys
    guard entries.contains(where: { part in kinds.contains { $0.name == part.key } }) else {
      reportPlainMap(entry, entries)
      return nil
    }
    guard let fields = open(entry.value, LanguageTable.node, "a node") else { return nil }
    if fields.has(.latest) { return readLatest(fields) }
    if let data = fields.data(.stored) { return .stored(data) }
    return fields.expression(.computed).map { .computed($0) }
  }

  private func readLatest(_ fields: MappingReader) -> NodeSpec.Rule? {
    let rule = fields.expression(.of)
    let initial = fields.data(.initial)
    guard let source = fields.address(.latest), rule != nil || !fields.has(.of) else { return nil }
    return .latest(source, of: rule, initial: initial)
  }

  /// Reports a map in the graph. One key that is nearly a kind of node is a mistyped kind; any
  /// other map is a value.
  private func reportPlainMap(_ entry: YAMLEntry, _ entries: YAMLEntries) {
    let kinds = LanguageTable.node.keys.map(\.name)
    if let only = entries.first, entries.count == 1,
      let nearest = nearestName(to: only.key, among: kinds)
    {
      report(
        .unknownKey(only.key, in: LanguageTable.node, nearest: nearest, at: only.keyRange))
    } else {
      report(
        .nodeIsMap(
          entry.key, isKind: kinds.contains(entry.key), first: entries.first?.key,
          at: entry.value.range))
    }
  }

  func readReactors(_ fields: MappingReader) -> [ReactorSpec] {
    fields.entries(.reactors).compactMap { entry in
      let name = readStageName(entry)
      guard
        let parts = open(
          entry.value, LanguageTable.reactor, ValueSubject.entry(entry.key, of: .reactors).text)
      else { return nil }
      var reactor = ReactorSpec(name: name ?? entry.name)
      reactor.state = readState(parts)
      reactor.bindings = readBindings(parts)
      reactor.actions = parts.entries(.actions).compactMap { readAction($0) }
      reactor.follows = readFollows(parts)
      reactor.start = parts.name(.start)
      return name == nil ? nil : reactor
    }
  }

  /// Reads the fields of a reactor or an endpoint. A field that looks like a node is a mistake.
  func readState(_ fields: MappingReader) -> [(name: Located<String>, initial: DataSpec)] {
    for entry in fields[.state]?.value.entries ?? [] {
      guard case .mapping(let parts) = entry.value.content, parts.count == 1,
        let only = parts.first, let kind = LanguageTable.node.rule(named: only.key)
      else { continue }
      report(.fieldLikeNode(entry.key, isComputed: kind.key != .stored, at: only.keyRange))
    }
    return fields.namedData(.state).map { ($0.name, $0.value) }
  }

  private func readBindings(_ fields: MappingReader) -> [BindingSpec] {
    fields.entries(.bindings).compactMap { entry in
      let field = readInnerName(entry)
      let subject = ValueSubject.entry(entry.key, of: .bindings)
      guard case .mapping = entry.value.content else {
        let action = readName(entry.value, subject)
        guard let field, let action else { return nil }
        return BindingSpec(field: field, action: action)
      }
      guard let settings = open(entry.value, LanguageTable.binding, subject.text),
        let field, let action = settings.name(.action)
      else { return nil }
      let keeps = settings.bool(.keeps)?.value ?? false
      return BindingSpec(field: field, action: action, keeps: keeps)
    }
  }

  private func readFollows(_ fields: MappingReader) -> [FollowSpec] {
    fields.entries(.follows).compactMap { entry in
      let source = readAddress(entry)
      guard case .mapping = entry.value.content else {
        let action = readName(entry.value, .entry(entry.key, of: .follows))
        guard let source, let action else { return nil }
        return FollowSpec(source: source, action: action)
      }
      guard let source else { return nil }
      return readFollow(source, entry)
    }
  }

  private func readFollow(_ source: Located<String>, _ entry: YAMLEntry) -> FollowSpec? {
    let subject = ValueSubject.entry(entry.key, of: .follows).text
    guard let fields = open(entry.value, LanguageTable.follow, subject),
      let action = fields.name(.action)
    else { return nil }
    var follow = FollowSpec(source: source, action: action)
    follow.until = fields.address(.until)
    follow.sendsInitial = fields.bool(.initial)?.value ?? false
    return follow.until == nil && fields.has(.until) ? nil : follow
  }

  private static let actionShape = Shape.anyOf([.script(.action), .mapping(.action)])

  private func readAction(_ entry: YAMLEntry) -> ActionSpec? {
    let name = readInnerName(entry)
    if case .mapping = entry.value.content {
      guard let fields = open(entry.value, LanguageTable.action, "an action") else {
        return nil
      }
      let action = readAction(name ?? entry.name, fields)
      return name == nil ? nil : action
    }
    let steps = readScript(
      entry.value, ScriptContext(.action), ValueSubject.entry(entry.key, of: .actions),
      takes: DocumentReader.actionShape)
    guard let name, let steps else { return nil }
    return ActionSpec(name: name, steps: steps)
  }

  private func readAction(_ name: Located<String>, _ fields: MappingReader) -> ActionSpec? {
    let parameters = fields.newNames(.params)
    let inFlight = fields.scalar(.inFlight)
    let join = fields.scalar(.join)
    let queue = fields.scalar(.queue)
    let endsWithLifecycle = fields.bool(.lifecycle)?.value ?? false
    guard let steps = fields.script(.steps) else { return nil }
    var action = ActionSpec(name: name, steps: steps)
    action.parameters = parameters
    action.policy =
      inFlight.map { .inFlight($0) } ?? join.map { .join($0) } ?? queue.map { .queue($0) } ?? .plain
    action.endsWithLifecycle = endsWithLifecycle
    return action
  }
}

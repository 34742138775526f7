import CEL
import Diagnostics
import ScenarioSpec
import Values

/// Everything on the stage gets its number and its names before anything is compiled, so that
/// parts may be named before they are written.
extension PlanCompiler {
  func declareStage() {
    declareUnit(eventsAt: document.title.range)
    tables.countSlots = PerID(plan.sources.indices.map { slot(.eventCount($0)) })
    tables.eventSlots = PerID(plan.sources.indices.map { slot(.events($0)) })
    inferStoredTypes()
  }

  /// The components a unit uses, then its own parts, then the source of its named events.
  func declareUnit(eventsAt range: SourceRange) {
    unit.start = PartCounts(plan)
    declareUses()
    unit.own = PartCounts(plan)
    declareParts()
    if unit.prefix.isEmpty {
      if names.sources["network"] == nil {
        names.connectivity = addSource("network", .connectivity, range)
      }
      addSource("events", .allEvents, range)
    } else {
      addSource(unit.prefix + "events", .componentEvents, range)
    }
    unit.end = PartCounts(plan)
    unit.scope = scope
    position.units.append(unit)
  }

  private func declareParts() {
    for node in unit.stage.graph {
      addNode(
        named: node.name, address: unit.prefix + node.name.value, isComputed: node.isComputed)
    }
    for reactor in unit.stage.reactors { declare(reactor) }
    for endpoint in unit.stage.endpoints { declare(endpoint) }
    for database in unit.stage.databases { declare(database) }
    for provider in unit.stage.providers { declare(provider) }
    for list in unit.stage.lists { declare(list) }
    for connection in unit.stage.connections { declare(connection) }
    for stream in unit.stage.streams { declare(stream) }
    for program in unit.stage.programs { declare(program) }
    for source in unit.stage.sources { declare(source) }
  }

  @discardableResult
  func addSource(
    _ name: String, _ kind: SourcePlan.Kind, _ range: SourceRange
  ) -> SourceID {
    names.sources.append(name)
    return plan.sources.append(SourcePlan(name: name, kind: kind, range: range))
  }

  /// The rule is filled in when the stage is compiled.
  @discardableResult
  func addNode(
    named name: Located<String>, address: String, isComputed: Bool = false
  ) -> NodeID {
    let id = plan.nodes.endIndex
    let source = addSource(address, .node(id), name.range)
    let rule = NodePlan.Rule.stored(DataPlan(.constant(.null), name.range))
    plan.nodes.append(NodePlan(name: address, source: source, rule: rule, range: name.range))
    names.nodes.append(address)
    names.sourceOfNode.append(source)
    tables.nodes.append(NodeInfo(isComputed: isComputed))
    return id
  }

  private func declare(_ reactor: ReactorSpec) {
    let id = plan.reactors.endIndex
    let name = unit.prefix + reactor.name.value
    names.reactors.append(name)
    for field in reactor.state {
      addNode(named: field.name, address: "\(name).\(field.name.value)")
    }
    let events = addSource("\(name).events", .reactorEvents(id), reactor.name.range)
    plan.reactors.append(ReactorPlan(name: name, events: events))
    for action in reactor.actions { declare(action, of: id) }
  }

  private func declare(_ action: ActionSpec, of reactor: ReactorID) {
    let id = plan.actions.endIndex
    let name = "\(plan.reactors[reactor].name).\(action.name.value)"
    names.actions.append(name)
    plan.reactors[reactor].actions.append(id)
    plan.actions.append(
      ActionPlan(
        name: name, reactor: reactor, policy: .plain,
        endsWithLifecycle: action.endsWithLifecycle, frame: .empty,
        payload: LocalID(0), parameters: locals(action.parameters, from: 1),
        range: action.name.range))
  }

  /// Parameters have their names before their owner is compiled, and its first locals.
  private func locals(
    _ parameters: [Located<String>], from first: Int
  ) -> [(name: String, local: LocalID)] {
    parameters.enumerated().map { ($1.value, LocalID(first + $0)) }
  }

  private func declare(_ endpoint: EndpointSpec) {
    let id = plan.endpoints.endIndex
    let name = unit.prefix + endpoint.name.value
    names.endpoints.append(name)
    let source = addSource(name, .endpoint(id), endpoint.name.range)
    plan.endpoints.append(
      EndpointPlan(name: name, source: source, range: endpoint.name.range))
    for field in endpoint.state {
      addNode(named: field.name, address: "\(name).\(field.name.value)")
    }
  }

  private func declare(_ provider: ProviderSpec) {
    let name = unit.prefix + provider.name.value
    names.providers.append(name)
    let empty = ProviderPlan.Origin.items(DataPlan(.constant(.null), provider.name.range))
    plan.providers.append(
      ProviderPlan(
        name: name, parameters: locals(provider.parameters, from: 0), origin: empty, value: nil,
        localCount: 0, response: LocalID(0), range: provider.name.range))
  }

  private func declare(_ stream: StreamSpec) {
    let id = plan.streams.endIndex
    let name = unit.prefix + stream.name.value
    let source = addSource(name, .stream(id), stream.name.range)
    // Steps that are compiled before it want to know whether values can be sent to it.
    let origin: StreamPlan.Origin =
      if case .subject = stream.origin { .subject(initial: nil) } else { .items([]) }
    plan.streams.append(
      StreamPlan(
        name: name, source: source, origin: origin, operators: [],
        parameters: locals(stream.parameters, from: 0), range: stream.name.range))
  }

  private func declare(_ source: DeclaredSourceSpec) {
    let id = plan.declaredSources.endIndex
    let name = source.name.value
    plan.declaredSources.append(
      DeclaredSourcePlan(
        source: addSource(name, .declared(id), source.name.range),
        nameInTrace: source.nameInTrace?.value ?? name,
        initial: DataPlan(.constant(.null), source.name.range)))
  }

  /// The word of the connectivity, where nothing else has its name.
  private func declareConnectivity() {
    guard let connectivity = names.connectivity, !scope.addresses.contains("network") else {
      return
    }
    scope.declare("network", type: .string, slot: slot(.lastEvent(connectivity)))
  }

  /// Declares the names of the unit and of the components that it uses.
  func declareInScope() {
    declareConstantsOfComponents()
    for id in names.shortNodes.names.indices {
      guard let (name, node) = names.shortNodes.visible(id, from: unit.prefix) else { continue }
      scope.declare(name, type: tables.nodes[node].type, slot: slot(.node(node)))
    }
    for id in unit.start.nodes..<unit.end.nodes {
      scope.declare(
        unit.name(plan.nodes[id].name), type: tables.nodes[id].type, slot: slot(.node(id)))
    }
    for stream in plan.streams[unit.start.streams..<unit.end.streams]
    where stream.parameters.isEmpty {
      scope.declare(unit.name(stream.name), slot: slot(.lastEvent(stream.source)))
    }
    for connection in plan.connections[unit.start.connections..<unit.end.connections] {
      scope.declare(unit.name(connection.name), slot: slot(.lastEvent(connection.source)))
    }
    for endpoint in plan.endpoints[unit.start.endpoints..<unit.end.endpoints] {
      scope.declare(unit.name(endpoint.name), slot: slot(.lastEvent(endpoint.source)))
    }
    for reactor in plan.reactors[unit.start.reactors..<unit.end.reactors] {
      scope.declare(unit.name(reactor.name + ".events"), slot: slot(.lastEvent(reactor.events)))
    }
    for source in unit.prefix.isEmpty ? plan.declaredSources : [] {
      scope.declare(plan.sources[source.source].name, slot: slot(.lastEvent(source.source)))
    }
    declareProgramsInScope()
    declareConnectivity()
    declareUnread()
    declareCount()
    declareRecomputes()
  }

  private func declareConstantsOfComponents() {
    for constant in position.constants where isOfComponent(constant.name) {
      scope.declareConstant(unit.name(constant.name), value: constant.value)
    }
    for id in unit.start.variables..<unit.end.variables where isOfComponent(plan.variables[id].name)
    {
      scope.declare(unit.name(plan.variables[id].name), slot: slot(.variable(id)))
    }
  }

  /// Returns whether a name belongs to a component that the unit uses.
  private func isOfComponent(_ name: String) -> Bool {
    name.hasPrefix(unit.prefix) && name.utf8.dropFirst(unit.prefix.utf8.count).contains(0x2E)
  }

  /// Of a component that could not be read nothing is known, so nothing is said.
  private func declareUnread() {
    for name in unit.unread { scope.declare(name, slot: slot(.now)) }
  }

  private func declareCount() {
    let (names, unit) = (names, unit.naming)
    func slot(in slots: PerID<SourcePlan, SlotID>) -> @Sendable (String) -> SlotID? {
      { name in
        if unit.isUnread(name) { return slots.first }
        return names.source(named: name, from: unit.prefix).map { slots[$0] }
      }
    }
    scope.declareAddressFunction(
      "count", type: .int, known: { names.sources(seenFrom: unit.prefix) },
      events: slot(in: tables.eventSlots), resolve: slot(in: tables.countSlots))
  }

  private func declareRecomputes() {
    enum Computed {}
    var computed = NameTable<Computed>()
    var slots: PerID<Computed, SlotID> = []
    for node in unit.start.nodes..<unit.end.nodes where tables.nodes[node].isComputed {
      computed.append(unit.name(plan.nodes[node].name))
      slots.append(slot(.recomputes(names.nodes[plan.nodes[node].name] ?? node)))
    }
    scope.declareAddressFunction(
      "recomputes", type: .int, takes: "a computed node", known: { [computed] in computed.names },
      resolve: { [computed, slots] in computed[$0].map { slots[$0] } })
  }

  /// The names of an owner's own parts, without its prefix.
  func declareFields(of owner: StageNames.Owner, _ fields: [Located<String>]) {
    self.owner = owner
    let prefix =
      switch owner {
      case .scenario: ""
      case .reactor(let id): plan.reactors[id].name + "."
      case .endpoint(let id): plan.endpoints[id].name + "."
      }
    for field in fields {
      guard let node = names.nodes[prefix + field.value] else { continue }
      scope.declare(field.value, type: tables.nodes[node].type, slot: slot(.node(node)))
    }
  }

  func declareLocal(_ name: String, type: CELType = .dyn) -> LocalID {
    let local = frame.addLocal()
    scope.declare(name, type: type, slot: slot(.local(local)))
    if name == "request" || name == "response" { scope.lowerCaseMaps.append([name, "headers"]) }
    if name == "request" {
      scope.know(.ofRequests, of: [name])
      if let parameters = position.pathParameters {
        scope.know(.members(parameters), of: [name, "params"])
        scope.textMembers.insert([name, "params"])
      }
    }
    if name == "response" { scope.know(.ofResponses, of: [name]) }
    return local
  }
}

extension NodeSpec {
  /// Computed nodes are lazy until something names their events.
  fileprivate var isComputed: Bool {
    switch rule {
    case .computed: true
    // A node that follows a source changes with it, so no reader needs to observe the source.
    case .stored, .latest: false
    }
  }
}

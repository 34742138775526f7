import CEL
import Diagnostics
import ScenarioSpec
import Values

/// Everything on the stage gets its number and its names before anything is compiled, so that
/// parts may be named before they are written.
extension PlanCompiler {
  func declareStage() {
    for node in document.graph { addNode(named: node.name, address: node.name.value) }
    for reactor in document.reactors { declare(reactor) }
    for endpoint in document.endpoints { declare(endpoint) }
    for provider in document.providers { declare(provider) }
    for stream in document.streams { declare(stream) }
    if names.sources["network"] == nil { addSource("network", .connectivity, document.title.range) }
    addSource("events", .allEvents, document.title.range)
    isObserved = plan.nodes.map { _ in true }
    for (id, node) in document.graph.enumerated() { isObserved[id] = node.isStored }
    declareInScope()
  }

  private func addSource(
    _ name: String, _ kind: SourcePlan.Kind, _ range: SourceRange
  ) {
    plan.sources.append(SourcePlan(name: name, kind: kind, range: range))
    names.sources.append(name)
  }

  /// The rule is filled in when the stage is compiled.
  private func addNode(named name: Located<String>, address: String) {
    let id = plan.nodes.count
    addSource(address, .node(id), name.range)
    let rule = NodePlan.Rule.stored(DataPlan(.constant(.null), name.range))
    let source = plan.sources.count - 1
    plan.nodes.append(NodePlan(name: address, source: source, rule: rule, range: name.range))
    names.nodes.append(address)
  }

  private func declare(_ reactor: ReactorSpec) {
    let id = plan.reactors.count
    let name = reactor.name.value
    names.reactors.append(name)
    for field in reactor.state {
      addNode(named: field.name, address: "\(name).\(field.name.value)")
    }
    addSource("\(name).events", .reactorEvents(id), reactor.name.range)
    plan.reactors.append(ReactorPlan(name: name, events: plan.sources.count - 1))
    for action in reactor.actions { declare(action, of: id) }
  }

  private func declare(_ action: ActionSpec, of reactor: ReactorID) {
    let id = plan.actions.count
    let name = "\(plan.reactors[reactor].name).\(action.name.value)"
    names.actions.append(name)
    plan.reactors[reactor].actions.append(id)
    plan.actions.append(
      ActionPlan(
        name: name, reactor: reactor, policy: policy(action.policy),
        endsWithLifecycle: action.endsWithLifecycle, frame: FramePlan(script: 0, localCount: 0),
        payload: 0, parameters: [], range: action.name.range))
  }

  private func policy(_ policy: ActionSpec.Policy) -> ActionPlan.Policy {
    switch policy {
    case .plain: .plain
    case .inFlight(let id): .inFlight(id.value)
    case .join(let id): .join(id.value)
    }
  }

  private func declare(_ endpoint: EndpointSpec) {
    let id = plan.endpoints.count
    let name = endpoint.name.value
    names.endpoints.append(name)
    addSource(name, .endpoint(id), endpoint.name.range)
    plan.endpoints.append(
      EndpointPlan(name: name, source: plan.sources.count - 1, range: endpoint.name.range))
    for field in endpoint.state {
      addNode(named: field.name, address: "\(name).\(field.name.value)")
    }
  }

  private func declare(_ provider: ProviderSpec) {
    names.providers.append(provider.name.value)
    let empty = ProviderPlan.Origin.items(DataPlan(.constant(.null), provider.name.range))
    plan.providers.append(
      ProviderPlan(
        name: provider.name.value, parameters: [], origin: empty, value: nil, localCount: 0,
        response: 0, range: provider.name.range))
  }

  private func declare(_ stream: StreamSpec) {
    let id = plan.streams.count
    addSource(stream.name.value, .stream(id), stream.name.range)
    plan.streams.append(
      StreamPlan(
        name: stream.name.value, source: plan.sources.count - 1, origin: .items([]),
        operators: [], range: stream.name.range))
    if case .subject = stream.origin { subjects.append(true) } else { subjects.append(false) }
  }

  /// The word of the connectivity, where nothing else has its name.
  private func declareConnectivity() {
    guard let source = names.sources["network"], !plan.columns.contains("network"),
      !plan.variableNames.contains("network"), case .connectivity = plan.sources[source].kind
    else { return }
    scope.declare("network", type: .string, slot: slot(.lastEvent(source)))
  }

  private func declareInScope() {
    let types = inferStoredTypes()
    for (id, node) in plan.nodes.enumerated() {
      scope.declare(node.name, type: types[id], slot: slot(.node(id)))
    }
    for stream in plan.streams {
      scope.declare(stream.name, slot: slot(.lastEvent(stream.source)))
    }
    declareConnectivity()
    let sources = names.sources
    let counts = plan.sources.indices.map { slot(.eventCount($0)) }
    scope.declareAddressFunction(
      "count", type: .int, known: { sources.names }, resolve: { sources[$0].map { counts[$0] } })
    declareRecomputes()
  }

  private func declareRecomputes() {
    var computed = NameTable()
    var slots: [SlotID] = []
    for (node, spec) in document.graph.enumerated() {
      guard case .computed = spec.rule else { continue }
      computed.append(spec.name.value)
      slots.append(slot(.recomputes(names.nodes[spec.name.value] ?? node)))
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
      scope.declare(field.value, type: storedTypes[node], slot: slot(.node(node)))
    }
  }

  func declareLocal(_ name: String, type: CELType = .dyn) -> LocalID {
    let local = frame.addLocal()
    scope.declare(name, type: type, slot: slot(.local(local)))
    return local
  }
}

extension NodeSpec {
  /// Computed nodes are lazy until something names their events.
  var isStored: Bool {
    switch rule {
    case .stored: true
    case .computed: false
    // It changes with its source, whoever reads it.
    case .latest: true
    }
  }
}

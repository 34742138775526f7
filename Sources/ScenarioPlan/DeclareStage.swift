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
    addSource("events", .allEvents, document.title.range)
    isObserved = plan.nodes.map { _ in true }
    for (id, node) in document.graph.enumerated() { isObserved[id] = node.isStored }
    declareInScope()
  }

  private func addSource(
    _ name: String, _ kind: SourcePlan.Kind, _ range: SourceRange
  ) {
    plan.sources.append(SourcePlan(name: name, kind: kind, range: range))
    names.addSource(name, plan.sources.count - 1)
  }

  /// The rule is filled in when the stage is compiled.
  private func addNode(named name: Located<String>, address: String) {
    let id = plan.nodes.count
    addSource(address, .node(id), name.range)
    let rule = NodePlan.Rule.stored(DataPlan(.constant(.null), name.range))
    let source = plan.sources.count - 1
    plan.nodes.append(NodePlan(name: address, source: source, rule: rule, range: name.range))
    names.addNode(address, id)
  }

  private func declare(_ reactor: ReactorSpec) {
    let id = plan.reactors.count
    let name = reactor.name.value
    names.addReactor(name, id)
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
    names.addAction(name, id)
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
    names.addEndpoint(name, id)
    addSource(name, .endpoint(id), endpoint.name.range)
    plan.endpoints.append(
      EndpointPlan(name: name, source: plan.sources.count - 1, range: endpoint.name.range))
    for field in endpoint.state {
      addNode(named: field.name, address: "\(name).\(field.name.value)")
    }
  }

  private func declare(_ provider: ProviderSpec) {
    names.addProvider(provider.name.value, plan.providers.count)
    let empty = ProviderPlan.Origin.items(DataPlan(.constant(.null), provider.name.range))
    plan.providers.append(
      ProviderPlan(
        name: provider.name.value, parameters: [], origin: empty, value: nil, localCount: 0,
        response: 0, range: provider.name.range))
  }

  private func declareInScope() {
    let types = inferStoredTypes()
    for (id, node) in plan.nodes.enumerated() {
      scope.declare(node.name, type: types[id], slot: slot(.node(id)))
    }
    let sources = names.sources
    var counts: [String: SlotID] = [:]
    for (number, source) in plan.sources.enumerated() {
      counts[source.name] = slot(.eventCount(number))
    }
    let known = names.sourceNames
    scope.declareAddressFunction(
      "count", type: .int, known: { known }, resolve: { [counts] in counts[$0] })
    declareRecomputes(sources)
  }

  private func declareRecomputes(_ sources: [String: SourceID]) {
    var slots: [String: SlotID] = [:]
    let computed = document.graph.compactMap { node in
      if case .computed = node.rule { node.name.value } else { nil }
    }
    for name in computed {
      if let node = names.nodes[name] { slots[name] = slot(.recomputes(node)) }
    }
    scope.declareAddressFunction(
      "recomputes", type: .int, takes: "a computed node", known: { computed },
      resolve: { [slots] in slots[$0] })
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
    }
  }
}

import CEL
import Diagnostics
import ScenarioSpec
import Values

/// Clients that stay connected, and what mocks do with them.
extension PlanCompiler {
  func declare(_ connection: ConnectionSpec) {
    let id = plan.connections.endIndex
    let name = unit.prefix + connection.name.value
    let source = addSource(name, .connection(id), connection.name.range)
    let state = addNode(named: connection.name, address: "\(name).state")
    names.connections.append(name)
    plan.connections.append(
      ConnectionPlan(
        name: name, source: source, state: state,
        kind: kind(of: connection) { _ in [] }, range: connection.name.range))
  }

  /// Actions that are compiled before it want to know what it is.
  private func kind(
    of connection: ConnectionSpec, _ protocols: ([DataSpec]) -> [DataPlan]
  ) -> ConnectionPlan.Kind {
    switch connection.kind {
    case .eventStream: .eventStream
    case .lines: .lines
    case .webSocket(let names): .webSocket(protocols: protocols(names))
    }
  }

  func compile(_ connection: ConnectionSpec, _ id: ConnectionID) {
    let state = plan.connections[id].state
    plan.nodes[state].rule = .model(
      DataPlan(.constant("notConnected"), connection.name.range))
    plan.connections[id].request = compile(connection.request)
    plan.connections[id].kind = kind(of: connection) { names in names.map { compile($0) } }
    plan.connections[id].retry = connection.retry.map(RetryPolicyPlan.init)
    plan.connections[id].ping = connection.ping.map(PingPlan.init)
    plan.connections[id].idle = connection.idle?.value
  }

  func lookUpConnection(_ name: String) -> ConnectionID? { names.connections[unit.prefix + name] }

  private func findConnection(_ name: Located<String>) -> ConnectionID? {
    if let id = lookUpConnection(name.value) { return id }
    reportUnknown(
      name, "a connection", known: names.connections.seen(from: unit.prefix),
      declaredIn: .connections)
    return nil
  }

  /// nil where one of them is none.
  func compile(connections names: [Located<String>]) -> [ConnectionID]? {
    let found = names.compactMap { findConnection($0) }
    return found.count == names.count ? found : nil
  }

  func isWebSocket(_ connection: ConnectionID) -> Bool {
    if case .webSocket = plan.connections[connection].kind { true } else { false }
  }
}

// What mocks do.
extension PlanCompiler {
  func compile(_ conversation: ConversationSpec) -> ConversationPlan {
    let known = scriptNames.captures
    defer { scriptNames.captures = known }
    return nested {
      frame = FrameBuilder()
      let request = declareLocal("request")
      beginScript()
      let kind: ConversationPlan.Kind =
        switch conversation.kind {
        case .refuse(let answer): .refuse(compile(answer))
        case .accept(let acceptance, let script): .accept(compile(acceptance), compile(script))
        }
      let headers = compile(named: conversation.headers)
      var plan = ConversationPlan(
        kind: kind, localCount: frame.localCount, request: request, range: conversation.range)
      plan.headers = headers
      return plan
    }
  }

  private func compile(_ acceptance: AcceptanceSpec) -> AcceptancePlan {
    let match = compileMatch(acceptance.request)
    return AcceptancePlan(
      request: match.matcher, reads: match.reads, when: acceptance.when.flatMap(compileWhen),
      subprotocol: acceptance.subprotocol.map { compile($0) },
      acceptKey: acceptance.acceptKey.map { compile($0) })
  }

  /// Compiles the condition of an entry. A guard in it that an absent part would open is reported.
  func compileWhen(_ expression: ExpressionText) -> ExpressionPlan? {
    let compiled = compileCondition(expression)
    if compiled != nil, let open = openGuard(in: expression.text) {
      report(.openGuard(open, in: expression))
    }
    return compiled
  }

  func compileMatch(_ request: MatcherSpec) -> RequestMatchPlan {
    let matcher = about(.ofRequests) { compile(request.ofRequest) }.matchingRequests()
    var reads: [SlotID] = []
    matcher.forEachExpression { expression in
      for slot in expression.readSlots
      where plan.slots[slot].isKnownToTheStageAlone && !reads.contains(slot) {
        reads.append(slot)
      }
    }
    return RequestMatchPlan(matcher: matcher, reads: reads.sorted())
  }

  func compile(_ act: ServerActSpec) -> ServerActPlan {
    switch act {
    case .event(let event): .event(compile(event))
    case .message(let message): .message(compile(message))
    case .bytes(let pieces): .bytes(pieces.map(compile))
    case .drop: .drop
    case .reset: .reset
    case .stall: .stall
    case .halfClose: .halfClose
    case .close(let code, let reason):
      .close(code: code.map { compile($0) }, reason: reason.map { compile($0) })
    case .pings(let areAnswered): .pings(areAnswered: areAnswered)
    }
  }

  private func compile(_ event: ServerEventSpec) -> ServerEventPlan {
    var plan = ServerEventPlan()
    plan.id = event.id.map { compile($0) }
    plan.event = event.event.map { compile($0) }
    plan.data = event.data.map { compile($0) }
    plan.retry = event.retry.map { compile($0) }
    plan.comment = event.comment.map { compile($0) }
    return plan
  }

  func compile(_ piece: BytesSpec) -> BytesPlan {
    switch piece {
    case .value(let data): .value(compile(data))
    case .hexadecimal(let bytes): .constant(bytes.value)
    }
  }

  func compileReceive(_ step: StepSpec, _ matcher: MatcherSpec) -> StepPlanKind {
    .mock(.receive(addAssertion(.receive(compile(matcher, at: .received)), within: nil, of: step)))
  }

  func compileServe(_ deeds: [ServeSpec], to audience: ServeSpec.Audience) -> StepPlanKind {
    let plans = deeds.compactMap { spec -> ServePlan? in
      let command: ServePlan.Command =
        switch spec.command {
        case .act(let act): .act(compile(act))
        case .stop: .stop
        case .start: .start
        case .restart: .restart
        }
      guard let endpoint = findEndpoint(spec.endpoint) else { return nil }
      checkFit(of: command, to: plan.endpoints[endpoint], spec)
      return ServePlan(endpoint: endpoint, command: command, range: spec.endpoint.range)
    }
    return .acting(.serve(plans, to: compile(audience)))
  }

  private func compile(_ audience: ServeSpec.Audience) -> AudiencePlan {
    switch audience {
    case .all: .all
    case .last: .last
    case .connection(let number): .connection(compile(number))
    }
  }

  /// Checks that a `serve` step fits its endpoint. If all its connections are of one kind, a step
  /// for another kind never fits.
  private func checkFit(of command: ServePlan.Command, to endpoint: EndpointPlan, _ spec: ServeSpec)
  {
    guard case .act(let act) = command, endpoint.conversationKinds.count == 1,
      let kind = endpoint.conversationKinds.first, !act.fits(kind)
    else { return }
    report(.misplacedAct(act, of: spec, among: kind))
  }
}

extension RetryPolicyPlan {
  /// Fills in what is not written with the defaults of the field's clients.
  init(_ spec: RetryPolicySpec) {
    self.init(
      maxAttempts: spec.maxAttempts?.value, initialDelay: spec.initialDelay?.value ?? 1_000_000,
      maxDelay: spec.maxDelay?.value ?? 60_000_000, multiplier: spec.multiplier?.value ?? 2,
      jitter: spec.jitter?.value ?? 0, nonRetryableStatuses: spec.nonRetryableStatuses?.map(\.value)
    )
  }
}

extension PingPlan {
  fileprivate init(_ spec: PingSpec) {
    self.init(
      interval: spec.interval?.value ?? 30_000_000,
      maxFailures: max(1, spec.maxFailures?.value ?? 3))
  }
}

extension Diagnostic {
  static func misplacedAct(
    _ act: ServerActPlan, of spec: ServeSpec, among kind: ConversationKind
  ) -> Diagnostic {
    Diagnostic(
      "misplaced-step",
      "\(act.displayName) does not fit the connections of `\(spec.endpoint.value)`, which are "
        + kind.text.many,
      labels: [.init(spec.commandRange)], help: act.helpWhereItDoesNotFit)
  }

  static func sendsToEventStream(_ name: Located<String>) -> Diagnostic {
    Diagnostic(
      "sends-to-event-stream", "an event stream only receives; `\(name.value)` is one",
      labels: [.init(name.range)],
      help: "let the server act with `serve`, or make the connection a `websocket`")
  }
}

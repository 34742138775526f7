import CEL
import ScenarioSpec
import Values

/// Rules of nodes, actions, routes and providers.
extension PlanCompiler {
  /// Each part of the stage; the scenario's own comes last, and its scope stays for the steps.
  func compileStage() {
    for unit in position.units {
      enter(unit)
      declareInScope()
      compileParts()
    }
    refuseCycles()
    refuseStreamCycles()
    refuseAwaitCircles()
    warnOfLiveStreams()
  }

  private func compileParts() {
    let (stage, own) = (unit.stage, unit.own)
    compileGraph()
    let reactors = Array(zip(own.reactors..., stage.reactors))
    // A script may write a bound field of a reactor that is declared further down.
    for (id, reactor) in reactors { compileBindings(of: reactor, id) }
    for (id, reactor) in reactors { compile(reactor, id) }
    for (id, endpoint) in zip(own.endpoints..., stage.endpoints) { compile(endpoint, id) }
    for (id, database) in zip(own.databases..., stage.databases) { compile(database, id) }
    for (id, provider) in zip(own.providers..., stage.providers) { compile(provider, id) }
    for (id, list) in zip(own.lists..., stage.lists) { compile(list, id) }
    for (id, connection) in zip(own.connections..., stage.connections) { compile(connection, id) }
    for (id, stream) in zip(own.streams..., stage.streams) { compile(stream, id) }
    for (id, source) in zip(plan.declaredSources.indices, stage.sources) { compile(source, id) }
    for (id, program) in zip(own.programs..., stage.programs) { compile(program, id) }
    for invariant in stage.invariants { compile(invariant) }
    if let completion = stage.completion { compile(completion) }
  }

  private func compileGraph() {
    for (id, node) in zip(unit.own.nodes..., unit.stage.graph) {
      switch node.rule {
      case .stored(let initial):
        plan.nodes[id].rule = .stored(compileInitial(initial))
      case .computed(let expression):
        guard let rule = compile(expression) else { continue }
        if rule.readSlots.contains(where: { plan.slots[$0].isRandom }) {
          report(.randomRule(expression))
        }
        plan.nodes[id].rule = .computed(rule)
        shapes.note(ValueShape(of: rule.program), of: plan.nodes[id].source)
        tables.nodes[id].type = rule.program.type
        scope.declare(node.name.value, type: rule.program.type, slot: slot(.node(id)))
      case .latest(let source, let of, let initial):
        let source = node.isGivenByUse ? givenNode(source) : observedSource(source)
        if let source { compileLatest(id, source, of, initial) }
      }
    }
  }

  private func compileLatest(
    _ id: NodeID, _ source: SourceID, _ of: ExpressionText?, _ initial: DataSpec?
  ) {
    let initial = initial.map { compileInitial($0) }
    let of = about(shape(of: source)) { of.flatMap { ofValue($0) } }
    plan.nodes[id].rule = .latest(source, of: of, initial: initial)
  }

  /// Values at the start are worked out before there is a stage, so they cannot read it.
  func compileInitial(_ data: DataSpec) -> DataPlan {
    let compiled = compile(data)
    compiled.forEachExpression { expression in
      let readsStage = expression.readSlots.contains {
        plan.slots[$0].isOfTheStage && !isParameterOfStream(plan.slots[$0])
      }
      if readsStage {
        let known = addressesKnown(of: expression.origin)
        report(.initialReadsStage(expression.origin, of: owner, known: known))
      }
    }
    return compiled
  }

  /// Returns what a value at the start may read of an endpoint or a program; nil for anything else.
  private func addressesKnown(of expression: ExpressionText) -> String? {
    let name = String(expression.text.prefix { $0 != "." })
    let addresses = ["port", "url", "webSocket"].map { "\(name).\($0)" }
      .filter { scope.addresses.contains($0) }
    return addresses.isEmpty ? nil : addresses.map { "`\($0)`" }.joined(separator: " and ")
  }

  private func compile(_ source: DeclaredSourceSpec, _ id: DeclaredSourceID) {
    if let initial = source.initial {
      plan.declaredSources[id].initial = compileInitial(initial)
    }
    if let lines = source.lines {
      plan.declaredSources[id].lines = LineMappingPlan(lines, report: report)
    }
  }

  private func compile(_ reactor: ReactorSpec, _ id: ReactorID) {
    nested {
      compileState(reactor.state, of: .reactor(id))
      for (number, action) in reactor.actions.enumerated() {
        compile(action, plan.reactors[id].actions[number])
      }
    }
    for follow in reactor.follows { compile(follow, of: id) }
    if let start = reactor.start, let action = findAction(start, of: id) {
      checkPayload(nil, of: action, at: start)
      plan.starts.append(action)
    }
  }

  private func compile(_ follow: FollowSpec, of id: ReactorID) {
    let until = follow.until.map { observedSource($0) }
    guard let source = findSource(follow.source), let action = findAction(follow.action, of: id)
    else { return }
    observe(source)
    plan.follows.append(
      FollowPlan(
        source: source, action: action, until: until ?? nil, sendsInitial: follow.sendsInitial))
  }

  private func findAction(_ name: Located<String>, of reactor: ReactorID) -> ActionID? {
    nested {
      owner = .reactor(reactor)
      return findAction(name)
    }
  }

  private func compileState(
    _ state: [(name: Located<String>, initial: DataSpec)], of owner: StageNames.Owner
  ) {
    for field in state {
      self.owner = owner
      guard let node = findNode(field.name) else { continue }
      plan.nodes[node].rule = .stored(compileInitial(field.initial))
    }
    declareFields(of: owner, state.map(\.name))
  }

  private func compileBindings(of reactor: ReactorSpec, _ id: ReactorID) {
    nested {
      owner = .reactor(id)
      for binding in reactor.bindings {
        guard let node = findNode(binding.field), let action = findAction(binding.action) else {
          continue
        }
        plan.nodes[node].binding = .binding(action, keeps: binding.keeps)
      }
    }
  }

  private func compile(_ action: ActionSpec, _ id: ActionID) {
    nested {
      frame = FrameBuilder()
      plan.actions[id].payload = declareLocal("payload")
      plan.actions[id].parameters = action.parameters.map { ($0.value, declareLocal($0.value)) }
      plan.actions[id].policy = compile(action.policy)
      let script = compile(action.steps)
      plan.actions[id].frame = FramePlan(script: script, localCount: frame.localCount)
    }
  }

  private func compile(_ policy: ActionSpec.Policy) -> ActionPlan.Policy {
    switch policy {
    case .plain: .plain
    case .inFlight(let id): .inFlight(compile(id))
    case .join(let id): .join(compile(id))
    case .queue(let id): .queue(compile(id))
    }
  }

  private func compile(_ endpoint: EndpointSpec, _ id: EndpointID) {
    nested {
      compileState(endpoint.state, of: .endpoint(id))
      plan.endpoints[id].address = endpoint.url.map { compile($0) }
      plan.endpoints[id].problemOfURL = plan.endpoints[id].address.flatMap(unsetEnvironment)
      plan.endpoints[id].eventStreams = endpoint.eventStreams.map(compile)
      plan.endpoints[id].lines = endpoint.lines.map(compile)
      plan.endpoints[id].webSockets = endpoint.webSockets.map(compile)
      let before = reporter.count
      for route in endpoint.http {
        let compiled = compile(route, of: id)
        plan.endpoints[id].routes.append(compiled)
      }
      plan.endpoints[id].crossOrigin = endpoint.crossOrigin
      plan.endpoints[id].isResumable = endpoint.isResumable
      plan.endpoints[id].proxy = endpoint.proxy.map { compile($0) }
      // A condition that is wrong would make its route one for all requests.
      let hidden =
        reporter.hasErrors(since: before) ? [] : findHiddenRoutes(plan.endpoints[id].routes)
      for route in hidden { report(.hiddenRoute(route)) }
      for route in findRoutesBehindOthers(plan.endpoints[id].routes) {
        report(.routeBehindOthers(route))
      }
      if case .literal(.string(let url))? = endpoint.url?.content { plan.endpoints[id].url = url }
    }
  }

  private func compile(_ route: RouteSpec, of endpoint: EndpointID) -> RoutePlan {
    let segments = segments(of: route.path)
    position.pathParameters = segments.compactMap(\.parameter)
    defer { position.pathParameters = nil }
    return nested {
      frame = FrameBuilder()
      let request = declareLocal("request")
      beginScript()
      let when = route.when.flatMap(compileWhen)
      let match = route.match.map { match in selecting { compileMatch(match) } }
      if let match, match.matcher.captures({ _ in true }) {
        report(.captureInMatch(match.matcher.range))
      }
      let turnsBy = route.turnsBy.flatMap { compile($0) }
      let answers: RoutePlan.Answers =
        switch route.answers {
        case .inTurn(let turns): .inTurn(turns.map { compile($0, of: endpoint) })
        case .script(let script): .script(compile(script))
        }
      var plan = RoutePlan(
        method: route.method, path: route.path.value, segments: segments,
        when: when, answers: answers, localCount: frame.localCount, request: request,
        range: route.range)
      plan.match = match
      plan.turnsBy = turnsBy
      return plan
    }
  }

  private func compile(_ turn: TurnSpec, of endpoint: EndpointID) -> RoutePlan.Turn {
    switch turn {
    case .answer(let answer): .answer(compile(answer))
    case .proxy(let proxy): .proxy(compile(proxy))
    case .open(let connection, let script, let headers):
      open(ConversationKind(connection), script, headers, endpoint)
    }
  }

  private func compile(_ proxy: ProxySpec) -> ProxyPlan {
    let url = compile(proxy.url)
    let outer = frame
    defer { frame = outer }
    return nested {
      frame = FrameBuilder()
      let request = declareLocal("request")
      let answer = declareLocal("response")
      let change = proxy.change.map { compile($0) }
      return ProxyPlan(
        url: url,
        change: change.map {
          ProxyPlan.Change(
            response: $0, localCount: frame.localCount, request: request, answer: answer)
        })
    }
  }

  /// Compiles what a route does on a connection. The route has selected the request already.
  private func open(
    _ kind: ConversationKind, _ script: ScriptSpec, _ headers: [NamedData],
    _ endpoint: EndpointID
  ) -> RoutePlan.Turn {
    let outer = frame
    defer { frame = outer }
    let everything = AcceptanceSpec(
      request: MatcherSpec(.map([]), script.range), range: script.range)
    var spec = ConversationSpec(kind: .accept(everything, script), range: script.range)
    spec.headers = headers
    var conversation = compile(spec)
    conversation.route = plan.endpoints[endpoint].routes.count
    return .conversation(kind, plan.endpoints[endpoint].append(conversation, kind))
  }

  private func segments(of path: Located<String>) -> [RoutePlan.Segment] {
    var text = path.value
    return text.withUTF8 { bytes in
      guard var slash = bytes.firstIndex(of: UInt8(ascii: "/")) else { return [] }
      var segments: [RoutePlan.Segment] = []
      while slash < bytes.count {
        let next = bytes[(slash + 1)...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
        segments.append(segment(UnsafeBufferPointer(rebasing: bytes[slash + 1..<next])))
        slash = next
      }
      return segments
    }
  }

  private func segment(_ bytes: UnsafeBufferPointer<UInt8>) -> RoutePlan.Segment {
    let text = String(decoding: bytes, as: UTF8.self)
    guard bytes.contains(UInt8(ascii: "{")), let parameter = PathParameter(segment: text) else {
      return .literal(text)
    }
    let isRest = parameter.name.hasSuffix("...")
    return isRest ? .rest(String(parameter.name.dropLast(3))) : .parameter(parameter)
  }

  func compile(_ answer: AnswerSpec) -> AnswerPlan {
    let kind: AnswerPlan.Kind =
      switch answer.kind {
      case .response(let response): .response(compile(response))
      case .drop: .drop
      case .reset: .reset
      case .stall: .stall
      }
    return AnswerPlan(kind: kind, after: answer.after.map { compile($0) }, range: answer.range)
  }

  private func compile(_ response: ResponseSpec) -> ResponsePlan {
    let body = compile(response.body)
    let delivery: ResponsePlan.Delivery =
      switch response.delivery {
      case .whole: .whole
      case .pieces(let count, let pause): .pieces(count, every: compile(pause))
      case .fault(let fault): .fault(fault)
      }
    let headers = compile(named: response.headers)
    for header in headers where header.name.lowercasedASCII == "set-cookie" {
      noteDomains(of: header.value)
    }
    return ResponsePlan(
      status: response.status.map { compile($0) }, headers: headers, body: body, delivery: delivery)
  }

  /// Notes each cookie for a domain without a dot inside, which a mock took for its own name.
  private func noteDomains(of cookies: DataPlan) {
    guard case .constant(let value) = cookies.content else { return }
    let isDomain = { (part: Substring) in
      part.lowercasedASCII.drop { $0 == " " }.hasPrefix("domain=")
    }
    let lines = if case .list(let list) = value { Array(list) } else { [value] }
    for parts in lines.map({ $0.plainText.split(separator: ";") }) {
      guard let domain = parts.first(where: isDomain)?.split(separator: "=").last,
        domain != "localhost", !domain.drop(while: { $0 == "." }).contains(".")
      else { continue }
      report(
        .changedReading(
          of: "a cookie with `Domain=\(domain)`", now: "is not kept",
          before: "the endpoint of this name kept it",
          toKeepWrite: parts.filter { !isDomain($0) }.joined(separator: ";"), at: cookies.range))
    }
  }

  private func compile(_ provider: ProviderSpec, _ id: ProviderID) {
    nested {
      frame = FrameBuilder()
      plan.providers[id].parameters = provider.parameters.map { ($0.value, declareLocal($0.value)) }
      if let origin = compile(provider.origin) { plan.providers[id].origin = origin }
      plan.providers[id].retry = provider.retry
      plan.providers[id].response = declareLocal("response")
      plan.providers[id].value = provider.value.map { compile($0) }
      plan.providers[id].localCount = frame.localCount
    }
  }

  private func compile(_ origin: ProviderSpec.Origin) -> ProviderPlan.Origin? {
    switch origin {
    case .items(let items): .items(compile(items))
    case .request(let request): compile(request).map { .request($0) }
    case .file(let path): .file(compile(path), folder: folder(of: path.range))
    case .query(let statement, let isLive):
      compile(statement).map { .query($0, isLive: isLive) }
    case .stream(let name): observedSource(name).map { .stream($0) }
    }
  }
}

extension SlotPlan {
  fileprivate var isRandom: Bool { if case .drawn = self { true } else { false } }

  /// True if the value exists only once the stage is built.
  var isOfTheStage: Bool {
    switch self {
    case .node, .eventCount, .events, .lastEvent, .recomputes, .local, .matched, .capture: true
    case .variable, .column, .now, .address, .port, .temp, .drawn: false
    }
  }
}

extension ConversationKind {
  fileprivate init(_ connection: TurnSpec.Connection) {
    switch connection {
    case .eventStream: self = .eventStream
    case .lines: self = .lines
    case .webSocket: self = .webSocket
    }
  }
}

extension RoutePlan.Segment {
  /// The name that the segment gives to its part of the path.
  fileprivate var parameter: String? {
    switch self {
    case .literal: nil
    case .parameter(let parameter): parameter.name
    case .rest(let name): name
    }
  }
}

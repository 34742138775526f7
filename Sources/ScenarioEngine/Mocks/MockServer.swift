import Events
import Protocols
import ScenarioPlan
import Values
import World

/// A mock endpoint: takes connections and answers requests as its routes say.
final class MockServer {
  let run: RunParts
  let endpoint: EndpointID
  let plan: EndpointPlan
  private(set) var turns: MockTurns
  /// The streams of an endpoint that is `resumable`.
  var resumable = ResumableStreams()
  private var links: [ServerLink] = []
  /// Calls whose scripts are under way, the answered ones among them.
  private var calls: [MockCall] = []
  private var connectionCount = 0
  private var isListening = false

  init(_ run: RunParts, _ endpoint: EndpointID, _ plan: EndpointPlan) {
    self.run = run
    self.endpoint = endpoint
    self.plan = plan
    turns = MockTurns(plan)
    start()
  }

  /// Takes connections, where it does not do so already.
  func start() {
    guard !isListening else { return }
    isListening = run.loop.network.listen(at: plan.name) { [unowned self] transport in
      accept(transport)
    }
    if !isListening { run.supervisor.fail(.cannotListen(plan)) }
    run.loop.network.ask(before: plan.name) { [unowned self] in
      run.suppliers.conditions.answer(at: endpoint)
    }
  }

  /// Takes no connections any more and breaks those there are.
  func stop() {
    isListening = false
    run.loop.network.stopListening(at: plan.name)
    for link in links { link.drop() }
  }

  /// Ends serving: open connections learn that the server leaves, and pending answers are the last.
  func close() {
    isListening = false
    run.loop.network.stopListening(at: plan.name)
    for link in links { link.sayGoodbye() }
  }

  /// True if a request still waits for its answer.
  var owesAnswers: Bool { links.contains(where: \.owesAnswer) }

  /// Requests of clients that have no answer yet.
  var pendingOperations: [PendingOperation] { links.compactMap(\.pendingOperation) }

  func invalidate() {
    for link in links { link.invalidate() }
    links = []
    for call in calls { call.invalidate() }
    calls = []
  }

  func began(_ call: MockCall) { calls.append(call) }

  func ended(_ call: MockCall) { calls.removeAll { $0 === call } }

  private func accept(_ accepted: any Transport) {
    let isForeign = run.loop.network.isForeign(accepted.connection)
    // A trace has what the faults of the line did to recorded clients.
    let isStruck = isForeign && run.director?.visitors == nil
    let line = isStruck ? run.suppliers.conditions.accept(accepted, at: endpoint) : accepted
    guard let transport = line else { return }
    connectionCount += 1
    let number =
      run.director?.visitors?.number(of: transport.connection, at: endpoint) ?? connectionCount
    // In other runs, the clients have the taps.
    let taps = run.isServing ? run.taps : nil
    let tapped = taps?.tapped(transport, acceptedAt: endpoint, number: number)
    let link = ServerLink(self, tapped ?? transport, number: number)
    guard let last = links.last, last.number > number else { return links.append(link) }
    // In a replay, one that was recorded earlier may open later.
    links.insert(link, at: links.firstIndex { $0.number > number } ?? links.count)
  }

  /// Returns whether a request of a client of another process is lost on its way.
  func losesRequest(on connection: Int) -> Bool {
    run.loop.network.isForeign(connection)
      && run.suppliers.conditions.losesRequest(to: endpoint)
  }

  func remove(_ link: ServerLink) {
    links.removeAll { $0 === link }
    if !run.loop.network.hasOwnClient(on: link.connection) {
      run.causes.forget(link.connection)
    }
  }

  @discardableResult
  func emit(_ value: Value) -> EventID? { run.emitter.emit(plan.source, value) }

  /// The connections that are open and not HTTP's own, in the order they were made.
  var openConversations: [MockConversation] { links.compactMap(\.conversation) }

  /// Chooses what serves a request.
  func choose(for call: MockCall, _ request: HTTPRequest) -> EntryChoice {
    let comparison = RequestComparison(
      judge: run.judge, request: call.request, message: request,
      slots: { [run] in ValueReader(run.stage, $0) },
      differenceOfRoute: { [self] route, parameters in
        difference(of: plan.routes[route], call, request, parameters)
      },
      sessionOfRoute: { [self] route, parameters in
        let locals = plan.routes[route].locals(for: call.request, parameters)
        return plan.routes[route].session(in: ValueReader(run.stage, locals))
      })
    return EntryChooser(plan: plan, turns: turns, request: request, comparison: comparison).choose()
  }

  /// Returns whether a request is one that browsers make by themselves and that no entry serves.
  func ignores(_ request: HTTPRequest, _ call: MockCall) -> Bool {
    guard request.isUnprompted, plan.proxy == nil else { return false }
    if case .none = choose(for: call, request) { return true }
    return false
  }

  /// Counts the use of an entry, and returns it.
  func take(
    _ kind: ConversationKind, _ entry: Int, for request: HTTPRequest
  ) -> ConversationPlan {
    if !run.inputs.options.disturbances.isEmpty, !isAnswer(kind, entry, to: request) {
      noteRepetition(of: kind, entry)
    }
    turns.take(kind, entry)
    return plan.conversations(kind)[entry]
  }

  /// Notes in a disturbed run that a stream begins again, which a client may not be ready for. An
  /// endpoint that is `resumable` says that its clients have to be.
  private func noteRepetition(of kind: ConversationKind, _ entry: Int) {
    guard turns.hasServed(kind, entry), !plan.isResumable else { return }
    run.recorder.record(.network(.answeredAgain(plan.source)))
  }

  /// Returns whether a stream is a whole answer, which comes again to a client that asks again: it
  /// answers more than a GET, or its script ends it.
  private func isAnswer(_ kind: ConversationKind, _ entry: Int, to request: HTTPRequest) -> Bool {
    let conversation = plan.conversations(kind)[entry]
    guard conversation.route != nil, case .accept(_, let script) = conversation.kind else {
      return false
    }
    if request.method != "GET" { return true }
    guard case .mock(.act(.close)) = run.stage.plan.scripts[script].steps.last?.kind else {
      return false
    }
    return true
  }

  /// Counts a call of a route, and returns what the route does with it.
  func takeTurn(ofRoute route: Int, by call: MockCall) -> RoutePlan.Turn {
    let plan = plan.routes[route]
    let session = plan.session(in: ValueReader(run.stage, call.locals))
    return plan.turn(after: turns.take(route, in: session))
  }

  /// Returns how the stream of an entry begins; nil if its client does not come back.
  func resumption(at entry: Int, for request: HTTPRequest) -> Resumption? {
    guard plan.isResumable, let id = request.headers["Last-Event-ID"],
      case .accept(_, let script) = plan.eventStreams[entry].kind
    else { return nil }
    let ids = run.stage.plan.eventIDs(in: script)
    return resumable.resumption(after: id, at: entry, sending: ids, for: request)
  }

  func reportUnmatched(_ request: Value, _ nearest: NearestEntry) {
    run.supervisor.fail(
      .unmatchedRequest(
        UnmatchedRequest(
          endpoint: endpoint, request: request, closest: nearest.range,
          differences: nearest.differences)))
  }

  /// Nil when the route's conditions hold.
  private func difference(
    of route: RoutePlan, _ call: MockCall, _ request: HTTPRequest, _ parameters: ValueMap
  ) -> String? {
    call.prepare(route, parameters)
    let slots = ValueReader(run.stage, call.locals)
    let difference = route.difference(of: call.request, request, in: slots, by: run.judge)
    if difference != nil, let when = route.when,
      case .failure(let failure) = evaluate(when, in: slots)
    {
      call.passedOver[route.range] = failure.message
    }
    return difference
  }

  /// Records the routes that would have been for a request, had their conditions a value: a reader
  /// of a failure wants to know why another one answered.
  func notePassedOver(by call: MockCall) {
    for (range, reason) in call.passedOver.sorted(by: { $0.key.start < $1.key.start }) {
      run.recorder.record(.network(.passedOver(plan.source, entry: range, reason: reason)))
    }
  }

  /// Returns the head of the answer that opens a connection.
  func head(
    _ kind: ConversationKind, _ plan: ConversationPlan, _ locals: [Value]
  ) -> HTTPResponse {
    var head = kind.head
    let fields = headers(of: plan, locals)
    for field in fields { head.headers[field.name] = nil }
    head.headers.lines += fields
    return head
  }

  /// Returns the header fields that an entry adds to the answer which opens a connection.
  func headers(of plan: ConversationPlan, _ locals: [Value]) -> [HTTPHeaderLine] {
    if plan.headers.isEmpty { return [] }
    let slots = ValueReader(run.stage, locals)
    switch run.suppliers.messages.makeHeaders(plan.headers, in: slots) {
    case .success(let headers): return headers
    case .failure(let failure):
      run.supervisor.fail(.evaluation(failure.evaluation, step: nil))
      return []
    }
  }
}

/// Nil when a condition on a request holds.
func differenceOf(_ condition: ExpressionPlan, in slots: some PlanSlots) -> String? {
  switch evaluate(condition, in: slots) {
  case .success(.bool(true)): return nil
  case .success: return "when     `\(condition.origin.text)` does not hold"
  case .failure(let failure):
    return "when     `\(condition.origin.text)` has no value: \(failure.message)"
  }
}

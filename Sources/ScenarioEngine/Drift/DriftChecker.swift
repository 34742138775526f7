import CEL
import Events
import Protocols
import ScenarioPlan
import Values

/// Real endpoints compared with their mocks.
///
/// The scripts of mocks run without acting: each message that a mock would send must come, and only
/// the scripts see what they set.
final class DriftChecker {
  let run: RunParts
  private var turns: PerID<EndpointPlan, MockTurns>
  /// The values that scripts have set, instead of the nodes' own values.
  private var written: [NodeID: Value] = [:]
  /// Something was read that may depend on what only scripts see.
  private var isInDoubt = false
  /// The shadow connections, by the connection's name.
  private var conversations: [String: ShadowConnection] = [:]

  init(_ run: RunParts) {
    self.run = run
    turns = run.plan.endpoints.mapValues { MockTurns($0) }
  }

  /// Returns the address of a real endpoint.
  func place(of endpoint: EndpointID, writtenHost: String?) -> Exchange.Place? {
    run.endpoints.remotes?.place(of: endpoint).map { Exchange.Place($0, writtenHost: writtenHost) }
  }

  func invalidate() {
    for conversation in conversations.values { conversation.cancel() }
    conversations = [:]
  }

  func note(_ part: DriftObservation.Part, at endpoint: EndpointID, in branch: BranchID? = nil) {
    run.recorder.record(.network(.driftObserved(DriftObservation(part, at: endpoint, in: branch))))
  }

  /// Returns the expected value of data with the place of each part; nil if it cannot be known.
  func known<Expected>(
    _ make: () throws(MessageFailure) -> Expected
  ) -> Expected? {
    isInDoubt = false
    guard let made = try? make(), !isInDoubt else { return nil }
    return made
  }

  func write(_ writes: [SetPlan], in slots: some CELSlots) {
    for write in writes {
      guard case .node(let node) = write.target else { continue }
      guard let value = try? evaluate(write.value, in: slots).get() else {
        written[node] = nil
        continue
      }
      let current = written[node] ?? run.stage.value(of: node)
      written[node] = try? write.written(value, into: current, in: slots).get()
    }
  }

  func value(of slot: SlotID, locals: [Value], branch: BranchID) -> Value {
    if !written.isEmpty, case .node(let node) = run.plan.slots[slot] {
      if let value = written[node] { return value }
      if case .computed = run.plan.nodes[node].rule { isInDoubt = true }
    }
    return run.stage.value(of: slot, locals: locals, branch: branch)
  }
}

/// The requests and messages that a real endpoint's mock compares.
extension DriftChecker {
  /// A request as the mock would see it: what its answer must be like is known from now on.
  func begin(_ call: ShadowCall, _ value: Value) {
    let endpoint = call.endpoint
    guard run.plan.endpoints[endpoint].hasMock else { return }
    var locals: [Value] = []
    guard case .route(let number)? = choose(for: call.request, value, at: endpoint, &locals) else {
      return
    }
    call.begin(takeTurn(of: number, at: endpoint, locals), locals)
  }

  /// Returns what would serve a request, with the locals of a route; nil if that cannot be known.
  /// If nothing would serve it, that is noted.
  private func choose(
    for request: HTTPRequest, _ value: Value, at endpoint: EndpointID, _ locals: inout [Value]
  ) -> EntryChoice? {
    let plan = run.plan.endpoints[endpoint]
    var found: [Value] = []
    isInDoubt = false
    let comparison = RequestComparison(
      judge: run.judge, request: value, message: request,
      slots: { [self] in ValueReader(run.stage, $0, shadow: self) },
      differenceOfRoute: { [self] number, parameters in
        found = plan.routes[number].locals(for: value, parameters)
        let slots = ValueReader(run.stage, found, shadow: self)
        return plan.routes[number].difference(of: value, request, in: slots, by: run.judge)
      },
      sessionOfRoute: { [self] number, parameters in
        let locals = plan.routes[number].locals(for: value, parameters)
        return plan.routes[number].session(in: ValueReader(run.stage, locals, shadow: self))
      })
    let chooser = EntryChooser(
      plan: plan, turns: turns[endpoint], request: request, comparison: comparison)
    let choice = chooser.choose()
    locals = found
    guard !isInDoubt else { return nil }
    if case .none(let nearest) = choice {
      let unmatched = UnmatchedRequest(
        endpoint: endpoint, request: value, closest: nearest.range,
        differences: nearest.differences)
      note(.unforeseen(unmatched), at: endpoint)
    }
    return choice
  }

  /// A connection that stays is opened, or opened again.
  func open(
    _ connection: ConnectionPlan, with request: HTTPRequest, _ value: Value,
    at endpoint: EndpointID
  ) {
    conversations[connection.name]?.cancel()
    conversations[connection.name] = nil
    guard run.plan.endpoints[endpoint].hasMock else { return }
    var locals: [Value] = []
    guard let choice = choose(for: request, value, at: endpoint, &locals),
      let (kind, number) = takeConversation(choice, at: endpoint, locals)
    else { return }
    let entry = run.plan.endpoints[endpoint].conversations(kind)[number]
    // Nothing is demanded of a real endpoint for a connection that its mock refuses.
    guard case .accept = entry.kind else { return }
    var seen = value
    if let route = entry.route {
      seen = locals[run.plan.endpoints[endpoint].routes[route].request.index]
    }
    conversations[connection.name] = ShadowConnection(self, kind, entry, seen, at: endpoint)
  }

  /// Counts a call of a route, and returns what the mock does with it.
  private func takeTurn(
    of number: Int, at endpoint: EndpointID, _ locals: [Value]
  ) -> RoutePlan.Turn {
    let route = run.plan.endpoints[endpoint].routes[number]
    let session = route.session(in: ValueReader(run.stage, locals, shadow: self))
    return route.turn(after: turns[endpoint].take(number, in: session))
  }

  /// Counts what serves a connection, and returns its entry; nil for a plain answer.
  private func takeConversation(
    _ choice: EntryChoice, at endpoint: EndpointID, _ locals: [Value]
  ) -> (ConversationKind, Int)? {
    switch choice {
    case .conversation(let kind, let number):
      turns[endpoint].take(kind, number)
      return (kind, number)
    case .route(let number):
      let turn = takeTurn(of: number, at: endpoint, locals)
      guard case .conversation(let kind, let entry) = turn else { return nil }
      return (kind, entry)
    case .handshake, .none: return nil
    }
  }

  func conversation(of connection: ConnectionPlan) -> ShadowConnection? {
    conversations[connection.name]
  }

  /// A step makes the mock act: what it does from here on is not known.
  func giveUp(_ endpoint: EndpointID) {
    for connection in run.plan.connections where connection.request?.endpoint == endpoint {
      conversations[connection.name]?.cancel()
    }
  }

  /// The scenario has failed: what did not come until now may be why.
  func noteWhatDidNotCome() {
    for connection in run.plan.connections {
      conversations[connection.name]?.noteWhatDidNotCome()
    }
  }
}

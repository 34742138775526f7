import Events
import LiveConnections
import ScenarioPlan
import Values

/// A connection to a real endpoint that stays, and what its mock would do on it.
final class ShadowConnection: Shadow {
  /// The time that a real endpoint may take for a message that its mock sends at once.
  private static let patience: Microseconds = 500_000

  let driftChecker: DriftChecker
  let kind: ConversationKind
  private let endpoint: EndpointID
  private let plan: ConversationPlan
  private let request: Value
  private var locals: [Value]
  private(set) var branch = BranchID.main
  private var script: ScriptRun?
  private var isOpen = false
  /// Nothing is compared any more.
  private var isOver = false
  /// Messages in either direction that no step has taken yet.
  private var arrived: [Value] = []
  private var sent: [Value] = []
  private var onArrival: ((Value) -> Void)?
  private var onSent: ((Value) -> Void)?
  /// The next expected message.
  private var awaited: (() -> MatcherPlan?)?
  /// The time at which the mock would be at the current step.
  private var mockTime: Microseconds = 0

  init(
    _ driftChecker: DriftChecker, _ kind: ConversationKind, _ plan: ConversationPlan,
    _ request: Value,
    at endpoint: EndpointID
  ) {
    self.driftChecker = driftChecker
    self.kind = kind
    self.plan = plan
    self.request = request
    self.endpoint = endpoint
    locals = plan.locals(for: request)
  }

  /// The script and this hold each other.
  func cancel() {
    isOver = true
    onArrival = nil
    onSent = nil
    awaited = nil
    let running = script
    script = nil
    running?.cancel()
  }

  private func note(_ part: DriftObservation.Part) {
    driftChecker.note(part, at: endpoint, in: isOpen ? branch : nil)
  }

  func passes(_ duration: Microseconds) { mockTime += duration }
}

// Opening.
extension ShadowConnection {
  /// The real endpoint has taken the connection.
  func opened(subprotocol: String?) {
    guard !isOver, !isOpen, case .accept(let acceptance, let script) = plan.kind else { return }
    isOpen = true
    branch = run.supervisor.addBranches(1)
    run.recorder.record(.script(.connectionAccepted(branch: branch)))
    if let name = acceptance.subprotocol { compare(subprotocol, with: name) }
    mockTime = run.loop.now
    begin(script)
  }

  private func compare(_ subprotocol: String?, with name: DataPlan) {
    let expected = driftChecker.known { () throws(MessageFailure) in
      try expectation(
        of: name, in: ValueReader(run.stage, locals, shadow: driftChecker)
      ) { .string($0.plainText) }
    }
    guard let expected else { return }
    noteOpening("protocol", subprotocol.map { .string($0) } ?? .null, besides: expected)
  }

  private func noteOpening(_ part: Value, _ actual: Value, besides expected: MatcherPlan) {
    let whole = MatcherPlan(.map([(part, expected)]), expected.range)
    note(.opening(.map(ValueMap([(part, actual)])), whole))
  }

  private func begin(_ script: ScriptID) {
    let running = ScriptRun(run, script, .shadow(self), locals)
    self.script = running
    running.onEnd = { [unowned self] _ in cancel() }
    running.resume()
  }

  /// The real endpoint answered, and did not take the connection.
  func refused(status: Int) {
    guard !isOver, !isOpen else { return }
    let taken = kind == .webSocket ? 101 : 200
    noteOpening("status", .int(status), besides: constant(.int(taken), at: plan.range))
    cancel()
  }

  /// The real endpoint has ended the connection in good order, and something was still to come of
  /// it. Where a connection just breaks, the network may have done that.
  func ended() {
    noteAwaited()
    cancel()
  }

  func noteWhatDidNotCome() {
    if mockTime + ShadowConnection.patience <= run.loop.now { noteAwaited() }
  }

  private func noteAwaited() {
    if !isOver, let expected = awaited?() { note(.came(nil, expected)) }
  }
}

// What becomes of the connection.
extension ShadowConnection {
  func observe(_ state: EventStreamState) {
    switch state {
    case .notConnected, .connecting: break
    case .connected: opened(subprotocol: nil)
    case .disconnected(.streamError(.status(let status, _))): refused(status: status)
    case .disconnected(.streamEnded): ended()
    case .disconnected(.manuallyDisconnected), .disconnected(.terminated),
      .disconnected(.streamError):
      cancel()
    }
  }

  func observe(_ state: WebSocketState) {
    switch state {
    case .notConnected, .connecting: break
    case .connected(let name): opened(subprotocol: name)
    case .disconnected(.failedToConnect(.status(let status, _))): refused(status: status)
    case .disconnected(.connectionLost(.unexpectedDisconnection)): ended()
    case .disconnected(.manuallyDisconnected), .disconnected(.terminated),
      .disconnected(.failedToConnect), .disconnected(.connectionLost):
      cancel()
    }
  }
}

// What comes, what is sent, and what the script says of it.
extension ShadowConnection {
  func arrived(_ value: Value) {
    guard isOpen, !isOver else { return }
    guard let taken = onArrival else { return arrived.append(value) }
    onArrival = nil
    taken(value)
  }

  func sent(_ value: Value) {
    guard isOpen, !isOver else { return }
    guard let taken = onSent else { return sent.append(value) }
    onSent = nil
    taken(value)
  }

  func follow(_ step: StepPlan, in script: ScriptRun) -> ScriptRun.Flow? {
    if case .mock(.act(let act)) = step.kind { return follow(act, in: script) }
    if case .mock(.receive(let assertion)) = step.kind {
      return receive(assertion, step, in: script)
    }
    return followQuietly(step, in: script)
  }

  private func follow(_ act: ServerActPlan, in script: ScriptRun) -> ScriptRun.Flow {
    switch act {
    case .event(let event):
      guard let data = event.data else { return .next }
      return awaitNext(script) { [self] () throws(MessageFailure) in
        kind == .lines
          ? try expectation(of: data, in: script)
          : try expectation(of: event, data, in: script)
      }
    case .message(let data):
      return awaitNext(script) { () throws(MessageFailure) in
        try expectation(ofPayload: data, in: script)
      }
    case .pings: return .next
    case .bytes, .drop, .reset, .stall, .halfClose, .close: return .waits
    }
  }

  /// Waits for the next message; its expected value is evaluated when it comes.
  private func awaitNext(
    _ script: ScriptRun, _ make: @escaping () throws(MessageFailure) -> MatcherPlan
  ) -> ScriptRun.Flow {
    let expected = { [driftChecker] in driftChecker.known(make) }
    if !arrived.isEmpty { return compare(arrived.removeFirst(), with: expected()) }
    awaited = expected
    onArrival = { [unowned self, unowned script] value in
      awaited = nil
      if case .next = compare(value, with: expected()) { script.resume() }
    }
    return .waits
  }

  /// Compares a message with the expected one. If the expected message cannot be known, no later
  /// one is compared either.
  private func compare(_ value: Value, with expected: MatcherPlan?) -> ScriptRun.Flow {
    guard let expected else { return .waits }
    note(.came(value, expected))
    return .next
  }

  private func receive(
    _ assertion: AssertionID, _ step: StepPlan, in script: ScriptRun
  ) -> ScriptRun.Flow {
    if !sent.isEmpty {
      judge(sent.removeFirst(), assertion, step, in: script)
      return .next
    }
    onSent = { [unowned self, unowned script] message in
      judge(message, assertion, step, in: script)
      script.resume()
    }
    return .waits
  }

  private func judge(
    _ message: Value, _ assertion: AssertionID, _ step: StepPlan, in script: ScriptRun
  ) {
    mockTime = max(mockTime, run.loop.now)
    let reference = StepReference(
      verb: step.verb, range: step.verbRange, branch: branch, turns: script.turns)
    let reads = script.readings(of: assertion)
    note(.sent(assertion, reference, message: message, reads: reads))
  }
}

import Events
import Protocols
import ScenarioPlan
import Values

/// The script of a mock on a connection that stays open.
final class MockConversation {
  let kind: ConversationKind
  /// The branch that holds its script's captures.
  private(set) var branch = BranchID.main
  let link: ServerLink
  let plan: ConversationPlan
  private let origin: StreamOrigin
  private var request: Value { origin.request }
  private var locals: [Value]
  private var script: ScriptRun?
  private var refusal: MockCall?
  private var socket: WebSocketConnection?
  /// Nothing is sent any more, not even answers to pings.
  private(set) var isStalled = false
  /// Messages that no `receive` has taken yet.
  private var messages: [Value] = []
  private var onMessage: ((Value) -> Void)?
  private var hasSaidGoodbye = false
  /// True until the head of a stream is sent. So long the script may answer in another way.
  private var mayAnswer = false
  /// The id of the event that the client has received last. Events up to it are not sent again.
  private var resumesAfter: String?
  /// The events before it, which are sent after all if it does not come.
  private var held: [(event: SentEvent, bytes: [UInt8])] = []

  init(
    _ link: ServerLink, _ kind: ConversationKind, _ plan: ConversationPlan, _ origin: StreamOrigin
  ) {
    self.link = link
    self.kind = kind
    self.plan = plan
    self.origin = origin
    locals = plan.locals(for: origin.request)
  }

  /// Sends an event, unless the client has received it before.
  func send(_ event: SentEvent, _ bytes: [UInt8]) {
    if let id = event.id, link.server.plan.isResumable {
      link.server.resumable.note(id, sentBy: origin)
    }
    guard let last = resumesAfter else {
      link.notify(.sentEvent(event))
      return link.write(bytes)
    }
    held.append((event, bytes))
    guard event.id == last else { return }
    (resumesAfter, held) = (nil, [])
  }

  /// Notes that all is sent, since nobody knows the event that the client has received last.
  private func noteNotResumed(_ id: String) {
    run.recorder.record(.network(.notResumed(link.server.plan.source, entry: plan.range, id: id)))
    link.notify(
      .misunderstood("no stream has sent the event `\(id)` of `Last-Event-ID`, so all is sent"))
  }

  /// Sends what was held back, because the event that the client has received last does not come.
  func giveUpResuming() {
    guard let id = resumesAfter else { return }
    let events = held
    (resumesAfter, held) = (nil, [])
    noteNotResumed(id)
    for event in events where isOpen { send(event.event, event.bytes) }
  }

  private var run: RunParts { link.server.run }
  var number: Int { link.number }

  /// The step that the script has begun last.
  var stepUnderWay: StepPlan? { script?.begunStep }

  /// The link, the script and this hold each other.
  func invalidate() {
    script = nil
    refusal = nil
    onMessage = nil
  }

  /// The script ends where it is.
  func cancel() {
    onMessage = nil
    let running = script
    script = nil
    running?.cancel()
    refusal?.cancel()
  }

  /// The next message of the client; nil where none has come, and then it is handed over later.
  func takeMessage(orLater later: @escaping (Value) -> Void) -> Value? {
    if !messages.isEmpty { return messages.removeFirst() }
    onMessage = later
    return nil
  }

  func stopWaiting() { onMessage = nil }
}

// Opening.
extension MockConversation {
  func open(_ request: HTTPRequest, _ resumption: Resumption?) {
    switch resumption {
    case .afterEvent, .ofStream: resumesAfter = request.headers["Last-Event-ID"]
    case .unknown: request.headers["Last-Event-ID"].map { noteNotResumed($0) }
    case .fromBeginning, nil: break
    }
    switch plan.kind {
    case .refuse(let answer): refuse(answer, locals)
    case .accept(let acceptance, let script): accept(request, acceptance, script)
    }
  }

  /// Answers the request in place of a stream. Returns false if the stream has begun.
  func answer(_ answer: AnswerPlan, _ locals: [Value]) -> Bool {
    guard mayAnswer else { return false }
    mayAnswer = false
    refuse(answer, locals)
    return true
  }

  private func refuse(_ answer: AnswerPlan, _ locals: [Value]) {
    let call = MockCall(link, request)
    refusal = call
    call.give(answer, locals) { [self] in
      refusal = nil
      endWithoutBeginning()
    }
  }

  /// Ends a refused conversation, which frees the connection for another request.
  private func endWithoutBeginning() {
    if link.conversation === self { link.conversationEnded() }
    cancel()
  }

  private func accept(_ request: HTTPRequest, _ acceptance: AcceptancePlan, _ script: ScriptID) {
    switch kind {
    case .eventStream, .lines: mayAnswer = true
    case .webSocket: guard openSocket(request, acceptance) else { return }
    }
    branch = run.supervisor.addBranches(1)
    run.recorder.record(.script(.connectionAccepted(branch: branch)))
    begin(script)
  }

  private func openSocket(_ request: HTTPRequest, _ acceptance: AcceptancePlan) -> Bool {
    let slots = ValueReader(run.stage, locals)
    switch WebSocketOffer.check(request) {
    case .failure:
      // Such a request selects no entry.
      endWithoutBeginning()
      return false
    case .success(let offer):
      let name = acceptance.subprotocol.flatMap { text(of: $0, in: slots) }
      var headers = HTTPHeaders(link.server.headers(of: plan, locals))
      if let key = acceptance.acceptKey.flatMap({ text(of: $0, in: slots) }) {
        headers.add("Sec-WebSocket-Accept", key)
      }
      socket = WebSocketConnection(role: .server)
      link.respond(offer.accepted(protocol: name, headers: headers))
      if name == nil, !offer.protocols.isEmpty {
        let offered = offer.protocols.joined(separator: ", ")
        link.notify(
          .misunderstood(
            "the client offered the subprotocol \(offered), and `accept` has no `protocol`: "
              + "browsers close such a connection"))
      }
      return true
    }
  }

  private func text(of data: DataPlan, in slots: ValueReader) -> String? {
    switch evaluate(data, in: slots) {
    case .success(let value): return value.sentText
    case .failure(let failure):
      run.supervisor.fail(failure)
      return nil
    }
  }

  private func begin(_ script: ScriptID) {
    let running = ScriptRun(run, script, .conversation(self), locals)
    self.script = running
    running.onEnd = { [self] outcome in
      self.script = nil
      startStream()
      switch outcome {
      case .failed(let failure):
        run.supervisor.fail(failure.problem)
        if run.isEndless { breakOff() }
      case .completed: sayGoodbye()
      case .cancelled: break
      }
    }
    running.resume()
    startStream()
  }

  /// Sends the head of a stream, unless the script has answered or the client has left.
  func startStream() {
    guard mayAnswer else { return }
    mayAnswer = false
    guard link.conversation === self else { return }
    link.startStream(link.server.head(kind, plan, plan.locals(for: request)))
  }

  /// The client must not wait for what a failed script will not send, nor take it for complete.
  private func breakOff() {
    guard isOpen else { return }
    switch kind {
    case .eventStream, .lines: link.drop()
    case .webSocket: close(code: WebSocketCloseCode.internalError, reason: "the script failed")
    }
  }

  /// A server whose script is over leaves in good order.
  private func sayGoodbye() {
    guard isOpen else { return }
    giveUpResuming()
    switch kind {
    case .eventStream, .lines: link.endStream()
    case .webSocket: close(code: WebSocketCloseCode.normal, reason: "")
    }
  }
}

// What the client does.
extension MockConversation {
  /// Takes one frame after the other: the script acts on each before the next is read, so that it
  /// makes no difference how the bytes were cut.
  func receive(_ bytes: [UInt8]) {
    guard let socket, !isStalled else { return }
    socket.feed(bytes)
    while link.conversation === self, !isStalled {
      let actions = socket.nextActions()
      guard !actions.isEmpty else { return }
      perform(actions)
    }
  }

  /// The client sends no more; on a WebSocket that is the end.
  func clientEnded() {
    guard let socket, link.conversation === self else { return }
    perform(socket.on(.closed))
    if link.conversation === self { finish(["connection": .int(number)]) }
  }

  /// The client of a stream left before its end.
  func clientLeft() { finish(["connection": .int(number)]) }

  private func finish(_ farewell: Value) {
    let server = link.server
    link.conversationEnded()
    if !hasSaidGoodbye { server.emit(["cancelled": farewell]) }
    cancel()
  }

  private func perform(_ actions: [WebSocketConnection.Action]) {
    for action in actions {
      switch action {
      case .send(let bytes): link.sendRaw(bytes)
      case .deliver(.text(let text)): deliver(payloadValue(text))
      case .deliver(.binary(let bytes)): deliver(.bytes(bytes))
      case .closeArrived(let code, let reason):
        finish([
          "connection": .int(number), "code": .int(code), "reason": .string(reason),
        ])
      case .fail(let problem):
        if problem != .unexpectedEnd, problem != .connectionReset {
          link.notify(.misunderstood(problem.message))
        }
        finish(["connection": .int(number)])
      case .refuse(let problem):
        run.supervisor.fail(.unsendableMessage(problem.message, plan))
      case .close: link.close()
      case .pingArrived, .pongArrived: break
      }
    }
  }

  private func deliver(_ message: Value) {
    let event = link.server.emit(["message": message, "connection": .int(number)])
    guard let taken = onMessage else { return messages.append(message) }
    onMessage = nil
    run.recorder.caused(by: event) { taken(message) }
  }
}

// What the script makes it do.
extension MockConversation {
  /// False if nothing can be sent, for example because the client has left.
  var isOpen: Bool {
    link.conversation === self && !isStalled && !hasSaidGoodbye && socket?.isOpen ?? true
  }

  func send(message value: Value) {
    guard let socket else { return }
    link.notify(.sentMessage(value))
    if case .bytes(let bytes) = value { return perform(socket.on(.messageSent(.binary(bytes)))) }
    perform(socket.on(.messageSent(.text(payloadText(value)))))
  }

  func answersPings(_ areAnswered: Bool) { socket?.answersPings = areAnswered }

  func stall() { isStalled = true }

  /// The whole server leaves.
  func goAway() {
    if kind == .webSocket, isOpen { close(code: WebSocketCloseCode.goingAway, reason: "") }
    cancel()
  }

  /// Ends the script after a message that it does not expect.
  func turnAwayClient() {
    guard isOpen else { return }
    switch kind {
    case .eventStream, .lines: link.drop()
    case .webSocket:
      close(code: WebSocketCloseCode.policyViolation, reason: "not what was expected")
    }
  }

  /// A code that no peer may send is sent all the same: mocks are wrong on purpose.
  func close(code: Int, reason: String) {
    guard let socket else { return }
    link.notify(.saidGoodbye(code: code, reason: reason))
    hasSaidGoodbye = true
    if WebSocketCloseCode.isSendable(code) {
      perform(socket.on(.closeSent(code: code, reason: reason)))
    } else {
      perform(socket.on(.frameSent(.close(code: code, reason: reason))))
    }
  }
}

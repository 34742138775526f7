import Events
import Protocols
import ScenarioPlan
import Values
import World

/// The server's end of a connection.
final class ServerLink {
  unowned let server: MockServer
  let number: Int
  private let transport: any Transport
  private var state = HTTPServerConnection()
  private var call: MockCall?
  /// The next request to answer, while one is being answered.
  private var next: HTTPRequest?
  private var isArriving = false
  /// True while too many requests wait for more of them to be read.
  private var holdsBack = false
  /// Runs while a head is arriving.
  private var headTimer: Scheduler.TimerID?
  /// The request, as reports show it while it is pending.
  private var asked: PendingOperation?
  /// The origin of the page that sent the request; nil if it came from none.
  private var origin: String?
  /// The method of the request that is being answered, and the spelling of its answer.
  private var (method, coding) = ("", OtherCoding())
  /// The conversation on the connection, once a request has opened it.
  private(set) var conversation: MockConversation?
  /// The WebSocket to a real server that the connection is passed on to.
  private var tunnel: ProxiedRequest?

  init(_ server: MockServer, _ transport: any Transport, number: Int) {
    self.server = server
    self.transport = transport
    self.number = number
    transport.onEvent = { [unowned self] event in receive(event) }
  }

  var run: RunParts { server.run }
  /// The number of the connection in the network.
  var connection: Int { transport.connection }

  private func receive(_ event: TransportEvent) {
    run.causes.received(on: transport.connection) { take(event) }
  }

  private func take(_ event: TransportEvent) {
    switch event {
    case .connected, .writable: break
    case .received(let bytes): perform(state.on(.bytesReceived(bytes)))
    case .ended:
      endTunnel()
      conversation?.clientEnded()
      perform(state.on(awaitsAnswer ? .halfClosed : .closed))
    case .halfClosed:
      // On a WebSocket that is the end.
      if conversation?.kind == .webSocket || tunnel != nil { return take(.ended) }
      perform(state.on(.halfClosed))
    case .failed(let failure):
      if let problem = failure.details { notify(.misunderstood(problem)) }
      endTunnel()
      conversation?.clientEnded()
      perform(state.on(.reset))
      detach()
    }
  }

  /// True if a client that sends no more may still wait for an answer. A client of ours has left.
  private var awaitsAnswer: Bool { run.isServing && owesAnswer }

  private func perform(_ actions: [HTTPServerConnection.Action]) {
    for action in actions {
      switch action {
      case .requestArrived(let request): next = request
      case .send(let bytes): sendRaw(bytes)
      case .cancelled: clientLeft()
      case .refuse(let problem): refuse(problem)
      case .passOn(let bytes):
        if let tunnel { tunnel.passOn(bytes) } else { conversation?.receive(bytes) }
      case .fail(.connectionReset): break
      case .fail(.slowHead): reportSlowHead()
      case .fail(let problem): notify(.misunderstood(problem.message))
      case .close: close()
      }
    }
    if state.wantsBytes == holdsBack {
      holdsBack.toggle()
      transport.isReceiving = !holdsBack
    }
    watchHead()
    takeRequests()
  }

  /// Takes requests one after the other. An answer that is given at once makes the next one arrive,
  /// which must not deepen the stack.
  private func takeRequests() {
    guard !isArriving else { return }
    isArriving = true
    defer { isArriving = false }
    while let request = next {
      next = nil
      let cause = run.causes.cause(on: transport.connection)
      run.recorder.caused(by: cause) { arrive(request) }
      // A client that sends no more is gone, unless an answer is still to come.
      if state.isHalfClosed, call != nil, !owesAnswer { perform(state.on(.closed)) }
    }
  }

  /// Clients that are not ours have so long for a head, once it has begun.
  private func watchHead() {
    guard run.isServing, state.isReadingHead else { return stopHeadTimer() }
    guard headTimer == nil else { return }
    let limit = run.inputs.requestHeadTimeout
    headTimer = run.loop.scheduler.schedule(after: limit, phase: .source) { [weak self] in
      guard let self else { return }
      headTimer = nil
      run.recorder.runJob(causedBy: nil) { perform(state.on(.headTimedOut)) }
    }
  }

  private func stopHeadTimer() {
    if let headTimer { run.loop.cancel(headTimer) }
    headTimer = nil
  }

  private func reportSlowHead() {
    (transport as? TappedTransport)?.cutHead()
    let limit = durationText(run.inputs.requestHeadTimeout)
    notify(.misunderstood("the head of the request did not arrive within \(limit)"))
  }

  /// Removes the link from its server. The link stays until a call under way is over.
  private func detach() {
    stopHeadTimer()
    run.loop.after(0, phase: .completion) { [self] in server.remove(self) }
  }

  private func arrive(_ request: HTTPRequest) {
    // The head of the next one may have begun already, and has all its time.
    stopHeadTimer()
    if server.losesRequest(on: transport.connection) { return }
    origin = server.crossOrigin == nil ? nil : request.headers["Origin"]
    method = request.method
    coding = OtherCoding(of: request, on: server.plan.name, run.inputs.options.disturbances)
    let target = HTTPTarget(request.target)
    let expanded = request.expanded()
    let sent = request
    let request = expanded.request
    let value = requestValue(request, target: target, connection: number)
    let call = MockCall(self, value, sent: sent)
    if run.isServing, let answer = server.answerToPreflight(request, call) {
      notify(.preflight(method: request.method, path: target.path))
      return respond(answer)
    }
    if run.isServing, server.ignores(request, call) { return ignore(request, target) }
    run.recorder.caused(by: server.emit(value)) {
      // A real server behind the mock may understand it.
      if let problem = expanded.problem, server.plan.proxy == nil {
        turnAway(problem.message, problem.answer)
      } else {
        answer(request, call)
      }
    }
  }

  /// Answers a request that a browser made by itself. It is no event of the endpoint, so that no
  /// scenario has to expect it.
  private func ignore(_ request: HTTPRequest, _ target: HTTPTarget) {
    notify(.ignored(method: request.method, path: target.path))
    respond(HTTPResponse(status: 404))
  }

  private func answer(_ request: HTTPRequest, _ call: MockCall) {
    if let subjects = run.subjects, subjects.plays(server.endpoint) {
      begin(call, request)
      return call.begin(SubjectRequest(request), by: subjects)
    }
    if let answer = server.answerToPreflight(request, call) { return respond(answer) }
    let choice = server.choose(for: call, request)
    if case .none = choice {} else { server.notePassedOver(by: call) }
    switch choice {
    case .conversation(let kind, let entry): converse(kind, entry, request, call.request)
    case .handshake(let problem): turnAway(problem.message, problem.answer)
    case .route(let route): answer(request, call, server.plan.routes[route], number: route)
    case .none(let nearest):
      if server.plan.isResumable, let id = request.headers["Last-Event-ID"],
        let origin = server.resumable.origin(of: id, for: request)
      {
        return converse(.eventStream, origin.entry, request, origin.request)
      }
      if let proxy = server.plan.proxy { return passOn(request, call, to: proxy) }
      call.answerNotFound()
      server.reportUnmatched(call.request, nearest)
    }
  }

  private func answer(
    _ request: HTTPRequest, _ call: MockCall, _ route: RoutePlan, number: Int
  ) {
    switch server.takeTurn(ofRoute: number, by: call) {
    case .answer(let answer):
      begin(call, request)
      call.give(answer, call.locals) {}
    case .script(let script):
      begin(call, request)
      call.begin(script, route)
    case .conversation(let kind, let entry):
      converse(kind, entry, request, call.request(for: route))
    case .proxy(let proxy):
      begin(call, request)
      call.pass(call.request(for: route), to: proxy)
    }
  }

  private func passOn(_ request: HTTPRequest, _ call: MockCall, to proxy: ProxyPlan) {
    begin(call, request)
    call.pass(call.request, to: proxy)
  }

  private func begin(_ call: MockCall, _ request: HTTPRequest) {
    self.call = call
    // Without serving, the client emits this event.
    guard run.isServing else { return }
    asked = PendingOperation(request, to: server.endpoint, .unanswered, since: run.loop.now)
  }

  private func converse(
    _ kind: ConversationKind, _ entry: Int, _ request: HTTPRequest, _ value: Value
  ) {
    if request.method == "HEAD", case .accept = server.plan.conversations(kind)[entry].kind {
      let plan = server.plan.conversations(kind)[entry]
      startStream(server.head(kind, plan, plan.locals(for: value)))
      return perform(state.on(.responseEnded))
    }
    var origin = StreamOrigin(entry, value, request)
    let resumption = kind == .eventStream ? server.resumption(at: entry, for: request) : nil
    if case .ofStream(let other)? = resumption { origin = other }
    let plan = server.take(kind, origin.entry, for: request)
    let conversation = MockConversation(self, kind, plan, origin)
    self.conversation = conversation
    conversation.open(request, resumption)
  }

  /// Answers a request that breaks a rule, of which no entry learns.
  private func turnAway(_ problem: String, _ answer: HTTPResponse) {
    notify(.misunderstood(problem))
    respond(answer)
  }

  private func refuse(_ problem: HTTPProblem) {
    run.supervisor.fail(.unsendableAnswer(problem, server.plan))
    if run.isEndless, call != nil { respond(HTTPResponse(status: 500)) }
  }

  private func clientLeft() {
    if conversation != nil { return conversation?.clientLeft() ?? () }
    let left = call
    call = nil
    server.emit(["cancelled": ["connection": .int(number)]])
    left?.cancel()
  }

  /// The link and what it is used for hold each other.
  func invalidate() {
    call = nil
    endTunnel()
    conversation?.invalidate()
    conversation = nil
  }

  private func endTunnel() {
    tunnel?.cancel()
    tunnel = nil
  }

  // MARK: - answering

  /// Passes the connection on to the WebSocket of a real server, which has agreed.
  func open(_ tunnel: ProxiedRequest, answering head: HTTPResponse) {
    self.tunnel = tunnel
    respond(head)
  }

  func respond(_ response: HTTPResponse) {
    call = nil
    let response = shared(response)
    notify(response)
    perform(state.on(.responded(coding.changed(response))))
  }

  /// Sends the head of an answer whose body follows in pieces. Returns whether it could be sent.
  @discardableResult
  func startBody(of response: HTTPResponse) -> Bool {
    var head = shared(response)
    notify(head)
    head.body = []
    let actions = state.on(.responseStarted(head))
    perform(actions)
    return !actions.contains { if case .refuse = $0 { true } else { false } }
  }

  func endBody() {
    call = nil
    perform(state.on(.responseEnded))
  }

  /// Sends an answer with a fault, and ends the connection.
  func respond(_ response: HTTPResponse, with fault: AnswerFaultPlan, noise: [UInt8]) {
    switch fault.bytes(of: shared(response), answering: method, noise: noise) {
    case .failure(let problem): refuse(problem)
    case .success(let bytes):
      notify(.sentBytes(bytes.count))
      sendRaw(bytes)
      drop()
    }
  }

  private func shared(_ response: HTTPResponse) -> HTTPResponse {
    guard let origin, let policy = server.crossOrigin else { return response }
    return response.shared(by: policy, with: origin)
  }

  /// Adds an activity of the endpoint to the log, for reports of the conversation.
  func notify(_ activity: ServerActivity) {
    guard run.isServing else { return }
    run.recorder.record(.network(.served(server.plan.source, connection: number, activity)))
  }

  /// The request that has no answer yet.
  var pendingOperation: PendingOperation? { call == nil ? nil : asked }

  /// True if a request waits for an answer that will come.
  var owesAnswer: Bool { call?.isComing == true }

  func startStream(_ head: HTTPResponse) {
    notify(.streamed(status: head.status, type: head.headers["Content-Type"]))
    perform(state.on(.responseStarted(coding.begun(shared(head)))))
  }

  func write(_ bytes: [UInt8]) { perform(state.on(.bodyWritten(coding.written(bytes)))) }

  func endStream() {
    conversation = nil
    notify(.saidGoodbye(code: nil, reason: ""))
    for rest in coding.ended() { perform(state.on(.bodyWritten(rest))) }
    perform(state.on(.responseEnded))
  }

  /// The client is gone, or said so.
  func conversationEnded() { conversation = nil }

  /// Past all framing.
  func sendRaw(_ bytes: [UInt8]) {
    run.causes.setCause(on: transport)
    transport.send(bytes)
  }

  /// Ends the sending side, and continues to listen.
  func halfClose() {
    run.causes.setCause(on: transport)
    transport.shutDownWriting()
  }

  func close() {
    endTunnel()
    run.causes.setCause(on: transport)
    transport.close()
    detach()
  }

  /// The connection ends without an answer, or in the middle of one.
  func drop() {
    notify(.brokeOff)
    abandon()
    close()
  }

  func reset() {
    notify(.brokeOff)
    abandon()
    run.causes.setCause(on: transport)
    transport.abort()
    detach()
  }

  /// The server is about to end.
  func sayGoodbye() {
    conversation?.goAway()
    if conversation != nil { endStream() }
  }

  private func abandon() {
    call?.cancel()
    call = nil
    endTunnel()
    let left = conversation
    conversation = nil
    left?.cancel()
  }
}

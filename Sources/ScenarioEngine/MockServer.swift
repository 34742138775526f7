import Events
import Protocols
import ScenarioPlan
import Values
import World

/// A mock endpoint: takes connections and answers requests as its routes say.
final class MockServer {
  fileprivate unowned let run: ScenarioRun
  fileprivate let endpoint: EndpointID
  /// How often each route was called.
  private var calls: [Int]
  private var links: [ServerLink] = []
  private var connectionCount = 0

  init(_ run: ScenarioRun, _ endpoint: EndpointID) {
    self.run = run
    self.endpoint = endpoint
    calls = [Int](repeating: 0, count: run.plan.endpoints[endpoint].routes.count)
    let listens = run.network.listen(at: plan.name) { [unowned self] transport in
      accept(transport)
    }
    if !listens { run.fail(.cannotListen(plan)) }
  }

  func takeDown() {
    for link in links { link.takeDown() }
    links = []
  }

  fileprivate var plan: EndpointPlan { run.plan.endpoints[endpoint] }

  private func accept(_ transport: any Transport) {
    connectionCount += 1
    links.append(ServerLink(self, transport, number: connectionCount))
  }

  fileprivate func forget(_ link: ServerLink) {
    links.removeAll { $0 === link }
  }

  fileprivate func emit(_ value: Value) { run.emit(plan.source, value) }

  fileprivate func answer(_ call: MockCall, _ request: HTTPRequest) {
    let path = HTTPTarget(request.target).path
    let target = RequestTarget(method: request.method, path: path)
    let choice = chooseRoute(plan.routes, for: target) { [self] route, parameters in
      differenceOfWhen(plan.routes[route], call, parameters)
    }
    switch choice {
    case .route(let route):
      let turn = calls[route]
      calls[route] += 1
      call.begin(plan.routes[route], turn: turn)
    case .none(let closest, let differences):
      call.answerNotFound()
      run.fail(
        .unmatchedRequest(
          UnmatchedRequest(
            endpoint: endpoint, request: call.request, closest: closest,
            differences: differences)))
    }
  }

  /// Nil when the route's condition holds.
  private func differenceOfWhen(
    _ route: RoutePlan, _ call: MockCall, _ parameters: ValueMap
  ) -> String? {
    call.prepare(route, parameters)
    guard let condition = route.when else { return nil }
    let slots = RunSlots(run, call.locals)
    switch evaluate(condition, in: slots) {
    case .success(.bool(true)): return nil
    case .success: return "when     `\(condition.origin.text)` does not hold"
    case .failure(let failure):
      return "when     `\(condition.origin.text)` has no value: \(failure.message)"
    }
  }
}

/// The server's end of a connection.
final class ServerLink {
  fileprivate unowned let server: MockServer
  fileprivate let transport: any Transport
  private let number: Int
  private var state = HTTPServerConnection()
  private var call: MockCall?

  fileprivate init(_ server: MockServer, _ transport: any Transport, number: Int) {
    self.server = server
    self.transport = transport
    self.number = number
    transport.onEvent = { [unowned self] event in receive(event) }
  }

  private func receive(_ event: TransportEvent) {
    server.run.takeUpCause(of: transport)
    switch event {
    case .connected, .writable: break
    case .received(let bytes): perform(state.on(.bytesReceived(bytes)))
    case .ended: perform(state.on(.closed))
    case .failed:
      perform(state.on(.reset))
      leave()
    }
  }

  private func perform(_ actions: [HTTPServerConnection.Action]) {
    for action in actions {
      switch action {
      case .requestArrived(let request): arrive(request)
      case .send(let bytes):
        server.run.leaveCause(on: transport)
        transport.send(bytes)
      case .cancelled: clientLeft()
      case .refuse(let problem): server.run.fail(.unsendableAnswer(problem, server.plan))
      case .fail, .passOn: break
      case .close:
        server.run.leaveCause(on: transport)
        transport.close()
        leave()
      }
    }
  }

  private func leave() {
    let link = self
    server.run.after(0, phase: .completion) { link.server.forget(link) }
  }

  private func arrive(_ request: HTTPRequest) {
    let target = HTTPTarget(request.target)
    let value = requestValue(request, target: target, connection: number)
    server.emit(value)
    server.run.cause = server.run.log.events.count - 1
    let call = MockCall(self, value)
    self.call = call
    server.answer(call, request)
  }

  private func clientLeft() {
    let left = call
    call = nil
    server.emit(["cancelled": ["connection": .int(number)]])
    left?.cancel()
  }

  /// The link and its call hold each other.
  fileprivate func takeDown() { call = nil }

  fileprivate func respond(_ response: HTTPResponse) {
    call = nil
    perform(state.on(.responded(response)))
  }

  /// The connection ends without an answer.
  fileprivate func drop() {
    call = nil
    server.run.leaveCause(on: transport)
    transport.close()
    leave()
  }
}

/// One request being answered by a script.
final class MockCall {
  private let link: ServerLink
  private(set) var request: Value
  private(set) var locals: [Value] = []
  private var timer: Scheduler.TimerID?
  private var script: ScriptRun?
  private(set) var isAnswered = false

  fileprivate init(_ link: ServerLink, _ request: Value) {
    self.link = link
    self.request = request
  }

  private var run: ScenarioRun { link.server.run }

  fileprivate func prepare(_ route: RoutePlan, _ parameters: ValueMap) {
    locals = [Value](repeating: .null, count: route.localCount)
    var value = request
    if case .map(var map) = value, !parameters.isEmpty {
      map["params"] = .map(parameters)
      value = .map(map)
    }
    locals[route.request] = value
  }

  fileprivate func begin(_ route: RoutePlan, turn: Int) {
    switch route.answers {
    case .inTurn(let answers):
      guard !answers.isEmpty else { return answerNotFound() }
      let answer = answers[min(turn, answers.count - 1)]
      give(answer, locals) {}
    case .script(let script): begin(FramePlan(script: script, localCount: locals.count), route)
    }
  }

  private func begin(_ frame: FramePlan, _ route: RoutePlan) {
    let script = ScriptRun(run, frame: frame, role: .call(self), locals: locals)
    self.script = script
    run.calls.append(self)
    script.onEnd = { [self] outcome in
      self.script = nil
      run.calls.removeAll { $0 === self }
      switch outcome {
      case .failed(let failure): run.fail(failure.problem)
      case .completed: if !isAnswered { run.fail(.scriptWithoutAnswer(route)) }
      case .cancelled: break
      }
    }
    script.resume()
  }

  /// Gives an answer when its time has come, then does the rest.
  func give(_ answer: AnswerPlan, _ locals: [Value], then rest: @escaping () -> Void) {
    let delay = run.length(of: answer.after, locals)
    guard delay > 0 else {
      give(answer.kind, locals)
      return rest()
    }
    timer = run.after(delay, phase: .source) { [self] in
      timer = nil
      give(answer.kind, locals)
      rest()
    }
  }

  private func give(_ kind: AnswerPlan.Kind, _ locals: [Value]) {
    guard !isAnswered else { return }
    isAnswered = true
    switch kind {
    case .response(let response):
      switch makeResponse(response, in: RunSlots(run, locals)) {
      case .success(let made): link.respond(made)
      case .failure(let failure):
        run.fail(.evaluation(range: failure.range, message: failure.message, step: nil))
      }
    case .drop: link.drop()
    case .stall: break
    }
  }

  fileprivate func answerNotFound() {
    isAnswered = true
    link.respond(HTTPResponse(status: 404))
  }

  /// The call and its script hold each other.
  func takeDown() { script = nil }

  fileprivate func cancel() {
    if let timer { run.scheduler.cancel(timer) }
    timer = nil
    script?.cancel()
  }
}

import Diagnostics
import Events
import Protocols
import ScenarioPlan
import Values
import World

/// A request that a mock answers, with a script or with the next of its answers.
final class MockCall {
  let link: ServerLink
  private(set) var request: Value
  /// The request as it came, its body compressed if the client did so.
  let sent: HTTPRequest?
  private(set) var locals: [Value] = []
  /// The routes whose `when` had no value for the request, with the reasons.
  var passedOver: [SourceRange: String] = [:]
  /// Set until the answer is due, or until the next piece of it.
  var timer: Scheduler.TimerID?
  private var script: ScriptRun?
  /// The answer that a Swift object is about to give.
  private var played: SubjectAction?
  /// The request to a real server, while its answer is passed on.
  private var proxied: ProxiedRequest?
  private(set) var isAnswered = false
  /// True once the answer was handed over, and not only decided.
  private var wasGiven = false

  init(_ link: ServerLink, _ request: Value, sent: HTTPRequest? = nil) {
    self.link = link
    self.request = request
    self.sent = sent
  }

  var run: RunParts { link.server.run }

  func prepare(_ route: RoutePlan, _ parameters: ValueMap) {
    locals = route.locals(for: request, parameters)
  }

  /// The request, with what the parameters of a route's path stand for.
  func request(for route: RoutePlan) -> Value { locals[route.request.index] }

  func begin(_ script: ScriptID, _ route: RoutePlan) {
    let script = ScriptRun(run, script, .call(self), locals)
    self.script = script
    link.server.began(self)
    script.onEnd = { [self] outcome in
      self.script = nil
      link.server.ended(self)
      switch outcome {
      case .failed(let failure):
        run.supervisor.fail(failure.problem)
        answerFailure()
      case .completed:
        guard !isAnswered else { break }
        run.supervisor.fail(.scriptWithoutAnswer(route))
        answerFailure()
      case .cancelled: break
      }
    }
    script.resume()
  }

  /// Lets a Swift object answer. An error breaks the connection.
  func begin(_ request: SubjectRequest, by subjects: any StageSubjects) {
    link.server.began(self)
    played = subjects.answer(request, to: link.server.endpoint) { [weak self] result in
      guard let self else { return }
      played = nil
      link.server.ended(self)
      guard !isAnswered else { return }
      switch result {
      case .success(let response):
        isAnswered = true
        wasGiven = true
        link.respond(HTTPResponse(response))
      case .failure: reset()
      }
    }
  }

  /// Gives an answer when its time has come, then does the rest.
  func give(_ answer: AnswerPlan, _ locals: [Value], then rest: @escaping () -> Void) {
    let delay = run.supervisor.length(of: answer.after, in: ValueReader(run.stage, locals))
    guard delay > 0 else {
      return give(answer.kind, locals, then: rest)
    }
    timer = run.loop.after(delay, phase: .source) { [self] in
      timer = nil
      give(answer.kind, locals, then: rest)
    }
  }

  private func give(
    _ kind: AnswerPlan.Kind, _ locals: [Value], then rest: @escaping () -> Void
  ) {
    guard !isAnswered else { return rest() }
    isAnswered = true
    switch kind {
    case .response(let response):
      switch run.suppliers.messages.makeResponse(response, in: ValueReader(run.stage, locals))
      {
      case .success(let made):
        wasGiven = true
        return deliver(asFile(made, response), response.delivery, locals, then: rest)
      case .failure(let failure):
        run.supervisor.fail(.evaluation(failure.evaluation, step: nil))
        answerFailure()
      }
    case .drop:
      wasGiven = true
      link.drop()
    case .reset: reset()
    case .stall: wasGiven = true
    }
    rest()
  }

  /// True if the answer will come without another request.
  var isComing: Bool {
    timer != nil || proxied != nil || !isAnswered && (script != nil || played != nil)
  }

  /// A script that failed answers nothing, which a client must not wait for.
  private func answerFailure() {
    guard run.isEndless, !isAnswered || !wasGiven else { return }
    isAnswered = true
    link.respond(HTTPResponse(status: 500))
  }

  /// The connection breaks without an answer.
  func reset() {
    isAnswered = true
    wasGiven = true
    link.reset()
  }

  func answerNotFound() {
    isAnswered = true
    wasGiven = true
    link.respond(HTTPResponse(status: 404))
  }

  /// The call and its script hold each other.
  func invalidate() {
    script = nil
    played = nil
    proxied?.cancel()
    proxied = nil
  }

  func cancel() {
    if let timer { run.loop.cancel(timer) }
    timer = nil
    script?.cancel()
    played?.cancel()
    proxied?.cancel()
    proxied = nil
  }

  /// Passes the request on to a real server, and its answer back.
  ///
  /// - Parameter value: The request as expressions read it.
  func pass(_ value: Value, to proxy: ProxyPlan) {
    guard let sent else { return }
    isAnswered = true
    wasGiven = true
    let slots = ValueReader(run.stage, locals)
    guard let text = run.supervisor.value(of: proxy.url, in: slots)?.plainText else {
      return link.respond(HTTPResponse(status: 502))
    }
    let proxied = ProxiedRequest(link, proxy, value) { [self] in self.proxied = nil }
    self.proxied = proxied
    proxied.start(sent, at: text)
  }
}

/// The step `respond`.
extension ScriptRun {
  /// Answers the request of the call, or of a stream which has not begun. A request has one
  /// answer.
  func respond(_ answer: AnswerPlan, _ step: StepPlan) -> Flow {
    if case .conversation(let conversation) = role {
      return conversation.answer(answer, locals)
        ? .waits : .fails(cannot(step, "the stream has begun"))
    }
    guard case .call(let call) = role else { return .next }
    if call.isAnswered { return .fails(cannot(step, "a request is answered once")) }
    guard answer.after != nil else {
      call.give(answer, locals) {}
      return .next
    }
    var isGiven = false
    var waits = false
    call.give(answer, locals) { [weak self] in
      isGiven = true
      if waits { self?.resume() }
    }
    waits = !isGiven
    return waits ? .waits : .next
  }
}

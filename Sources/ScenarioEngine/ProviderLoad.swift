import Events
import Protocols
import ScenarioPlan
import Values
import World

/// Filling fields from providers.
extension ScriptRun {
  /// All fields load side by side; the step is over when the last of them is filled.
  func load(_ loads: [LoadPlan]) -> Flow {
    var started: [ProviderLoad] = []
    for load in loads {
      var locals = [Value](repeating: .null, count: run.plan.providers[load.provider].localCount)
      for argument in load.arguments {
        switch evaluate(argument.value, in: self) {
        case .success(let value): locals[argument.local] = value
        case .failure(let failure): return .fails(scriptFailure(failure))
        }
      }
      started.append(ProviderLoad(run, load, locals))
    }
    return begin(started)
  }

  private func begin(_ loads: [ProviderLoad]) -> Flow {
    var open = loads.count
    guard open > 0 else { return .next }
    onCancel = { for load in loads { load.cancel() } }
    for load in loads {
      load.onEnd = { [weak self] in
        open -= 1
        guard open == 0, let self else { return }
        onCancel = nil
        resume()
      }
    }
    for load in loads { load.begin() }
    return .waits
  }

  /// An answer of a mock, given from its script.
  func respond(_ answer: AnswerPlan, _ step: StepPlan) -> Flow {
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

/// One load of a field: `loading` at once, then `loaded` or `error`.
final class ProviderLoad {
  private unowned let run: ScenarioRun
  private let plan: LoadPlan
  private var locals: [Value]
  private var exchange: HTTPExchange?
  private var isOver = false
  var onEnd: (() -> Void)?

  init(_ run: ScenarioRun, _ plan: LoadPlan, _ locals: [Value]) {
    self.run = run
    self.plan = plan
    self.locals = locals
  }

  private var provider: ProviderPlan { run.plan.providers[plan.provider] }

  func begin() {
    run.stage.write([(plan.node, "loading")])
    switch provider.origin {
    case .items(let items): later(evaluate(items, in: slots))
    case .request(let request): begin(request)
    }
  }

  func cancel() {
    isOver = true
    onEnd = nil
    exchange?.cancel()
    exchange = nil
  }

  private var slots: RunSlots { RunSlots(run, locals) }

  private func begin(_ request: RequestPlan) {
    let host = run.plan.endpoints[request.endpoint].name
    switch makeRequest(request, host: host, in: slots) {
    case .failure(let failure): later(.failure(failure))
    case .success(let made):
      exchange = run.startExchange(request.endpoint, made) { [self] result in
        exchange = nil
        finish(outcome(of: result))
      }
    }
  }

  /// What is known at once still arrives as the completion of an effect.
  private func later(_ result: Result<Value, EvaluationFailure>) {
    run.after(0, phase: .completion) { [self] in
      guard !isOver else { return }
      switch result {
      case .success(let value): finish(["loaded": value])
      case .failure(let failure): finish(failureValue(failure.message))
      }
    }
  }

  private func outcome(of result: Result<HTTPResponse, ExchangeFailure>) -> Value {
    switch result {
    case .failure(let failure): return ["error": errorValue(failure)]
    case .success(let response):
      let value = responseValue(response)
      guard (200..<300).contains(response.status) else {
        return ["error": errorValue(response, value)]
      }
      guard let selection = provider.value else {
        return ["loaded": value["json"] ?? value["text"] ?? .null]
      }
      locals[provider.response] = value
      switch evaluate(selection, in: slots) {
      case .success(let selected): return ["loaded": selected]
      case .failure(let failure): return failureValue(failure.message)
      }
    }
  }

  private func finish(_ value: Value) {
    guard !isOver else { return }
    isOver = true
    run.stage.write([(plan.node, value)])
    let told = onEnd
    onEnd = nil
    told?()
  }
}

/// The error of an answer that is none of success: its status, and what came with it.
private func errorValue(_ response: HTTPResponse, _ value: Value) -> Value {
  var map = ValueMap()
  map["status"] = .int(response.status)
  map["reason"] = .string(response.reason)
  if let json = value["json"] { map["json"] = json }
  if let text = value["text"] { map["text"] = text }
  return .map(map)
}

private func errorValue(_ failure: ExchangeFailure) -> Value {
  switch failure {
  case .protocolProblem(.unexpectedEndBeforeHead), .protocolProblem(.unexpectedEndInHead),
    .protocolProblem(.unexpectedEndInBody), .protocolProblem(.unexpectedEndInChunkedBody),
    .protocolProblem(.connectionReset), .connection(.reset):
    ["reason": "connectionLost"]
  case .protocolProblem(let problem): ["reason": "protocolError", "problem": .string(problem.id)]
  case .connection(let failure):
    ["reason": "connectionFailed", "problem": .string(failure.rawValue)]
  }
}

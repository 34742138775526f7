import Events
import Protocols
import ScenarioPlan
import Values
import World

/// Why a provider gave nothing.
struct ProviderFailure: Error {
  var error: Value

  init(_ error: Value) { self.error = error }

  init(_ failure: EvaluationFailure) { error = ["message": .string(failure.message)] }
}

/// One call of a provider; it is answered once, later in this instant or after some time.
final class ProviderCall {
  private unowned let run: ScenarioRun
  private let provider: ProviderPlan
  private var locals: [Value]
  private var exchange: HTTPExchange?
  private var completion: ((Result<Value, ProviderFailure>) -> Void)?

  /// The locals hold the values of the provider's parameters.
  init(_ run: ScenarioRun, _ provider: ProviderID, _ locals: [Value]) {
    self.run = run
    self.provider = run.plan.providers[provider]
    self.locals = locals
  }

  func begin(_ completion: @escaping (Result<Value, ProviderFailure>) -> Void) {
    self.completion = completion
    switch provider.origin {
    case .items(let items): later(evaluate(items, in: slots))
    case .request(let request): begin(request)
    }
  }

  /// Nobody is told any more, and a request under way is left.
  func cancel() {
    completion = nil
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
    run.after(0, phase: .completion) { [self] in finish(result.mapError(ProviderFailure.init)) }
  }

  private func outcome(
    of result: Result<HTTPResponse, ExchangeFailure>
  ) -> Result<Value, ProviderFailure> {
    switch result {
    case .failure(let failure): return .failure(ProviderFailure(errorValue(failure)))
    case .success(let response):
      let value = responseValue(response)
      guard (200..<300).contains(response.status) else {
        return .failure(ProviderFailure(errorValue(response, value)))
      }
      guard let selection = provider.value else {
        return .success(value["json"] ?? value["text"] ?? .null)
      }
      locals[provider.response] = value
      return evaluate(selection, in: slots).mapError(ProviderFailure.init)
    }
  }

  private func finish(_ result: Result<Value, ProviderFailure>) {
    let told = completion
    completion = nil
    told?(result)
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
  case .connection(.unreachable): ["reason": "offline"]
  case .connection(let failure):
    ["reason": "connectionFailed", "problem": .string(failure.rawValue)]
  }
}

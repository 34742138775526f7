import CEL
import Cancellables
import Events
import LiveConnections
import Protocols
import Publishers
import ScenarioPlan
import Values
import World

/// One call of a provider; it is answered once, later in this instant or after some time.
final class ProviderCall: OutstandingRequest {
  private unowned let run: ScenarioRun
  private let number: ProviderID
  private let provider: ProviderPlan
  private let locals: [Value]
  private var token: AnyCancellable?
  private var exchange: HTTPExchange?
  private var attempts: RequestAttempts?
  /// The pause before the next attempt.
  private var pause: Scheduler.TimerID?
  /// What waits for the end of the pause, for who asks what is still open.
  private(set) var pendingOperation: PendingOperation?
  var waitingPlace: Int?
  private var completion: ((Result<Value, StreamFailure>) -> Void)?

  /// The locals hold the values of the provider's parameters.
  init(_ run: ScenarioRun, _ provider: ProviderID, _ locals: [Value]) {
    self.run = run
    number = provider
    self.provider = run.plan.providers[provider]
    self.locals = locals
    attempts = self.provider.retry.map { RequestAttempts($0) }
  }

  func begin(_ completion: @escaping (Result<Value, StreamFailure>) -> Void) {
    self.completion = completion
    run.connections.began(self)
    switch provider.origin {
    case .items(let items): later(evaluate(items, in: slots).mapError(StreamFailure.init))
    case .request(let request): begin(request)
    case .file(let path, let folder): later(contents(of: path, in: folder))
    case .query(let statement, _): later(rows(of: statement))
    case .stream(let source): awaitEvent(of: source)
    }
  }

  func forget() {
    completion = nil
    token = nil
    exchange = nil
    pause = nil
  }

  /// Nobody is told any more, and a request under way is left.
  func cancel() {
    run.connections.ended(self)
    completion = nil
    token = nil
    exchange?.cancel()
    exchange = nil
    if let pause { run.scheduler.cancel(pause) }
    endPause()
  }

  private var slots: RunSlots { RunSlots(run, locals) }

  /// Each attempt is made anew, from the values of its time.
  private func begin(_ request: RequestPlan) {
    switch makeRequest(request, in: slots, of: run) {
    case .failure(let failure):
      later(.failure(StreamFailure(value: ["message": .string(failure.message)])))
    case .success(let made):
      exchange = run.startExchange(request.endpoint, made) { [self] result in
        exchange = nil
        switch decision(after: result) {
        case .end: finish(outcome(of: result))
        case .goOn(let delay):
          pendingOperation = run.pendingOperation(of: made, to: request.endpoint, .pausing)
          begin(request, after: delay)
        }
      }
    }
  }

  private func begin(_ request: RequestPlan, after delay: Microseconds) {
    run.connections.pausing.append(self)
    pause = run.after(delay, phase: .source) { [self] in
      endPause()
      begin(request)
    }
  }

  private func endPause() {
    guard pause != nil else { return }
    pause = nil
    run.connections.pausing.removeAll { $0 === self }
  }

  private func decision(
    after result: Result<HTTPResponse, ExchangeFailure>
  ) -> RequestAttempts.Decision {
    let chance = { [run, number] in run.retryChance(of: number) }
    switch result {
    case .success(let response):
      return attempts?.answered(response.status, chance: chance) ?? .end
    case .failure(let failure): return attempts?.failed(failure.reason, chance: chance) ?? .end
    }
  }

  /// What is known at once still arrives as the completion of an effect.
  private func later(_ result: Result<Value, StreamFailure>) {
    run.after(0, phase: .completion) { [self] in finish(result) }
  }

  private func contents(of path: DataPlan, in folder: String) -> Result<Value, StreamFailure> {
    switch evaluate(path, in: slots) {
    case .failure(let failure): .failure(StreamFailure(failure))
    case .success(let path):
      run.readJSON(path.plainText, in: folder).flatMap { data in
        run.selection(of: number, ["json": data], else: data, locals)
      }
    }
  }

  private func rows(of statement: StatementPlan) -> Result<Value, StreamFailure> {
    switch run.databases.run(statement, in: slots) {
    case .failure(let failure): .failure(StreamFailure(value: failure.error))
    case .success(let rows):
      run.selection(of: number, ["json": .list(rows.rows)], else: .list(rows.rows), locals)
    }
  }

  private func awaitEvent(of source: SourceID) {
    token = run.streams.publisher(of: source).first().sink(
      receiveCompletion: { [unowned self] end in
        if case .failure(let failure) = end { later(.failure(failure)) }
      },
      receiveValue: { [unowned self] value in later(.success(value)) })
  }

  private func outcome(
    of result: Result<HTTPResponse, ExchangeFailure>
  ) -> Result<Value, StreamFailure> {
    switch result {
    case .failure(let failure): return .failure(StreamFailure(value: errorValue(failure)))
    case .success(let response):
      let value = responseValue(response)
      guard (200..<300).contains(response.status) else {
        return .failure(StreamFailure(value: errorValue(response, value)))
      }
      return run.selection(
        of: number, value, else: value["json"] ?? value["text"] ?? .null, locals)
    }
  }

  private func finish(_ result: Result<Value, StreamFailure>) {
    run.connections.ended(self)
    let told = completion
    completion = nil
    token = nil
    told?(result)
  }
}

extension ScenarioRun {
  /// The locals of a provider that is called: what the caller gives for its parameters.
  func locals(
    of call: ProviderCallPlan, in slots: some CELSlots
  ) -> Result<[Value], EvaluationFailure> {
    var locals = [Value](repeating: .null, count: plan.providers[call.provider].localCount)
    for argument in call.arguments {
      switch evaluate(argument.value, in: slots) {
      case .success(let value): locals[argument.local] = value
      case .failure(let failure): return .failure(failure)
      }
    }
    return .success(locals)
  }

  /// What of an answer a provider provides.
  func selection(
    of provider: ProviderID, _ response: Value, else whole: Value, _ locals: [Value]
  ) -> Result<Value, StreamFailure> {
    let provider = plan.providers[provider]
    guard let selection = provider.value else { return .success(whole) }
    var locals = locals
    locals[provider.response] = response
    return evaluate(selection, in: RunSlots(self, locals)).mapError(StreamFailure.init)
  }

  /// The data of a JSON file, or an error with its path.
  func readJSON(_ path: String, in folder: String) -> Result<Value, StreamFailure> {
    switch inputs.readFile(resolve(path, in: folder)) {
    case .failure(let failure):
      let reason = failure.isMissing ? "fileNotFound" : "fileUnreadable"
      return .failure(fileError(reason, path, failure.message))
    case .success(let bytes):
      return parseJSON(bytes).mapError { fileError("malformedJSON", path, $0.message) }
    }
  }

  private func fileError(_ reason: String, _ path: String, _ message: String) -> StreamFailure {
    StreamFailure(value: [
      "reason": .string(reason), "path": .string(path), "message": .string(message),
    ])
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

func errorValue(_ failure: ExchangeFailure) -> Value {
  switch failure {
  case .protocolProblem(let problem): failureValue(ConnectionFailure(problem))
  case .connection(let failure): failureValue(ConnectionFailure(failure))
  }
}

import Cancellables
import Events
import LiveConnections
import Protocols
import Publishers
import ScenarioPlan
import Values
import World

/// A call of a provider. It is answered once, later in this instant or at a later time.
final class ProviderCall: OutstandingRequest {
  private let providers: Providers
  private var run: RunParts { providers.run }
  private let number: ProviderID
  private let provider: ProviderPlan
  private let locals: [Value]
  private var token: AnyCancellable?
  private var exchange: ClientExchange?
  private var attempts: RequestAttempts?
  /// The pause that the last answer asked for.
  private(set) var retryAfter: Microseconds?
  /// The pause before the next attempt.
  private var pause: Scheduler.TimerID?
  /// The pending pause between attempts, as reports show it.
  private(set) var pendingOperation: PendingOperation?
  var waitingPlace: Int?
  private var completion: ((Result<Value, StreamFailure>) -> Void)?
  /// The call of a Swift object.
  private var played: SubjectAction?

  /// The locals hold the values of the provider's parameters.
  init(_ providers: Providers, _ provider: ProviderID, _ locals: [Value]) {
    self.providers = providers
    number = provider
    self.provider = providers.run.plan.providers[provider]
    self.locals = locals
    attempts = self.provider.retry.map { RequestAttempts($0) }
  }

  func begin(_ completion: @escaping (Result<Value, StreamFailure>) -> Void) {
    self.completion = completion
    providers.client.connections.began(self)
    if let subjects = run.subjects, subjects.plays(number) { return begin(by: subjects) }
    switch provider.origin {
    case .items(let items): later(evaluate(items, in: slots).mapError(StreamFailure.init))
    case .request(let request): begin(request)
    case .file(let path, let folder): later(contents(of: path, in: folder))
    case .query(let statement, _): later(rows(of: statement))
    case .stream(let source): awaitEvent(of: source)
    }
  }

  private func begin(by subjects: any StageSubjects) {
    let arguments = providers.arguments(of: number, locals)
    played = subjects.call(number, arguments) { [weak self] result in
      guard let self else { return }
      played = nil
      finish(result.mapError { StreamFailure(value: $0.value) })
    }
  }

  /// The request itself is one that waits for its answer.
  var pendingRequest: (connection: Int, operation: PendingOperation)? { nil }

  func leave(where isLeft: (EndpointID) -> Bool) {}

  func invalidate() {
    completion = nil
    played = nil
    token = nil
    exchange = nil
    pause = nil
  }

  /// Drops the callback and leaves a request under way.
  func cancel() {
    providers.client.connections.ended(self)
    completion = nil
    token = nil
    exchange?.cancel()
    exchange = nil
    played?.cancel()
    played = nil
    if let pause { run.loop.cancel(pause) }
    endPause()
  }

  private var slots: ValueReader { ValueReader(run.stage, locals) }

  /// Begins an attempt, whose request is made from the current values.
  private func begin(_ request: RequestPlan) {
    switch providers.client.prepare(request, in: slots) {
    case .failure(let failure):
      later(.failure(StreamFailure(value: ["message": .string(failure.message)])))
    case .success(let made):
      let limits = ClientExchange.Limits(time: made.timeout, isOfStep: false)
      let exchange = ClientExchange(providers.client, made, limits)
      self.exchange = exchange
      exchange.begin { [self, unowned exchange] result in
        self.exchange = nil
        switch decision(after: result) {
        case .end: finish(outcome(of: result))
        case .goOn(let delay):
          pendingOperation = exchange.underWay
          begin(request, after: delay)
        }
      }
    }
  }

  private func begin(_ request: RequestPlan, after delay: Microseconds) {
    providers.client.connections.pausing.append(self)
    pause = run.loop.after(delay, phase: .source, of: .client) { [self] in
      endPause()
      begin(request)
    }
  }

  private func endPause() {
    guard pause != nil else { return }
    pause = nil
    providers.client.connections.pausing.removeAll { $0 === self }
  }

  private func decision(
    after result: Result<HTTPResponse, RequestFailure>
  ) -> RequestAttempts.Decision {
    let chance = { [providers, provider] in providers.retryChance(of: provider.name) }
    switch result {
    case .success(let response):
      let seconds = response.headers.retryAfter(now: run.stage.now.seconds)
      retryAfter = seconds.map { $0 * 1_000_000 }
      return attempts?.answered(response.status, retryAfter: retryAfter, chance: chance) ?? .end
    case .failure(let failure): return attempts?.failed(failure.reason, chance: chance) ?? .end
    }
  }

  /// Delivers an immediate result as the completion of an effect, like any other.
  private func later(_ result: Result<Value, StreamFailure>) {
    run.loop.after(0, phase: .completion) { [self] in finish(result) }
  }

  private func contents(of path: DataPlan, in folder: String) -> Result<Value, StreamFailure> {
    switch evaluate(path, in: slots) {
    case .failure(let failure): .failure(StreamFailure(failure))
    case .success(let path):
      providers.readJSON(path.plainText, in: folder).flatMap { data in
        providers.selection(of: number, ["json": data], else: data, locals)
      }
    }
  }

  private func rows(of statement: StatementPlan) -> Result<Value, StreamFailure> {
    switch providers.databases.run(statement, in: slots) {
    case .failure(let failure): .failure(StreamFailure(value: failure.error))
    case .success(let rows):
      providers.selection(of: number, ["json": .list(rows.rows)], else: .list(rows.rows), locals)
    }
  }

  private func awaitEvent(of source: SourceID) {
    token = providers.eventsFromNode(source).first().sink(
      receiveCompletion: { [unowned self] end in
        if case .failure(let failure) = end { later(.failure(failure)) }
      },
      receiveValue: { [unowned self] value in later(.success(value)) })
  }

  private func outcome(
    of result: Result<HTTPResponse, RequestFailure>
  ) -> Result<Value, StreamFailure> {
    switch result {
    case .failure(let failure): return .failure(StreamFailure(value: failure.error))
    case .success(let response):
      let value = responseValue(response)
      if value["json"] == nil, let problem = duplicateKey(in: response) {
        return .failure(StreamFailure(value: errorValue(response, problem)))
      }
      guard (200..<300).contains(response.status) else {
        return .failure(StreamFailure(value: errorValue(response, value)))
      }
      if let coding = ContentCoding.unknownName(in: response.headers), !response.body.isEmpty {
        return .failure(StreamFailure(value: unknownContentEncoding(coding)))
      }
      return providers.selection(
        of: number, value, else: value["json"] ?? value["text"] ?? .null, locals)
    }
  }

  private func finish(_ result: Result<Value, StreamFailure>) {
    providers.client.connections.ended(self)
    let handler = completion
    completion = nil
    token = nil
    handler?(result)
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

/// The error of an answer whose JSON breaks its rules.
private func errorValue(_ response: HTTPResponse, _ problem: JSONProblem) -> Value {
  [
    "status": .int(response.status), "reason": "protocolError", "problem": "json-duplicate-key",
    "message": .string(problem.message),
  ]
}

func errorValue(_ failure: RequestCall.Failure) -> Value {
  switch failure {
  case .problem(let problem), .unsendable(let problem): failureValue(ConnectionFailure(problem))
  case .connection(let failure): failureValue(ConnectionFailure(failure))
  }
}

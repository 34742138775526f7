import Events
import Protocols
import ScenarioPlan
import Values
import World

/// The parts of a run that Swift objects use.
package final class SubjectEnvironment {
  let run: RunParts
  package var plan: ScenarioPlan { run.plan }

  init(_ run: RunParts) { self.run = run }

  /// The time since the start, in microseconds.
  package var now: Microseconds { run.loop.now }
  /// The calendar time.
  package var calendarTime: Timestamp { run.stage.now }

  // MARK: - jobs

  /// Queues a job of this instant. What follows from it has the cause of what is done now.
  package func add(_ job: @escaping () -> Void) {
    run.loop.after(0, phase: .source, of: .toClient, job)
  }

  package func schedule(at due: Microseconds, _ job: @escaping () -> Void) -> Scheduler.TimerID {
    run.loop.after(due - now, phase: .source, of: .client, job)
  }

  package func cancel(_ timer: Scheduler.TimerID) { run.loop.cancel(timer) }

  // MARK: - events

  package func value(of node: NodeID) -> Value { run.stage.value(of: node) }

  /// Writes nodes as one change.
  package func write(_ writes: [(node: NodeID, value: Value)]) { run.emitter.write(writes) }

  /// Writes nodes with the values that they begin with, which are no events.
  package func begin(with writes: [(node: NodeID, value: Value)]) {
    run.emitter.buildStage { run.stage.write(writes) }
  }

  package func emit(_ source: SourceID, _ value: Value) { run.emitter.emit(source, value) }

  /// Ends a source. An error is given as its value.
  package func finish(_ source: SourceID, _ error: Value?) { run.emitter.finish(source, error) }

  package func fail(_ failure: SubjectFailure) { run.supervisor.fail(.subject(failure)) }

  // MARK: - requests

  /// Sends a request to an endpoint. The result cancels it.
  package func send(
    _ request: SubjectRequest, to endpoint: EndpointID,
    _ completion: @escaping (Result<SubjectResponse, SubjectError>) -> Void
  ) -> SubjectAction {
    var sent = HTTPRequest(
      method: request.method, target: request.target, headers: HTTPHeaders(request.headers),
      body: request.body)
    let namesHost = sent.headers["Host"] != nil
    if !namesHost {
      sent.headers.lines.insert(HTTPHeaderLine("Host", plan.endpoints[endpoint].name), at: 0)
    }
    let client = run.suppliers.client
    let prepared = PreparedRequest(
      http: sent, endpoint: endpoint, session: client.session(named: nil),
      addressing: Addressing(keepsHost: namesHost))
    let exchange = ClientExchange(
      client, prepared, ClientExchange.Limits(time: nil, isOfStep: false))
    exchange.begin {
      completion($0.map(SubjectResponse.init).mapError { SubjectError(value: $0.error) })
    }
    return SubjectAction { exchange.cancel() }
  }
}

/// A request between a Swift object and an endpoint.
package struct SubjectRequest: Sendable {
  package var method: String
  package var target: String
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]

  package init(
    method: String, target: String, headers: [(name: String, value: String)], body: [UInt8]
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }

  init(_ request: HTTPRequest) {
    self.init(
      method: request.method, target: request.target, headers: request.headers.pairs,
      body: request.body)
  }
}

/// The answer to such a request.
package struct SubjectResponse: Sendable {
  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]

  package init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  init(_ response: HTTPResponse) {
    self.init(status: response.status, headers: response.headers.pairs, body: response.body)
  }
}

extension HTTPResponse {
  init(_ response: SubjectResponse) {
    self.init(status: response.status, headers: HTTPHeaders(response.headers), body: response.body)
  }
}

extension HTTPHeaders {
  init(_ pairs: [(name: String, value: String)]) {
    self.init(pairs.map { HTTPHeaderLine($0.name, $0.value) })
  }

  fileprivate var pairs: [(name: String, value: String)] { lines.map { ($0.name, $0.value) } }
}

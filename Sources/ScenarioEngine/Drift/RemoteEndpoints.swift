import Events
import Protocols
import ScenarioPlan
import Values
import World

/// Endpoints that are real: what is sent to them is all there is to see of them.
final class RemoteEndpoints {
  private unowned let run: ScenarioRun
  private var places: [RemotePlace?] = []
  /// By endpoint: the connections made to it, which are counted from one.
  private var connections: [[Int]]
  /// By name of a connection that stays: its number at its endpoint.
  private var lasting: [String: Int] = [:]
  /// What they do is held against their mocks; nil where nobody wants to know.
  let driftChecker: DriftChecker?
  /// Stands for a connection that is not used for one request after the other.
  private static let isLive = -1

  init(
    _ run: ScenarioRun, reach: (String, String) -> Result<RemotePlace, UnusableURL>
  ) {
    self.run = run
    driftChecker = run.world.ignoresDrift ? nil : DriftChecker(run)
    connections = [[Int]](repeating: [], count: run.plan.endpoints.count)
    places = run.plan.endpoints.map { endpoint in
      guard let url = endpoint.address else {
        run.fail(.unusableURL(endpoint, "it has no `url`"))
        return nil
      }
      return place(of: endpoint, run.initialValue(of: url), reach)
    }
  }

  private func place(
    of endpoint: EndpointPlan, _ url: Value,
    _ reach: (String, String) -> Result<RemotePlace, UnusableURL>
  ) -> RemotePlace? {
    guard !run.isStopped else { return nil }
    switch reach(endpoint.name, url.plainText) {
    case .success(let place): return place
    case .failure(let problem):
      run.fail(.unusableURL(endpoint, problem.message))
      return nil
    }
  }

  /// An endpoint emits what it is sent, before the base of its URL is put in front.
  func tell(
    of request: HTTPRequest, to endpoint: EndpointID, on transport: any Transport, isLost: Bool
  ) -> ShadowCall? {
    let number = number(of: transport.connection, to: endpoint)
    let value = requestValue(request, target: HTTPTarget(request.target), connection: number)
    let call = isLost ? nil : driftChecker.map { ShadowCall($0, request, at: endpoint) }
    emit(value, endpoint, transport) { call?.begin(value) }
    return call
  }

  func tellCancelled(_ endpoint: EndpointID, on transport: any Transport) {
    let number = number(of: transport.connection, to: endpoint)
    emit(["cancelled": ["connection": .int(number)]], endpoint, transport)
  }

  /// As a job of its own, like what a mock tells; the answer names it as its cause.
  private func emit(
    _ value: Value, _ endpoint: EndpointID, _ transport: any Transport,
    then rest: @escaping () -> Void = {}
  ) {
    run.after(0, phase: .source) { [run] in
      run.emit(run.plan.endpoints[endpoint].source, value)
      run.cause = run.log.count - 1
      run.leaveCause(on: transport)
      rest()
    }
  }

  /// A connection that stays is opened with this request, or opened again.
  func opening(
    _ connection: ConnectionPlan, with request: HTTPRequest, at endpoint: EndpointID
  ) -> HTTPRequest {
    connections[endpoint].append(RemoteEndpoints.isLive)
    let number = connections[endpoint].count
    lasting[connection.name] = number
    let value = requestValue(request, target: HTTPTarget(request.target), connection: number)
    run.after(0, phase: .source) { [run, driftChecker] in
      run.emit(run.plan.endpoints[endpoint].source, value)
      run.cause = run.log.count - 1
      driftChecker?.open(connection, with: request, value, at: endpoint)
    }
    return addressed(request, to: endpoint, isTunnelled: connection.kind.isWebSocket)
  }

  /// A message that was sent on a connection that stays, as an endpoint would see it.
  func tell(of message: Value, on connection: ConnectionPlan) {
    guard let number = lasting[connection.name], let endpoint = connection.request?.endpoint else {
      return
    }
    var shown = message
    if case .bytes = message {} else { shown = payloadValue(payloadText(message)) }
    let value: Value = ["message": shown, "connection": .int(number)]
    run.after(0, phase: .source) { [run, driftChecker] in
      run.emit(run.plan.endpoints[endpoint].source, value)
      run.cause = run.log.count - 1
      driftChecker?.conversation(of: connection)?.sent(shown)
    }
  }

  func mirror(of connection: ConnectionPlan) -> ShadowConnection? {
    driftChecker?.conversation(of: connection)
  }

  func invalidate() { driftChecker?.invalidate() }

  /// Where an endpoint is; nil where its URL leads nowhere.
  func place(of endpoint: EndpointID) -> RemotePlace? { places[endpoint] }

  /// The request as it goes out; a redirect may have led to a target that is whole.
  func addressed(
    _ request: HTTPRequest, to endpoint: EndpointID, isComplete: Bool = false,
    isTunnelled: Bool = false
  ) -> HTTPRequest {
    guard let place = places[endpoint] else { return request }
    var request = request
    request.headers["Host"] = place.host
    if let who = place.authorization, !request.headers.contains("Authorization") {
      request.headers["Authorization"] = who
    }
    if !isComplete { request.target = place.absoluteTarget(for: request.target) }
    guard !isTunnelled else { return request }
    if let who = place.proxyAuthorization { request.headers["Proxy-Authorization"] = who }
    request.target = place.proxied + request.target
    return request
  }

  /// The endpoint a redirect leads to: the one that answered, if that is possible, and rather one
  /// whose paths begin as the target does.
  func endpoint(at redirect: Redirect, from endpoint: EndpointID) -> EndpointID? {
    guard let host = redirect.host, let own = places[endpoint] else { return endpoint }
    let isSecure = redirect.isSecure ?? own.isSecure
    let found = ([endpoint] + places.indices).filter {
      places[$0]?.isReached(at: host, isSecure: isSecure) == true
    }
    return found.first { places[$0]?.relativeTarget(of: redirect.target) != nil } ?? found.first
  }

  private func number(of connection: Int, to endpoint: EndpointID) -> Int {
    if let place = connections[endpoint].firstIndex(of: connection) { return place + 1 }
    connections[endpoint].append(connection)
    return connections[endpoint].count
  }
}

extension ScenarioRun {
  /// What came on a connection that stays; where it came from a real endpoint, the log has it
  /// beside what its mock says.
  func emitArrived(_ value: Value, on connection: ConnectionPlan) {
    emit(connection.source, value)
    guard let mirror = remotes?.mirror(of: connection) else { return }
    let before = cause
    cause = log.count - 1
    mirror.arrived(value)
    cause = before
  }
}

extension RunProblem {
  fileprivate static func unusableURL(_ endpoint: EndpointPlan, _ reason: String) -> RunProblem {
    .stepFailed(
      StepReference(
        verb: "reach", range: endpoint.address?.range ?? endpoint.range, branch: 0, turns: []),
      message: "the real endpoint cannot be reached: \(reason)")
  }
}

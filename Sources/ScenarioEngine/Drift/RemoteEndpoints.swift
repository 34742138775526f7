import Events
import LiveConnections
import Protocols
import ScenarioPlan
import Values
import World

/// Endpoints that are real: what is sent to them is all there is to see of them.
final class RemoteEndpoints {
  private let run: RunParts
  private let reach: (String, String) -> Result<RemotePlace, UnusableURL>
  private var places: PerID<EndpointPlan, RemotePlace?> = []
  /// The connections made to each endpoint, counted from one; nil for one that stays and is not
  /// used for one request after the other.
  private var connections: PerID<EndpointPlan, [Int?]>
  /// The connections that stay open, by name.
  private var lasting: [String: Lasting] = [:]
  /// The comparison with the mocks; nil if drift is not judged.
  let driftChecker: DriftChecker?
  /// A connection to an endpoint that stays.
  private struct Lasting {
    /// Its number at its endpoint.
    var number: Int
    /// The number of the network's connection, once there is one.
    var line: () -> Int
  }

  /// - Parameter reach: Returns the place that a URL leads to.
  init(
    _ run: RunParts, reach: @escaping (String, String) -> Result<RemotePlace, UnusableURL>
  ) {
    self.run = run
    self.reach = reach
    driftChecker = run.world.ignoresDrift ? nil : DriftChecker(run)
    connections = PerID(repeating: [], for: run.plan.endpoints)
    places = run.plan.endpoints.mapValues { endpoint in
      guard run.world.isReal(endpoint.name) else { return nil }
      guard let address = endpoint.address else {
        run.supervisor.fail(.unusableURL(endpoint, "it has no `url`"))
        return nil
      }
      return place(of: endpoint, run.initialValue(of: address))
    }
  }

  private func place(of endpoint: EndpointPlan, _ url: Value) -> RemotePlace? {
    guard !run.supervisor.isStopped else { return nil }
    switch reach(endpoint.name, url.plainText) {
    case .success(let place): return place
    case .failure(let problem):
      run.supervisor.fail(.unusableURL(endpoint, problem.message))
      return nil
    }
  }

  /// Emits a request as an event of its endpoint, without the base of its URL.
  func notify(
    of request: HTTPRequest, to endpoint: EndpointID, _ addressing: Addressing,
    on transport: any Transport, isLost: Bool
  ) -> ShadowCall? {
    let number = number(of: transport.connection, to: endpoint)
    let value = requestValue(request, target: HTTPTarget(request.target), connection: number)
    let call = isLost ? nil : driftChecker.map { ShadowCall($0, request, at: endpoint, addressing) }
    emit(value, endpoint, transport) { call?.begin(value) }
    return call
  }

  func notifyCancelled(_ endpoint: EndpointID, on transport: any Transport) {
    let number = number(of: transport.connection, to: endpoint)
    emit(["cancelled": ["connection": .int(number)]], endpoint, transport)
  }

  /// Emits a request as a job of its own, as a mock does; the answer names it as its cause.
  private func emit(
    _ value: Value, _ endpoint: EndpointID, _ transport: any Transport,
    then rest: @escaping () -> Void = {}
  ) {
    run.loop.after(0, phase: .source) { [self] in
      let event = run.emitter.emit(run.plan.endpoints[endpoint].source, value)
      run.causes.setCause(event, on: transport.connection)
      run.recorder.caused(by: event) { rest() }
    }
  }

  /// A connection that stays is opened with this request, or opened again; what comes on its line
  /// names the request as its cause.
  func opening(
    _ connection: ConnectionPlan, with request: HTTPRequest, at endpoint: EndpointID,
    on line: @escaping () -> Int
  ) -> HTTPRequest {
    connections[endpoint].append(nil)
    let number = connections[endpoint].count
    lasting[connection.name] = Lasting(number: number, line: line)
    let value = requestValue(request, target: HTTPTarget(request.target), connection: number)
    run.loop.after(0, phase: .source) { [self] in
      let event = run.emitter.emit(run.plan.endpoints[endpoint].source, value)
      run.causes.setCause(event, on: line())
      run.recorder.caused(by: event) {
        driftChecker?.open(connection, with: request, value, at: endpoint)
      }
    }
    let addressing = Addressing(keepsHost: connection.request?.namesHost ?? false)
    let purpose = connection.kind.isWebSocket ? RequestPurpose.webSocket : .stream
    return addressed(request, to: endpoint, addressing, for: purpose)
  }

  /// Emits a message that was sent on a connection that stays, as its endpoint receives it.
  func notify(of message: Value, on connection: ConnectionPlan) {
    guard let lasting = lasting[connection.name], let endpoint = connection.request?.endpoint else {
      return
    }
    var shown = message
    if case .bytes = message {} else { shown = payloadValue(payloadText(message)) }
    let value: Value = ["message": shown, "connection": .int(lasting.number)]
    run.loop.after(0, phase: .source) { [self] in
      let event = run.emitter.emit(run.plan.endpoints[endpoint].source, value)
      run.causes.setCause(event, on: lasting.line())
      run.recorder.caused(by: event) { driftChecker?.conversation(of: connection)?.sent(shown) }
    }
  }

  func shadow(of connection: ConnectionPlan) -> ShadowConnection? {
    driftChecker?.conversation(of: connection)
  }

  /// Returns the place of an endpoint; nil if its URL leads nowhere.
  func place(of endpoint: EndpointID) -> RemotePlace? { places[endpoint] }

  /// Returns the request as it is sent; after a redirect its target may be absolute.
  func addressed(
    _ request: HTTPRequest, to endpoint: EndpointID, _ addressing: Addressing,
    for purpose: RequestPurpose = .exchange
  ) -> HTTPRequest {
    guard let place = places[endpoint] else { return request }
    var request = request
    if !addressing.keepsHost { request.headers["Host"] = place.host }
    request.addDefaults(for: purpose, userAgent: place.userAgent)
    if let who = place.authorization, !request.headers.contains("Authorization") {
      request.headers["Authorization"] = who
    }
    if !addressing.isComplete { request.target = place.absoluteTarget(for: request.target) }
    guard purpose != .webSocket else { return request }
    if let who = place.proxyAuthorization { request.headers["Proxy-Authorization"] = who }
    request.target = place.proxied + request.target
    return request
  }

  /// The endpoint a redirect leads to: the one that answered, if that is possible, and rather one
  /// whose paths begin as the target does. The one that answered also has the name that the
  /// scenario wrote as its `Host`.
  func endpoint(
    at redirect: Redirect, from endpoint: EndpointID, writtenHost: String?
  ) -> EndpointID? {
    guard let host = redirect.host, let own = places[endpoint] else { return endpoint }
    let isSecure = redirect.isSecure ?? own.isSecure
    if isSecure == own.isSecure, host.lowercasedASCII == writtenHost?.lowercasedASCII {
      return endpoint
    }
    let found = ([endpoint] + places.indices).filter {
      places[$0]?.isReached(at: host, isSecure: isSecure) == true
    }
    return found.first { places[$0]?.relativeTarget(of: redirect.target) != nil } ?? found.first
  }

  /// Returns the way to a server that is no endpoint of the scenario. Its URL is its name in the
  /// network, which no endpoint can have.
  func route(to redirect: Redirect) -> ClientRoute? {
    guard let host = redirect.host, let isSecure = redirect.isSecure else { return nil }
    let url = "\(isSecure ? "https" : "http")://\(host)"
    guard case .success(let place) = reach(url, url) else { return nil }
    return ClientRoute(
      host: place.host, isSecure: isSecure, connect: { [run] in run.loop.network.connect(to: url) },
      address: { request in
        var request = request
        if let who = place.proxyAuthorization { request.headers["Proxy-Authorization"] = who }
        request.target = place.proxied + request.target
        return request
      })
  }

  private func number(of connection: Int, to endpoint: EndpointID) -> Int {
    if let place = connections[endpoint].firstIndex(of: connection) { return place + 1 }
    connections[endpoint].append(connection)
    return connections[endpoint].count
  }
}

extension RunProblem {
  fileprivate static func unusableURL(_ endpoint: EndpointPlan, _ reason: String) -> RunProblem {
    .stepFailed(
      StepReference(
        verb: "reach", range: endpoint.address?.range ?? endpoint.range, branch: .main, turns: []),
      message: "the real endpoint cannot be reached: \(reason)")
  }
}

import Events
import LiveConnections
import Protocols
import ScenarioPlan
import Values
import World

/// The clients of one run that stay connected: each shows its state in a node and emits what it
/// receives.
final class LiveClients {
  private let run: RunParts
  private let client: ScenarioClient
  private var clients: PerID<ConnectionPlan, any LiveClient> = []
  /// The time of each connection's last change of state.
  private var changed: PerID<ConnectionPlan, Microseconds> = []
  /// The callbacks for connections that are being made.
  private var awaited: [ConnectionID: [() -> Void]] = [:]
  /// The event of each connection's last change of state.
  private var lastChange: [ConnectionID: EventID] = [:]

  init(_ run: RunParts, _ client: ScenarioClient) {
    self.run = run
    self.client = client
  }

  private var connections: Connections { client.connections }
  private var remotes: RemoteEndpoints? { run.endpoints.remotes }

  func start() {
    changed = PerID(repeating: 0, for: run.plan.connections)
    clients = PerID(
      run.plan.connections.withIDs.map { id, plan in
        run.subjects?.client(of: id)?.live ?? make(id, plan)
      })
  }

  func connect(_ connection: ConnectionID) throws(ConnectionRefusal) {
    try clients[connection].connect()
  }

  func disconnect(_ connection: ConnectionID) { clients[connection].disconnect() }

  func terminate(_ connection: ConnectionID) { clients[connection].terminate() }

  func send(_ payload: Value, to connection: ConnectionID) throws(ConnectionRefusal) {
    try clients[connection].send(payload)
    let plan = run.plan.connections[connection]
    let remotes = plan.request.flatMap { run.endpoints.remotes(of: $0.endpoint) }
    remotes?.notify(of: payload, on: plan)
  }

  func invalidate() {
    leave { run.endpoints.remotes(of: $0) != nil }
    for client in clients { client.invalidate() }
    clients = []
    awaited = [:]
  }

  /// Closes the connections to some endpoints without any event, since the run is over.
  func leave(where isLeft: (EndpointID) -> Bool) {
    for (id, plan) in run.plan.connections.withIDs where clients.indices.contains(id) {
      if let request = plan.request, isLeft(request.endpoint) { clients[id].leave() }
    }
  }

  /// Returns whether a real server has still to agree to a connection. A mock agrees in the instant
  /// in which it is asked.
  func awaitsServer(_ connection: ConnectionID) -> Bool {
    let plan = run.plan.connections[connection]
    guard let endpoint = plan.request?.endpoint else { return false }
    return run.endpoints.remotes(of: endpoint) != nil
      && run.stage.value(of: plan.state) == "connecting"
  }

  /// Calls back, once, when the server has agreed or refused.
  func whenMade(_ connection: ConnectionID, _ handler: @escaping () -> Void) {
    awaited[connection, default: []].append(handler)
  }

  /// Returns whether the server has closed a connection at this instant, behind an event.
  func hasServerClosed(_ connection: ConnectionID, behind event: EventID?) -> Bool {
    guard let event, changed[connection] == run.loop.now, let change = lastChange[connection] else {
      return false
    }
    let state = run.stage.value(of: run.plan.connections[connection].state)
    guard let end = state["disconnected"], end != "manuallyDisconnected", end != "terminated" else {
      return false
    }
    return event < change
  }

  var pendingOperations: [PendingOperation] {
    clients.indices.compactMap { id in
      clients[id].pendingState.map { PendingOperation(.connection(id, $0), since: changed[id]) }
    }
  }
}

// Making them.
extension LiveClients {
  private func make(_ id: ConnectionID, _ plan: ConnectionPlan) -> any LiveClient {
    switch plan.kind {
    case .eventStream: makeStream(id, plan, .events)
    case .lines: makeStream(id, plan, .lines)
    case .webSocket(let protocols): makeSocket(id, plan, protocols)
    }
  }

  private func makeStream(
    _ id: ConnectionID, _ plan: ConnectionPlan, _ payload: EventStreamDriver.Payload
  ) -> EventStreamDriver {
    let line = LineOfClient()
    let client = EventStreamDriver(
      environment: environment(of: plan, on: line), payload: payload,
      retry: plan.retry.map(RetryPolicy.init), idle: plan.idle
    ) { [unowned self] in
      request(of: plan, on: line).mapError { .request($0.message) }
    }
    client.onStateChange = { [unowned self] state in
      remotes?.shadow(of: plan)?.observe(state)
      show(stateValue(state), of: id)
    }
    client.onFinish = { [unowned self] in finish(plan) }
    client.onEvent = { [unowned self] event in
      emitArrived(arrivedValue(event, on: plan), on: plan)
    }
    return client
  }

  private func makeSocket(
    _ id: ConnectionID, _ plan: ConnectionPlan, _ protocols: [DataPlan]
  ) -> WebSocketDriver {
    let ping = plan.ping.map { PingPolicy(interval: $0.interval, maxFailures: $0.maxFailures) }
    let line = LineOfClient()
    let client = WebSocketDriver(
      environment: environment(of: plan, on: line), retry: plan.retry.map(RetryPolicy.init),
      ping: ping, idle: plan.idle
    ) { [unowned self] in
      socketRequest(of: plan, protocols, on: line).mapError { .request($0.message) }
    }
    client.onStateChange = { [unowned self] state in
      remotes?.shadow(of: plan)?.observe(state)
      show(stateValue(state), of: id)
    }
    client.onFinish = { [unowned self] in finish(plan) }
    client.onMessage = { [unowned self] message in
      emitArrived(messageValue(message), on: plan)
    }
    return client
  }

  func show(_ state: Value, of connection: ConnectionID) {
    changed[connection] = run.loop.now
    lastChange[connection] = run.recorder.log.nextID
    run.emitter.write([(run.plan.connections[connection].state, state)])
    guard state != "connecting" else { return }
    for handler in awaited.removeValue(forKey: connection) ?? [] { handler() }
  }

  /// Neither a connection that was ended for good nor its state emits anything any more.
  func finish(_ connection: ConnectionPlan) {
    run.emitter.finish(connection.source, nil)
    run.emitter.finish(run.plan.nodes[connection.state].source, nil)
  }

  /// Emits a message of a lasting connection. If a real endpoint sent it, the log also holds what
  /// its mock says.
  func emitArrived(_ value: Value, on connection: ConnectionPlan) {
    let event = run.emitter.emit(connection.source, value)
    guard let shadow = remotes?.shadow(of: connection) else { return }
    run.recorder.caused(by: event) { shadow.arrived(value) }
  }

  /// Makes the request of a connection. An expression that fails ends the run, because the scenario
  /// is wrong.
  private func request(
    of plan: ConnectionPlan, on line: LineOfClient
  ) -> Result<HTTPRequest, EvaluationFailure> {
    guard let request = plan.request else {
      return .failure(EvaluationFailure(range: plan.range, message: "there is no request"))
    }
    switch client.prepare(request, in: ValueReader(run.stage)) {
    case .success(let prepared):
      (line.prepared, line.endpoint) = (prepared, nil)
      return .success(
        client.completed(
          prepared.http, to: prepared.endpoint, prepared.addressing, as: prepared))
    case .failure(let failure):
      let failure = EvaluationFailure(range: failure.range, message: failure.message)
      run.supervisor.fail(failure)
      return .failure(failure)
    }
  }

  private func socketRequest(
    of plan: ConnectionPlan, _ protocols: [DataPlan], on line: LineOfClient
  ) -> Result<WebSocketDriver.Request, EvaluationFailure> {
    request(of: plan, on: line).flatMap { request in
      var names: [String] = []
      for data in protocols {
        switch evaluate(data, in: ValueReader(run.stage)) {
        case .success(let name): names.append(name.plainText)
        case .failure(let failure):
          run.supervisor.fail(failure)
          return .failure(failure)
        }
      }
      var headers = request.headers
      headers["Host"] = nil
      return .success(
        WebSocketDriver.Request(
          host: request.headers["Host"] ?? "", target: request.target, protocols: names,
          headers: headers))
    }
  }

  private func environment(
    of plan: ConnectionPlan, on line: LineOfClient
  ) -> ClientEnvironment {
    guard let endpoint = plan.request?.endpoint else {
      preconditionFailure("a connection of a plan that was compiled has a request")
    }
    let random = RandomOfClient(run.chance.stream("connection " + plan.name))
    let environment = ClientEnvironment(
      connect: { [connections] in
        let transport = connections.tapped(
          CauseTrackingTransport(connections, to: endpoint, isWebSocket: plan.kind.isWebSocket),
          to: endpoint)
        line.number = transport.connection
        return transport
      },
      schedule: { [loop = run.loop] delay, job in
        let timer = loop.after(delay, phase: .source, of: .client, job)
        return { loop.cancel(timer) }
      },
      next: { random.next() },
      address: { [unowned self] request in
        run.endpoints.remotes(of: endpoint)?.opening(plan, with: request, at: endpoint) {
          line.number
        } ?? request
      })
    environment.isSecure = remotes?.place(of: endpoint)?.isSecure
    environment.calendarTime = { [stage = run.stage] in stage.now.seconds }
    environment.answered = { [client] answer, request in
      guard let prepared = line.prepared else { return }
      client.takeCookies(
        from: answer, to: request, at: line.endpoint ?? endpoint, line.addressing(client),
        in: prepared.session)
    }
    environment.redirected = { [client] request in
      guard let prepared = line.prepared else { return request }
      return client.withCookies(
        request, to: line.endpoint ?? endpoint, line.addressing(client), as: prepared)
    }
    environment.mostRedirects =
      plan.request?.redirects ?? (plan.kind.isWebSocket ? 0 : ClientEnvironment.usualRedirects)
    environment.timeout = plan.request?.timeout
    environment.route = { [unowned self] redirect in
      route(to: redirect, from: line.endpoint ?? endpoint, on: line)
    }
    return environment
  }

  /// Returns the way to an endpoint of the scenario; with real endpoints, to any other server too.
  private func route(
    to redirect: Redirect, from endpoint: EndpointID, on line: LineOfClient
  ) -> ClientRoute? {
    let remotes = run.endpoints.remotes(of: endpoint)
    let found =
      if let remotes {
        remotes.endpoint(at: redirect, from: endpoint, writtenHost: nil)
      } else {
        redirect.host.flatMap(run.plan.endpoint)
      }
    guard let found else { return remotes?.route(to: redirect) }
    line.endpoint = found
    return ClientRoute(
      host: remotes == nil ? run.plan.endpoints[found].name : "",
      isSecure: remotes?.place(of: found)?.isSecure,
      connect: { [connections] in
        CauseTrackingTransport(connections, to: found, isWebSocket: false)
      },
      address: { [client] request in
        var request = request
        let addressing = Addressing(keepsHost: false, isComplete: remotes != nil)
        if let remotes { request = remotes.addressed(request, to: found, addressing, for: .stream) }
        guard let prepared = line.prepared else { return request }
        return client.withCookies(request, to: found, addressing, as: prepared)
      })
  }
}

/// The random numbers of one client, independent of the other clients.
private final class RandomOfClient {
  private var random: SeededRandom

  init(_ random: SeededRandom) { self.random = random }

  func next() -> UInt64 { random.next() }
}

/// The network's connection that a client made last, and the request that opened it.
private final class LineOfClient {
  var number = 0
  var prepared: PreparedRequest?
  /// Where redirects have led to; nil as long as they have not left the endpoint.
  var endpoint: EndpointID?

  /// Requests to real endpoints have the whole path of their server.
  func addressing(_ client: ScenarioClient) -> Addressing {
    Addressing(
      keepsHost: endpoint == nil && prepared?.addressing.keepsHost == true,
      isComplete: client.run.endpoints.remotes != nil)
  }
}

extension RetryPolicy {
  fileprivate init(_ plan: RetryPolicyPlan) {
    self.init(
      maxAttempts: plan.maxAttempts, initialDelay: plan.initialDelay, maxDelay: plan.maxDelay,
      multiplier: plan.multiplier, jitter: plan.jitter,
      nonRetryableStatuses: plan.nonRetryableStatuses)
  }
}

import Events
import LiveConnections
import Protocols
import ScenarioPlan
import Values
import World

/// The clients of one run that stay connected: each shows its state in a node and emits what it
/// receives.
final class LiveClients {
  private let connections: Connections
  private let messages: MessageMaker
  private let stage: Stage
  private let emitter: SourceEmitter
  private let supervisor: ScriptSupervisor
  private let chance: SeededRandom
  /// The Swift objects that play parts of the stage; nil if there are none.
  var subjects: (any StageSubjects)?
  private var clients: PerID<ConnectionPlan, any LiveClient> = []
  /// The time of each connection's last change of state.
  private var changed: PerID<ConnectionPlan, Microseconds> = []

  init(
    _ connections: Connections, _ messages: MessageMaker, _ stage: Stage,
    _ emitter: SourceEmitter, _ supervisor: ScriptSupervisor, _ chance: SeededRandom
  ) {
    self.connections = connections
    self.messages = messages
    self.stage = stage
    self.emitter = emitter
    self.supervisor = supervisor
    self.chance = chance
  }

  private var loop: RunLoop { connections.loop }
  private var remotes: RemoteEndpoints? { connections.endpoints.remotes }

  func start() {
    changed = PerID(repeating: 0, for: stage.plan.connections)
    clients = PerID(
      stage.plan.connections.withIDs.map { id, plan in
        subjects?.client(of: id)?.live ?? make(id, plan)
      })
  }

  func connect(_ connection: ConnectionID) throws(ConnectionRefusal) {
    try clients[connection].connect()
  }

  func disconnect(_ connection: ConnectionID) { clients[connection].disconnect() }

  func terminate(_ connection: ConnectionID) { clients[connection].terminate() }

  func send(_ payload: Value, to connection: ConnectionID) throws(ConnectionRefusal) {
    try clients[connection].send(payload)
    let plan = stage.plan.connections[connection]
    let remotes = plan.request.flatMap { connections.endpoints.remotes(of: $0.endpoint) }
    remotes?.notify(of: payload, on: plan)
  }

  func invalidate() {
    for client in clients { client.invalidate() }
    clients = []
    subjects = nil
  }

  /// Closes the connections to some endpoints without any event, since the run is over.
  func leave(where isLeft: (EndpointID) -> Bool) {
    for (id, plan) in stage.plan.connections.withIDs where clients.indices.contains(id) {
      if let request = plan.request, isLeft(request.endpoint) { clients[id].invalidate() }
    }
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
    let client = EventStreamDriver(
      environment: environment(of: plan), payload: payload, retry: plan.retry.map(RetryPolicy.init),
      idle: plan.idle
    ) { [unowned self] in
      request(of: plan).mapError { .request($0.message) }
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
    let client = WebSocketDriver(
      environment: environment(of: plan), retry: plan.retry.map(RetryPolicy.init), ping: ping,
      idle: plan.idle
    ) { [unowned self] in
      socketRequest(of: plan, protocols).mapError { .request($0.message) }
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
    changed[connection] = loop.now
    emitter.write([(stage.plan.connections[connection].state, state)])
  }

  /// Neither a connection that was ended for good nor its state emits anything any more.
  func finish(_ connection: ConnectionPlan) {
    emitter.finish(connection.source, nil)
    emitter.finish(stage.plan.nodes[connection.state].source, nil)
  }

  /// Emits a message of a lasting connection. If a real endpoint sent it, the log also holds what
  /// its mock says.
  func emitArrived(_ value: Value, on connection: ConnectionPlan) {
    let event = emitter.emit(connection.source, value)
    guard let shadow = remotes?.shadow(of: connection) else { return }
    loop.recorder.caused(by: event) { shadow.arrived(value) }
  }

  /// Makes the request of a connection. An expression that fails ends the run, because the scenario
  /// is wrong.
  private func request(of plan: ConnectionPlan) -> Result<HTTPRequest, EvaluationFailure> {
    guard let request = plan.request else {
      return .failure(EvaluationFailure(range: plan.range, message: "there is no request"))
    }
    let made = messages.makeRequest(request, in: ValueReader(stage)).mapError {
      EvaluationFailure(range: $0.range, message: $0.message)
    }
    if case .failure(let failure) = made { supervisor.fail(failure) }
    return made
  }

  private func socketRequest(
    of plan: ConnectionPlan, _ protocols: [DataPlan]
  ) -> Result<WebSocketDriver.Request, EvaluationFailure> {
    request(of: plan).flatMap { request in
      var names: [String] = []
      for data in protocols {
        switch evaluate(data, in: ValueReader(stage)) {
        case .success(let name): names.append(name.plainText)
        case .failure(let failure):
          supervisor.fail(failure)
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

  private func environment(of plan: ConnectionPlan) -> ClientEnvironment {
    guard let endpoint = plan.request?.endpoint else {
      preconditionFailure("a connection of a plan that was compiled has a request")
    }
    let line = LineOfClient()
    let random = RandomOfClient(chance.stream("connection " + plan.name))
    let environment = ClientEnvironment(
      connect: { [connections] in
        let transport = connections.tapped(
          CauseTrackingTransport(connections, to: endpoint, isWebSocket: plan.kind.isWebSocket),
          to: endpoint)
        line.number = transport.connection
        return transport
      },
      schedule: { [loop] delay, job in
        let timer = loop.after(delay, phase: .source, job)
        return { loop.cancel(timer) }
      },
      next: { random.next() },
      address: { [unowned self] request in
        connections.endpoints.remotes(of: endpoint)?.opening(plan, with: request, at: endpoint) {
          line.number
        } ?? request
      })
    environment.isSecure = remotes?.place(of: endpoint)?.isSecure
    environment.calendarTime = { [unowned stage] in stage.now.seconds }
    environment.route = { [unowned self] redirect in route(to: redirect, from: endpoint) }
    return environment
  }

  /// Returns the way to an endpoint of the scenario; with real endpoints, to any other server too.
  private func route(to redirect: Redirect, from endpoint: EndpointID) -> ClientRoute? {
    guard let remotes = connections.endpoints.remotes(of: endpoint) else {
      guard let found = redirect.host.flatMap(stage.plan.endpoint) else { return nil }
      return ClientRoute(host: stage.plan.endpoints[found].name) { [connections] in
        CauseTrackingTransport(connections, to: found, isWebSocket: false)
      }
    }
    guard let found = remotes.endpoint(at: redirect, from: endpoint, writtenHost: nil) else {
      return remotes.route(to: redirect)
    }
    return ClientRoute(
      host: "", isSecure: remotes.place(of: found)?.isSecure,
      connect: { [connections] in
        CauseTrackingTransport(connections, to: found, isWebSocket: false)
      },
      address: { request in
        remotes.addressed(
          request, to: found, Addressing(keepsHost: false, isComplete: true), for: .stream)
      })
  }
}

/// The random numbers of one client, independent of the other clients.
private final class RandomOfClient {
  private var random: SeededRandom

  init(_ random: SeededRandom) { self.random = random }

  func next() -> UInt64 { random.next() }
}

/// The network's connection that a client made last.
private final class LineOfClient {
  var number = 0
}

extension RetryPolicy {
  fileprivate init(_ plan: RetryPolicyPlan) {
    self.init(
      maxAttempts: plan.maxAttempts, initialDelay: plan.initialDelay, maxDelay: plan.maxDelay,
      multiplier: plan.multiplier, jitter: plan.jitter,
      nonRetryableStatuses: plan.nonRetryableStatuses)
  }
}

/// Steps that reach clients that stay connected.
extension ScriptRun {
  func connect(_ connections: [ConnectionID], _ step: StepPlan) -> Flow {
    for connection in connections {
      do throws(ConnectionRefusal) {
        try run.suppliers.clients.connect(connection)
      } catch {
        return .fails(refused(error, by: connection, step))
      }
    }
    return .next
  }

  func disconnect(_ connections: [ConnectionID]) -> Flow {
    for connection in connections { run.suppliers.clients.disconnect(connection) }
    return .next
  }

  func send(
    _ payload: Value, to connection: ConnectionID, _ step: StepPlan
  ) -> ScriptFailure? {
    do throws(ConnectionRefusal) {
      try run.suppliers.clients.send(payload, to: connection)
      return nil
    } catch {
      return refused(error, by: connection, step)
    }
  }

  private func notConnected(_ connection: ConnectionID, _ name: String) -> String {
    let state = run.stage.value(of: run.plan.connections[connection].state)
    switch state {
    case "notConnected": return "`\(name)` is not connected: no step asked it to `connect`"
    case "connecting":
      return "`\(name)` is still connecting; `eventually: kind(\(name).state) == 'connected'` waits"
    default: return "`\(name)` is not connected: \(state.display(maxLength: 200))"
    }
  }

  private func refused(
    _ refusal: ConnectionRefusal, by connection: ConnectionID, _ step: StepPlan
  ) -> ScriptFailure {
    let name = run.plan.connections[connection].name
    let message =
      switch refusal {
      case .alreadyConnected: "`\(name)` is connected already"
      case .stillConnecting: "`\(name)` is still connecting"
      case .notConnected: notConnected(connection, name)
      case .terminated: "`\(name)` was terminated, and that is for good"
      }
    var failure = cannot(step, message)
    failure.error = .string(refusal.rawValue)
    return failure
  }
}

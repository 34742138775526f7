import Events
import LiveConnections
import Protocols
import ScenarioPlan
import Values
import World

/// The clients of one run that stay connected: each shows its state in a node and emits what it
/// receives.
final class LiveClients {
  private enum Client {
    case stream(EventStreamClient)
    case socket(WebSocketClient)
  }

  private unowned let run: ScenarioRun
  private var clients: PerID<ConnectionPlan, Client> = []
  /// By connection: when its state changed last.
  private var changed: PerID<ConnectionPlan, Microseconds> = []

  init(_ run: ScenarioRun) { self.run = run }

  func start() {
    changed = PerID(repeating: 0, for: run.plan.connections)
    let made = run.plan.connections.withIDs.map { id, plan -> Client in
      switch plan.kind {
      case .eventStream: .stream(makeStream(id, plan, .events))
      case .lines: .stream(makeStream(id, plan, .lines))
      case .webSocket(let protocols): .socket(makeSocket(id, plan, protocols))
      }
    }
    clients = PerID(made)
  }

  func connect(_ connection: ConnectionID) throws(ConnectionRefusal) {
    switch clients[connection] {
    case .stream(let client): try client.connect()
    case .socket(let client): try client.connect()
    }
  }

  func disconnect(_ connection: ConnectionID) {
    switch clients[connection] {
    case .stream(let client): client.disconnect()
    case .socket(let client): client.disconnect()
    }
  }

  func terminate(_ connection: ConnectionID) {
    switch clients[connection] {
    case .stream(let client): client.terminate()
    case .socket(let client): client.terminate()
    }
  }

  func send(_ payload: Value, to connection: ConnectionID) throws(ConnectionRefusal) {
    guard case .socket(let client) = clients[connection] else { return }
    if case .bytes(let bytes) = payload {
      try client.send(.binary(bytes))
    } else {
      try client.send(.text(payloadText(payload)))
    }
    run.endpoints.remotes?.tell(of: payload, on: run.plan.connections[connection])
  }

  func invalidate() {
    for client in clients {
      switch client {
      case .stream(let client): client.invalidate()
      case .socket(let client): client.invalidate()
      }
    }
    clients = []
  }
}

// Making them.
extension LiveClients {
  private func makeStream(
    _ id: ConnectionID, _ plan: ConnectionPlan, _ payload: EventStreamClient.Payload
  ) -> EventStreamClient {
    let client = EventStreamClient(
      environment: environment(of: plan), payload: payload, retry: plan.retry.map(RetryPolicy.init),
      idle: plan.idle
    ) { [unowned self] in
      request(of: plan).mapError { .request($0.message) }
    }
    client.onStateChange = { [unowned self] state in
      run.endpoints.remotes?.mirror(of: plan)?.observe(state)
      show(stateValue(state), of: id)
    }
    client.onFinish = { [unowned run] in run.finish(plan) }
    client.onEvent = { [unowned run] event in
      let value = payload == .events ? eventValue(event) : lineValue(event.data)
      run.emitArrived(value, on: plan)
    }
    return client
  }

  private func makeSocket(
    _ id: ConnectionID, _ plan: ConnectionPlan, _ protocols: [DataPlan]
  ) -> WebSocketClient {
    let ping = plan.ping.map { PingPolicy(interval: $0.interval, maxFailures: $0.maxFailures) }
    let client = WebSocketClient(environment: environment(of: plan), ping: ping, idle: plan.idle) {
      [unowned self] in
      socketRequest(of: plan, protocols).mapError { .request($0.message) }
    }
    client.onStateChange = { [unowned self] state in
      run.endpoints.remotes?.mirror(of: plan)?.observe(state)
      show(stateValue(state), of: id)
    }
    client.onFinish = { [unowned run] in run.finish(plan) }
    client.onMessage = { [unowned run] message in
      switch message {
      case .text(let text): run.emitArrived(payloadValue(text), on: plan)
      case .binary(let bytes): run.emitArrived(.bytes(bytes), on: plan)
      }
    }
    return client
  }

  private func show(_ state: Value, of connection: ConnectionID) {
    changed[connection] = run.loop.now
    run.emitter.write([(run.plan.connections[connection].state, state)])
  }

  /// What cannot be worked out fails the run, for it is the scenario that is wrong.
  private func request(of plan: ConnectionPlan) -> Result<HTTPRequest, EvaluationFailure> {
    guard let request = plan.request else {
      return .failure(EvaluationFailure(range: plan.range, message: "there is no request"))
    }
    let made = run.messages.makeRequest(request, in: ValueReader(run.stage)).mapError {
      EvaluationFailure(range: $0.range, message: $0.message)
    }
    if case .failure(let failure) = made { fail(failure) }
    return made
  }

  private func socketRequest(
    of plan: ConnectionPlan, _ protocols: [DataPlan]
  ) -> Result<WebSocketClient.Request, EvaluationFailure> {
    request(of: plan).flatMap { request in
      var names: [String] = []
      for data in protocols {
        switch evaluate(data, in: ValueReader(run.stage)) {
        case .success(let name): names.append(name.plainText)
        case .failure(let failure):
          fail(failure)
          return .failure(failure)
        }
      }
      var headers = request.headers
      headers["Host"] = nil
      return .success(
        WebSocketClient.Request(
          host: request.headers["Host"] ?? "", target: request.target, protocols: names,
          headers: headers))
    }
  }

  private func fail(_ failure: EvaluationFailure) {
    run.supervisor.fail(.evaluation(range: failure.range, message: failure.message, step: nil))
  }

  private func environment(of plan: ConnectionPlan) -> ClientEnvironment {
    guard let endpoint = plan.request?.endpoint else {
      preconditionFailure("a connection of a plan that was compiled has a request")
    }
    let line = LineOfClient()
    let random = ChanceOfClient(run.chance.stream("connection " + plan.name))
    var environment = ClientEnvironment(
      connect: { [unowned run] in
        let transport = CauseTrackingTransport(
          run, to: endpoint, isWebSocket: plan.kind.isWebSocket)
        line.number = transport.connection
        return transport
      },
      schedule: { [unowned run] delay, job in
        let timer = run.loop.after(delay, phase: .source, job)
        return { run.loop.cancel(timer) }
      },
      next: { random.next() },
      address: { [unowned run] request in
        run.endpoints.remotes?.opening(plan, with: request, at: endpoint) { line.number } ?? request
      })
    environment.isSecure = run.endpoints.remotes?.place(of: endpoint)?.isSecure
    return environment
  }
}

extension ScenarioRun {
  /// Neither a connection that was ended for good nor its state emits anything any more.
  fileprivate func finish(_ connection: ConnectionPlan) {
    finish(connection.source, nil)
    finish(plan.nodes[connection.state].source, nil)
  }
}

// What is left of them at the end.
extension LiveClients {
  var pendingOperations: [PendingOperation] {
    clients.indices.compactMap { id in
      state(of: clients[id]).map { PendingOperation(.connection(id, $0), since: changed[id]) }
    }
  }

  private func state(of client: Client) -> PendingOperation.ConnectionState? {
    switch client {
    case .stream(let client):
      switch client.state {
      case .notConnected: nil
      case .connecting: .connecting
      case .connected: .connected
      case .disconnected: client.isWaitingToRetry ? .pausing : nil
      }
    case .socket(let client):
      switch client.state {
      case .notConnected, .disconnected: nil
      case .connecting: .connecting
      case .connected: .connected
      }
    }
  }
}

/// Chance for one client, whatever the others draw.
private final class ChanceOfClient {
  private var chance: SeededRandom

  init(_ chance: SeededRandom) { self.chance = chance }

  func next() -> UInt64 { chance.next() }
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

/// A connection to an endpoint that remembers what led to the bytes on it, and that may get lost on
/// the way.
final class CauseTrackingTransport: Transport {
  private unowned let run: ScenarioRun
  private let inner: any Transport
  private let isLost: Bool

  init(_ run: ScenarioRun, to endpoint: EndpointID, isWebSocket: Bool) {
    self.run = run
    inner = run.conditions.connect(to: endpoint, isWebSocket: isWebSocket)
    isLost = run.conditions.losesRequest(to: endpoint)
    guard isLost else { return }
    run.loop.after(run.conditions.latency(of: endpoint), phase: .source) { [self] in
      inner.abort()
      let told = onEvent
      onEvent = nil
      told?(.failed(.reset))
    }
  }

  var connection: Int { inner.connection }

  var onEvent: ((TransportEvent) -> Void)? {
    didSet {
      guard let handler = onEvent, !isLost else {
        inner.onEvent = nil
        return
      }
      inner.onEvent = { [run, unowned inner] event in
        run.causes.received(on: inner.connection) { handler(event) }
      }
    }
  }

  var isReceiving: Bool {
    get { inner.isReceiving }
    set { inner.isReceiving = newValue }
  }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    guard !isLost else { return true }
    run.causes.leave(on: inner)
    return inner.send(bytes)
  }

  func shutDownWriting() {
    run.causes.leave(on: inner)
    inner.shutDownWriting()
  }

  func abort() {
    run.causes.leave(on: inner)
    inner.abort()
  }

  func close() {
    run.causes.leave(on: inner)
    inner.close()
  }
}

/// Steps that reach clients that stay connected.
extension ScriptRun {
  func connect(_ connections: [ConnectionID], _ step: StepPlan) -> Flow {
    for connection in connections {
      do throws(ConnectionRefusal) {
        try run.clients.connect(connection)
      } catch {
        return .fails(refused(error, by: connection, step))
      }
    }
    return .next
  }

  func disconnect(_ connections: [ConnectionID]) -> Flow {
    for connection in connections { run.clients.disconnect(connection) }
    return .next
  }

  func send(
    _ payload: Value, to connection: ConnectionID, _ step: StepPlan
  ) -> ScriptFailure? {
    do throws(ConnectionRefusal) {
      try run.clients.send(payload, to: connection)
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

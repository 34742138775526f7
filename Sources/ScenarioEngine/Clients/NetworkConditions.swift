import Events
import ScenarioPlan
import Values
import World

/// The conditions of the network between clients and endpoints.
final class NetworkConditions {
  private struct Link {
    var isOnline = true
    var latency: Microseconds = 0
    /// The share of requests that are lost.
    var loss = 0.0
  }

  private struct OpenTransport {
    weak var transport: FaultyTransport?
  }

  private let run: RunParts
  private var links: PerID<EndpointPlan, Link>
  /// The lines by endpoint.
  private let lines: PerID<EndpointPlan, FaultyLine>
  private lazy var chance = run.chance.stream("network")
  private var open: [OpenTransport] = []
  private var sweepAt = 16
  /// The endpoints of which a trace has what latency, losses and faults did: they do nothing again.
  private let replayed: Set<EndpointID>
  private var harmed: Set<EndpointID> = []
  /// The attempts of programs in virtual time that were allowed and have not come yet.
  private var allowed: PerID<EndpointPlan, [Int]>
  /// Nil in a run that nobody disturbs.
  private let disturber: LineDisturber?

  init(_ run: RunParts) {
    self.run = run
    replayed = run.director?.trace.replayedLinks(of: run.plan) ?? []
    disturber = run.inputs.makeDisturber(run.recorder, run.world)
    disturber?.onSuspend = { [unowned run] spot, length in
      if spot == .before { return run.sleep(for: length) }
      run.loop.after(0, phase: .assertion) { run.sleep(for: length) }
    }
    links = PerID(repeating: Link(), for: run.plan.endpoints)
    allowed = PerID(repeating: [], for: run.plan.endpoints)
    lines = run.plan.endpoints.mapValues {
      FaultyLine(to: $0.name, run.inputs.line, chance: run.chance)
    }
  }

  /// Adds something that goes wrong on the lines while the run goes on.
  func disturb(by disturbance: Disturbance) { disturber?.add(disturbance) }

  /// Returns whether a request is lost; draws a random number for each request.
  func losesRequest(to endpoint: EndpointID) -> Bool {
    let loss = links[endpoint].loss
    return loss > 0 && chance.double() < loss
  }

  /// Returns whether no condition disturbs connections to the endpoint.
  func isUnharmed(_ endpoint: EndpointID) -> Bool {
    links[endpoint].isOnline && links[endpoint].loss == 0 && !harmed.contains(endpoint)
      && lines[endpoint].conditions.faults == FaultShares()
  }

  func latency(of endpoint: EndpointID) -> Microseconds { links[endpoint].latency }

  func apply(_ setting: NetworkSetting) {
    for endpoint in setting.endpoint.map({ [$0] }) ?? Array(links.indices) {
      if let isOnline = setting.isOnline { links[endpoint].isOnline = isOnline }
      if replayed.contains(endpoint) {
        note(setting, of: endpoint)
        continue
      }
      if let latency = setting.latency { links[endpoint].latency = latency }
      if let loss = setting.loss { links[endpoint].loss = loss }
      if let fragments = setting.fragments { lines[endpoint].conditions.fragments = fragments }
      if let faults = setting.faults { lines[endpoint].conditions.faults = faults }
      setLink(of: endpoint)
    }
    guard setting.endpoint == nil, let isOnline = setting.isOnline else { return }
    guard run.loop.scheduler.wakesAt != nil else { return notify(isOnline) }
    run.loop.after(0, phase: .source, of: .toClient) { [unowned self] in
      notify(links.indices.allSatisfy { links[$0].isOnline })
    }
  }

  private func setLink(of endpoint: EndpointID) {
    let link = links[endpoint]
    run.loop.network.setLink(
      to: run.plan.endpoints[endpoint].name, isOnline: link.isOnline, latency: link.latency)
  }

  private func note(_ setting: NetworkSetting, of endpoint: EndpointID) {
    if setting.loss ?? 0 > 0 || setting.faults.map({ $0 != FaultShares() }) == true {
      harmed.insert(endpoint)
    } else if setting.loss != nil || setting.faults != nil {
      harmed.remove(endpoint)
    }
    setLink(of: endpoint)
  }

  /// Emits a change of connectivity, which is a source.
  private func notify(_ isOnline: Bool) {
    let word: Value = isOnline ? "online" : "offline"
    for (source, plan) in run.plan.sources.withIDs {
      guard case .connectivity = plan.kind else { continue }
      if run.stage.lastEvent(of: source) != word { run.emitter.emit(source, word) }
    }
  }
}

// Connecting.
extension NetworkConditions {
  /// Connects to an endpoint over its line and the line's faults.
  func connect(to endpoint: EndpointID, isWebSocket: Bool = false) -> any Transport {
    let line = lines[endpoint]
    let (number, isRefused) = line.attempt()
    let name = run.plan.endpoints[endpoint].name
    if isRefused || disturber?.refuses(name, connection: number) == true {
      return refused(endpoint, number)
    }
    let network = run.loop.network
    let inner =
      isWebSocket ? network.connectForWebSocket(to: name) : network.connect(to: name)
    let connection = inner.connection
    let transport = FaultyTransport(
      inner, over: line, on: run.loop.scheduler,
      disturbedBy: disturber?.connection(number, of: name, findsPieces: run.loop.isOnSockets)
    ) {
      [unowned self] fault, direction in
      let struck = Fault(endpoint, connection: number, fault, direction)
      let event = run.recorder.caused(by: run.causes.cause(on: connection)) {
        run.recorder.record(.network(.faulted(struck)))
      }
      run.causes.setCause(event, on: connection)
    }
    remember(transport)
    return transport
  }

  /// Puts the line of an endpoint between a client of another process and its mock; nil if the line
  /// refuses the connection.
  func accept(_ inner: any Transport, at endpoint: EndpointID) -> (any Transport)? {
    let line = lines[endpoint]
    let name = run.plan.endpoints[endpoint].name
    if allowed[endpoint].isEmpty, answer(at: endpoint) == .refused {
      inner.abort()
      return nil
    }
    let number = allowed[endpoint].removeFirst()
    let transport = FaultyTransport(
      inner, over: line, on: run.loop.scheduler, atServer: true,
      sleeps: !run.role.hasClientsOutside,
      inRealTime: run.loop.isInRealTime,
      disturbedBy: disturber?.connection(number, of: name, findsPieces: true)
    ) {
      [unowned self] fault, direction in
      run.recorder.record(.network(.faulted(Fault(endpoint, connection: number, fault, direction))))
    }
    remember(transport)
    return transport
  }

  /// Decides about an attempt to connect of a client of another process.
  func answer(at endpoint: EndpointID) -> ConnectAnswer {
    let (number, isRefused) = lines[endpoint].attempt()
    let name = run.plan.endpoints[endpoint].name
    guard isRefused || disturber?.refuses(name, connection: number) == true else {
      allowed[endpoint].append(number)
      return .allowed
    }
    run.recorder.record(.network(.faulted(Fault(endpoint, connection: number, .refused, nil))))
    return .refused
  }

  private func refused(_ endpoint: EndpointID, _ number: Int) -> any Transport {
    let event = run.recorder.record(
      .network(.faulted(Fault(endpoint, connection: number, .refused, nil))))
    return run.recorder.caused(by: event) {
      RefusedTransport { [run] job in run.loop.after(0, phase: .source, job) }
    }
  }

  /// Those that are gone are forgotten once they may be the majority.
  private func remember(_ transport: FaultyTransport) {
    if open.count >= sweepAt {
      open.removeAll { $0.transport == nil }
      sweepAt = max(16, 2 * open.count)
    }
    open.append(OpenTransport(transport: transport))
  }

  /// Releases the callbacks of all connections, which may hold the connections themselves.
  func forgetConnections() {
    for line in open { line.transport?.invalidate() }
    open = []
  }
}

/// The conditions that a `network` step sets; nil leaves a condition unchanged.
struct NetworkSetting {
  var endpoint: EndpointID?
  var isOnline: Bool?
  var latency: Microseconds?
  var loss: Double?
  var fragments: [Int]?
  var faults: FaultShares?
}

extension ScriptRun {
  /// Changes the world between clients and endpoints.
  func network(_ plans: [NetworkPlan]) -> Flow {
    for plan in plans {
      switch setting(of: plan) {
      case .failure(let failure): return .fails(scriptFailure(failure))
      case .success(let setting):
        run.taps?.observe(setting)
        run.suppliers.conditions.apply(setting)
      }
    }
    return .next
  }

  private func setting(of plan: NetworkPlan) -> Result<NetworkSetting, EvaluationFailure> {
    do {
      let latency = try plan.latency.map { try evaluate($0, in: self).get() }
      let loss = try plan.loss.map { try share($0) }
      return .success(
        NetworkSetting(
          endpoint: plan.endpoint, isOnline: plan.isOnline, latency: latency, loss: loss,
          fragments: plan.fragments, faults: try plan.faults.map { try shares(of: $0) }))
    } catch let failure as EvaluationFailure {
      return .failure(failure)
    } catch {
      return .failure(EvaluationFailure(range: plan.range, message: "\(error)"))
    }
  }

  private func shares(of plan: FaultsPlan) throws -> FaultShares {
    var shares = FaultShares()
    shares.refuse = try share(plan.refuse)
    shares.drop = try share(plan.drop)
    shares.reset = try share(plan.reset)
    shares.stall = try share(plan.stall)
    shares.corrupt = try share(plan.corrupt)
    shares.duplicate = try share(plan.duplicate)
    shares.delay = try share(plan.delay)
    shares.longestDelay = try plan.longestDelay.map { try evaluate($0, in: self).get() } ?? 0
    return shares
  }

  private func share(_ data: DataPlan?) throws -> Double {
    guard let data else { return 0 }
    let value = try evaluate(data, in: self).get()
    let number: Double? =
      if case .int(let number) = value { Double(number) } else if case .double(let number) = value {
        number
      } else { nil }
    guard let number, (0...1).contains(number) else {
      throw EvaluationFailure(
        range: data.range, message: "a share from 0 to 1, not \(value.display(maxLength: 80))")
    }
    return number
  }
}

extension Fault {
  fileprivate init(
    _ endpoint: EndpointID, connection: Int, _ fault: LineFault, _ direction: LineDirection?
  ) {
    let kind: Kind =
      switch fault {
      case .refused: .refused
      case .dropped: .dropped
      case .reset: .reset
      case .stalled: .stalled
      case .corrupted: .corrupted
      case .duplicated: .duplicated
      case .delayed(let length): .delayed(length)
      }
    let isToServer = direction.map { $0 == .toServer }
    self.init(endpoint: endpoint, connection: connection, isToServer: isToServer, kind: kind)
  }
}

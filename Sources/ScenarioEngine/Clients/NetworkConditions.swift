import Events
import ScenarioPlan
import Values
import World

/// How the world between clients and endpoints is.
final class NetworkConditions {
  private struct Link {
    var isOnline = true
    var latency: Microseconds = 0
    /// The share of requests that are lost.
    var loss = 0.0
  }

  private unowned let run: ScenarioRun
  private var links: PerID<EndpointPlan, Link>
  /// By endpoint.
  let lines: PerID<EndpointPlan, FaultyLine>
  private var chance: SeededRandom

  init(_ run: ScenarioRun) {
    self.run = run
    links = PerID(repeating: Link(), for: run.plan.endpoints)
    chance = run.chance.stream("network")
    lines = run.plan.endpoints.mapValues {
      FaultyLine(to: $0.name, run.inputs.line, chance: run.chance)
    }
  }

  /// Whether a request does not arrive; drawn for each.
  func losesRequest(to endpoint: EndpointID) -> Bool {
    let loss = links[endpoint].loss
    return loss > 0 && chance.double() < loss
  }

  /// Whether nothing keeps a connection to the endpoint from working.
  func isUnharmed(_ endpoint: EndpointID) -> Bool {
    links[endpoint].isOnline && links[endpoint].loss == 0
      && lines[endpoint].conditions.faults == FaultShares()
  }

  func latency(of endpoint: EndpointID) -> Microseconds { links[endpoint].latency }

  func apply(_ setting: NetworkSetting) {
    for endpoint in setting.endpoint.map({ [$0] }) ?? Array(links.indices) {
      if let isOnline = setting.isOnline { links[endpoint].isOnline = isOnline }
      if let latency = setting.latency { links[endpoint].latency = latency }
      if let loss = setting.loss { links[endpoint].loss = loss }
      if let fragments = setting.fragments { lines[endpoint].conditions.fragments = fragments }
      if let faults = setting.faults { lines[endpoint].conditions.faults = faults }
      let link = links[endpoint]
      run.network.setLink(
        to: run.plan.endpoints[endpoint].name, isOnline: link.isOnline, latency: link.latency)
    }
    if setting.endpoint == nil, let isOnline = setting.isOnline { tell(isOnline) }
  }

  /// Connectivity is a source; it tells of changes only.
  private func tell(_ isOnline: Bool) {
    let word: Value = isOnline ? "online" : "offline"
    for (source, plan) in run.plan.sources.withIDs {
      guard case .connectivity = plan.kind else { continue }
      if run.stage.lastEvent(of: source) != word { run.emit(source, word) }
    }
  }
}

/// What a `network` step sets; what is nil stays as it was.
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
      case .success(let setting): run.conditions.apply(setting)
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
        range: data.range, message: "a share from 0 to 1, not \(value.display)")
    }
    return number
  }
}

extension ScenarioRun {
  /// How long a mock waits; an expression that gives no duration fails the run.
  func length(of duration: DurationPlan?, _ locals: [Value]) -> Microseconds {
    guard let duration else { return 0 }
    switch evaluate(duration, in: RunSlots(self, locals)) {
    case .success(let length): return length
    case .failure(let failure):
      fail(.evaluation(range: failure.range, message: failure.message, step: nil))
      return 0
    }
  }
}

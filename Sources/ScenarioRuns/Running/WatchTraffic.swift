import Diagnostics
import Events
import ScenarioPlan
import Secrets
import Values
import Verdicts

/// The rules that the runs of a plan are watched for, before anything has passed.
struct WatchedRules: Sendable {
  let endpoints: WatchedEndpoints
  fileprivate let clients: TrafficWatch
  fileprivate let realEndpoints: TrafficWatch

  /// - Parameter isCompared: True if what is found is compared with a run without a disturbance.
  init(_ plan: ScenarioPlan, _ endpoints: WatchedEndpoints, isCompared: Bool = false) {
    self.endpoints = endpoints
    let end = RecordingEnd(
      isWhole: false, tolerance: endpoints.tolerance, isCompared: isCompared)
    let missing: [TrafficRule.Condition] = isCompared ? [.recording] : [.recording, .comparison]
    let declared = plan.declaredPauses
    clients = TrafficWatch(end, judging: .client, declared: declared, without: missing)
    let haveReconnections = endpoints.hasOtherClients || !plan.connections.isEmpty
    realEndpoints = TrafficWatch(
      end, declared: declared,
      without: missing + [.wholeRecording] + (haveReconnections ? [] : [.reconnections]))
  }
}

/// The rules of protocols, applied to what passes in a run while it goes on. It changes nothing.
///
/// The faults of mocks are wanted, so of what passes between a client and a mock only the client is
/// judged. Of a real endpoint both sides are.
final class TrafficWatcher: RunObserver {
  private let plan: ScenarioPlan
  /// The recorder of the run, if it is recorded.
  private let next: (any RunObserver)?
  private let watched: WatchedEndpoints
  private var clients: TrafficWatch
  private var realEndpoints: TrafficWatch
  private var numbers = ExchangeNumbers()
  private var count = 0

  init(_ shared: SharedPlan, _ rules: WatchedRules, next: (any RunObserver)?) {
    plan = shared.plan
    self.next = next
    watched = rules.endpoints
    clients = rules.clients
    realEndpoints = rules.realEndpoints
  }

  func wantsTraffic(of endpoint: EndpointID, ofRequests isRequests: Bool) -> Bool {
    watched.watches(endpoint, ofRequests: isRequests)
      || next?.wantsTraffic(of: endpoint, ofRequests: isRequests) == true
  }

  func observe(_ traffic: Traffic) {
    switch watched[traffic.endpoint] {
    case .unwatched: break
    case .mock: clients.observe(line(traffic))
    case .real: realEndpoints.observe(line(traffic))
    }
    next?.observe(traffic)
  }

  private func line(_ traffic: Traffic) -> ExchangeLine {
    count += 1
    let server = plan.endpoints[traffic.endpoint].name
    let exchange = numbers.number(
      of: traffic.kind, server: server, connection: traffic.connection, line: count, cause: nil)
    var line = ExchangeLine(
      traffic.kind, server: server, exchange: exchange, from: traffic.from, time: traffic.time,
      place: .connection(traffic.connection, of: server))
    line.cause = traffic.cause
    return line
  }

  func observe(_ traffic: ProgramTraffic) { next?.observe(traffic) }

  func observe(
    conditions: ValueMap, of endpoint: EndpointID?, at time: Microseconds, cause: EventID?
  ) {
    next?.observe(conditions: conditions, of: endpoint, at: time, cause: cause)
  }

  func observe(now: Timestamp, at time: Microseconds, cause: EventID?) {
    next?.observe(now: now, at: time, cause: cause)
  }

  func changeSettled() { next?.changeSettled() }

  /// How often the rules of clients had something to say.
  var exercised: [SweepEnd.Exercised] {
    clients.tally.map { SweepEnd.Exercised(rule: $0.rule, times: $0.exercised) }
  }
}

// The findings.
extension TrafficWatcher {
  /// Returns what a side under test did against the rules: of each rule and endpoint the first, at
  /// the place of the client or the endpoint.
  ///
  /// - Parameter log: The log of the run, which knows what the scenario's own steps did.
  func broken(in log: EventLog) -> [Diagnostic] {
    var order: [String] = []
    var diagnostics: [String: (first: Diagnostic, count: Int)] = [:]
    for found in clients.found + realEndpoints.found where !isOfStep(found.finding, log) {
      let server = found.finding.witnesses.last?.server ?? ""
      let key = "\(found.rule.id.rawValue) \(server)"
      guard diagnostics[key] == nil else {
        diagnostics[key]?.count += 1
        continue
      }
      order.append(key)
      var diagnostic = found.finding.diagnostic(of: found.rule)
      diagnostic.labels = [.init(place(of: found.finding.party, at: server))]
      diagnostics[key] = (diagnostic, 1)
    }
    return order.compactMap { diagnostics[$0] }.map { first, count in
      var diagnostic = first
      if count > 1 { diagnostic.notes.append(.init("note", "and \(count - 1) more of this rule")) }
      return diagnostic
    }
  }

  /// Returns the same as warnings without secrets. They change no verdict.
  func warnings(in log: EventLog, _ judge: ScenarioJudge) -> [Diagnostic] {
    let broken = broken(in: log)
    if !broken.isEmpty { judge.readCredentials(of: log) }
    return broken.map { diagnostic in
      var warning = diagnostic.masked(by: judge.mask.masked(page:))
      warning.severity = .warning
      return warning
    }
  }

  /// Returns whether a step of the scenario itself did what was found: what a scenario sends is
  /// what it is about, and its user may connect again at any time. What a client does with what it
  /// has received is its own doing, also in the instant of the step that connected it.
  private func isOfStep(_ finding: RuleFinding, _ log: EventLog) -> Bool {
    guard finding.party == .client, let last = finding.witnesses.last, let cause = last.cause else {
      return false
    }
    if let verb = log[cause]?.verb, verb == "request" || !last.isRequest { return true }
    guard let before = finding.witnesses.dropLast().last else { return false }
    var next: EventID? = cause
    while let id = next, let event = log[id], event.time >= before.time, !isReceived(event) {
      if event.isStep { return true }
      next = event.cause
    }
    return false
  }

  private func isReceived(_ event: Event) -> Bool {
    guard case .source(.emitted(let source, _)) = event.kind,
      case .connection = plan.sources[source].kind
    else { return false }
    return true
  }

  private func place(of party: Traffic.Side, at server: String) -> SourceRange {
    guard let (id, endpoint) = plan.endpoints.withIDs.first(where: { $0.1.name == server }) else {
      return plan.range
    }
    let client = plan.connections.first { $0.request?.endpoint == id }
    return party == .client ? client?.range ?? endpoint.range : endpoint.range
  }
}

extension Event {
  fileprivate var isStep: Bool { verb != nil }

  /// The verb of the step that began.
  fileprivate var verb: String? {
    if case .script(.stepBegan(let step)) = kind { step.verb } else { nil }
  }
}

extension ScenarioPlan {
  /// The shortest pauses of the clients of each endpoint, if all of its clients have a policy.
  fileprivate var declaredPauses: [DeclaredPause] {
    endpoints.withIDs.compactMap { id, endpoint in
      let clients = connections.filter { $0.request?.endpoint == id }
      let pauses = clients.compactMap { $0.retry?.shortestPause }
      guard let shortest = pauses.min(), pauses.count == clients.count else { return nil }
      return DeclaredPause(server: endpoint.name, pause: shortest)
    }
  }
}

extension RetryPolicyPlan {
  /// The shortest pause before an attempt, whatever chance says.
  fileprivate var shortestPause: Microseconds {
    let first = Double(min(initialDelay, maxDelay)) * (1 - min(max(jitter, 0), 1))
    return multiplier < 1 ? 0 : Microseconds(first)
  }
}

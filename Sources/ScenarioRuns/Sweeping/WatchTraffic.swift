import Diagnostics
import Events
import ScenarioPlan
import TrafficRules
import Values
import Verdicts

/// The rules of protocols, applied to what passes in a run while it goes on. It changes nothing.
///
/// The servers of a sweep are mocks, whose faults are wanted. So only clients are judged.
final class TrafficWatcher: RunObserver {
  private let plan: ScenarioPlan
  /// The recorder of the run, if it is recorded.
  private let next: (any RunObserver)?
  private var watch: TrafficWatch
  private var numbers = ExchangeNumbers()
  private var count = 0

  init(_ plan: ScenarioPlan, isInRealTime: Bool, next: (any RunObserver)?) {
    let end = RecordingEnd(isWhole: false, tolerance: isInRealTime ? realTimeSlack : 0)
    watch = TrafficWatch(end, judging: .client)
    self.plan = plan
    self.next = next
  }

  func observe(_ traffic: Traffic) {
    count += 1
    let server = plan.endpoints[traffic.endpoint].name
    let exchange = numbers.number(
      of: traffic.kind, server: server, connection: traffic.connection, line: count, cause: nil)
    watch.observe(
      ExchangeLine(
        traffic.kind, server: server, exchange: exchange, from: traffic.from, time: traffic.time,
        place: .connection(traffic.connection, of: server)))
    next?.observe(traffic)
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

  /// What clients did against the rules, at the place of the scenario.
  var broken: [Diagnostic] {
    watch.found.map { found in
      var diagnostic = found.finding.diagnostic(of: found.rule)
      diagnostic.severity = .error
      diagnostic.labels = [.init(plan.range)]
      return diagnostic
    }
  }

  var exercised: [SweepEnd.Exercised] {
    watch.tally.map { SweepEnd.Exercised(rule: $0.rule, times: $0.exercised) }
  }
}

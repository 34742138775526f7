import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import Secrets
import Values
import Verdicts
import World

/// The credentials of clients after which the earlier ones are forgotten.
private let mostCredentialsOfClients = 1_000

/// A judge that passes all to another one, and shows it to a watcher.
final class WatchedJudge: RehearsalJudge {
  private(set) var judge: ScenarioJudge
  private let plan: ScenarioPlan
  private let serving: Serving
  private let inputs: RunInputs
  let sources: SourceMap
  private let watcher: any ServingWatcher
  private var outside = OutsideParties()
  private var log: EventLog
  private var failuresReported = 0
  private var secretsHidden = 0
  private var isEnabled = false
  /// Nil if nothing is disturbed, and nobody asks for courses.
  private(set) var places: ServedPlaces?
  /// The disturbances that were added since the scenario is served.
  private(set) var laterDisturbances: [Disturbance] = []

  init(
    _ plan: ScenarioPlan, _ serving: Serving, _ inputs: RunInputs, _ sources: SourceMap,
    _ watcher: any ServingWatcher
  ) {
    self.plan = plan
    self.serving = serving
    self.inputs = inputs
    self.sources = sources
    self.watcher = watcher
    places = inputs.notesPlaces ? ServedPlaces(plan) : nil
    log = EventLog(of: serving)
    judge = ScenarioJudge(plan, asksForEvents: serving != .untilInterrupted)
  }

  func hideCredentials(of outside: OutsideParties, most: Int?) {
    self.outside = outside
    judge.hideCredentials(of: outside, most: mostCredentialsOfClients)
  }

  /// Judges as in a sweep from now on, and what came so far as well: a disturbed client sends its
  /// requests in another order, and some again.
  ///
  /// Returns the reason if something of it can no longer happen.
  func expect(_ disturbances: [Disturbance], at now: Microseconds) -> String? {
    if let passed = disturbances.first(where: { places?.hasPassed($0, at: now) == true }) {
      return "the place of `\(passed)` has passed already"
    }
    if let sleep = disturbances.first(where: { $0.sleep != nil }) {
      return "`\(sleep)` needs a client that the scenario starts"
    }
    let isFirst = inputs.options.disturbances.isEmpty && laterDisturbances.isEmpty
    laterDisturbances += disturbances
    guard isFirst, serving != .untilInterrupted, judge.failures.isEmpty else { return nil }
    judge = ScenarioJudge(plan.relaxedForSweep(isInRealTime: true).plan)
    judge.hideCredentials(of: outside, most: mostCredentialsOfClients)
    for event in log.events { judge.observe(event) }
    secretsHidden = 0
    return nil
  }

  func awaitNothing(after time: Microseconds) { judge.awaitNothing(after: time) }

  /// Starts to notify the watcher, beginning with the events so far.
  func enable() {
    isEnabled = true
    if watcher.showsEvents { judge.readCredentials(of: log) }
    hideSecrets()
    for event in log.events { watcher.observe(event) }
    reportFailures()
  }

  func observe(_ event: Event) {
    judge.observe(event)
    places?.observe(event)
    log.append(event)
    guard isEnabled else { return }
    if watcher.showsEvents { judge.readCredentials(of: event) }
    hideSecrets()
    watcher.observe(event)
    reportFailures()
  }

  private func hideSecrets() {
    guard judge.secretCount > secretsHidden else { return }
    secretsHidden = judge.secretCount
    watcher.hide(by: judge.mask)
  }

  private func reportFailures() {
    guard judge.failures.count > failuresReported else { return }
    let diagnostics = judge.diagnostics(ofFailuresFrom: failuresReported, on: log, sources: sources)
    failuresReported += diagnostics.count
    hideSecrets()
    watcher.observe(diagnostics, at: log.events.last?.time ?? 0)
  }

  func isWaiting(in branch: BranchID) -> Bool { judge.isWaiting(in: branch) }
  func status(in branch: BranchID) -> AssertionStatus { judge.status(in: branch) }
  var hasBrokenInvariant: Bool { judge.hasBrokenInvariant }

  func difference(
    of value: Value, from matcher: MatcherPlan, reads: [SlotID], values: [Value]
  ) -> String? {
    judge.difference(of: value, from: matcher, reads: reads, values: values)
  }

  func capture(_ capture: CaptureID, in branch: BranchID) -> Value? {
    judge.capture(capture, in: branch)
  }

  var secretMask: SecretMask? { judge.secretMask }
}

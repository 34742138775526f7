import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import TraceRecording
import Traces
import Values
import Verdicts

/// The result of replaying one run of a trace.
package struct ReplayedRun: Sendable {
  package var verdict: Verdict
  package var comparison: ReplayComparison
  /// The trace as it is now, for `--update`.
  package var lines: [TraceLine] = []
  /// True if the event to stop at happened again.
  package var hasReached = false
}

/// The settings of a replay.
package struct ReplaySettings {
  /// The folder of the trace, where its paths begin.
  package var folder = ""
  package var resolver = TraceResolver()
  /// True if the lines of the replay are kept, to become the trace.
  package var keepsLines = false
  /// The number of the recorded event to stop at.
  package var until: Int?
  /// The places at which any value of the same type is equal.
  package var noise = ReplayNoise()

  /// The steps of the trace beside those of the scenario; nil if the scenario is what it was.
  var alignment: StepAlignment?
  /// The headers that the scenario names now, of what real endpoints are asked.
  var headers: [String] = []
  /// The identities of the scenario's steps, for the lines that are kept.
  package var steps = StepIdentities()

  package init() {}
}

/// Runs a scenario against the inputs of a trace: plan and trace → live objects → events → verdict
/// and divergences.
package func replay(
  _ plan: ScenarioPlan, by run: TraceRun, inputs: RunInputs, sources: SourceMap,
  _ settings: ReplaySettings = ReplaySettings(), rerun: String? = nil
) -> ReplayedRun {
  let plan = plan.served(by: run.header)
  let places = PlaceTexts(TracedFiles(sources), settings.folder, settings.steps)
  let comparer = ReplayComparer(plan, run, settings, places)
  let kept = KeptLines()
  let header = run.header.naming(settings.headers)
  let recorders = recorders(for: plan, header, places, settings, comparer, kept)
  var resolver = settings.resolver
  resolver.secret = { plan.number(ofSecret: $0) }
  let maker = ReplayMaker(plan, run, resolver)
  comparer.maker = maker
  let trace = maker.trace(visits: comparer.comparison.visits)
  var inputs = inputs
  inputs.complete(for: plan)
  // A trace has the part of a slow head at the time at which it was answered.
  inputs.requestHeadTimeout = 1
  var verdict: Verdict
  if let disturbed = DisturbedReplay(plan, run.header, inputs, sources, recorders: recorders) {
    verdict = disturbed.verdict(on: disturbed.log(as: .replayed(Replay(trace, comparer))))
  } else {
    let judge = ScenarioJudge(plan, asksForEvents: trace.visits?.serving != .untilInterrupted)
    let rehearsal = Rehearsal(
      of: SharedPlan(plan), inputs: inputs, judge: judge,
      hiding: OutsideParties(of: plan, inputs.row, recordedIn: run.header, sources),
      recorders: recorders)
    let log = rehearsal.run(as: .replayed(Replay(trace, comparer)))
    verdict = judge.verdict(on: log, sources: sources, rerun: rerun)
    // What differs is shown, whatever the verdict is.
    if !comparer.comparison.divergences.isEmpty { judge.readCredentials(of: log) }
    verdict.credentials = judge.foundCredentials
  }
  if comparer.hasReached {
    return ReplayedRun(
      verdict: verdict, comparison: comparer.comparison, lines: kept.lines, hasReached: true)
  }
  for recorder in recorders { recorder.finish(verdict, [], in: sources) }
  comparer.comparison.finish(
    outcome: verdict.outcome == .failed ? "failed" : "passed", at: verdict.duration)
  return ReplayedRun(verdict: verdict, comparison: comparer.comparison, lines: kept.lines)
}

/// Makes what compares the lines of a replay, and what keeps them if they become the trace.
private func recorders(
  for plan: ScenarioPlan, _ header: TraceHeader, _ places: PlaceTexts, _ settings: ReplaySettings,
  _ comparer: ReplayComparer, _ kept: KeptLines
) -> [RunRecorder] {
  let mask = TraceMask(plan.namedSecrets, findsTokens: false)
  let comparing = RunRecorder(
    plan, header, mask, settles: false, places: places, write: comparer.take)
  guard settings.keepsLines else { return [comparing] }
  let keeping = RunRecorder(
    plan, header, mask, places: places, write: { kept.lines.append($0) })
  return [comparing, keeping]
}

extension ScenarioPlan {
  /// Returns a number in place of a secret one: its own if it is known, else 0.
  fileprivate func number(ofSecret name: String) -> Value {
    let texts = secretNames.filter { $0.value == name }.map(\.key).sorted()
    return texts.lazy.compactMap { Int($0).map { .int($0) } ?? Double($0).map { .double($0) } }
      .first ?? 0
  }

  /// The plan with the timeout that it was served with.
  fileprivate func served(by header: TraceHeader) -> ScenarioPlan {
    guard case .int(let timeout)? = header.options[ServingOption.timeout.rawValue] else {
      return self
    }
    return changed { $0.timeout = Microseconds(timeout) }
  }
}

private final class KeptLines {
  var lines: [TraceLine] = []
}

/// The link between a run and its comparison.
private final class ReplayComparer: ReplayGuide {
  var comparison: ReplayComparison
  /// The reader of the exchanges that are chosen.
  var maker: ReplayMaker?
  private let plan: ScenarioPlan

  init(
    _ plan: ScenarioPlan, _ run: TraceRun, _ settings: ReplaySettings, _ places: PlaceTexts
  ) {
    self.plan = plan
    var rules = plan.replayRules(for: run.header)
    rules.noise = settings.noise
    rules.moved = settings.alignment?.places(in: places) ?? [:]
    rules.stopsAfterDivergence = !settings.keepsLines
    comparison = ReplayComparison(run, rules)
    if let index = settings.until.flatMap({ run.index(of: $0) }) { comparison.watch(index) }
  }

  func take(_ line: TraceLine) { comparison.take(line) }

  func choose(
    for request: Exchange.Request, at endpoint: EndpointID, connection: Int
  ) -> ExchangeChoice {
    let exchange = comparison.exchangeOfNextRequest(
      on: connection, at: plan.endpoints[endpoint].name)
    guard let exchange, let maker else { return .unanswered }
    return .exchange(maker.exchange(exchange, of: comparison.exchanges))
  }

  var reached: Int { comparison.reached }
  func takeCalendarTime() -> Timestamp? { comparison.takeCalendarTime() }
  /// True once the event to stop at has happened again.
  var hasReached: Bool { comparison.hasReachedWatched }
  var isOver: Bool { hasReached || comparison.stoppedAt != nil }
}

import Diagnostics
import Events
import ScenarioPlan
import Secrets
import Values

/// The outcome of one scenario, in texts that a report can show.
package struct Verdict: Sendable {
  /// The outcome of a scenario.
  package enum Outcome: Sendable, Equatable {
    case passed, failed
    /// The scenario failed, then passed when it ran again; `tries` holds the failures.
    case flaky
    case skipped(reason: String)
    /// The scenario could not be read or prepared; `failures` has its diagnostics.
    case couldNotRun
  }

  /// The cause that kept a scenario from running.
  package enum Obstacle: Sendable, Equatable {
    /// The scenario, or a file that it uses, is wrong.
    case scenario
    /// The system refused something that the scenario needs.
    case system
  }

  package var outcome: Outcome
  /// The cause that kept the scenario from running; nil if it ran or was skipped.
  package var obstacle: Obstacle?
  /// The failures in the order in which they happened.
  package var failures: [Diagnostic]
  /// The failures of earlier tries, if they differ from `failures`.
  package var tries: [[Diagnostic]] = []
  /// The number of assertions that the run reached; `assertionsMet` of them held.
  package var assertionsReached: Int
  package var assertionsMet: Int
  /// The length of the run on the scenario's clock.
  package var duration: Microseconds
  package var eventCount: Int
  package var snapshots: [SnapshotTaken] = []
  /// The secrets that became known in the run, besides those of the plan.
  package var secrets: [String] = []
  /// Those of the secrets that expressions have computed from others.
  package var computedSecrets: Set<String> = []
  /// The credentials that nobody has declared; empty if reports show no part of the run.
  package var credentials: [NamedSecrets] = []
  /// The faults that struck.
  package var faults = FirstOfMany<FaultStruck>()
  /// The operations that were pending when the run ended. They fail nothing.
  package var pendingAtEnd = FirstOfMany<PendingAtEnd>()
  /// The parts of a scenario that held, and that its run never used.
  package var neverExercised: [NeverExercised] = []
  /// The parts of the stage and whether the run has reached them, if they are asked for.
  package var coverage: [CoveredPart] = []
  /// The number of events of a trace that ask for an answer too late to be judged, and have none.
  package var leftOpen = 0
  /// Mistakes that the run has found and that no assertion depends on.
  package var warnings: [Diagnostic] = []
  /// The machine's longest delay in real time, if it may have changed the outcome.
  package var lag: Microseconds?
  /// True if the scenario ran in real time, so that its times are measured.
  package var isInRealTime = false

  package init(
    _ outcome: Outcome, failures: [Diagnostic] = [], assertionsReached: Int = 0,
    assertionsMet: Int = 0, duration: Microseconds = 0, eventCount: Int = 0
  ) {
    self.outcome = outcome
    self.failures = failures
    self.assertionsReached = assertionsReached
    self.assertionsMet = assertionsMet
    self.duration = duration
    self.eventCount = eventCount
  }
}

extension Verdict {
  /// Makes the verdict on a scenario that could not run.
  package init(couldNotRunBecauseOf obstacle: Obstacle, failures: [Diagnostic]) {
    self.init(.couldNotRun, failures: failures)
    self.obstacle = obstacle
  }
}

extension ScenarioJudge {
  /// The verdict on a run this judge has seen to its end.
  ///
  /// `sources` is where line numbers come from, `rerun` the command that repeats the run, and
  /// `bodyLines` the most lines of a body that a failure shows.
  package func verdict(
    on log: EventLog, sources: SourceMap = SourceMap(), bodyLines: Int = usualBodyLines,
    rerun: @autoclosure () -> String? = nil
  ) -> Verdict {
    var verdict = Verdict(
      failures.isEmpty ? .passed : .failed, assertionsReached: assertionsReached,
      assertionsMet: assertionsMet, duration: log.events.last?.time ?? 0,
      eventCount: log.count)
    verdict.secrets = state.secrets
    verdict.computedSecrets = state.computedSecrets
    verdict.snapshots = snapshots.map { $0.masked(by: state.mask, state.plan.snapshots.contents) }
    if !failures.isEmpty || state.showsMore { readCredentials(of: log) }
    verdict.credentials = foundCredentials
    verdict.faults = state.faults
    verdict.pendingAtEnd = state.pendingAtEnd
    verdict.isInRealTime = state.realTime != nil
    verdict.leftOpen = state.invariants.leftOpen
    verdict.coverage = coverage(in: sources)
    if let lag = state.realTime?.lag, lag > 0 { verdict.lag = lag }
    guard !failures.isEmpty else {
      verdict.neverExercised = neverExercised(in: sources)
      verdict.warnings = warnings
      return verdict
    }
    var writer = FailureWriter(judge: self, log: log, sources: sources)
    writer.names.bodyLines = bodyLines
    verdict.failures = failures.map { writer.diagnostic(of: $0) }
    let other = state.drifts.count
    if other < failures.count {
      verdict.failures[other].notes += writer.alsoUnaccounted(beside: failures[other])
    }
    if other > 0 { verdict.failures[other - 1].notes += writer.moreDrift() }
    verdict.failures[0].notes += writer.note("machine", verdict.lag.map(tooSlow))
    verdict.failures[0].notes += writer.note("route", writer.passedOver)
    verdict.failures[0].notes += writer.note("log", writer.loggedLines)
    verdict.failures[0].notes += writer.note(Diagnostic.Fact.rerun, rerun())
    verdict.failures = verdict.failures.withDriftsFolded.map {
      $0.masked(by: state.mask.masked(page:))
    }
    return verdict
  }
}

extension ScenarioJudge {
  /// Returns the diagnostics of the failures from this one on, while the run continues.
  package func diagnostics(
    ofFailuresFrom first: Int, on log: EventLog, sources: SourceMap
  ) -> [Diagnostic] {
    guard failures.count > first else { return [] }
    readCredentials(of: log)
    let writer = FailureWriter(judge: self, log: log, sources: sources)
    return failures[first...].map { writer.diagnostic(of: $0).masked(by: state.mask.masked(page:)) }
  }
}

/// The verdict on a log, without the run it came from.
package func judge(
  _ log: EventLog, plan: ScenarioPlan, sources: SourceMap = SourceMap(), rerun: String? = nil
) -> Verdict {
  let judge = ScenarioJudge(plan)
  for event in log.events { judge.observe(event) }
  return judge.verdict(on: log, sources: sources, rerun: rerun)
}

/// Returns the text about a machine that was too slow.
package func tooSlow(_ lag: Microseconds) -> String {
  "too slow: something ran \(durationText(lag / 1_000 * 1_000)) late"
}

import Diagnostics
import Events
import ScenarioPlan
import Secrets
import Values

/// A judge of disturbed runs: it demands their end and not their course.
///
/// An expectation that does not hold lets the script go on. After the last of them the run has time
/// to recover, and only then the conditions behind it are judged.
package final class SweepJudge: Judge {
  private let inner: ScenarioJudge
  private let plan: ScenarioPlan
  private let awaited: LastAwaited
  private let settle: Microseconds
  private var patience: SweepPatience
  private var now: Microseconds = 0
  /// The pause in which the run may recover; nil as long as it awaits events.
  private var pause: Pause?

  private struct Pause {
    var assertion: AssertionID
    /// The end of the time that the run has in any case.
    var end: Microseconds
    /// The end of the time in which it is waited for programs.
    var patientEnd: Microseconds
  }

  /// Creates a judge of one run.
  ///
  /// - Parameters:
  ///   - relaxed: The plan for disturbed runs, and what its scripts await last.
  ///   - settles: False if the conditions need only hold at some time, because they would not hold
  ///     for long without a disturbance either.
  ///   - patience: What the end of the run is waited for beyond its time.
  package init(
    _ relaxed: SharedPlan, _ awaited: LastAwaited, settles: Bool, _ patience: SweepPatience
  ) {
    inner = ScenarioJudge(relaxed)
    plan = relaxed.plan
    self.awaited = awaited
    self.patience = patience
    settle =
      settles ? later(plan.sweep.settleTime(isInRealTime: false), by: patience.extraTime) : 0
  }

  /// Hides the credentials of these parties in all that is shown of the run.
  package func hideCredentials(of outside: OutsideParties, most: Int? = nil) {
    inner.hideCredentials(of: outside, most: most)
  }

  package func observe(_ event: Event) {
    now = event.time
    inner.observe(event)
    if patience.observe(event) { recoverFromHere() }
    // Nothing is left that could change the end.
    if case .run(.idle(next: nil)) = event.kind, pause != nil { pause?.end = now }
  }

  /// Starts the time to recover again, after a late disturbance.
  private func recoverFromHere() {
    guard let end = pause?.end else { return }
    pause?.end = max(end, later(now, by: settle))
  }

  package func isWaiting(in branch: BranchID) -> Bool {
    inner.isWaiting(in: branch) || isSettling(in: branch)
  }

  package func status(in branch: BranchID) -> AssertionStatus {
    let status = inner.status(in: branch)
    switch status {
    case .pending, .retried: return status
    case .met, .failed:
      let open = openAssertion(in: branch)
      if case .failed = status, let open, isDemanded(open) { return .failed }
      guard branch == .main, let open, awaited.pauses.contains(open) else { return .met }
      let pause = self.pause(at: open)
      if now < pause.end { return .pending(until: pause.end) }
      return isPatient(pause) ? .pending(until: pause.patientEnd) : .met
    }
  }

  private func pause(at assertion: AssertionID) -> Pause {
    if let pause, pause.assertion == assertion { return pause }
    let end = later(now, by: settle)
    let new = Pause(
      assertion: assertion, end: end, patientEnd: later(end, by: patience.length(of: plan)))
    pause = new
    return new
  }

  private func isPatient(_ pause: Pause) -> Bool {
    now < pause.patientEnd && patience.isAwaitingSomething
  }

  package var hasBrokenInvariant: Bool { inner.hasBrokenInvariant }

  package func difference(
    of value: Value, from matcher: MatcherPlan, reads: [SlotID], values: [Value]
  ) -> String? {
    inner.difference(of: value, from: matcher, reads: reads, values: values)
  }

  package func capture(_ capture: CaptureID, in branch: BranchID) -> Value? {
    inner.capture(capture, in: branch)
  }

  package var secretMask: SecretMask? { inner.secretMask }

  private func openAssertion(in branch: BranchID) -> AssertionID? {
    let branches = inner.state.branches
    return branches.indices.contains(branch) ? branches[branch].open?.assertion : nil
  }

  private func isSettling(in branch: BranchID) -> Bool {
    guard branch == .main, let pause, now < pause.end || isPatient(pause) else { return false }
    return openAssertion(in: branch) == pause.assertion
  }

  /// Returns whether a disturbed run must meet an assertion.
  private func isDemanded(_ assertion: AssertionID) -> Bool {
    if plan.sweep.demandsExpect { return true }
    switch plan.assertions[assertion].kind {
    case .answer, .retry, .fails: return true
    case .check, .eventually: return awaited.checks.contains(assertion)
    case .expectMap, .expectList, .never, .snapshot, .receive: return false
    }
  }
}

extension SweepJudge {
  /// Returns the end of the run that was observed.
  package func end(of log: EventLog, in sources: SourceMap) -> SweepEnd {
    if !inner.failures.isEmpty || inner.state.showsMore { inner.readCredentials(of: log) }
    let mask = inner.mask
    let failures = inner.failures.filter { failure in
      if case .expectation(.unaccounted) = failure.kind { return plan.sweep.demandsExpect }
      return failure.assertion.map(isDemanded) ?? true
    }
    var end = SweepEnd(plan, log)
    end.failedAssertions = failures.map(\.assertion)
    if !failures.isEmpty {
      let writer = FailureWriter(judge: inner, log: log, sources: sources)
      end.failures = failures.map { writer.diagnostic(of: $0).masked(by: mask.masked(page:)) }
    }
    end.isStuck = failures.contains(where: \.isOfScenario)
    end.pending = inner.state.pendingAtEnd.first.filter {
      (plan.programs.isEmpty || $0.isOfClient) && !$0.isConnectedClient
    }
    end.invariantsSampled = log.events.reduce(0) { sum, event in
      if case .assertion(.invariantsSampled(let samples)) = event.kind {
        sum + samples.count
      } else {
        sum
      }
    }
    end.ends = patience.ends
    end.mask = mask
    return end
  }
}

extension Failure {
  /// True if the scenario could not go on, so that the client may be right: a mock had no answer,
  /// or a step could not act.
  fileprivate var isOfScenario: Bool {
    guard case .problem(let problem) = kind else { return false }
    switch problem {
    case .unmatchedRequest, .stepFailed, .requestFailed: return true
    case .evaluation, .actionFailed, .limit, .program, .endlessWait, .interrupted, .subject:
      return false
    }
  }
}

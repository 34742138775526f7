import Diagnostics
import Events
import ScenarioPlan
import Values

/// Puts failures into words: what was expected where, what came instead, and how it came about.
struct FailureWriter {
  private let scenarioJudge: ScenarioJudge
  let log: EventLog
  let sources: SourceMap
  var names: EventNames

  init(judge: ScenarioJudge, log: EventLog, sources: SourceMap) {
    scenarioJudge = judge
    self.log = log
    self.sources = sources
    names = EventNames(judge.state.plan, judge.state.mask)
  }

  var judge: AssertionState { _read { yield scenarioJudge.state } }

  func diagnostic(of failure: Failure) -> Diagnostic {
    var diagnostic = finding(of: failure)
    if let tries = failure.tries { diagnostic.notes += tried(tries) }
    diagnostic.labels += waitingMocks(failure) + included(failure)
    // Diagrams are timelines already.
    if !failure.hasDiagrams { diagnostic.notes += timeline(of: failure) }
    diagnostic.notes += cause(of: failure.event ?? failure.origin)
    diagnostic.notes += faults(before: failure)
    diagnostic.notes += programs(before: failure)
    diagnostic.notes += waitingPrograms
    return diagnostic
  }

  /// The way to a step in another file, from that file outwards.
  private func included(_ failure: Failure) -> [Diagnostic.Label] {
    let step = failure.step ?? failure.problemStep
    return (step?.includes ?? []).reversed().map { .init($0, "included here") }
  }

  /// The steps in which mocks wait, where something awaited did not come.
  private func waitingMocks(_ failure: Failure) -> [Diagnostic.Label] {
    guard failure.lacksEvent, judge.trace == nil else { return [] }
    return (judge.standstill?.mocks ?? []).prefix(differencesListed).map { mock in
      let endpoint = judge.plan.endpoints[ifPresent: mock.endpoint]?.name ?? "?"
      let wait = mock.awaitsMessage ? "waits here for a message" : "waits here for ever"
      return .init(mock.range, "`\(endpoint)` \(wait), connection \(mock.connection)")
    }
  }

  /// The calls in which programs in virtual time wait for ever.
  private var waitingPrograms: [Diagnostic.Fact] {
    let waits = judge.standstill?.programs ?? []
    return waits.prefix(differencesListed).map { Diagnostic.Fact("waits", $0) }
  }

  private func finding(of failure: Failure) -> Diagnostic {
    switch failure.kind {
    case .expectation(let expectation): finding(of: failure, expectation)
    case .diagram(let diagram): finding(of: failure, diagram)
    case .state(let state): finding(of: failure, state)
    case .step(let result): finding(of: failure, result)
    case .conversation(let conversation): finding(of: failure, conversation)
    case .drift(let drift): self.drift(drift, failure)
    case .problem(let problem): diagnostic(of: problem, at: failure.origin)
    }
  }

  private func finding(of failure: Failure, _ expectation: Failure.UnmetExpectation) -> Diagnostic {
    switch expectation {
    case .mismatch(let awaited, let differences, let event):
      unexpectedEvent(failure, awaited, differences, event)
    case .outOfOrder(let awaited, let event, let turn):
      outOfOrder(failure, awaited, event, turn)
    case .wrongTime(let awaited, let event, let due): wrongTime(failure, awaited, event, due)
    case .tooLate(let awaited, let event, let limit): tooLate(failure, awaited, event, limit)
    case .timeout(let awaited, let limit, let others): timeout(failure, awaited, limit, others)
    case .nothingLeft(let awaited): nothingLeft(failure, awaited)
    case .streamEnded(let awaited, let event): streamEnded(failure, awaited, event)
    case .unanswered(let event): unanswered(failure, event)
    case .broken(let entry, let forbidden, let event):
      brokenNever(failure, entry, forbidden, event)
    case .traceIncomplete(let incomplete): traceIncomplete(failure, incomplete)
    case .traceTooShort(let wait): traceTooShort(failure, wait)
    case .unaccounted(let leftovers): unaccounted(failure, leftovers)
    }
  }

  private func finding(of failure: Failure, _ diagram: Failure.Diagram) -> Diagnostic {
    switch diagram {
    case .marble(let difference): marble(failure, difference)
    case .subscriptions(let difference): subscriptions(failure, difference)
    }
  }

  private func finding(of failure: Failure, _ state: Failure.State) -> Diagnostic {
    switch state {
    case .invariant(let invariant, let look): brokenInvariant(failure, invariant, look)
    case .brokenInvariant(let broken): brokenInvariant(failure, broken)
    case .check(let look): checkFailed(failure, look)
    case .eventually(let look, let limit, let nothingLeft):
      eventuallyFailed(failure, look, limit, nothingLeft)
    case .gaveUp(let look, let retry, let span): gaveUp(failure, look, retry, span)
    case .aborted(let look, let retry): aborted(failure, look, retry)
    case .snapshot(let problem): snapshot(failure, problem)
    }
  }

  private func finding(of failure: Failure, _ result: Failure.StepResult) -> Diagnostic {
    switch result {
    case .stepSucceeded: stepSucceeded(failure)
    case .errorMismatch(let differences, let error, let expected):
      otherError(failure, differences, error, expected)
    }
  }

  private func finding(of failure: Failure, _ conversation: Failure.Conversation) -> Diagnostic {
    switch conversation {
    case .otherMessage(let differences, let message, let expected):
      otherMessage(failure, differences, message, expected)
    case .unexpectedAnswer(let answer): unexpectedAnswer(failure, answer)
    case .slowAnswer(let limit, let event): slowAnswer(failure, limit, event)
    }
  }

  func note(_ name: String, _ text: String?) -> [Diagnostic.Fact] {
    text.map { [Diagnostic.Fact(name, $0)] } ?? []
  }

  /// Returns the name of an event: its number, also that in the trace that was recorded, or its
  /// line in the trace that is judged.
  func name(of event: EventID) -> String {
    if let line = log.traceLines[event] { return "line \(line)" }
    return "event \(event)" + (log.recordedNumbers?[event].map { " (\($0) in the trace)" } ?? "")
  }

  /// Returns the name and the time of an event: `event 5, at 40ms`, or `a.trace.jsonl:5, at 40ms`
  /// of a trace that is judged.
  func place(of event: EventID) -> String {
    let line = log.traceLines[event].flatMap { line in log.tracePath.map { "\($0):\(line)" } }
    return "\(line ?? name(of: event)), at \(durationText(time(of: event)))"
  }

  func time(of event: EventID) -> Microseconds {
    log[event]?.time ?? 0
  }

  func value(of event: EventID) -> Value {
    guard case .source(let kind)? = log[event]?.kind else { return .null }
    switch kind {
    case .emitted(_, let value): return value
    case .finished(_, let error?): return .map(ValueMap([(.string("error"), error)]))
    case .finished(_, nil): return completedValue
    case .subscribed, .unsubscribed: return .null
    }
  }

  func source(of event: EventID) -> SourceID? {
    guard case .source(let kind)? = log[event]?.kind else { return nil }
    switch kind {
    case .emitted(let source, _), .finished(let source, _), .subscribed(let source, _),
      .unsubscribed(let source, _):
      return source
    }
  }
}

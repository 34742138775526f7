import Diagnostics
import Events
import ScenarioPlan
import Values

/// The texts about invariants. Each shows the events that prove it.
extension FailureWriter {
  /// The time in which the answer may come reaches beyond the end of the trace.
  private func traceTooShort(
    _ failure: Failure, _ unanswered: Unanswered, _ limit: TimeLimit
  ) -> Diagnostic {
    let range = verbRange(of: unanswered.invariant)
    var diagnostic = traceTooShort(
      failure, UnfinishedWait(range: range, needs: limit.time),
      help: "record until then; of a program that still runs, "
        + "`--until=-\(durationText(limit.span))` judges what began so long before the end")
    diagnostic.facts =
      [witness("event", unanswered.event), awaited(unanswered.awaited)] + diagnostic.facts
    return diagnostic
  }

  func brokenInvariant(_ failure: Failure, _ invariant: InvariantID, _ look: ConditionReading)
    -> Diagnostic
  {
    let verb = judge.plan.invariants[ifPresent: invariant]?.verb ?? "always"
    if case .failure(let reason) = look.result {
      return noValue(failure, "the invariant", reason, look)
    }
    let place = "at \(durationText(failure.time))"
    var label = text(of: look, failure)
    if case .success(.bool(true)) = look.result { label = "is true" }
    let isNever = verb == "never"
    return Diagnostic(
      "invariant-broken",
      "the condition of \(isNever ? "`never` is true" : "`always` is false") \(place)",
      labels: [.init(look.expression, label)],
      facts: facts(of: look) + witnesses(of: look, before: failure.origin))
  }

  func unanswered(_ failure: Failure, _ unanswered: Unanswered) -> Diagnostic {
    let isLate = (unanswered.limit?.time ?? .max) < failure.time
    let span = isLate ? unanswered.limit.map { " within \(durationText($0.span))" } ?? "" : ""
    if unanswered.isUndecided, let limit = unanswered.limit {
      return traceTooShort(failure, unanswered, limit)
    }
    let until = isLate ? unanswered.limit?.time ?? failure.time : failure.time
    return Diagnostic(
      "invariant-unanswered", "an event was not followed by the event it must lead to\(span)",
      labels: [.init(verbRange(of: unanswered.invariant))],
      facts: [
        witness("event", unanswered.event), awaited(unanswered.awaited),
        .init(
          "until",
          durationText(until)
            + (isLate ? "" : ", when the \(judge.trace == nil ? "steps" : "trace") ended")),
      ] + lateAnswer(unanswered.answer, unanswered.limit))
  }

  func brokenInvariant(_ failure: Failure, _ broken: BrokenInvariant) -> Diagnostic {
    switch broken.finding {
    case .notPreceded(let awaited, let last, let limit):
      notPreceded(broken, awaited, last, limit)
    case .forbidden(let since): forbidden(broken, since)
    case .condition(let look, let since): conditionBetween(failure, broken, look, since)
    case .changed(let look, let before, let since): changed(broken, look, before, since)
    case .tooMany(let first, let count, let atMost, let per):
      tooMany(broken, first, count, atMost, per)
    case .tooFew(let count, let atLeast, let limit, let answer):
      tooFew(broken, count, atLeast, limit, answer)
    }
  }

  private func notPreceded(
    _ broken: BrokenInvariant, _ awaited: [(source: SourceID, expected: Value)],
    _ last: EventID?, _ limit: TimeLimit?
  ) -> Diagnostic {
    let span = limit.map { " within \(durationText($0.span))" } ?? ""
    let early = limit.map { durationText(time(of: broken.event) - $0.time) + " too early" }
    let before = last.map { [witness("once", $0, early ?? "")] } ?? [.init("once", "never before")]
    return Diagnostic(
      "invariant-not-preceded", "an event came without one that must come before it\(span)",
      labels: [.init(verbRange(of: broken.invariant))],
      facts: [witness("event", broken.event), self.awaited(awaited)] + before)
  }

  private func forbidden(_ broken: BrokenInvariant, _ since: EventID) -> Diagnostic {
    Diagnostic(
      "invariant-interrupted", "an event came that must not come between two others",
      labels: [.init(verbRange(of: broken.invariant))],
      facts: [witness("since", since), witness("event", broken.event)])
  }

  private func conditionBetween(
    _ failure: Failure, _ broken: BrokenInvariant, _ look: ConditionReading, _ since: EventID
  ) -> Diagnostic {
    if case .failure(let reason) = look.result {
      return noValue(failure, "the invariant", reason, look)
    }
    return Diagnostic(
      "invariant-interrupted",
      "the condition of `always` is false at \(durationText(failure.time)), between two events",
      labels: [.init(look.expression, text(of: look, failure))],
      facts: facts(of: look) + [witness("since", since)]
        + witnesses(of: look, before: broken.event))
  }

  private func changed(
    _ broken: BrokenInvariant, _ look: ConditionReading, _ before: Value, _ since: EventID
  ) -> Diagnostic {
    let now = if case .success(let value) = look.result { value } else { Value.null }
    let isEvent = source(of: broken.event) != nil
    return Diagnostic(
      "invariant-changed", "a value changed that must stay while the condition of `while` holds",
      labels: [.init(look.expression, "has changed")],
      facts: [
        .init("before", "\(names.text(before))   since \(durationText(time(of: since)))"),
        .init("now", "\(names.text(now))   at \(durationText(time(of: broken.event)))"),
      ]
        + (isEvent
          ? [witness("event", since), witness("event", broken.event)]
          : witnesses(of: look, before: broken.event)))
  }

  private func tooMany(
    _ broken: BrokenInvariant, _ first: EventID, _ count: Int, _ atMost: Int,
    _ per: Microseconds?
  ) -> Diagnostic {
    let span = durationText(time(of: broken.event) - time(of: first))
    let most = "at most \(atMost)" + (per.map { " per \(durationText($0))" } ?? "")
    return Diagnostic(
      "invariant-count", "more events came than may" + (per == nil ? "" : " in this time"),
      labels: [.init(verbRange(of: broken.invariant))],
      facts: [.init("count", "\(count) in \(span), and \(most)")]
        + (first == broken.event ? [] : [witness("first", first)])
        + [witness("last", broken.event)])
  }

  private func tooFew(
    _ broken: BrokenInvariant, _ count: Int, _ atLeast: Int, _ limit: TimeLimit,
    _ answer: EventID?
  ) -> Diagnostic {
    Diagnostic(
      "invariant-count", "fewer events came in this time than must",
      labels: [.init(verbRange(of: broken.invariant))],
      facts: [
        .init("count", "\(count), and at least \(atLeast) per \(durationText(limit.span))"),
        witness("after", broken.event), .init("until", durationText(limit.time)),
      ] + lateAnswer(answer, limit))
  }

  // MARK: - witnesses

  private func verbRange(of invariant: InvariantID) -> SourceRange {
    judge.plan.invariants[ifPresent: invariant]?.verbRange ?? .none
  }

  /// An event that proves a failure: its source, value, number and time.
  private func witness(_ name: String, _ event: EventID, _ more: String = "") -> Diagnostic.Fact {
    let source = self.source(of: event)
    let named = source.map { names.name(of: $0) } ?? "?"
    let value = source.map { names.brief(self.value(of: event), of: $0) } ?? "?"
    let text = "\(named) \(value)   \(place(of: event))"
    return Diagnostic.Fact(name, more.isEmpty ? text : "\(text), \(more)")
  }

  private func awaited(_ events: [(source: SourceID, expected: Value)]) -> Diagnostic.Fact {
    let lines = events.map { "\(names.name(of: $0.source)) \(names.text($0.expected))" }
    return Diagnostic.Fact("awaited", lines.joined(separator: "\n"))
  }

  /// The event that came after its time, and how late it was.
  private func lateAnswer(_ answer: EventID?, _ limit: TimeLimit?) -> [Diagnostic.Fact] {
    guard let answer, let limit = limit?.time, time(of: answer) > limit else { return [] }
    return [witness("answer", answer, "\(durationText(time(of: answer) - limit)) too late")]
  }

  /// The last events that made the values which a condition read, in their order.
  private func witnesses(of look: ConditionReading, before end: EventID?) -> [Diagnostic.Fact] {
    var sources = Set(look.values.flatMap { judge.plan.origins(of: $0.slot) })
    var found: [EventID] = []
    for event in log.events.reversed() where event.sequence <= end ?? event.sequence {
      guard !sources.isEmpty, found.count < Self.mostWitnesses else { break }
      guard case .source(.emitted(let source, _)) = event.kind, sources.remove(source) != nil
      else { continue }
      found.append(event.sequence)
    }
    return found.reversed().map { witness("event", $0) }
  }

  private static let mostWitnesses = 3
}

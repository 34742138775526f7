import Diagnostics
import Events
import ScenarioPlan
import Values

/// The events that a condition has counted and that a report shows.
private let eventsShown = 6

/// The texts about a `check`, `eventually`, `never` or `fails` that does not hold, and about
/// leftovers.
extension FailureWriter {
  func brokenNever(
    _ failure: Failure, _ entry: NeverEntryPlan, _ forbidden: Value?, _ event: EventID
  ) -> Diagnostic {
    let source = names.name(of: entry.source)
    let expected = forbidden.map { "nothing that matches \(names.text($0))" } ?? "nothing"
    return Diagnostic(
      "never-broken", "`\(source)` emitted an event that it must not emit",
      labels: [.init(entry.range, turnText(failure.step) ?? "")],
      facts: [
        .init("actual", "\(names.text(value(of: event)))   \(place(of: event))"),
        .init("expected", expected),
      ])
  }

  func checkFailed(_ failure: Failure, _ reading: ConditionReading) -> Diagnostic {
    if case .failure(let reason) = reading.result {
      let what = isOfNever(failure) ? "the matcher" : "the check"
      var diagnostic = noValue(failure, what, reason, reading)
      diagnostic.help = diagnostic.help ?? helpToWait(failure)
      return diagnostic
    }
    return Diagnostic(
      "check-failed", "the check does not hold at \(durationText(failure.time))",
      labels: [.init(reading.expression, text(of: reading, failure))], facts: facts(of: reading),
      notes: reasons(of: reading), help: helpToWait(failure))
  }

  private func isOfNever(_ failure: Failure) -> Bool {
    guard let assertion = failure.assertion, case .never = judge.plan.assertions[assertion].kind
    else { return false }
    return true
  }

  /// Returns the help for a check that did not wait for an answer, or for what is due later.
  private func helpToWait(_ failure: Failure) -> String? {
    if let unanswered = judge.pendingAtEnd.first.first(where: { $0.kind == "request" }) {
      return "`\(names.masked(unanswered.name))` of `\(unanswered.endpoint)` has no answer yet; "
        + "`eventually: …` waits for it"
    }
    guard let due = judge.standstill?.nextDue, due > failure.time, due < .max,
      follows(failure.time)
    else { return nil }
    return "something is due at \(durationText(due)); `eventually: …` waits for it"
  }

  /// Returns whether the last step that acted did so at this time: nothing has waited since.
  private func follows(_ time: Microseconds) -> Bool {
    for event in log.events.reversed() {
      if case .script(.stepBegan) = event.kind { return event.time == time }
    }
    return false
  }

  func eventuallyFailed(
    _ failure: Failure, _ reading: ConditionReading?, _ limit: TimeLimit, _ nothingLeft: Bool
  ) -> Diagnostic {
    let isOfTrace = judge.trace != nil
    let message =
      nothingLeft
      ? "nothing is left that could happen, and the condition does not hold"
      : "the condition did not hold within \(durationText(limit.span))"
    let range = failure.assertion.map { judge.plan.assertions[$0].verbRange } ?? .none
    let id: DiagnosticID = nothingLeft ? "nothing-left" : "eventually-failed"
    if nothingLeft, isOfTrace { return conditionAtTraceEnd(failure, reading) }
    guard let reading else { return Diagnostic(id, message, labels: [.init(range)]) }
    if case .failure(let reason) = reading.result {
      var diagnostic = noValue(failure, "the condition", reason, reading)
      diagnostic.notes += note("waited", "until \(durationText(failure.time))")
      return diagnostic
    }
    return Diagnostic(
      id, message, labels: [.init(reading.expression, text(of: reading, failure))],
      facts: facts(of: reading),
      notes: reasons(of: reading) + note("waited", "until \(durationText(failure.time))"))
  }

  func noValue(
    _ failure: Failure, _ what: String, _ reason: EvaluationFailure, _ reading: ConditionReading
  ) -> Diagnostic {
    Diagnostic(
      "evaluation-failed", "\(what) gives no value: \(reason.message)",
      labels: [.init(reason.range, turnText(failure.step) ?? "")], facts: facts(of: reading),
      help: reason.help)
  }

  func text(of reading: ConditionReading, _ failure: Failure) -> String {
    var parts: [String] = []
    if case .success(let value) = reading.result {
      let isBool = value == .bool(false)
      parts.append(isBool ? "is false" : "gives \(names.text(value)), which is not a bool")
    }
    return (parts + [turnText(failure.step)].compactMap { $0 }).joined(separator: ", ")
  }

  func facts(of reading: ConditionReading) -> [Diagnostic.Fact] {
    let read = reading.values.filter { !isRandom($0.slot) }.map { read in
      (
        name: name(of: read.slot) ?? read.address ?? "local", value: read.value,
        text: text(read.value, of: read.slot)
      )
    }
    return read.map { Diagnostic.Fact($0.name, $0.text) } + codePoints(of: reading)
      + hiddenFacts(read.map { ($0.name, $0.value) })
  }

  /// Returns the text of a value that a slot gave; of many events, the number and the last ones.
  private func text(_ value: Value, of slot: SlotID) -> String {
    guard case .events(let source)? = judge.plan.slots[ifPresent: slot],
      case .list(let events) = value, !events.isEmpty
    else { return names.text(value) }
    let shown = names.briefs(events.suffix(eventsShown).map { (source, $0) })
    let left = events.count > shown.count ? ["…"] : []
    return "\(events.count): " + (left + shown).joined(separator: ", ")
  }

  /// Where two texts first differ that look alike.
  private func codePoints(of reading: ConditionReading) -> [Diagnostic.Fact] {
    reading.unequalTexts.flatMap { texts in
      codePointDifference(actual: names.masked(texts.0), expected: names.masked(texts.1))
    }.map { [.init("unlike", $0)] } ?? []
  }

  /// The number that random values are made of is no fact for readers.
  private func isRandom(_ slot: SlotID) -> Bool {
    if case .drawn = judge.plan.slots[ifPresent: slot] { true } else { false }
  }

  /// Nil for what only the script around it has a name for.
  private func name(of slot: SlotID) -> String? {
    let plan = judge.plan
    guard let what = plan.slots[ifPresent: slot] else { return nil }
    switch what {
    case .node(let node): return plan.nodes[ifPresent: node]?.name
    case .variable(let number):
      return plan.variables[ifPresent: number]?.name
    case .column(let number): return plan.columns[ifPresent: number]?.name
    case .capture(let number): return plan.captures[ifPresent: number]?.name
    case .local: return nil
    case .matched: return "value"
    case .now: return "now()"
    case .lastEvent(let source): return names.name(of: source)
    case .events(let source): return "the events of \(names.name(of: source))"
    case .eventCount(let source): return "count(\(names.name(of: source)))"
    case .address(let endpoint, let kind):
      return plan.endpoints[ifPresent: endpoint].map { "\($0.name).\(kind.word)" }
    case .drawn: return nil
    case .port(let program): return plan.programs[ifPresent: program].map { "\($0.name).port" }
    case .temp(let program): return plan.programs[ifPresent: program].map { "\($0.name).temp" }
    case .recomputes(let node):
      return "recomputes(\(plan.nodes[ifPresent: node]?.name ?? "?"))"
    }
  }

  func stepSucceeded(_ failure: Failure) -> Diagnostic {
    Diagnostic(
      "step-succeeded", "the step under `fails` succeeded",
      labels: [.init(verbRange(of: failure), turnText(failure.step) ?? "")],
      help: failure.assertion.map(isRequest) == true
        ? "an answer is no failure, whatever its status: write `expect: { status: 500 }` "
          + "in the request"
        : nil)
  }

  /// Returns whether the step under `fails` is a request.
  private func isRequest(under fails: AssertionID) -> Bool {
    let scripts = judge.plan.scripts
    for step in scripts.lazy.flatMap(\.steps) {
      guard case .assertion(.fails(fails, step: let inner)) = step.kind else { continue }
      if case .acting(.request)? = scripts[inner].steps.first?.kind { return true }
    }
    return false
  }

  func otherError(
    _ failure: Failure, _ differences: Differences, _ error: Value, _ expected: Value
  ) -> Diagnostic {
    differenceDiagnostic(
      "other-error", "the step under `fails` failed in another way than expected", failure,
      differences, facts(error, expected, differences, "at \(durationText(failure.time))"))
  }

  func otherMessage(
    _ failure: Failure, _ differences: Differences, _ message: Value, _ expected: Value
  ) -> Diagnostic {
    differenceDiagnostic(
      "other-message", "the client sent another message than the script waits for", failure,
      differences, facts(message, expected, differences, "at \(durationText(failure.time))"))
  }

  private func differenceDiagnostic(
    _ id: DiagnosticID, _ text: String, _ failure: Failure, _ differences: Differences,
    _ facts: [Diagnostic.Fact]
  ) -> Diagnostic {
    let verb = Diagnostic.Label(verbRange(of: failure), turnText(failure.step) ?? "")
    return Diagnostic(
      id, text, labels: labels(verb, differences, matcher: .none), facts: facts,
      help: hint(for: differences), differences: data(of: differences))
  }

  private func verbRange(of failure: Failure) -> SourceRange {
    failure.assertion.map { judge.plan.assertions[$0].verbRange } ?? failure.step?.range ?? .none
  }
}

/// The number of listed leftover events of one source.
private let leftoversListed = 5

/// Events that no expectation has accounted for.
extension FailureWriter {
  func unaccounted(_ failure: Failure, _ leftovers: [Leftovers]) -> Diagnostic {
    let count = leftovers.reduce(0) { $0 + $1.events.count }
    let sources = leftovers.map { names.name(of: $0.source) }
    let verb = count == 1 ? "was" : "were"
    return Diagnostic(
      "unaccounted-events",
      "\(counted(count, "event")) of watched sources \(verb) never expected",
      labels: leftovers.prefix(differencesListed).compactMap { left in
        range(naming: left.source).map { .init($0, "watches `\(names.name(of: left.source))`") }
      },
      facts: leftovers.map { .init(names.name(of: $0.source), list($0)) },
      notes: leftovers.count == 1 ? cause(of: leftovers[0].events.first) : [],
      help: "expect them, or stop watching the sources: "
        + "`ignore: [\(sources.joined(separator: ", "))]`")
  }

  /// Returns the leftovers beside a failure that its timeline does not show.
  func alsoUnaccounted(beside failure: Failure) -> [Diagnostic.Fact] {
    let shown = timelineWindow(of: failure).map(\.sequence)
    return judge.alsoUnaccounted.compactMap { left in
      let hidden = Leftovers(
        source: left.source, events: left.events.filter { !shown.contains($0) })
      guard !hidden.events.isEmpty else { return nil }
      let lines = list(hidden).split(separator: "\n").joined(separator: ", ")
      return Diagnostic.Fact("unaccounted", "\(names.name(of: left.source)) \(lines)")
    }
  }

  /// Lists one event per line, and counts those that are not listed.
  private func list(_ leftovers: Leftovers) -> String {
    let listed = leftovers.events.prefix(leftoversListed)
    let briefs = names.briefs(listed.map { (leftovers.source, value(of: $0)) })
    var lines = zip(listed, briefs).map { event, brief in
      "\(brief)   \(place(of: event))" + (stepText(before: event).map { ", \($0)" } ?? "")
    }
    let rest = leftovers.events.count - lines.count
    if rest > 0 { lines.append("and \(rest) more") }
    return lines.joined(separator: "\n")
  }

  /// Returns the place where an executed `expect` last named the source.
  private func range(naming source: SourceID) -> SourceRange? {
    for event in log.events.reversed() {
      guard case .assertion(.opened(let assertion, _, _)) = event.kind,
        let named = judge.plan.assertions[ifPresent: assertion]
      else { continue }
      switch named.kind {
      case .expectMap(let sequences):
        if let found = sequences.first(where: { $0.source == source }) { return found.range }
      case .expectList(let entries):
        let members = entries.flatMap(\.members)
        if let found = members.last(where: { $0.source == source }) { return found.sourceRange }
      case .never, .check, .eventually, .retry, .fails, .receive, .answer, .snapshot: continue
      }
    }
    return nil
  }
}

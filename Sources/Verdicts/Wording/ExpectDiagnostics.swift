import Diagnostics
import Events
import ScenarioPlan
import Values

/// The texts about an `expect` that is not met.
extension FailureWriter {
  func unexpectedEvent(
    _ failure: Failure, _ awaited: Awaited, _ differences: Differences, _ event: EventID
  ) -> Diagnostic {
    let source = names.name(of: awaited.source)
    // Of a sequence, the name of the source does not say which of its entries it is.
    let part = differences.pointedAt
    let isEntry =
      awaited.isOfSource && part.range == awaited.matcherRange && !part.isOfLength
    let place = isEntry ? awaited.matcherRange : awaited.range
    let whole = Diagnostic.Label(place, position(of: awaited, failure))
    return Diagnostic(
      "unexpected-event", "the next event of `\(source)` is not the one expected",
      labels: labels(whole, differences, matcher: awaited.matcherRange),
      facts: facts(value(of: event), awaited.expected, differences, self.place(of: event)),
      notes: reason(ofStateIn: awaited.source, value(of: event)),
      help: hint(for: differences) ?? listHelp(source, value(of: event), differences)
        ?? countHelp(source, differences),
      differences: data(of: differences))
  }

  /// Returns the help for an event without `count`, which was probably meant as their number.
  private func countHelp(_ source: String, _ differences: Differences) -> String? {
    guard case .missingEntry("count", _) = differences.first.reason,
      differences.first.path.isEmpty
    else { return nil }
    return "the number of events is `count(\(source))`: write `- check: count(\(source)) == 1`"
  }

  /// Returns the help for an event that is a list, if a list of events was written for it.
  private func listHelp(
    _ source: String, _ actual: Value, _ differences: Differences
  ) -> String? {
    guard case .list = actual, differences.first.path.isEmpty else { return nil }
    switch differences.first.reason {
    case .kind, .unequal: break
    case .length, .operatorFailed, .noElement, .incomparable, .notTrue, .evaluation,
      .schemaBroken, .missingEntry, .unexpectedEntry, .missingElements, .unexpectedElements:
      return nil
    }
    return "each event of `\(source)` is a list, and the outer list holds the events: "
      + "write `\(source): [[…]]`"
  }

  /// Returns the labels of an expectation and of its part that failed; the part comes first if it
  /// is the only one.
  func labels(
    _ whole: Diagnostic.Label, _ differences: Differences, matcher: SourceRange
  ) -> [Diagnostic.Label] {
    let part = differences.pointedAt
    if part.range == matcher, !part.isOfLength { return [whole] }
    guard differences.count == 1, part.range != matcher else { return [whole, label(of: part)] }
    let isPlain = whole.text.isEmpty && isOneLine(whole.range, part.range)
    return isPlain ? [label(of: part)] : [label(of: part), whole]
  }

  private func isOneLine(_ one: SourceRange, _ other: SourceRange) -> Bool {
    guard one.file == other.file, let file = sources.file(of: one) else { return false }
    return file.place(of: Int(one.start)).line == file.place(of: Int(other.start)).line
  }

  func outOfOrder(
    _ failure: Failure, _ awaited: Awaited, _ event: EventID, _ turn: Int
  ) -> Diagnostic {
    let source = source(of: event).map { names.name(of: $0) } ?? "?"
    let expected = names.name(of: awaited.source)
    return Diagnostic(
      "out-of-order", "an event of `\(source)` came before its turn",
      labels: [.init(awaited.range, position(of: awaited, failure))],
      facts: [
        .init("actual", "\(source): \(names.text(value(of: event)))   \(place(of: event))"),
        .init("expected", "\(expected): \(names.text(awaited.expected))"),
      ],
      notes: note("order", "the next event of `\(source)` has its turn as entry \(turn)"),
      help: "if the order does not matter, put the entries into `anyOrder` or write a map")
  }

  func wrongTime(
    _ failure: Failure, _ awaited: Awaited, _ event: EventID, _ due: TimeLimit
  ) -> Diagnostic {
    let source = names.name(of: awaited.source)
    let difference = time(of: event) - due.time
    let distance = durationText(abs(difference)) + (difference < 0 ? " too early" : " too late")
    return Diagnostic(
      "wrong-time", "the event of `\(source)` came \(distance)",
      labels: [.init(awaited.range, position(of: awaited, failure))],
      facts: [
        .init("actual", "at \(fromBase(time(of: event), due))   \(name(of: event))"),
        .init("expected", "at \(fromBase(due.time, due))"),
      ])
  }

  func tooLate(
    _ failure: Failure, _ awaited: Awaited, _ event: EventID, _ limit: TimeLimit
  ) -> Diagnostic {
    let source = names.name(of: awaited.source)
    let late = durationText(time(of: event) - limit.time)
    return Diagnostic(
      "too-late", "the event of `\(source)` came \(late) too late",
      labels: [.init(awaited.range, position(of: awaited, failure))],
      facts: [
        .init("actual", "at \(fromBase(time(of: event), limit))   \(name(of: event))"),
        .init("expected", "by \(fromBase(limit.time, limit))"),
      ])
  }

  func timeout(
    _ failure: Failure, _ awaited: Awaited, _ limit: TimeLimit, _ others: [Awaited]
  ) -> Diagnostic {
    let source = names.name(of: awaited.source)
    return Diagnostic(
      "not-in-time",
      "the event of `\(source)` did not come within \(durationText(limit.span))",
      labels: [.init(awaited.range, position(of: awaited, failure))] + awaitedLabels(others),
      facts: [
        .init("actual", "nothing until \(durationText(failure.time))"),
        .init("expected", names.text(awaited.expected)),
      ], notes: state(of: awaited.source, failure), help: limitHelp(failure, limit.span))
  }

  func nothingLeft(_ failure: Failure, _ awaited: [Awaited]) -> Diagnostic {
    if judge.trace != nil { return missingInTrace(failure, awaited) }
    guard let first = awaited.first else {
      return Diagnostic("nothing-left", "nothing is left that could happen")
    }
    let source = names.name(of: first.source)
    let reasons = state(of: first.source, failure)
    return Diagnostic(
      "nothing-left",
      "nothing is left that could happen, and an event of `\(source)` is still awaited",
      labels: [.init(first.range, position(of: first, failure))]
        + awaitedLabels(awaited.dropFirst()),
      facts: [
        .init("actual", "nothing, and nothing is under way at \(durationText(failure.time))"),
        .init("expected", names.text(first.expected)),
      ], notes: reasons,
      help: endHelp(first) ?? stepHelp(first.source)
        ?? (reasons.isEmpty ? initialValueHelp(first.source) : nil))
  }

  /// Returns the help for an expectation of what a step `request` asked, which that step judges.
  private func stepHelp(_ source: SourceID) -> String? {
    judge.buffer.lastOfStep(source).map { emission in
      "\(place(of: emission.sequence)), came from a step `request`, which judges its exchange "
        + "itself; `check: count(\(names.name(of: source))) == 1` counts such events"
    }
  }

  /// Returns the help for a word that is nearly the word for a stream's end.
  private func endHelp(_ awaited: Awaited) -> String? {
    guard case .string(let text) = awaited.expected, names.isStream(awaited.source),
      nearestName(to: text, among: ["completed", "complete", "finished"]) != nil
        || text == "complete"
    else { return nil }
    return "to expect that a stream completes, write `completed`"
  }

  /// Returns the help for an expectation of the value at the start, which is not an event.
  private func initialValueHelp(_ source: SourceID) -> String? {
    let hasEmitted = judge.buffer.emissions.contains { $0.source == source }
    guard names.beginsWithValue(source), !hasEmitted else { return nil }
    return "the value at the start is not an event; `check` can read it"
  }

  func awaitedLabels(_ awaited: some Sequence<Awaited>) -> [Diagnostic.Label] {
    awaited.prefix(differencesListed).map { .init($0.range, "also awaited") }
  }

  /// `300ms (100ms + 200ms)`: a time, and how it lies to what `after` or `within` counts from.
  private func fromBase(_ time: Microseconds, _ limit: TimeLimit) -> String {
    let distance = time - limit.base
    let sign = distance < 0 ? "−" : "+"
    let parts = "\(durationText(limit.base)) \(sign) \(durationText(abs(distance)))"
    return "\(durationText(time)) (\(parts))"
  }

  /// `third of 4 in this `expect`, passed over 2 events, waited 2s, in turn 3`.
  func position(of awaited: Awaited, _ failure: Failure) -> String {
    var parts: [String] = []
    if awaited.count > 1 {
      let whole = awaited.isOfSource ? "of this source" : "in this `expect`"
      parts.append("\(ordinal(awaited.position)) of \(awaited.count) \(whole)")
    }
    if let (number, times) = awaited.repetition {
      parts.append("\(ordinal(number)) of \(times) times")
    }
    if awaited.passedOver > 0 {
      parts.append("passed over \(counted(awaited.passedOver, "event"))")
    }
    if failure.time > awaited.since {
      parts.append("waited \(durationText(failure.time - awaited.since))")
    }
    if let turn = turnText(failure.step) { parts.append(turn) }
    return parts.joined(separator: ", ")
  }
}

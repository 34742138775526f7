import Diagnostics
import Events
import ScenarioPlan
import Values

/// The most symbols that are explained, of those that are not the diagram's own.
private let symbolsExplained = 3
/// The number of ticks after the first difference in which an event is still drawn.
private let ticksLookedAhead: Microseconds = 40

/// The texts about events that differ from a diagram.
extension FailureWriter {
  func marble(_ failure: Failure, _ difference: MarbleDifference) -> Diagnostic {
    let name = names.name(of: difference.source)
    let symbols = MarbleSymbols(difference, names)
    var diagnostic = Diagnostic(
      "marble", "the events of `\(name)` are not as in the diagram",
      labels: [label(of: difference, symbols, failure)])
    let drawing = drawing(difference, symbols, until: failure.time)
    diagnostic.facts = [
      .init("expected", drawing.wanted), .init("actual", drawing.seenAndCaret),
    ]
    add(difference, symbols, failure, to: &diagnostic)
    diagnostic.notes += note("where", symbols.explanation(without: difference.shownEvent, names))
    return diagnostic
  }

  private func label(
    of difference: MarbleDifference, _ symbols: MarbleSymbols, _ failure: Failure
  ) -> Diagnostic.Label {
    let turn = turnText(failure.step).map { ", \($0)" } ?? ""
    if let moment = difference.moment {
      let due = later(difference.zero, by: moment.time)
      return .init(moment.range, "\(what(moment)) is due at \(time(due, difference))\(turn)")
    }
    let event = difference.event.flatMap { event in difference.seen.first { $0.event == event } }
    let marble = difference.marble
    let offset = (event?.time ?? difference.zero) - difference.zero
    let cells = DiagramCells(marble.diagram, tick: marble.tick, hasZero: true)
    let place = cells.range(at: max(0, offset), in: marble.range)
    return .init(place, "nothing is due at \(time(event?.time ?? 0, difference))\(turn)")
  }

  /// `1.04s (1s + 40ms)`: a time, and how long after the first tick it is.
  private func time(_ time: Microseconds, _ difference: MarbleDifference) -> String {
    let zero = difference.zero
    guard zero > 0, time >= zero else { return durationText(time) }
    return "\(durationText(time)) (\(durationText(zero)) + \(durationText(time - zero)))"
  }

  private func what(_ moment: MarblePlan<MatcherPlan>.Moment) -> String {
    switch moment.kind {
    case .value: "`\(moment.symbol)`"
    case .completion: "completion"
    case .failure: "the failure"
    }
  }

  /// Adds the fact of the first difference: an event that came, or one that did not.
  private func add(
    _ difference: MarbleDifference, _ symbols: MarbleSymbols, _ failure: Failure,
    to diagnostic: inout Diagnostic
  ) {
    switch difference.problem {
    case .missing(let place, let isNothingLeft):
      let due = later(difference.zero, by: difference.marble.moments[place].time)
      let text = instead(of: place, difference, isNothingLeft)
      diagnostic.facts.append(.init("at \(durationText(due))", text))
      diagnostic.help = tickHelp(difference) ?? groupHelp(difference, before: place)
    case .differs(let place, let differences?, let event):
      let moment = difference.marble.moments[place]
      diagnostic.facts += facts(of: event, moment, differences, difference, symbols)
      let part = differences.pointedAt
      if part.range != moment.range { diagnostic.labels.append(self.label(of: part)) }
      diagnostic.help = hint(for: differences)
      diagnostic.differences = data(of: differences)
    case .differs(_, nil, let event), .unexpected(let event):
      guard let seen = difference.seen.first(where: { $0.event == event }) else { return }
      let text = description(seen, difference, symbols)
      diagnostic.facts.append(.init("at \(durationText(seen.time))", text))
    }
  }

  /// Returns the help for a stream that is drawn twice, with its tick written once.
  private func tickHelp(_ difference: MarbleDifference) -> String? {
    guard let tick = names.tick(of: difference.source), tick != difference.marble.tick else {
      return nil
    }
    let name = names.name(of: difference.source)
    return "a tick is \(durationText(difference.marble.tick)) here and \(durationText(tick)) in "
      + "`\(name)`; `tick` sets its length"
  }

  /// Returns the help for a diagram that may have been written for a library in which each
  /// character of a group takes a tick.
  private func groupHelp(_ difference: MarbleDifference, before place: Int) -> String? {
    let moments = difference.marble.moments
    let earlier = moments[..<place].filter { $0.time < moments[place].time }
    guard let group = zip(earlier, earlier.dropFirst()).first(where: { $0.time == $1.time }) else {
      return nil
    }
    let symbols = earlier.filter { $0.time == group.0.time }.map(\.symbol).joined()
    return "a group takes one tick: what follows `(\(symbols))` comes one tick after it"
  }

  private func facts(
    of event: EventID, _ moment: MarblePlan<MatcherPlan>.Moment, _ differences: Differences,
    _ difference: MarbleDifference, _ symbols: MarbleSymbols
  ) -> [Diagnostic.Fact] {
    let place = difference.marble.moments.firstIndex { $0.range == moment.range } ?? 0
    var actual = value(of: event)
    if case .failure = moment.kind { actual = actual["error"] ?? .null }
    let wanted = difference.wanted[place] ?? .null
    let facts = facts(actual, wanted, differences, self.place(of: event))
    return facts.reversed().map { fact in
      let symbol = fact.name == "actual" ? symbols.symbol(of: event) : moment.symbol
      return .init("\(fact.name) \(symbol)", fact.text)
    }
  }

  /// `nothing; `b` came at 60ms, 20ms too late (event 9)`.
  private func instead(
    of place: Int, _ difference: MarbleDifference, _ isNothingLeft: Bool
  ) -> String {
    if let late = difference.late(place) {
      let moment = what(difference.marble.moments[place])
      let due = later(difference.zero, by: difference.marble.moments[place].time)
      return "nothing; \(moment) came at \(durationText(late.time)), "
        + "\(durationText(late.time - due)) too late (\(name(of: late.event)))"
    }
    if let ending = judge.buffer.ending(of: difference.source) {
      let end = ending.isCompletion ? "completed" : "failed"
      return
        "nothing: the stream \(end) at \(durationText(ending.time)) (\(name(of: ending.sequence)))"
    }
    return isNothingLeft ? "nothing, and nothing is under way" : "nothing"
  }

  /// `x came (event 9), 20ms too early, between ticks 2 and 3`.
  private func description(
    _ seen: MarbleDifference.Seen, _ difference: MarbleDifference, _ symbols: MarbleSymbols
  ) -> String {
    let offset = seen.time - difference.zero
    let tick = max(1, difference.marble.tick)
    var parts: [String] = []
    switch seen.symbol {
    case "|"?: parts.append("the stream completed (\(name(of: seen.event)))")
    case "#"?:
      let error = names.text(value(of: seen.event)["error"] ?? .null)
      parts.append("the stream failed with \(error) (\(name(of: seen.event)))")
    case _: parts.append("`\(symbols.symbol(of: seen.event))` came (\(name(of: seen.event)))")
    }
    if offset < 0 {
      parts.append("before the first tick at \(durationText(difference.zero))")
    } else if offset % tick != 0 {
      parts.append("between ticks \(offset / tick) and \(offset / tick + 1)")
    }
    if let due = difference.due(after: seen) {
      parts.append("\(durationText(due - seen.time)) too early")
    }
    return parts.joined(separator: ", ")
  }

  private func drawing(
    _ difference: MarbleDifference, _ symbols: MarbleSymbols, until now: Microseconds
  ) -> AlignedDiagrams {
    let marble = difference.marble
    let focus = difference.focus
    var last = max(marble.end, focus.offset)
    if case .missing(let place, _) = difference.problem, let late = difference.late(place) {
      let offset = late.time - difference.zero
      if (offset - focus.offset) / max(1, marble.tick) < ticksLookedAhead {
        last = max(last, offset)
      }
    }
    let known = min(now - difference.zero, last)
    let seen = difference.seen.filter { $0.time - difference.zero <= known }
    return AlignedDiagrams(
      tick: marble.tick,
      wanted: .init(
        marks: marble.moments.map { .init(offset: $0.time, symbol: $0.symbol) }, end: marble.end),
      seen: .init(
        marks: seen.map {
          .init(offset: $0.time - difference.zero, symbol: symbols.symbol(of: $0.event))
        }, end: known),
      focus: focus)
  }
}

extension MarbleDifference {
  /// The moment that was not met; nil where none is due.
  var moment: MarblePlan<MatcherPlan>.Moment? {
    switch problem {
    case .missing(let place, _), .differs(let place, _, _): marble.moments[place]
    case .unexpected: nil
    }
  }

  /// The event whose value is shown in full.
  fileprivate var shownEvent: EventID? {
    if case .differs(_, .some, let event) = problem { event } else { nil }
  }

  /// The event of a moment, where it came later than it should.
  fileprivate func late(_ place: Int) -> Seen? {
    let due = later(zero, by: marble.moments[place].time)
    return seen.first { $0.time > due && $0.symbol == marble.moments[place].symbol }
  }

  /// Returns the time at which an early event was awaited, if it is the next awaited one.
  fileprivate func due(after event: Seen) -> Microseconds? {
    guard case .unexpected = problem, event.time >= zero else { return nil }
    let next = marble.moments.first { later(zero, by: $0.time) > event.time }
    guard let next, next.symbol == event.symbol else { return nil }
    return later(zero, by: next.time)
  }

  /// The place of the first difference in the drawing.
  fileprivate var focus: AlignedDiagrams.Focus {
    let failed = event.flatMap { event in seen.firstIndex { $0.event == event } }
    let time = failed.map { seen[$0].time - zero } ?? moment?.time ?? 0
    let matched = failed ?? seen.firstIndex { $0.time - zero > time } ?? seen.count
    let index = seen[..<matched].count { $0.time - zero == time }
    return AlignedDiagrams.Focus(offset: time, index: index)
  }
}

/// The symbols events are drawn by: the diagram's own where they match, else new ones.
struct MarbleSymbols {
  private var symbols: [EventID: String] = [:]
  private var explained: [(symbol: String, value: Value, event: EventID)] = []

  init(_ difference: MarbleDifference, _ names: EventNames) {
    let used = difference.marble.moments.map(\.symbol)
    var pendingCaptures = freshSymbols.filter { !used.contains($0) }[...]
    for seen in difference.seen {
      if let symbol = seen.symbol {
        symbols[seen.event] = symbol
      } else if let value = seen.value {
        symbols[seen.event] = symbol(for: value, of: seen.event, used, &pendingCaptures)
      }
    }
  }

  private mutating func symbol(
    for value: Value, of event: EventID, _ used: [String],
    _ pendingCaptures: inout ArraySlice<String>
  ) -> String {
    if case .string(let text) = value, text.count == 1, !reserved.contains(text),
      !used.contains(text)
    {
      return text
    }
    if let known = explained.first(where: { $0.value == value }) { return known.symbol }
    guard let symbol = pendingCaptures.popFirst() else { return "?" }
    explained.append((symbol, value, event))
    return symbol
  }

  func symbol(of event: EventID) -> String { symbols[event] ?? "?" }

  /// Returns the legend of a diagram, such as `x = { id: 7 }, y = 3`, without the failed event's
  /// value, which is shown anyway.
  func explanation(without event: EventID?, _ names: EventNames) -> String? {
    let entries = explained.filter { $0.event != event }.prefix(symbolsExplained).map { entry in
      "\(entry.symbol) = \(names.text(entry.value, maxLength: timelineValueLength))"
    }
    return entries.isEmpty ? nil : entries.joined(separator: ", ")
  }
}

private let freshSymbols = "xyzwvutsrqponmlkjihgfedcba".map(String.init)
private let reserved = ["-", "|", "#", "(", ")", " ", "^", "!", "…", "?"]

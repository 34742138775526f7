import Diagnostics
import Events
import ScenarioPlan
import Values

/// The texts about events that differ from a diagram.
extension FailureWriter {
  func marble(_ failure: Failure, _ difference: MarbleDifference) -> Diagnostic {
    let name = names.name(of: difference.source)
    let symbols = MarbleSymbols(difference, names)
    var diagnostic = Diagnostic(
      "marble", "the events of `\(name)` are not as in the diagram",
      labels: [label(of: difference, symbols, failure)])
    let drawing = drawing(difference, symbols)
    diagnostic.facts = [
      .init("expected", drawing.wanted), .init("actual", drawing.seenAndCaret),
    ]
    add(difference, symbols, failure, to: &diagnostic)
    if let shift = difference.shiftOfRest {
      diagnostic.facts.append(.init("then", text(of: shift)))
    }
    diagnostic.notes += note("where", symbols.explanation(without: difference.shownEvent, names))
    if drawing.hasBlanks {
      diagnostic.notes += note(
        "blank", "a space takes no time: it makes room for what came between two ticks")
    }
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
    let cells = DiagramCells(marble.diagram.value, tick: marble.tick, hasZero: true)
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
      diagnostic.help = orderHelp(difference, place) ?? hint(for: differences)
      diagnostic.differences = data(of: differences)
    case .differs(_, nil, let event), .unexpected(let event):
      guard let seen = difference.seen.first(where: { $0.event == event }) else { return }
      let text = description(seen, difference, symbols)
      diagnostic.facts.append(.init("at \(durationText(seen.time))", text))
      if let place = difference.moment(after: seen) {
        diagnostic.help = tickHelp(difference) ?? groupHelp(difference, before: place)
      } else if let place = difference.moment(at: seen) {
        diagnostic.help = orderHelp(difference, place)
      }
    }
  }

  /// Returns the help for a group whose events came in another order.
  private func orderHelp(_ difference: MarbleDifference, _ place: Int) -> String? {
    let time = difference.marble.moments[place].time
    let wanted = difference.marble.moments.filter { $0.time == time }.map(\.symbol)
    let seen = difference.seen.filter { $0.time - difference.zero == time }.compactMap(\.symbol)
    guard wanted != seen, wanted.sorted() == seen.sorted() else { return nil }
    return "the events of the group came in another order: `(\(seen.joined()))`"
  }

  /// `what follows came 1ms too late as well`.
  private func text(of shift: Microseconds) -> String {
    if shift == 0 { return "what follows came on time" }
    let direction = shift > 0 ? "late" : "early"
    return "what follows came \(durationText(abs(shift))) too \(direction) as well"
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
    return "a group takes one tick, not one for each character: what follows `(\(symbols))` comes "
      + "one tick after it"
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
    _ difference: MarbleDifference, _ symbols: MarbleSymbols
  ) -> AlignedDiagrams {
    let marble = difference.marble
    let focus = difference.focus
    let partners = difference.partners.map { $0.time - difference.zero }
    let last = max(marble.end, focus.offset, partners.last ?? 0)
    let known = min(difference.until - difference.zero, last)
    let seen = difference.seen.filter { $0.time - difference.zero <= known }
    return AlignedDiagrams(
      tick: marble.tick,
      wanted: .init(
        marks: marble.moments.map { .init(offset: $0.time, symbol: $0.symbol) }, end: marble.end),
      seen: .init(
        marks: seen.map {
          .init(offset: $0.time - difference.zero, symbol: symbols.symbol(of: $0.event))
        }, end: known),
      focus: focus, writesDurations: marble.writesDurations)
  }
}

import Diagnostics
import Events
import ScenarioSpec
import Values
import Verdicts

@testable import ScenarioPlan

/// Streams that end, their diagrams, and invariants.
extension Rehearsal {
  @discardableResult
  func finish(_ source: String, error: Value? = nil, at milliseconds: Int64? = nil) -> EventID {
    if let milliseconds { at(milliseconds) }
    return log(.source(.finished(id(source), error: error)))
  }

  func subscribe(_ source: String, _ number: Int = 1, at milliseconds: Int64) {
    at(milliseconds)
    log(.source(.subscribed(id(source), subscription: number)))
  }

  func unsubscribe(_ source: String, _ number: Int = 1, at milliseconds: Int64) {
    at(milliseconds)
    log(.source(.unsubscribed(id(source), subscription: number)))
  }

  // MARK: Diagrams

  func expect(
    _ source: String, marble diagram: String?, tick: Int64 = 10,
    values: KeyValuePairs<String, Value> = [:], error: Value? = nil,
    subscriptions: [String]? = nil, and others: KeyValuePairs<String, [Value]> = [:],
    branch: BranchID = 0
  ) {
    let (verb, start) = begin("expect")
    text += "\n      "
    let range = write(source)
    text += ": { "
    let place = diagram.map { write(diagram: $0) }
    text += "tick: \(tick)ms"
    let known = write(values: values)
    let failure: MatcherPlan? = error.map { error in
      text += ", error: "
      return self.matcher(error)
    }
    let marble = diagram.map {
      self.marble($0, tick * 1000, at: place ?? .none, known, failure)
    }
    let plans = subscriptions.map { write(subscriptions: $0, tick * 1000) }
    text += " }\n"
    let form = SequencePlan.Form.marble(marble, subscriptions: plans)
    let more = others.map { plain($0.key, $0.value) }
    let sequence = SequencePlan(source: id(source), range: range, form: form)
    open(.expectMap([sequence] + more), "expect", verb, start, nil, branch, [])
  }

  private func plain(_ name: String, _ values: [Value]) -> SequencePlan {
    text += "      "
    let range = write(name)
    text += ": "
    let matchers = elements(values)
    text += "\n"
    return SequencePlan(source: id(name), range: range, form: .events(matchers))
  }

  private func write(diagram: String) -> SourceRange {
    text += "marble: "
    defer { text += ", " }
    return write("\"" + diagram + "\"")
  }

  private func write(
    values: KeyValuePairs<String, Value>
  ) -> [(symbol: String, matcher: MatcherPlan)] {
    if values.isEmpty { return [] }
    text += ", values: { "
    let matchers = values.enumerated().map { index, entry in
      text += (index > 0 ? ", " : "") + entry.key + ": "
      return (entry.key, matcher(entry.value))
    }
    text += " }"
    return matchers
  }

  private func write(
    subscriptions: [String], _ tick: Microseconds
  ) -> [SubscriptionMarblePlan] {
    text += ", subscriptions: ["
    defer { text += "]" }
    return subscriptions.enumerated().map { index, diagram in
      text += index > 0 ? ", " : ""
      let range = write("\"" + diagram + "\"")
      let ticks = ticks(of: diagram)
      let time = { (symbol: String) in
        ticks.first { $0.symbol == symbol }.map { Microseconds($0.tick) * tick }
      }
      return SubscriptionMarblePlan(
        diagram: Located(diagram, range), tick: tick, subscribed: time("^"),
        unsubscribed: time("!"))
    }
  }

  private func marble(
    _ diagram: String, _ tick: Microseconds, at place: SourceRange,
    _ values: [(symbol: String, matcher: MatcherPlan)], _ failure: MatcherPlan?
  ) -> MarblePlan<MatcherPlan> {
    let ticks = ticks(of: diagram)
    let moments = ticks.filter { $0.symbol != "-" }.map { entry in
      let start = place.start + 1 + Int32(entry.place)
      let range = SourceRange(file: 0, start: start, end: start + 1)
      let kind: MarblePlan<MatcherPlan>.Kind
      switch entry.symbol {
      case "|": kind = .completion
      case "#": kind = .failure(failure)
      default:
        let own = MatcherPlan(
          .value(DataPlan(.constant(.string(entry.symbol)), range)), range)
        kind = .value(values.first { $0.symbol == entry.symbol }?.matcher ?? own)
      }
      return MarblePlan<MatcherPlan>.Moment(
        kind: kind, symbol: entry.symbol, time: Microseconds(entry.tick) * tick, range: range)
    }
    let end = Microseconds(ticks.last?.tick ?? 0) * tick
    return MarblePlan(
      diagram: Located(diagram, place), tick: tick, moments: moments, end: end)
  }

  /// Returns the cells of a diagram: each character with its event, its tick and its place.
  private func ticks(of diagram: String) -> [(symbol: String, tick: Int, place: Int)] {
    var ticks: [(symbol: String, tick: Int, place: Int)] = []
    var tick = 0
    var isInGroup = false
    for (place, character) in diagram.enumerated() where character != " " {
      if character == "(" { isInGroup = true }
      if character == ")" { isInGroup = false }
      if !"()".contains(character) { ticks.append((String(character), tick, place)) }
      if !isInGroup { tick += 1 }
    }
    return ticks
  }

  // MARK: Invariants

  func invariant(_ verb: String, _ condition: String) {
    text += "  - "
    let start = text.utf8.count
    let verbRange = write(verb)
    text += ": "
    let expression = expression(condition)
    text += "\n"
    let kind: InvariantPlan.Kind = verb == "always" ? .always(expression) : .never(expression)
    contents.invariants.append(
      InvariantPlan(
        kind: kind, reads: expression.readSlots.sorted(), verb: verb,
        verbRange: verbRange, range: range(from: start)))
  }

  func leadsTo(
    _ when: KeyValuePairs<String, Value>, _ then: KeyValuePairs<String, Value>,
    within: Int64? = nil
  ) {
    text += "  - "
    let start = text.utf8.count
    let verbRange = write("leadsTo")
    text += ": { when: { "
    let triggers = entries(when)
    text += " }, then: { "
    let answers = entries(then)
    text += " } }\n"
    contents.invariants.append(
      InvariantPlan(
        kind: .leadsTo(when: triggers, then: answers, within: within.map { $0 * 1000 }),
        reads: [], verb: "leadsTo", verbRange: verbRange, range: range(from: start)))
  }

  private func entries(_ matchers: KeyValuePairs<String, Value>) -> [SourceMatcherPlan] {
    matchers.enumerated().map { index, entry in
      text += index > 0 ? ", " : ""
      let range = write(entry.key)
      text += ": "
      return SourceMatcherPlan(source: id(entry.key), matcher: matcher(entry.value), range: range)
    }
  }

  @discardableResult
  func survey(_ invariant: InvariantID = 0, cause: EventID? = nil) -> EventID {
    let reads = plan.invariants[invariant].reads.map { slotValues[$0] }
    return log(
      .assertion(.invariantsSampled([InvariantSample(invariant, reads: reads)])), cause: cause)
  }
}

import CEL
import Diagnostics
import Events
import Values
import Verdicts

@testable import ScenarioPlan

/// A run written by hand: each call logs what an engine would log, and writes the line of YAML that
/// would have led to it, so that reports have something to point at.
///
/// Nothing is judged while the run is written. Each question judges the whole log again.
final class Rehearsal {
  var contents: PlanContents
  var plan: ScenarioPlan { ScenarioPlan(contents) }
  private(set) var log = EventLog()
  var text: String
  private var time: Microseconds = 0
  /// The current value of each slot of expressions, for `reads`.
  var slotValues: PerID<SlotPlan, Value> = []
  var marks: PerID<MarkPlan, String> = []

  init(_ sources: String...) {
    text = "scenario: Made by hand\nsteps:\n"
    let title = SourceRange(file: 0, start: 10, end: 22)
    contents = PlanContents(title: "Made by hand", range: title, extent: title)
    for name in sources {
      let source = SourcePlan(name: name, kind: .node(plan.nodes.endIndex), range: title)
      contents.nodes.append(
        NodePlan(
          name: name, source: contents.sources.append(source),
          rule: .stored(DataPlan(.constant(nil), title)), range: title))
    }
  }

  var judge: ScenarioJudge {
    let judge = ScenarioJudge(plan)
    for event in log.events { judge.observe(event) }
    return judge
  }

  func status(in branch: BranchID = 0) -> AssertionStatus { judge.status(in: branch) }

  var sources: SourceMap {
    var map = SourceMap()
    _ = map.add(SourceFile(path: "made.yaml", text: text))
    return map
  }

  // MARK: What happens

  @discardableResult
  func log(_ kind: Event.Kind, cause: EventID? = nil) -> EventID {
    let sequence = log.nextID
    log.append(Event(sequence: sequence, time: time, cause: cause, kind: kind))
    return sequence
  }

  func at(_ milliseconds: Int64) { time = milliseconds * 1000 }

  @discardableResult
  func step(_ line: String = "send: x", branch: BranchID = 0, turns: [Int] = []) -> EventID {
    log(.script(.stepBegan(reference(line, branch, turns))))
  }

  @discardableResult
  func emit(_ source: String, _ value: Value, at milliseconds: Int64? = nil, cause: EventID? = nil)
    -> EventID
  {
    if let milliseconds { at(milliseconds) }
    return log(.source(.emitted(id(source), value)), cause: cause)
  }

  func idle(at milliseconds: Int64? = nil, next: Int64? = nil) {
    if let milliseconds { at(milliseconds) }
    log(.run(.idle(next: next.map { $0 * 1000 })))
  }

  func ignore(_ sources: String...) { log(.assertion(.ignored(sources.map(id)))) }

  func end() {
    log(.run(.stepsEnded))
    log(.run(.ended()))
  }

  // MARK: What is asserted

  func expect(
    _ entries: KeyValuePairs<String, [Value]>, within: Int64? = nil, branch: BranchID = 0,
    turns: [Int] = []
  ) {
    let (verb, start) = begin("expect")
    text += "\n"
    let sequences = entries.map { name, values in
      text += "      "
      let range = write(name)
      text += ": "
      let matchers = values.count == 1 ? [matcher(values[0])] : elements(values)
      text += "\n"
      return SequencePlan(source: id(name), range: range, form: .events(matchers))
    }
    open(.expectMap(sequences), "expect", verb, start, within, branch, turns)
  }

  func expect(
    list entries: [Entry], within: Int64? = nil, branch: BranchID = 0, turns: [Int] = []
  ) {
    let (verb, start) = begin("expect")
    text += "\n"
    let plans = entries.map { entry -> EntryPlan in
      switch entry {
      case .event: return .event(write(entry, indent: "      "))
      case .anyOrder(let members):
        let start = text.utf8.count
        text += "      - anyOrder:\n"
        let plans = members.map { write($0, indent: "          ") }
        return .anyOrder(plans, range: range(from: start))
      }
    }
    open(.expectList(plans), "expect", verb, start, within, branch, turns)
  }

  func never(
    _ entries: KeyValuePairs<String, Value?>, duration: Int64? = nil, branch: BranchID = 0
  ) {
    let (verb, start) = begin("never")
    text += " { "
    let plans = entries.map { name, value -> NeverEntryPlan in
      let range = write(name)
      text += ": "
      let matcher = value.map { self.matcher($0) }
      text += ", "
      return NeverEntryPlan(source: id(name), matcher: matcher, range: range)
    }
    text += "}\n"
    let kind = AssertionPlan.Kind.never(plans, duration: duration.map { $0 * 1000 })
    open(kind, "never", verb, start, nil, branch, [])
  }

  @discardableResult
  func check(
    _ expression: String, _ verb: String = "check", and others: [String] = [], within: Int64? = nil
  ) -> AssertionID {
    let (verbRange, start) = begin(verb)
    text += " "
    let compiled = ([expression] + others).map { self.expression($0) }
    text += "\n"
    let kind: AssertionPlan.Kind = verb == "check" ? .check(compiled) : .eventually(compiled[0])
    return open(kind, verb, verbRange, start, within, 0, [])
  }

  func look(_ assertion: AssertionID) {
    let plan = plan.assertions[assertion]
    let step = StepReference(verb: plan.verb, range: plan.range, branch: 0, turns: [])
    log(.assertion(.checked(assertion, step, reads: reads(of: plan))))
  }

  func fails(_ matcher: Value? = nil, error: Value?) {
    let (verb, start) = begin("fails")
    text += " { send: x }"
    if matcher != nil { text += ", error: " }
    let compiled = matcher.map { self.matcher($0) }
    text += "\n"
    open(.fails(compiled), "fails", verb, start, nil, 0, [])
    guard case .assertion(.opened(let assertion, let step, _))? = log.events.last?.kind else {
      return
    }
    log(.assertion(.attempted(assertion, step, error: error)))
  }

  /// Gives a name a value that expressions can read.
  func set(_ name: String, _ value: Value) {
    if let node = plan.nodes.firstIndex(where: { $0.name == name }) {
      let slot = slot(.node(node))
      slotValues[slot] = value
    }
  }

  @discardableResult
  func open(
    _ kind: AssertionPlan.Kind, _ verb: String, _ verbRange: SourceRange, _ start: Int,
    _ within: Int64?, _ branch: BranchID, _ turns: [Int]
  ) -> AssertionID {
    let range = range(from: start)
    let assertion = contents.assertions.append(
      AssertionPlan(
        kind: kind, within: within.map { $0 * 1000 }, reads: Array(slotValues.indices),
        verb: verb, verbRange: verbRange, range: range))
    let step = StepReference(verb: verb, range: range, branch: branch, turns: turns)
    log(.assertion(.opened(assertion, step, reads: Array(slotValues))))
    return assertion
  }

  private func reads(of plan: AssertionPlan) -> [Value] { plan.reads.map { slotValues[$0] } }
}

/// An entry of a list, as tests write it.
enum Entry {
  struct Options {
    var after: Int64?
    var within: Int64?
    var skip = false
    var since: String?
    var mark: String?
    var times = 1
  }

  case event(String, Value, Options)
  case anyOrder([Entry])

  static func of(
    _ source: String, _ value: Value, after: Int64? = nil, within: Int64? = nil,
    skip: Bool = false, since: String? = nil, mark: String? = nil, times: Int = 1
  ) -> Entry {
    .event(
      source, value,
      Options(
        after: after, within: within, skip: skip, since: since, mark: mark, times: times))
  }
}

/// Writing the text, and plans whose ranges lie in it.
extension Rehearsal {
  func id(_ source: String) -> SourceID { plan.sources.firstIndex { $0.name == source } ?? 0 }

  func range(from start: Int) -> SourceRange {
    SourceRange(file: 0, start: Int32(start), end: Int32(text.utf8.count))
  }

  func write(_ piece: String) -> SourceRange {
    let start = text.utf8.count
    text += piece
    return range(from: start)
  }

  func begin(_ verb: String) -> (verb: SourceRange, start: Int) {
    text += "  - "
    let start = text.utf8.count
    let range = write(verb)
    text += ":"
    return (range, start)
  }

  func reference(_ line: String, _ branch: BranchID, _ turns: [Int]) -> StepReference {
    text += "  - "
    let range = write(line)
    text += "\n"
    let verb = String(line.prefix { $0 != ":" })
    return StepReference(verb: verb, range: range, branch: branch, turns: turns)
  }

  fileprivate func write(_ entry: Entry, indent: String) -> EventEntryPlan {
    guard case .event(let name, let value, let options) = entry else {
      return write(.of("?", nil), indent: indent)
    }
    text += indent + "- "
    let start = text.utf8.count
    let source = write(name)
    text += ": "
    let matcher = matcher(value)
    text += "\n"
    return EventEntryPlan(
      source: id(name), matcher: matcher, after: options.after.map { $0 * 1000 },
      within: options.within.map { $0 * 1000 }, skips: options.skip,
      since: options.since.map(mark), mark: options.mark.map(mark), times: options.times,
      sourceRange: source, range: range(from: start))
  }

  private func mark(_ name: String) -> MarkID {
    if let known = marks.firstIndex(of: name) { return known }
    return marks.append(name)
  }

  func slot(_ slot: SlotPlan) -> SlotID {
    if let known = plan.slots.firstIndex(of: slot) { return known }
    slotValues.append(nil)
    return contents.slots.append(slot)
  }

  func capture(_ name: String) -> CaptureID {
    if let known = plan.captures.firstIndex(where: { $0.name == name }) { return known }
    return contents.captures.append(CapturePlan(name: name))
  }

  /// A matcher written as a value: maps with `$` keys are operators, `"${x}"` is an expression.
  func matcher(_ value: Value) -> MatcherPlan {
    let start = text.utf8.count
    let content: MatcherPlan.Content
    switch value {
    case .list(let values): content = .list(elements(values))
    case .map(let map) where map.keys.contains { isOperator($0) }:
      content = .operators(operators(map))
    case .map(let map): content = .map(entries(map))
    case .string(let text) where text.hasPrefix("${"):
      let inner = String(text.dropFirst(2).dropLast())
      self.text += "${"
      content = .value(DataPlan(.expression(expression(inner)), range(from: start)))
      self.text += "}"
    default:
      text += value.display
      content = .value(DataPlan(.constant(value), range(from: start)))
    }
    return MatcherPlan(content, range(from: start))
  }

  func elements(_ values: [Value]) -> [MatcherPlan] {
    text += "["
    defer { text += "]" }
    return values.enumerated().map { index, value in
      if index > 0 { text += ", " }
      return matcher(value)
    }
  }

  private func entries(_ map: ValueMap) -> [(key: Value, matcher: MatcherPlan)] {
    text += "{ "
    defer { text += " }" }
    return map.enumerated().map { index, entry in
      text += (index > 0 ? ", " : "") + entry.key.plainText + ": "
      return (entry.key, matcher(entry.value))
    }
  }

  private func isOperator(_ key: Value) -> Bool { key.plainText.hasPrefix("$") }
}

extension Rehearsal {
  func text(of range: SourceRange) -> String {
    let bytes = Array(text.utf8)[Int(range.start)..<Int(range.end)]
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the range of the first occurrence of a text.
  func range(of piece: String) -> SourceRange {
    let bytes = Array(text.utf8)
    let wanted = Array(piece.utf8)
    let start = bytes.indices.first { bytes[$0...].starts(with: wanted) } ?? 0
    return SourceRange(file: 0, start: Int32(start), end: Int32(start + wanted.count))
  }
}

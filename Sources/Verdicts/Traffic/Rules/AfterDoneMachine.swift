import Diagnostics

/// Finds events after the event `[DONE]`, with which streams of language models end.
struct AfterDoneMachine: TrafficMachine {
  static let id: DiagnosticID = "event-after-done"

  private enum State {
    case done(RuleWitness)
    case reported
  }

  private(set) var exercised = ExercisedCount()
  private var states: [Int: State] = [:]

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    if line.kind.ending != nil { states[line.exchange] = nil }
    guard case .event(let event) = line.kind else { return [] }
    if case .done(let done) = states[line.exchange] {
      states[line.exchange] = .reported
      return [
        RuleFinding(
          .server, "an event comes after `[DONE]`", done, RuleWitness(line, "an event"))
      ]
    }
    guard event.data == "[DONE]", states[line.exchange] == nil else { return [] }
    exercised.add(.server)
    states[line.exchange] = .done(RuleWitness(line, "`[DONE]`"))
    return []
  }
}

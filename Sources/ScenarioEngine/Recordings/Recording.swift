import Events
import ScenarioPlan
import Values

/// Events that some program recorded, in their order, for a scenario to be judged by.
package struct Recording: Sendable {
  package var facts: TraceFacts
  /// The events; their times never go back.
  package var events: [RecordedEvent]
  /// The time of the last line, also of one that no event was made of.
  package var end: Microseconds

  package init(facts: TraceFacts, events: [RecordedEvent], end: Microseconds) {
    self.facts = facts
    self.events = events
    self.end = end
  }
}

/// One event of a recording.
package struct RecordedEvent: Sendable {
  package enum Kind: Sendable {
    case emitted(Value)
    /// The source came to its end with this error, or, if it is nil, completed.
    case finished(error: Value?)
  }

  package var source: SourceID
  package var kind: Kind
  /// Microseconds since the start of the recording.
  package var time: Microseconds
  /// True if the change that it belongs to is complete with it.
  package var endsChange: Bool

  package init(source: SourceID, kind: Kind, time: Microseconds, endsChange: Bool = true) {
    self.source = source
    self.kind = kind
    self.time = time
    self.endsChange = endsChange
  }
}

/// A recording that is played: where it stands.
struct RecordingPlayer {
  let facts: TraceFacts
  private let events: [RecordedEvent]
  private let end: Microseconds
  private var position = 0
  private var hasEnded = false

  init(_ recording: Recording) {
    facts = recording.facts
    events = recording.events
    end = recording.end
  }

  /// The time of the next event, or of the end after the last; nil at the end.
  func nextTime(after now: Microseconds) -> Microseconds? {
    if position < events.count { return events[position].time }
    return now < end ? end : nil
  }

  /// Notes that the end was reached; false if it was noted before.
  mutating func noteEnd() -> Bool {
    defer { hasEnded = true }
    return !hasEnded
  }

  /// Takes the events of the next change.
  mutating func takeChange() -> ArraySlice<RecordedEvent> {
    let start = position
    while position < events.count {
      position += 1
      if events[position - 1].endsChange { break }
    }
    return events[start..<position]
  }
}

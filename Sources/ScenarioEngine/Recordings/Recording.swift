import Diagnostics
import Events
import Protocols
import ScenarioPlan
import Values

/// The facts about a recording that precede its events, for a scenario to be judged by. The
/// events follow in pieces, since there may be millions.
package struct Recording: Sendable {
  package var facts: TraceFacts
  /// The steps of the scenario, if it itself ran.
  package var steps: RecordedSteps
  /// The sources that it has events of, also those that are still to come.
  package var sources: Set<SourceID>
  /// True if it has all sources of the scenario, since the scenario itself ran.
  package var isOfThisScenario: Bool
  /// The time of the last line, also of one that no event was made of.
  package var end: Microseconds
  /// The last events that are not forgotten once they were judged.
  package var eventsKept = Recording.allEvents
  package static let allEvents = Int.max / 2
  /// Returns the place of a step, as the recording has it.
  package var place: @Sendable (SourceRange) -> String

  package init(
    facts: TraceFacts, steps: RecordedSteps = RecordedSteps(), sources: Set<SourceID> = [],
    end: Microseconds, isOfThisScenario: Bool = false,
    place: @escaping @Sendable (SourceRange) -> String = { _ in "" }
  ) {
    self.isOfThisScenario = isOfThisScenario
    self.facts = facts
    self.steps = steps
    self.sources = sources
    self.end = end
    self.place = place
  }
}

extension Recording {
  /// The next events.
  package struct Piece: Sendable {
    /// Their times never go back.
    package var events: [RecordedEvent] = []
    package var end: Microseconds = 0
    /// True if nothing follows, and the recording has its run to the end.
    package var isComplete = false

    package init() {}
  }
}

/// The steps that a recording has, known before its events are played.
package struct RecordedSteps: Sendable {
  /// True if it has acting steps, and the times when nothing was left to do.
  fileprivate var hasActing = false
  /// How often each assertion begins, by its place.
  fileprivate var openings: [String: Int] = [:]

  package init() {}

  /// Notes the step that an event belongs to.
  package mutating func note(_ event: RecordedEvent) {
    if case .step = event.kind { hasActing = true }
    if case .opened(let place, _) = event.kind { openings[place, default: 0] += 1 }
  }
}

/// One event of a recording.
package struct RecordedEvent: Sendable {
  package enum Kind: Sendable {
    case emitted(SourceID, Value)
    /// A source came to its end with this error, or, if it is nil, completed.
    case finished(SourceID, error: Value?)
    case subscribed(SourceID, Int)
    case unsubscribed(SourceID, Int)
    /// An acting step of the scenario began.
    case step(at: String)
    /// An assertion of the scenario began: all that followed from the steps before had happened.
    /// The values are those that it read; nil if they are not known.
    case opened(at: String, reads: [Value]?)
    /// All that followed from the steps before had happened.
    case rest
    /// Nothing was left to do until then; nil if nothing would ever happen.
    case idle(next: Microseconds?)
    /// A `request` step of the scenario was answered.
    indirect case exchanged(at: String, JudgedExchange)
    /// The steps of `finally` began.
    case finallyBegan
    /// A `request` step of the scenario got no answer.
    indirect case requestFailed(at: String, error: Value, message: String)
  }

  package var kind: Kind
  /// Microseconds since the start of the recording.
  package var time: Microseconds
  /// True if the change that it belongs to is complete with it.
  package var endsChange: Bool
  /// The place of the `request` step by which an endpoint emitted it; nil for any other event.
  package var requestStep: String?
  /// The line of the recording that it stands in; 0 if nobody knows.
  package var line = 0

  package init(_ kind: Kind, time: Microseconds, endsChange: Bool = true) {
    self.kind = kind
    self.time = time
    self.endsChange = endsChange
  }

  /// The source that emitted or ended.
  package var source: SourceID? {
    switch kind {
    case .emitted(let source, _), .finished(let source, _), .subscribed(let source, _),
      .unsubscribed(let source, _):
      source
    case .step, .opened, .rest, .idle, .exchanged, .finallyBegan, .requestFailed: nil
    }
  }
}

/// A request of a step with its answers, and what its assertion read of the stage.
package struct JudgedExchange: Sendable {
  package struct Hop: Sendable {
    package var endpoint: EndpointID
    package var request: HTTPRequest
    package var response: HTTPResponse?

    package init(endpoint: EndpointID, request: HTTPRequest, response: HTTPResponse?) {
      self.endpoint = endpoint
      self.request = request
      self.response = response
    }
  }

  package var hops: [Hop]
  package var began: Microseconds
  package var ended: Microseconds
  package var reads: [Value]

  package init(hops: [Hop], began: Microseconds, ended: Microseconds, reads: [Value]) {
    self.hops = hops
    self.began = began
    self.ended = ended
    self.reads = reads
  }
}

/// A recording that is played: where it stands.
///
/// It is no value, since each turn of the loop would copy what the next one changes.
final class RecordingPlayer {
  /// A script that stands before a step which the recording has later.
  struct WaitingStep {
    var at: String
    var step: StepReference
    var script: ScriptRun
    /// The assertion about the answer, if the step is a `request`.
    var answer: AssertionID?
  }

  private(set) var facts: TraceFacts
  private var recording: Recording
  private let nextPiece: () -> Recording.Piece?
  private var events: [RecordedEvent] = []
  /// True if it has the steps of the scenario, and the times when nothing was left to do.
  let hasSteps: Bool
  private var position = 0
  private var hasEnded = false
  /// True once the scenario's steps are over.
  var isPastSteps = false
  private var haveStepsEnded = false
  /// The steps that were played and not taken, by their places.
  private var played: [String: Int] = [:]
  private(set) var waiting: [WaitingStep] = []
  /// The scripts whose step began, until all that follows from it is played.
  private(set) var resting: [WaitingStep] = []
  /// The events with which acting steps began last, by their places.
  private var stepEvents: [String: EventID] = [:]
  /// The values that each assertion read as it began, by its place.
  private var readings: [String: [[Value]?]] = [:]
  /// How often each assertion is still to begin, by its place.
  private var openingsLeft: [String: Int] = [:]
  /// The scripts that stand before an assertion which the recording has later.
  private var scriptsBeforeAssertions: [(at: String, script: ScriptRun)] = []

  init(_ recording: Recording, nextPiece: @escaping () -> Recording.Piece?) {
    self.nextPiece = nextPiece
    facts = recording.facts
    self.recording = recording
    hasSteps = recording.steps.hasActing
    openingsLeft = recording.steps.openings
  }

  /// Returns the event that began the step by which an endpoint emitted something.
  func cause(of event: RecordedEvent) -> EventID? {
    event.requestStep.flatMap { stepEvents[$0] }
  }

  /// Notes the event with which a step began.
  func note(_ step: StepReference, begunBy event: EventID?) {
    stepEvents[recording.place(step.range)] = event
  }

  /// The time of the next event, or of the end after the last; nil at the end.
  func nextTime(after now: Microseconds) -> Microseconds? {
    while position >= events.count, let piece = nextPiece() {
      // What was played is not needed again, and the recording may have no end.
      (events, position) = (piece.events, 0)
      recording.end = max(recording.end, piece.end)
      if piece.isComplete { (facts.isComplete, wasCompleted) = (true, true) }
    }
    if position < events.count { return events[position].time }
    return now < recording.end ? recording.end : nil
  }

  /// True if the end of the recording has said that it is complete.
  private(set) var wasCompleted = false

  /// Notes that the end was reached; false if it was noted before.
  func noteEnd() -> Bool {
    defer { hasEnded = true }
    return !hasEnded
  }

  /// Notes that the judge accounts for the events of the steps; false if it was noted before.
  func noteStepsEnded() -> Bool {
    defer { haveStepsEnded = true }
    return !haveStepsEnded
  }

  /// Takes the events of the next change.
  func takeChange() -> ArraySlice<RecordedEvent> {
    let start = position
    while position < events.count {
      position += 1
      if events[position - 1].endsChange { break }
    }
    return events[start..<position]
  }

  /// The turn of a script at an acting step.
  enum Turn {
    /// The recording has no steps: it is one span.
    case passes
    /// The step has been played; the script goes on when what followed is played as well.
    case begins
    case waits
  }

  /// Takes an acting step, which does nothing but begin a span.
  func take(
    _ step: StepReference, _ kind: StepPlanKind, of script: ScriptRun
  ) -> Turn {
    guard hasSteps else { return .passes }
    let place = recording.place(step.range)
    let waitingStep = WaitingStep(at: place, step: step, script: script, answer: kind.answer)
    if let count = played[place], count > 0 {
      played[place] = count - 1
      resting.append(waitingStep)
      return .begins
    }
    waiting.append(waitingStep)
    return .waits
  }

  /// Returns true if a script that comes to an assertion has to wait, since the recording has its
  /// beginning later. What the recording does not have begins at once.
  func waits(at range: SourceRange, _ script: ScriptRun) -> Bool {
    let place = recording.place(range)
    if let count = played[place], count > 0 {
      played[place] = count - 1
      return false
    }
    guard openingsLeft[place] ?? 0 > 0 else { return false }
    scriptsBeforeAssertions.append((place, script))
    return true
  }

  /// Plays the beginning of an assertion, and returns who waited for it.
  func open(at place: String, reads: [Value]?) -> ScriptRun? {
    readings[place, default: []].append(reads)
    openingsLeft[place, default: 0] -= 1
    played[place, default: 0] += 1
    return scriptsBeforeAssertions.firstIndex { $0.at == place }
      .map { scriptsBeforeAssertions.remove(at: $0).script }
  }

  /// Takes what an assertion read as it began; nil if the recording does not say it.
  func takeReads(at range: SourceRange) -> [Value]? {
    let place = recording.place(range)
    guard readings[place]?.isEmpty == false else { return nil }
    return readings[place]?.removeFirst()
  }

  /// Plays a step, and returns who waited for it.
  func play(stepAt place: String) -> WaitingStep? {
    guard let first = waiting.firstIndex(where: { $0.at == place }) else {
      played[place, default: 0] += 1
      return nil
    }
    resting.append(waiting[first])
    return waiting.remove(at: first)
  }

  /// Takes the scripts whose steps do not wait for an answer.
  func takeDrained() -> [ScriptRun] {
    defer { resting.removeAll { $0.answer == nil } }
    return resting.filter { $0.answer == nil }.map(\.script)
  }

  /// Takes the scripts that may go on, since what followed from their steps is played.
  func takeResting() -> [ScriptRun] {
    defer { resting = [] }
    return resting.map(\.script)
  }
}

extension StepPlanKind {
  /// The assertion about the answer of a `request` step.
  fileprivate var answer: AssertionID? {
    if case .acting(.request(let exchange)) = self { exchange.assertion } else { nil }
  }
}

import Events
import ScenarioPlan
import Values

/// The tolerances of a run in real time, because machines are not on time.
struct RealTimeTolerance {
  /// The smallest tolerance. Events that are closer together than this have no judged order.
  static let least: Microseconds = realTimeSlack
  /// The silence after which a `never` without `for` closes.
  static let silence: Microseconds = 50_000

  /// The longest the machine was late.
  var lag: Microseconds = 0
  /// The part of it that events may be late beyond the tolerances.
  var excusedLag: Microseconds { min(lag, mostExcusedLag) }
  private var causes = RecentCauses()

  init(_ event: borrowing Event) { remember(event) }

  mutating func remember(_ event: Event) { causes.append(event) }

  /// Returns the tolerance for an event that is due so long after its reference point.
  static func tolerance(of span: Microseconds) -> Microseconds { max(least, span / 5) }

  /// Returns whether one event led to another, directly or through others.
  func leads(_ first: EventID, to last: EventID) -> Bool {
    var event = last
    while event > first, let cause = causes.cause(of: event) { event = cause }
    return event == first
  }
}

/// The causes of the latest events. Those of earlier ones are forgotten, so that a server that runs
/// for months takes the same memory: two events are compared only if they came close together.
struct RecentCauses {
  /// The fewest events whose causes are known, which are far more than come in `realTimeSlack`.
  static let kept = 65_536

  /// The number of the first event whose cause is kept.
  private var first = 0
  /// The place of each event's cause, or `noCause`.
  private var causes: [Int32] = []
  private static let noCause: Int32 = -1

  /// The number of causes that are kept.
  var count: Int { causes.count }

  mutating func append(_ event: Event) {
    // A log from elsewhere may leave numbers out.
    guard event.sequence.index == first + causes.count else { return }
    causes.append(event.cause.map { Int32(truncatingIfNeeded: $0.index) } ?? Self.noCause)
    guard causes.count == 2 * Self.kept else { return }
    causes.removeFirst(Self.kept)
    first += Self.kept
  }

  func cause(of event: EventID) -> EventID? {
    let place = event.index - first
    guard causes.indices.contains(place), causes[place] != Self.noCause else { return nil }
    return EventID(Int(causes[place]))
  }
}

extension AssertionState {
  /// Returns the tolerance for an event's time; 0 in virtual time.
  func tolerance(of span: Microseconds) -> Microseconds {
    isMeasured ? RealTimeTolerance.tolerance(of: span) + (realTime?.excusedLag ?? 0) : 0
  }

  /// The tolerance for the end of a time limit in a run in real time, and 0 otherwise: a trace is
  /// judged by the times that it has. It does not grow with the limit, which is wanted kept.
  var slack: Microseconds { realTime.map { realTimeSlack + $0.excusedLag } ?? 0 }

  /// True if a clock measured the times.
  private var isMeasured: Bool { realTime != nil || trace?.isVirtual == false }

  func isDue(_ time: Microseconds, by due: TimeLimit) -> Bool {
    abs(time - due.time) <= tolerance(of: due.span)
  }

  /// Returns the event that takes an entry's turn in real time. The order of two events is judged
  /// only if one led to the other or if they are far apart: the awaited event may come a little
  /// later than another.
  ///
  /// If there is no such event, `first` waits until the time is over.
  func place(inRealTime first: Int, _ open: OpenAssertion, _ entries: [EntryPlan]) -> Int? {
    let sources = entries[open.entry].members.map(\.source)
    let early = buffer.emissions[first]
    guard let realTime, !sources.contains(early.source) else { return first }
    let end = later(early.time, by: RealTimeTolerance.least)
    var chosen: Int?
    for source in sources where buffer.tracks[source].remaining > 0 {
      guard let place = buffer.nextInList(of: source), place < chosen ?? .max else { continue }
      let awaited = buffer.emissions[place]
      if awaited.time <= end, !realTime.leads(early.sequence, to: awaited.sequence) {
        chosen = place
      }
    }
    if let chosen { return chosen }
    return now < end ? nil : first
  }

  /// Returns the time at which a list that waits with an early event must be judged again.
  func endOfPatience(_ open: OpenAssertion) -> Microseconds? {
    guard realTime != nil else { return nil }
    let waiting = open.sources.filter { buffer.tracks[$0].remaining > 0 }
    let first = waiting.compactMap { buffer.nextInList(of: $0) }.min()
    return first.map { later(buffer.emissions[$0].time, by: RealTimeTolerance.least) }
  }

  /// Returns the end of a `never` without `for`. In real time this is the end of a silence, within
  /// the scenario's `timeout`, because some sources never stop.
  func endOfSilence(ofNever open: OpenAssertion) -> Microseconds? {
    guard realTime != nil else { return nil }
    let last = max(open.openedAt, buffer.lastTime)
    return min(
      later(last, by: RealTimeTolerance.silence), later(open.openedAt, by: plan.timeout))
  }
}

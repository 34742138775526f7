import Events
import ScenarioPlan
import Values

/// What can be asked of a run that keeps to the clock on the wall: machines are not on time.
struct RealTimeTolerance {
  /// How far from its time an event may be, at least; nor is the order judged of what lies closer
  /// together.
  static let least: Microseconds = 50_000
  /// How long nobody says anything before a `never` without a time is over.
  static let silence: Microseconds = 50_000

  /// The longest the machine was late.
  var lag: Microseconds = 0
  /// By event: what led to it, or -1.
  private var causes: [Int32] = []

  init(_ event: Event) { remember(event) }

  mutating func remember(_ event: Event) {
    // A log from elsewhere may leave numbers out.
    guard event.sequence == causes.count else { return }
    causes.append(Int32(truncatingIfNeeded: event.cause ?? -1))
  }

  /// How far an event may be from a time that is so long from where it counts.
  func tolerance(of span: Microseconds) -> Microseconds { max(RealTimeTolerance.least, span / 5) }

  /// Whether one event came of another, in however many steps.
  func leads(_ first: Int, to last: Int) -> Bool {
    var event = last
    while event > first, causes.indices.contains(event) { event = Int(causes[event]) }
    return event == first
  }
}

extension AssertionState {
  /// How far an event may be from a time; none in virtual time.
  func tolerance(of span: Microseconds) -> Microseconds { wall?.tolerance(of: span) ?? 0 }

  func isDue(_ time: Microseconds, by due: TimeLimit) -> Bool {
    guard let wall else { return time == due.time }
    return abs(time - due.time) <= wall.tolerance(of: due.span)
  }

  /// In wall time the order of two events is judged only where one came of the other or they are
  /// far apart: the event that is awaited takes its turn before one that came a little earlier.
  ///
  /// Without one, `first` is waited with until the time is over.
  func place(inWallTime first: Int, _ open: OpenAssertion, _ entries: [EntryPlan]) -> Int? {
    let sources = entries[open.entry].members.map(\.source)
    let early = buffer.emissions[first]
    guard let wall, !sources.contains(early.source) else { return first }
    let end = later(early.time, by: RealTimeTolerance.least)
    var chosen: Int?
    for source in sources where buffer.tracks[source].remaining > 0 {
      guard let place = buffer.nextInList(of: source), place < chosen ?? .max else { continue }
      let awaited = buffer.emissions[place]
      if awaited.time <= end, !wall.leads(early.sequence, to: awaited.sequence) { chosen = place }
    }
    if let chosen { return chosen }
    return now < end ? nil : first
  }

  /// When a list that waits with an early event has to be looked at again.
  func endOfPatience(_ open: OpenAssertion) -> Microseconds? {
    guard wall != nil else { return nil }
    let waiting = open.sources.filter { buffer.tracks[$0].remaining > 0 }
    let first = waiting.compactMap { buffer.nextInList(of: $0) }.min()
    return first.map { later(buffer.emissions[$0].time, by: RealTimeTolerance.least) }
  }

  /// When a `never` without a time is over: in wall time when nobody has said anything for a while,
  /// but within the scenario's `timeout`, as some never stop.
  func endOfSilence(ofNever open: OpenAssertion) -> Microseconds? {
    guard wall != nil else { return nil }
    let last = max(open.openedAt, buffer.emissions.last?.time ?? 0)
    return min(
      later(last, by: RealTimeTolerance.silence), later(open.openedAt, by: plan.timeout))
  }
}

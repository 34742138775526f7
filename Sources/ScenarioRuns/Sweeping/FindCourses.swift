import Events
import ScenarioPlan
import Values
import World

/// The things that go wrong in one run of a sweep, in the order in which they happen.
package struct SweepCourse: Hashable, Sendable {
  package var disturbances: [Disturbance]

  package init(_ disturbances: Disturbance...) { self.disturbances = disturbances }

  package init(_ disturbances: [Disturbance]) { self.disturbances = disturbances }

  /// The name: its disturbances, each as `--disturb` takes it.
  package var name: String { disturbances.map { "\($0)" }.joined(separator: ", then ") }
}

/// The most disturbed runs of one scenario.
package let mostSweepCourses = 20_000
/// Pieces of different connections that come within this time may come in the other order.
private let swapWindow: Microseconds = 10_000
/// The length of a moment without a network.
private let outage: Microseconds = 1_000_000
/// An answer comes this much before or after a timer.
private let margin: Microseconds = 1_000
/// The most timers around which one answer is moved.
private let timersOfAnswer = 4
/// In real time, an answer comes this much later, since the timers of a program are not known.
private let lateness: Microseconds = 500_000
/// In real time, pieces of different connections that come within this time may change their order.
private let realTimeSwapWindow: Microseconds = 500_000
/// In real time, the first of two pieces comes this much behind the second.
private let realTimeSwapMargin: Microseconds = 50_000
/// In real time, names have times in these steps: no two runs have the same microseconds.
private let realTimeStep: Microseconds = 10_000

/// The courses that a sweep tries.
package struct FoundCourses: Sendable {
  package private(set) var courses: [SweepCourse] = []
  /// True if there are more courses than a sweep tries.
  package private(set) var isCut = false
  /// The number of connections for which there was no network in the good run, so that nothing can
  /// be lost or refused there.
  package fileprivate(set) var withoutNetwork = 0

  fileprivate mutating func append(_ course: SweepCourse) {
    if courses.count < mostSweepCourses { courses.append(course) } else { isCut = true }
  }
}

/// Finds the courses that a sweep tries, from the log of a run in which nothing went wrong. The
/// result depends on the log alone, and has its order.
///
/// - Parameters:
///   - log: The log, with the places at which something could go wrong.
///   - plan: The scenario that was run.
///   - pairs: True if each two disturbances are tried together as well.
///   - isInRealTime: True if the times of the log are those of a machine.
package func findCourses(
  in log: EventLog, of plan: ScenarioPlan, pairs: Bool, isInRealTime: Bool = false
) -> FoundCourses {
  var search = CourseSearch(plan: plan, log: log, isInRealTime: isInRealTime)
  for event in log.events { search.pass(event) }
  search.addSwaps()
  var found = FoundCourses()
  found.withoutNetwork = search.unreachable.count
  for course in search.courses { found.append(course) }
  guard pairs else { return found }
  let singles = search.courses.filter { $0.disturbances.count == 1 }
  for (place, first) in singles.enumerated() where !found.isCut {
    for second in singles[(place + 1)...] where !found.isCut {
      found.append(SweepCourse(first.disturbances + second.disturbances))
    }
  }
  return found
}

private struct CourseSearch {
  let plan: ScenarioPlan
  let log: EventLog
  let isInRealTime: Bool
  private(set) var courses: [SweepCourse] = []
  private var known: Set<SweepCourse> = []
  private var connections: Set<PieceLine> = []
  /// The connections for which there was no network.
  let unreachable: Set<PieceLine>
  /// The number of attempts to connect to each endpoint so far.
  private var attempts: [String: Int] = [:]
  /// The requests that steps of the script sent, which no client would send again.
  private var ofSteps: Set<PiecePlace> = []
  private var arrived: [(place: PiecePlace, time: Microseconds)] = []
  private var outages: Set<Microseconds> = []

  init(plan: ScenarioPlan, log: EventLog, isInRealTime: Bool) {
    self.plan = plan
    self.log = log
    self.isInRealTime = isInRealTime
    unreachable = log.reachedPlaces(of: plan).unreachable
  }

  mutating func pass(_ event: Event) {
    switch event.kind {
    case .network(.pieceSent(let place, let timers)):
      if place.kind == .request, isOfStep(event) { ofSteps.insert(place) }
      guard !ofSteps.contains(place.request) else { return }
      note(place)
      if !unreachable.contains(place.onLine) { add(place, timers, at: event.time) }
    case .script(.stepBegan(let step)) where step.branch == .main:
      addOutage(at: event.time)
    case .network, .run, .source, .script, .assertion: return
    }
  }

  private func isOfStep(_ event: Event) -> Bool {
    guard let cause = event.cause, case .script(.stepBegan(let step))? = log[cause]?.kind else {
      return false
    }
    return step.verb == "request"
  }

  private mutating func note(_ place: PiecePlace) {
    guard connections.insert(place.onLine).inserted else { return }
    attempts[place.line] = max(attempts[place.line] ?? 0, place.connection)
    guard !unreachable.contains(place.onLine), plan.sweep.tries(.refuse, on: place.line) else {
      return
    }
    add(SweepCourse(.refusal(line: place.line, connection: place.connection)))
  }

  private mutating func add(_ course: SweepCourse) {
    if known.insert(course).inserted { courses.append(course) }
  }

  private mutating func add(_ place: PiecePlace, _ disturbance: PieceDisturbance) {
    add(SweepCourse(.piece(place, disturbance)))
  }

  private mutating func add(_ place: PiecePlace, _ timers: [Microseconds], at time: Microseconds) {
    let sweep = plan.sweep
    switch place.kind {
    case .request:
      if sweep.tries(.lostRequest, on: place.line) { add(place, .cutBefore) }
    case .answer:
      if sweep.tries(.lostAnswer, on: place.line) { add(place, .cutBefore) }
      if sweep.tries(.cut, on: place.line) { add(place, .cutWithin) }
      if sweep.tries(.late, on: place.line) { addDelays(of: place, timers, at: time) }
      arrived.append((place, time))
    case .event, .message:
      if sweep.tries(.cut, on: place.line) { addCuts(at: place) }
      addDuplicate(of: place)
      arrived.append((place, time))
    case .sending:
      if sweep.tries(.cut, on: place.line) { add(place, .cutAfter) }
      addDuplicate(of: place)
    }
  }

  /// A connection that breaks after a piece, in the middle of it, and again before the first piece
  /// of the connection that takes its place.
  private mutating func addCuts(at place: PiecePlace) {
    add(place, .cutAfter)
    add(place, .cutWithin)
    let next = PiecePlace(
      line: place.line, connection: (attempts[place.line] ?? 0) + 1, kind: place.kind, number: 1)
    add(SweepCourse(.piece(place, .cutAfter), .piece(next, .cutBefore)))
  }

  /// Most clients rely on their protocol, which delivers once, so that the scenario has to say that
  /// a piece may come twice.
  private mutating func addDuplicate(of place: PiecePlace) {
    guard plan.sweep.disturbed != nil, plan.sweep.tries(.duplicate, on: place.line) else { return }
    add(place, .duplicate)
  }

  private mutating func addDelays(
    of place: PiecePlace, _ timers: [Microseconds], at time: Microseconds
  ) {
    if isInRealTime { return add(place, .delay(lateness)) }
    for timer in timers.prefix(timersOfAnswer) {
      if timer - time > margin { add(place, .delay(timer - time - margin)) }
      let (late, overflow) = (timer - time).addingReportingOverflow(margin)
      if !overflow { add(place, .delay(late)) }
    }
  }

  private mutating func addOutage(at begin: Microseconds) {
    let time = isInRealTime ? begin / realTimeStep * realTimeStep : begin
    guard plan.sweep.disturbed == nil, !plan.endpoints.isEmpty, outages.insert(time).inserted
    else { return }
    add(SweepCourse(.offline(at: time, length: outage)))
  }

  /// Lets the first of two pieces that came close together on different connections come second.
  mutating func addSwaps() {
    for (index, first) in arrived.enumerated() where plan.sweep.tries(.swap, on: first.place.line) {
      let window = isInRealTime ? realTimeSwapWindow : swapWindow
      let close = arrived[(index + 1)...].prefix { $0.time - first.time <= window }
      for second in close where !second.place.isOnConnection(of: first.place) {
        add(first.place, .delay(delay(of: first.time, behind: second.time)))
      }
    }
  }

  private func delay(of first: Microseconds, behind second: Microseconds) -> Microseconds {
    guard isInRealTime else { return second - first + 1 }
    let steps = (second - first + realTimeSwapMargin) / realTimeStep + 1
    return steps * realTimeStep
  }
}

extension PiecePlace {
  /// The place of the request that a piece belongs to, as far as it is one of an exchange.
  fileprivate var request: PiecePlace {
    var place = self
    place.kind = .request
    // Of a body, which has no other, the first.
    if kind != .request && kind != .answer { place.number = 1 }
    return place
  }

  fileprivate func isOnConnection(of other: PiecePlace) -> Bool { onLine == other.onLine }
}

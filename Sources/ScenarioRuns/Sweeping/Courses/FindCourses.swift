import Diagnostics
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
/// In real time, a client is asked to wait for so long.
private let realTimePause: Microseconds = 1_000_000
/// In real time, the client's machine sleeps for so long.
private let realTimeSleep: Microseconds = 2_000_000
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
  /// The number of courses that are left out because they are like others.
  package let alike: Int
  /// True if there are so many of them that nothing is known about most.
  package fileprivate(set) var isSampled = false

  init(_ courses: [SweepCourse] = [], leavingOut alike: Int = 0, most: Int = mostSweepCourses) {
    self.courses = Array(courses.prefix(most))
    isCut = courses.count > most
    self.alike = alike
  }
}

/// Finds the courses that a sweep tries, from the log of a run in which nothing went wrong. The
/// result depends on the log alone, and has its order.
///
/// - Parameters:
///   - log: The log, with the places at which something could go wrong.
///   - plan: The scenario that was run.
///   - isInRealTime: True if the times of the log are those of a machine.
///   - allPlaces: True if all courses are tried of those that are alike.
package func findCourses(
  in log: EventLog, of plan: ScenarioPlan, isInRealTime: Bool = false, allPlaces: Bool = false
) -> FoundCourses {
  var search = CourseSearch(plan: plan, log: log, isInRealTime: isInRealTime)
  for event in log.events { search.pass(event) }
  search.addSwaps()
  search.addForms()
  let courses = search.courses(allPlaces: allPlaces)
  var found = FoundCourses(courses, leavingOut: search.courses.count - courses.count)
  found.withoutNetwork = search.unreachable.count
  found.isSampled = !allPlaces && search.likenesses.haveTooMany
  return found
}

struct CourseSearch {
  let plan: ScenarioPlan
  let log: EventLog
  let isInRealTime: Bool
  private(set) var courses: [SweepCourse] = []
  /// The likeness of each course to others.
  private(set) var likenesses: [CourseLikeness] = []
  /// The step of the scenario that is under way.
  private var step: SourceRange?
  private var known: Set<SweepCourse> = []
  private var connections: Set<PieceLine> = []
  /// The connections for which there was no network.
  let unreachable: Set<PieceLine>
  /// The number of attempts to connect to each endpoint so far.
  private var attempts: [String: Int] = [:]
  /// The requests that steps of the script sent, which no client would send again.
  private var ofSteps: Set<PiecePlace> = []
  private var arrived: [Arrival] = []
  private var outages: Set<Microseconds> = []
  /// The endpoints that sent parts of bodies.
  private var streams: Set<String> = []
  /// The endpoints whose clients take compressed bodies.
  private var compressing: Set<String> = []
  /// The connections on which an event says that nothing follows.
  private let withEnd: Set<PieceLine>

  init(plan: ScenarioPlan, log: EventLog, isInRealTime: Bool) {
    self.plan = plan
    self.log = log
    self.isInRealTime = isInRealTime
    unreachable = log.reachedPlaces(of: plan).unreachable
    withEnd = log.linesWithEnd
  }

  mutating func pass(_ event: Event) {
    switch event.kind {
    case .network(.pieceSent(let place, let timers, let likeness)):
      if place.kind == .request, isOfStep(event) { ofSteps.insert(place) }
      guard !ofSteps.contains(place.request) else { return }
      note(place)
      if !unreachable.contains(place.onLine) {
        add(Arrival(place: place, likeness: likeness, time: event.time, step: step), timers)
      }
    case .script(.stepBegan(let step)) where step.branch == .main:
      noteStep(event)
      addOutage(at: event.time)
    case .network, .run, .source, .script, .assertion: return
    }
  }

  /// Returns the courses that were found, or some of those that are alike.
  func courses(allPlaces: Bool) -> [SweepCourse] {
    allPlaces ? courses : courses.sampled(by: likenesses)
  }

  /// Notes which step is under way.
  mutating func noteStep(_ event: Event) {
    if case .script(.stepBegan(let step)) = event.kind, step.branch == .main {
      self.step = step.range
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
    let likeness = CourseLikeness(step: step, line: place.line, disturbance: .refusal)
    add(SweepCourse(.refusal(line: place.line, connection: place.connection)), likeness)
  }

  private mutating func add(_ course: SweepCourse, _ likeness: CourseLikeness) {
    guard known.insert(course).inserted else { return }
    courses.append(course)
    likenesses.append(likeness)
  }

  private mutating func add(_ arrival: Arrival, _ timers: [Microseconds]) {
    let (sweep, place) = (plan.sweep, arrival.place)
    for row in DisturbanceKind.table where tries(row, at: arrival) {
      let strikes = row.strikes[place.kind, default: []]
      for strike in strikes where isNoticed(strike, on: place) { add(arrival, strike, row) }
      if row.kind == .cut, !strikes.isEmpty { addSecondCut(at: arrival) }
    }
    if place.kind == .answer, sweep.tries(.late, on: place.line) { addDelays(of: arrival, timers) }
    if place.kind != .request, place.kind != .sending { arrived.append(arrival) }
    if place.kind == .event { streams.insert(place.line) }
    if place.kind == .request, arrival.likeness.acceptsGzip { compressing.insert(place.line) }
  }

  /// Silence is tried where a client should notice it, too, or a program need not wait for more.
  private func tries(_ row: DisturbanceKind.Row, at arrival: Arrival) -> Bool {
    let line = arrival.place.line
    if plan.sweep.tries(row, on: line) { return true }
    return row.kind == .stall && plan.sweep.disturbed == nil
      && (arrival.likeness.isDone && !plan.programs.isEmpty || plan.noticesSilence(of: line))
  }

  /// Returns whether a client can notice that something is missing. Where the body ends as if all
  /// had come, it has to know the last event, or that the stream goes on.
  private func isNoticed(_ strike: PieceDisturbance, on place: PiecePlace) -> Bool {
    guard case .broken(.close, _) = strike else { return true }
    return withEnd.contains(place.onLine)
      || plan.endpoints.contains { $0.name == place.line && $0.isResumable }
  }

  private mutating func add(
    _ arrival: Arrival, _ strike: PieceDisturbance, _ row: DisturbanceKind.Row
  ) {
    var likeness = CourseLikeness(arrival, .piece(strike))
    // In real time each course is waited for.
    likeness.most = isInRealTime && row.mostAlike < 20 ? 1 : row.mostAlike
    if row.isOfLine { (likeness.step, likeness.piece) = (nil, nil) }
    add(SweepCourse(.piece(arrival.place, isInRealTime ? strike.inRealTime : strike)), likeness)
  }

  private mutating func add(
    _ arrival: Arrival, delayedBy length: Microseconds, as kind: CourseLikeness.Disturbance
  ) {
    add(SweepCourse(.piece(arrival.place, .delay(length))), CourseLikeness(arrival, kind))
  }

  /// A connection that breaks after a piece, and again before the first piece of the connection
  /// that takes its place.
  private mutating func addSecondCut(at arrival: Arrival) {
    let place = arrival.place
    guard place.kind == .event || place.kind == .message else { return }
    let next = PiecePlace(
      line: place.line, connection: (attempts[place.line] ?? 0) + 1, kind: place.kind, number: 1)
    add(
      SweepCourse(.piece(place, .broken(.cut, .after)), .piece(next, .broken(.cut, .before))),
      CourseLikeness(arrival, .cutTwice))
  }

  /// Gives what each endpoint sends other forms.
  mutating func addForms() {
    for line in attempts.keys.sorted() where plan.sweep.tries(.pieces, on: line) {
      for form in PieceForm.allCases
      where form == .bytes || (form == .gzip ? compressing : streams).contains(line) {
        add(
          SweepCourse(.rewritten(line: line, form)),
          CourseLikeness(step: nil, line: line, disturbance: .rewritten(form)))
      }
    }
  }

  private mutating func addDelays(of arrival: Arrival, _ timers: [Microseconds]) {
    if isInRealTime {
      return add(arrival, delayedBy: lateness, as: .late(timer: 0, isBehind: true))
    }
    for (number, timer) in timers.prefix(timersOfAnswer).enumerated() {
      let wait = timer - arrival.time
      if wait > margin {
        add(arrival, delayedBy: wait - margin, as: .late(timer: number, isBehind: false))
      }
      let (late, overflow) = wait.addingReportingOverflow(margin)
      if !overflow { add(arrival, delayedBy: late, as: .late(timer: number, isBehind: true)) }
    }
  }

  private mutating func addOutage(at begin: Microseconds) {
    let time = isInRealTime ? begin / realTimeStep * realTimeStep : begin
    guard plan.sweep.disturbed == nil, !plan.endpoints.isEmpty, outages.insert(time).inserted
    else { return }
    add(
      SweepCourse(.offline(at: time, length: outage)),
      CourseLikeness(step: step, line: "", disturbance: .offline))
  }

  /// Lets the first of two pieces that came close together on different connections come second.
  mutating func addSwaps() {
    for (index, first) in arrived.enumerated() where plan.sweep.tries(.swap, on: first.place.line) {
      let window = isInRealTime ? realTimeSwapWindow : swapWindow
      let close = arrived[(index + 1)...].prefix { $0.time - first.time <= window }
      for second in close where !second.place.isOnConnection(of: first.place) {
        let length = delay(of: first.time, behind: second.time)
        add(first, delayedBy: length, as: .swap(second.likeness))
      }
    }
  }

  private func delay(of first: Microseconds, behind second: Microseconds) -> Microseconds {
    guard isInRealTime else { return second - first + 1 }
    let steps = (second - first + realTimeSwapMargin) / realTimeStep + 1
    return steps * realTimeStep
  }
}

extension EventLog {
  /// The connections on which an event says that nothing follows.
  fileprivate var linesWithEnd: Set<PieceLine> {
    Set(
      events.compactMap { event in
        guard case .network(.pieceSent(let place, _, let likeness)) = event.kind else { return nil }
        return likeness.isDone ? place.onLine : nil
      })
  }
}

extension ScenarioPlan {
  /// Returns whether a connection to an endpoint has a time-out for silence.
  fileprivate func noticesSilence(of line: String) -> Bool {
    connections.contains { connection in
      guard connection.idle != nil || connection.ping != nil else { return false }
      return connection.request.map { endpoints[$0.endpoint].name == line } ?? false
    }
  }
}

/// A piece that travelled, and the step of the scenario that was under way.
private struct Arrival {
  var place: PiecePlace
  var likeness: PieceLikeness
  var time: Microseconds
  var step: SourceRange?
}

extension PieceDisturbance {
  /// The same with a time that can be waited for.
  fileprivate var inRealTime: PieceDisturbance {
    switch self {
    case .answered(let status, .some): .answered(status: status, retryAfter: realTimePause)
    case .suspended(let spot, _): .suspended(spot, length: realTimeSleep)
    case .answered, .broken, .duplicate, .delay, .slow: self
    }
  }
}

extension CourseLikeness {
  fileprivate init(_ arrival: Arrival, _ disturbance: Disturbance) {
    self.init(
      step: arrival.step, line: arrival.place.line, kind: arrival.place.kind,
      piece: arrival.likeness, disturbance: disturbance)
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

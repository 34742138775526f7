import Events
import ScenarioPlan
import Values
import World

/// A trace whose inputs are played, and what compares the run with it.
package struct Replay {
  package var trace: ReplayedTrace
  package var guide: any ReplayGuide

  package init(_ trace: ReplayedTrace, _ guide: any ReplayGuide) {
    self.trace = trace
    self.guide = guide
  }
}

/// The player of what the other side of conversations did: it delivers recorded inputs when they
/// are due.
///
/// An input that is due waits until all that was recorded before it has happened again. If nothing
/// else can happen, it is delivered nevertheless.
final class ReplayDirector {
  private struct Waiting {
    var position: Int
    /// True if it was on its way already as our side did what was recorded right before it.
    var isUnderWay: Bool
    /// False if the recording has it before the arrival of what our side had just sent.
    var awaitsArrivals = true
    var act: () -> Void
  }

  let trace: ReplayedTrace
  let guide: any ReplayGuide
  private let loop: RunLoop
  private var sent: PerID<EndpointPlan, RisingTimes>
  /// The players of clients that are not ours; nil where the scenario has all clients.
  let visitors: Visitors?
  /// The conversations with inputs to come.
  private var open: [ReplayLink] = []
  /// The inputs that are due and wait for something that was recorded before them, in the order of
  /// the trace.
  private var waiting: [Waiting] = []
  /// By time: how many inputs will be due then. Inputs of one time wait for each other, since they
  /// may have become known in any order.
  private var coming: [Microseconds: Int] = [:]
  /// The phase of what is being done. What was on its way already comes before all that is still to
  /// do at its instant; an answer to what our side has just sent comes after what is to do already.
  private(set) var phase = Scheduler.Phase.source
  /// The places of what was recorded soon after what it follows.
  private var soon: Set<Int> = []

  init(_ replay: Replay, _ plan: ScenarioPlan, _ loop: RunLoop) {
    trace = replay.trace
    guide = replay.guide
    self.loop = loop
    sent = PerID(repeating: RisingTimes(), for: plan.endpoints)
    visitors = replay.trace.visits.map { Visitors($0, plan, loop) }
  }

  /// True if the trace has the answers of an endpoint. One that was served has answered by itself.
  func plays(_ endpoint: EndpointID, whileServing isServing: Bool) -> Bool {
    trace.played?.contains(endpoint) ?? !isServing
  }

  func invalidate() {
    visitors?.invalidate()
    open = []
    waiting = []
    soon = []
  }

  /// Counts something that our side sent to an endpoint.
  func count(at endpoint: EndpointID) {
    sent[endpoint].append(loop.now)
    for link in open where link.server.endpoint == endpoint { link.schedule() }
    visitors?.saw(sent[endpoint].count, from: endpoint)
  }

  func add(_ link: ReplayLink) {
    if !open.contains(where: { $0 === link }) { open.append(link) }
    link.schedule()
  }

  func remove(_ link: ReplayLink) { open.removeAll { $0 === link } }

  /// Returns when an input is due; nil if our side has not sent enough yet.
  func due(
    _ input: ReplayedTrace.Input, at endpoint: EndpointID, after previous: InputSchedule.Before?
  ) -> Microseconds? {
    InputSchedule.due(
      input, recorded: trace.sent[endpoint], sent: sent[endpoint], after: previous)
  }

  /// Does something when it is due, once all that was recorded before it has happened again.
  func perform(
    at due: Microseconds, position: Int, awaitsArrivals: Bool = true, _ act: @escaping () -> Void
  ) {
    if !trace.isVirtual, trace.comesSoon(position) { soon.insert(position) }
    var waiting = Waiting(position: position, isUnderWay: guide.reached < position, act: act)
    waiting.awaitsArrivals = awaitsArrivals
    if due <= loop.now { return wait(waiting) }
    // Before the scenario's own timers: those that were recorded before it have their turn first.
    waiting.isUnderWay = trace.timing == .recorded
    let phase = waiting.isUnderWay ? Scheduler.Phase.recorded : .source
    coming[due, default: 0] += 1
    loop.scheduler.schedule(at: due, phase: phase) { [unowned self, waiting] in
      coming[due] = coming[due].flatMap { $0 > 1 ? $0 - 1 : nil }
      wait(waiting)
    }
  }

  /// Keeps something that is due until it is its turn: before the next job at the earliest.
  private func wait(_ new: Waiting) {
    let place = waiting.firstIndex { $0.position > new.position } ?? waiting.count
    waiting.insert(new, at: place)
  }

  /// Does the next thing that is due and need not wait any more; false if no job is left.
  func actIfReady() -> Bool {
    guard let first = waiting.first, guide.reached >= first.position,
      trace.timing != .recorded || coming[loop.now] == nil
    else { return false }
    // What our side sends is one line with its arrival, which came first as well.
    if first.awaitsArrivals, visitors == nil, loop.network.bringsBytesToServers { return false }
    actNext()
    return true
  }

  private func actNext() {
    let first = waiting.removeFirst()
    soon.remove(first.position)
    phase = first.isUnderWay ? .recorded : .source
    defer { phase = .source }
    first.act()
  }

  /// Does the next thing that is due though something before it has not happened: nothing else can.
  func actAnyway() -> Bool {
    guard waiting.isEmpty else {
      actNext()
      return true
    }
    return answersWhatWasSkipped()
  }

  /// Lets an answer come whose time has passed, and which waits for requests that our side does not
  /// make any more.
  private func answersWhatWasSkipped() -> Bool {
    let next = min(loop.scheduler.nextDue ?? .max, loop.supervisor.earliestDeadline ?? .max)
    let missed = open.lazy.compactMap { link in link.missedAnswer(before: next).map { (link, $0) } }
    guard let (link, seen) = missed.first else { return false }
    let endpoint = link.server.endpoint
    while sent[endpoint].count < seen { sent[endpoint].append(loop.now) }
    for link in open where link.server.endpoint == endpoint { link.schedule() }
    return true
  }

  /// True if something comes that was recorded right after what our side did last, and before what
  /// it did next. In real time it belongs to the instant.
  var hasInputsUnderWay: Bool {
    soon.contains { $0 <= guide.reached }
  }
}

extension ReplayedTrace {
  /// True if a line was recorded right after the line before it.
  fileprivate func comesSoon(_ position: Int) -> Bool {
    position > 0 && times[position] - times[position - 1] <= realTimeSlack
  }
}

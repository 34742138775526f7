import ScenarioPlan
import TextSearch
import World

/// The players of recorded clients that are no part of the scenario.
final class Visitors {
  let loop: RunLoop
  private let plan: ScenarioPlan
  private let recorded: RecordedVisits
  private var all: [Visitor] = []
  /// By endpoint, and by how much it must have sent: the visitors that wait for that.
  private var waiting: PerID<EndpointPlan, [Int: [Visitor]]>
  /// By number of the network: the recorded number of a connection.
  private var numbers: [Int: Int] = [:]
  /// By endpoint: the numbers of connections of our own clients that are still to come.
  private var own: PerID<EndpointPlan, [Int]>
  /// By endpoint: the highest number of a connection so far.
  private var highest: PerID<EndpointPlan, Int>

  init(_ recorded: RecordedVisits, _ plan: ScenarioPlan, _ loop: RunLoop) {
    self.recorded = recorded
    self.plan = plan
    self.loop = loop
    waiting = PerID(repeating: [:], for: plan.endpoints)
    highest = PerID(repeating: 0, for: plan.endpoints)
    own = recorded.own.mapValues { $0.reversed() }
    for visit in recorded.visits {
      highest[visit.endpoint] = max(highest[visit.endpoint], visit.number)
    }
    for (endpoint, numbers) in recorded.own.withIDs {
      highest[endpoint] = max(highest[endpoint], numbers.max() ?? 0)
    }
  }

  /// Begins to play: the first thing that each visitor did is set to its time.
  func start(_ run: RunParts) {
    guard let director = run.director else { return }
    let supervisor = run.supervisor
    all = recorded.visits.map { Visitor($0, self, director) }
    for visitor in all { visitor.schedule() }
    if let interruption = recorded.interruption {
      loop.scheduler.schedule(at: interruption, phase: .assertion) { [unowned supervisor] in
        if supervisor.phase == .steps { supervisor.interrupt() }
      }
    }
    if let cut = recorded.cut {
      loop.scheduler.schedule(at: cut, phase: .assertion) { [unowned supervisor] in
        supervisor.rest()
      }
    }
  }

  func connect(to endpoint: EndpointID, as number: Int) -> (any Transport)? {
    guard let network = loop.network as? MemoryNetwork else { return nil }
    let transport = network.connectFromOutside(
      to: plan.endpoints[endpoint].name, isCutOff: recorded.areCutOff)
    numbers[transport.connection] = number
    return transport
  }

  /// Returns the number of a connection that an endpoint accepts, as it was recorded. One that was
  /// not recorded gets a new one.
  func number(of connection: Int, at endpoint: EndpointID) -> Int {
    if let number = numbers.removeValue(forKey: connection) { return number }
    if let number = own[endpoint].popLast() { return number }
    highest[endpoint] += 1
    return highest[endpoint]
  }

  /// True if a client has something left to do.
  var mayAct: Bool { all.contains(where: \.mayAct) }

  /// Lets a visitor wait until an endpoint has sent so much.
  func wait(_ visitor: Visitor, for count: Int, from endpoint: EndpointID) {
    waiting[endpoint][count, default: []].append(visitor)
  }

  /// Continues with what waited until an endpoint had sent so much.
  func saw(_ count: Int, from endpoint: EndpointID) {
    for visitor in waiting[endpoint].removeValue(forKey: count) ?? [] { visitor.schedule() }
  }

  func invalidate() {
    for visitor in all { visitor.invalidate() }
    all = []
    waiting = waiting.mapValues { _ in [:] }
  }
}

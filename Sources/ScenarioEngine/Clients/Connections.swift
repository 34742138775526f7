import Events
import LiveConnections
import Protocols
import ScenarioPlan
import Values
import World

/// A request that waits for its answer. It keeps its callbacks, and thereby their owners, until the
/// answer comes.
protocol OutstandingRequest: AnyObject {
  /// The position among the waiting requests; nil if it does not wait.
  var waitingPlace: Int? { get set }
  /// The request as reports show it, and the number of its connection; nil if none is under way.
  var pendingRequest: (connection: Int, operation: PendingOperation)? { get }
  /// Closes the connection to some endpoints without any event, since the run is over.
  func leave(where isLeft: (EndpointID) -> Bool)
  /// Drops the callbacks when the run is over.
  func invalidate()
}

/// Connections between clients and endpoints.
final class Connections {
  let run: RunParts
  let conditions: NetworkConditions
  /// Open connections on which no answer is awaited, by endpoint and session.
  private var kept: [(endpoint: EndpointID, connections: KeptConnections)] = []
  private var lines: [WeakLine] = []
  private var sweepAt = Limits.connectionsAtOnce
  /// Calls that failed and are about to be tried again.
  var pausing: [ProviderCall] = []
  /// Requests without an answer, in no order. Nothing depends on their order.
  private var unanswered: [any OutstandingRequest] = []
  /// The connections of Swift objects that play no connection of the scenario.
  private var ofSubjects: [SubjectLine] = []

  private struct WeakLine {
    weak var transport: CauseTrackingTransport?
    var isOpen: Bool { transport?.state != nil }
  }

  private struct SubjectLine {
    weak var transport: CauseTrackingTransport?
    var endpoint: EndpointID
    var part: String
  }

  init(_ run: RunParts, _ conditions: NetworkConditions) {
    self.run = run
    self.conditions = conditions
  }

  /// Returns a connection as a client uses it: with a tap if the run is recorded.
  func tapped(
    _ transport: any Transport, to endpoint: EndpointID, forRequests isRequests: Bool = false
  ) -> any Transport {
    run.taps?.tapped(transport, to: endpoint, forRequests: isRequests) ?? transport
  }

  func began(_ waiting: any OutstandingRequest) {
    waiting.waitingPlace = unanswered.count
    unanswered.append(waiting)
  }

  /// The last one takes the place that becomes free.
  func ended(_ waiting: any OutstandingRequest) {
    guard let place = waiting.waitingPlace, let last = unanswered.popLast() else { return }
    waiting.waitingPlace = nil
    guard last !== waiting else { return }
    last.waitingPlace = place
    unanswered[place] = last
  }

  /// Requests without an answer, in the order their connections were made.
  var pendingOperations: [PendingOperation] {
    let clients = ofSubjects.compactMap { line in
      line.transport?.state.map {
        PendingOperation(.client(of: line.part, line.endpoint, $0.name), since: $0.since)
      }
    }
    let requests = unanswered.compactMap(\.pendingRequest).sorted { $0.connection < $1.connection }
    return requests.map(\.operation) + pausing.compactMap(\.pendingOperation) + clients
  }

  /// Notes a connection of a Swift object, and forgets those that are over.
  func note(_ transport: CauseTrackingTransport, to endpoint: EndpointID, by part: String) {
    ofSubjects.removeAll { $0.transport?.state == nil }
    ofSubjects.append(SubjectLine(transport: transport, endpoint: endpoint, part: part))
  }

  /// Closes the connections to some endpoints without any event, since the run is over.
  func leave(where isLeft: (EndpointID) -> Bool) {
    for waiting in unanswered { waiting.leave(where: isLeft) }
    for (endpoint, connections) in kept where isLeft(endpoint) { connections.closeAll() }
  }

  func invalidate() {
    kept = []
    lines = []
    pausing = []
    ofSubjects = []
    for waiting in unanswered {
      waiting.waitingPlace = nil
      waiting.invalidate()
    }
    unanswered = []
  }
}

extension Connections {
  /// The time for which a connection to a real server is kept without a request. One to a mock is
  /// kept as long as the mock keeps it.
  private static let lifetime: Microseconds = 15_000_000

  /// Returns a place for the open connections of one session to an endpoint.
  func makeKept(for endpoint: EndpointID) -> KeptConnections {
    let connections = KeptConnections(
      lifetime: run.loop.isInRealTime ? Connections.lifetime : nil, most: Limits.connectionsAtOnce,
      clock: .time { [run] in run.loop.now })
    kept.append((endpoint, connections))
    return connections
  }

  /// Connects to an endpoint for requests, one after the other.
  func connect(to endpoint: EndpointID) -> any Transport {
    let line = CauseTrackingTransport(self, to: endpoint, isWebSocket: false, isForRequests: true)
    lines.append(WeakLine(transport: line))
    if lines.count > sweepAt {
      lines.removeAll { !$0.isOpen }
      if lines.count > Limits.connectionsAtOnce { run.supervisor.fail(.tooManyConnections) }
      sweepAt = max(Limits.connectionsAtOnce, lines.count)
    }
    return tapped(line, to: endpoint, forRequests: true)
  }
}

extension PendingOperation {
  /// A request that stands so from now on.
  init(_ request: HTTPRequest, to endpoint: EndpointID, _ state: RequestState, since: Microseconds)
  {
    let kind = Kind.request(endpoint, method: request.method, target: request.target, state)
    self.init(kind, since: since)
  }
}

import Events
import Protocols
import ScenarioPlan
import Values
import World

/// A request that waits for its answer. It keeps its callbacks, and thereby their owners, until the
/// answer comes.
protocol OutstandingRequest: AnyObject {
  /// The position among the waiting requests; nil if it does not wait.
  var waitingPlace: Int? { get set }
  /// Drops the callbacks when the run is over.
  func invalidate()
}

/// Connections between clients and endpoints.
final class Connections {
  let loop: RunLoop
  let causes: ConnectionCauses
  let conditions: NetworkConditions
  let endpoints: EndpointDirectory
  private let taps: TrafficTaps?
  private var idle: PerID<EndpointPlan, [ClientLink]>
  private var all: [ClientLink] = []
  /// Calls that failed and are about to be tried again.
  var pausing: [ProviderCall] = []
  /// Requests without an answer, in no order. Nothing depends on their order.
  private var unanswered: [any OutstandingRequest] = []
  /// The connections of Swift objects that play no connection of the scenario.
  private var ofSubjects: [SubjectLine] = []

  private struct SubjectLine {
    weak var transport: CauseTrackingTransport?
    var endpoint: EndpointID
    var part: String
  }

  init(
    _ shared: SharedPlan, _ loop: RunLoop, _ causes: ConnectionCauses,
    _ conditions: NetworkConditions, _ endpoints: EndpointDirectory, _ taps: TrafficTaps?
  ) {
    self.loop = loop
    self.causes = causes
    self.conditions = conditions
    self.endpoints = endpoints
    self.taps = taps
    idle = PerID(repeating: [], for: shared.plan.endpoints)
  }

  /// Returns a connection as a client uses it: with a tap if the run is recorded.
  func tapped(
    _ transport: any Transport, to endpoint: EndpointID, forRequests isRequests: Bool = false
  ) -> any Transport {
    taps?.tapped(transport, to: endpoint, forRequests: isRequests) ?? transport
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
    return all.compactMap(\.pendingOperation) + pausing.compactMap(\.pendingOperation) + clients
  }

  /// Notes a connection of a Swift object, and forgets those that are over.
  func note(_ transport: CauseTrackingTransport, to endpoint: EndpointID, by part: String) {
    ofSubjects.removeAll { $0.transport?.state == nil }
    ofSubjects.append(SubjectLine(transport: transport, endpoint: endpoint, part: part))
  }

  /// Closes the connections to some endpoints without any event, since the run is over.
  func leave(where isLeft: (EndpointID) -> Bool) {
    for link in all where isLeft(link.endpoint) { link.leave() }
  }

  func invalidate() {
    for link in all { link.invalidate() }
    idle = []
    all = []
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
  /// Sends a request on a connection that is free, or on a new one.
  func startExchange(
    _ endpoint: EndpointID, _ request: HTTPRequest, _ addressing: Addressing,
    _ completion: @escaping (Result<HTTPResponse, ExchangeFailure>) -> Void
  ) -> HTTPExchange {
    let link = idle[endpoint].popLast() ?? makeLink(to: endpoint)
    let isLost = conditions.losesRequest(to: endpoint)
    return link.start(request, addressing, isLost: isLost, completion)
  }

  func makeLink(to endpoint: EndpointID) -> ClientLink {
    let link = ClientLink(self, endpoint)
    all.append(link)
    if all.count > Limits.connectionsAtOnce { loop.supervisor.fail(.tooManyConnections) }
    return link
  }

  func keep(_ link: ClientLink, of endpoint: EndpointID) { idle[endpoint].append(link) }

  func remove(_ link: ClientLink, of endpoint: EndpointID) {
    idle[endpoint].removeAll { $0 === link }
    // The link may be in the middle of a call; it goes when that is over.
    loop.after(0, phase: .completion) { [unowned self] in all.removeAll { $0 === link } }
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

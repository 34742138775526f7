import ScenarioPlan
import World

/// The party that plays an endpoint.
enum Peer {
  case mock(MockServer)
  /// The endpoint's side in a trace.
  case trace(ReplayServer)
  /// A server at the endpoint's URL, which a program of the scenario may be.
  case server
}

/// The endpoints of one run.
final class EndpointDirectory {
  /// By endpoint; empty while the stage is built, and once the run is over.
  private var peers: PerID<EndpointPlan, Peer> = []
  /// The real endpoints, which replace the mocks or some of them.
  private(set) var remotes: RemoteEndpoints?

  func fill(_ peers: PerID<EndpointPlan, Peer>, _ remotes: RemoteEndpoints?) {
    self.peers = peers
    self.remotes = remotes
  }

  private func peer(of endpoint: EndpointID) -> Peer? {
    endpoint < peers.endIndex ? peers[endpoint] : nil
  }

  /// Returns the mock of an endpoint; nil if the endpoint is real, or played from a trace.
  func mock(of endpoint: EndpointID) -> MockServer? {
    if case .mock(let server)? = peer(of: endpoint) { server } else { nil }
  }

  /// Returns the player of an endpoint's side; nil if it is not played from a trace.
  func player(of endpoint: EndpointID) -> ReplayServer? {
    if case .trace(let server)? = peer(of: endpoint) { server } else { nil }
  }

  /// The mocks, in the order of the document.
  var mocks: [MockServer] { peers.indices.compactMap(mock) }

  /// The real endpoints, if one of them is this endpoint.
  func remotes(of endpoint: EndpointID) -> RemoteEndpoints? {
    if case .server? = peer(of: endpoint) { remotes } else { nil }
  }

  func invalidate() {
    for mock in mocks { mock.invalidate() }
    remotes?.driftChecker?.invalidate()
    (peers, remotes) = ([], nil)
  }
}

extension RunParts {
  /// Begins to play the endpoints. Clients may connect from now on.
  func startServers() {
    let peers = PerID<EndpointPlan, Peer>(plan.endpoints.withIDs.map { makePeer(of: $0, $1) })
    endpoints.fill(peers, world.reach.map { RemoteEndpoints(self, reach: $0) })
  }

  private func makePeer(of id: EndpointID, _ endpoint: EndpointPlan) -> Peer {
    if world.isReal(endpoint.name) { return .server }
    if let director, director.plays(id, whileServing: isServing) {
      return .trace(ReplayServer(self, director, id))
    }
    return .mock(MockServer(self, id, endpoint))
  }
}

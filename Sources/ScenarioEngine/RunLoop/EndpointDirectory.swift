import Events
import ScenarioPlan

/// An endpoint beside others that are played from a trace.
enum ReplayedEndpoint {
  case trace(ReplayServer)
  case mock(MockServer)

  fileprivate var mock: MockServer? {
    switch self {
    case .trace: nil
    case .mock(let server): server
    }
  }

  fileprivate func invalidate() {
    switch self {
    case .trace(let server): server.invalidate()
    case .mock(let server): server.invalidate()
    }
  }
}

/// The mock of an endpoint, or what replaces it where only some endpoints are mocks.
enum MockOrServer {
  case mock(MockServer)
  case trace(ReplayServer)
  /// A server at the endpoint's URL, which a program of the scenario may be.
  case server

  fileprivate var mock: MockServer? {
    switch self {
    case .mock(let server): server
    case .trace, .server: nil
    }
  }

  fileprivate var isServer: Bool { if case .server = self { true } else { false } }

  fileprivate func invalidate() {
    switch self {
    case .mock(let server): server.invalidate()
    case .trace(let server): server.invalidate()
    case .server: break
    }
  }
}

/// The endpoints of one run: mocks, or real ones.
final class EndpointDirectory {
  /// The endpoints, all in one world, unless each has its own.
  enum Content {
    /// The stage is being built, or the run is over.
    case none
    case mocks(PerID<EndpointPlan, MockServer>)
    case remotes(RemoteEndpoints)
    case replayed(PerID<EndpointPlan, ReplayedEndpoint>)
    case beside(PerID<EndpointPlan, MockOrServer>, RemoteEndpoints)
  }

  private var content = Content.none

  func fill(_ content: Content) { self.content = content }

  /// Returns the mock of an endpoint; nil if the endpoint is real, or played from a trace.
  func mock(of endpoint: EndpointID) -> MockServer? {
    switch content {
    case .mocks(let servers): servers[endpoint]
    case .replayed(let endpoints): endpoints[endpoint].mock
    case .beside(let endpoints, _): endpoints[endpoint].mock
    case .remotes, .none: nil
    }
  }

  /// Returns the player of an endpoint's side; nil if it is not played from a trace.
  func player(of endpoint: EndpointID) -> ReplayServer? {
    if case .replayed(let endpoints) = content, case .trace(let server) = endpoints[endpoint] {
      return server
    }
    if case .beside(let endpoints, _) = content, case .trace(let server) = endpoints[endpoint] {
      return server
    }
    return nil
  }

  /// The mocks, in the order of the document.
  var mocks: [MockServer] {
    switch content {
    case .mocks(let servers): Array(servers)
    case .replayed(let endpoints): endpoints.compactMap(\.mock)
    case .beside(let endpoints, _): endpoints.compactMap(\.mock)
    case .remotes, .none: []
    }
  }

  /// The real endpoints, which replace the mocks or some of them.
  var remotes: RemoteEndpoints? {
    switch content {
    case .remotes(let remotes), .beside(_, let remotes): remotes
    case .mocks, .replayed, .none: nil
    }
  }

  /// The real endpoints, if one of them is this endpoint.
  func remotes(of endpoint: EndpointID) -> RemoteEndpoints? {
    if case .beside(let endpoints, _) = content, !endpoints[endpoint].isServer { return nil }
    return remotes
  }

  func invalidate() {
    switch content {
    case .mocks(let servers): for server in servers { server.invalidate() }
    case .remotes(let remotes): remotes.invalidate()
    case .replayed(let endpoints): for endpoint in endpoints { endpoint.invalidate() }
    case .beside(let endpoints, let remotes):
      for endpoint in endpoints { endpoint.invalidate() }
      remotes.invalidate()
    case .none: break
    }
    content = .none
  }
}

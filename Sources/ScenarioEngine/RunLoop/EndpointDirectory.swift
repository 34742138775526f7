import Events
import ScenarioPlan

/// The endpoints of one run: mocks, or real ones.
final class EndpointDirectory {
  /// The endpoints, all in one world.
  enum Content {
    /// The stage is being built, or the run is over.
    case none
    case mocks(PerID<EndpointPlan, MockServer>)
    case remotes(RemoteEndpoints)
    case replayed(PerID<EndpointPlan, ReplayServer>)
  }

  private var content = Content.none

  func fill(_ content: Content) { self.content = content }

  /// Returns the mock of an endpoint; nil if the endpoint is real, or played from a trace.
  func mock(of endpoint: EndpointID) -> MockServer? {
    switch content {
    case .mocks(let servers): servers[endpoint]
    case .remotes, .replayed, .none: nil
    }
  }

  /// The mocks, in the order of the document.
  var mocks: PerID<EndpointPlan, MockServer> {
    switch content {
    case .mocks(let servers): servers
    case .remotes, .replayed, .none: []
    }
  }

  /// The real endpoints, which replace the mocks.
  var remotes: RemoteEndpoints? {
    switch content {
    case .remotes(let remotes): remotes
    case .mocks, .replayed, .none: nil
    }
  }

  func invalidate() {
    switch content {
    case .mocks(let servers): for server in servers { server.invalidate() }
    case .remotes(let remotes): remotes.invalidate()
    case .replayed(let servers): for server in servers { server.invalidate() }
    case .none: break
    }
    content = .none
  }
}

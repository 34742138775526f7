import Events
import ScenarioPlan
import Values
import World

/// The endpoints of a run whose traffic may break a rule of its protocol.
struct WatchedEndpoints {
  enum Server { case unwatched, mock, real }

  private let servers: PerID<EndpointPlan, Server>
  /// The inaccuracy of the times of the run.
  let tolerance: Microseconds

  subscript(endpoint: EndpointID) -> Server { servers[endpoint] }

  /// False if nothing can be found, so that a run need not look.
  var isAny: Bool { servers.contains { $0 != .unwatched } }

  /// Watches the clients of all endpoints.
  init(clientsOf plan: ScenarioPlan, isInRealTime: Bool) {
    servers = PerID(repeating: .mock, for: plan.endpoints)
    tolerance = isInRealTime ? realTimeSlack : 0
  }

  /// Chooses the endpoints of a run.
  ///
  /// In memory, a client of the scenario can break no rule with requests alone, since Rehearsal
  /// makes them of values. So the many scenarios without streams cost nothing.
  ///
  /// - Parameters:
  ///   - plan: The scenario.
  ///   - world: The world of the run.
  ///   - playsTrace: True if a trace answers.
  ///   - hasSubjects: True if Swift objects play parts of the scenario.
  init(_ plan: ScenarioPlan, in world: RunWorld, playsTrace: Bool, hasSubjects: Bool) {
    let texts = Set(plan.providers.compactMap(\.endpointOfText))
    let watchesAll = world.wall != nil || playsTrace || hasSubjects
    servers = PerID(
      plan.endpoints.withIDs.map { id, endpoint in
        if world.isReal(endpoint) { return .real }
        return watchesAll || endpoint.hasStreams || texts.contains(id) ? .mock : .unwatched
      })
    tolerance = world.wall == nil ? 0 : realTimeSlack
  }
}

extension RunWorld {
  fileprivate func isReal(_ endpoint: EndpointPlan) -> Bool {
    reach != nil && realEndpoints?.contains(endpoint.name) != false
  }
}

extension EndpointPlan {
  fileprivate var hasStreams: Bool {
    !eventStreams.isEmpty || !lines.isEmpty || !webSockets.isEmpty
  }
}

extension ProviderPlan {
  /// The endpoint that gets a text which may not be what its type says; nil if there is none.
  fileprivate var endpointOfText: EndpointID? {
    guard case .request(let request) = origin else { return nil }
    switch request.body {
    case .text, .file, .contents, .bytes: return request.endpoint
    case .none, .json, .form, .multipart: return nil
    }
  }
}

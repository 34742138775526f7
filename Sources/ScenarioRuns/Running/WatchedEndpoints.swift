import Events
import ScenarioPlan
import Values
import World

/// The endpoints of a run whose traffic may break a rule of its protocol.
struct WatchedEndpoints: Sendable {
  enum Server: Equatable {
    case unwatched, real
    /// A mock. `requests` is false if the requests that Rehearsal makes of values need no look.
    case mock(requests: Bool)
  }

  private let servers: PerID<EndpointPlan, Server>
  /// The inaccuracy of the times of the run.
  let tolerance: Microseconds
  /// True if clients that are none of the scenario's own may use the endpoints.
  let hasOtherClients: Bool

  subscript(endpoint: EndpointID) -> Server { servers[endpoint] }

  /// False if nothing can be found, so that a run need not look.
  var isAny: Bool { servers.contains { $0 != .unwatched } }

  /// Returns whether a connection to an endpoint may break a rule.
  func watches(_ endpoint: EndpointID, ofRequests isRequests: Bool) -> Bool {
    switch servers[endpoint] {
    case .unwatched: false
    case .real: true
    case .mock(let watchesRequests): watchesRequests || !isRequests
    }
  }

  /// Chooses the endpoints whose clients may break a rule in a sweep.
  ///
  /// - Parameters:
  ///   - plan: The scenario.
  ///   - isInRealTime: True if the run has the times of a machine.
  ///   - hasSubjects: True if Swift objects play parts of the scenario.
  init(clientsOf plan: ScenarioPlan, isInRealTime: Bool, hasSubjects: Bool) {
    servers =
      isInRealTime || hasSubjects || !plan.programs.isEmpty
      ? PerID(repeating: .mock(requests: true), for: plan.endpoints) : plan.mocksToWatch
    tolerance = isInRealTime ? realTimeSlack : 0
    hasOtherClients = true
  }

  /// Chooses the endpoints of a run.
  ///
  /// - Parameters:
  ///   - plan: The scenario.
  ///   - world: The world of the run.
  ///   - playsTrace: True if a trace answers.
  ///   - hasSubjects: True if Swift objects play parts of the scenario.
  init(_ plan: ScenarioPlan, in world: RunWorld, playsTrace: Bool, hasSubjects: Bool) {
    // The scenario's own clients send the same requests over sockets as in memory.
    let watchesAll =
      world.servesOthers || !plan.programs.isEmpty || playsTrace || hasSubjects
    hasOtherClients = watchesAll
    let mocks = plan.mocksToWatch
    servers = PerID(
      plan.endpoints.withIDs.map { id, endpoint in
        if world.isReal(endpoint.name) { return .real }
        return watchesAll ? .mock(requests: true) : mocks[id]
      })
    tolerance = world.wall?.isVirtual == false ? realTimeSlack : 0
  }
}

extension ScenarioPlan {
  /// The mocks in memory whose clients may break a rule.
  ///
  /// A client of the scenario can break none with requests alone, since Rehearsal makes them of
  /// values: only with texts, and with answers to JSON-RPC calls that a stream brings. So the many
  /// scenarios without streams cost nothing.
  fileprivate var mocksToWatch: PerID<EndpointPlan, WatchedEndpoints.Server> {
    if endpoints.isEmpty { return [] }
    let texts = Set(providers.compactMap { $0.endpoint { $0.isText } })
    let calls = Set(providers.compactMap { $0.endpoint { $0.mayBeCall } })
    return PerID(
      endpoints.withIDs.map { id, endpoint in
        let hasStreams = endpoint.hasStreams
        let watchesRequests = texts.contains(id) || hasStreams && calls.contains(id)
        return hasStreams || watchesRequests ? .mock(requests: watchesRequests) : .unwatched
      })
  }
}

extension EndpointPlan {
  fileprivate var hasStreams: Bool {
    !eventStreams.isEmpty || !lines.isEmpty || !webSockets.isEmpty
  }
}

extension ProviderPlan {
  /// The endpoint that gets a request whose body is so; nil if there is none.
  fileprivate func endpoint(_ isWanted: (BodyPlan) -> Bool) -> EndpointID? {
    guard case .request(let request) = origin, isWanted(request.body) else { return nil }
    return request.endpoint
  }
}

extension BodyPlan {
  /// True for a text that may not be what its type says.
  fileprivate var isText: Bool {
    switch self {
    case .text, .file, .contents, .bytes: true
    case .none, .json, .form, .multipart: false
    }
  }

  /// True if the body may be a call of JSON-RPC, or an answer to one.
  fileprivate var mayBeCall: Bool {
    guard case .json(let data) = self else { return false }
    switch data.content {
    case .constant(let value): return value["jsonrpc"] != nil || value.isList
    case .map(let entries): return entries.contains { $0.key == "jsonrpc" }
    case .text: return false
    case .expression, .list, .keyedMap, .example: return true
    }
  }
}

extension Value {
  fileprivate var isList: Bool { if case .list = self { true } else { false } }
}

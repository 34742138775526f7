import Diagnostics
import ScenarioPlan
import ScenarioSpec

/// The choice of worlds on the command line, where endpoints have worlds of their own, or where a
/// scenario may choose.
package struct WorldChoices: Sendable, Equatable {
  /// The world of one endpoint.
  package struct Choice: Sendable, Equatable {
    package var endpoint: String
    package var world: WorldName

    package init(_ endpoint: String, _ world: WorldName) {
      self.endpoint = endpoint
      self.world = world
    }
  }

  /// The world of the endpoints that are not named; nil leaves them to the scenario.
  package var others: WorldName?
  package var choices: [Choice] = []
  package var settings = RealWorldSettings()
  /// The trace that answers, if an endpoint is in that world.
  package var trace: TraceWorld?

  package init() {}

  /// The choices as the command line takes them: `real,webhook=sockets`.
  package var text: String {
    let usual = others.map { [word($0)] } ?? []
    return (usual + choices.map { "\($0.endpoint)=\(word($0.world))" }).joined(separator: ",")
  }

  private func word(_ world: WorldName) -> String {
    switch world {
    case .mock, .sockets, .real: world.rawValue
    case .trace: "trace:\(trace?.path ?? "")"
    }
  }

  fileprivate func world(of endpoint: String) -> WorldName? {
    choices.last { $0.endpoint == endpoint }?.world ?? others
  }
}

extension WorldChoices {
  /// The world of a run with these choices.
  package var kind: WorldKind {
    guard choices.isEmpty else { return .chosen(self) }
    switch others {
    case .sockets: return .sockets
    case .real: return .real(settings)
    case .trace: return trace.map { .trace($0) } ?? .chosen(self)
    case nil where settings == RealWorldSettings(): return .mock
    case .mock, nil: return .chosen(self)
    }
  }
}

extension WorldKind {
  /// The value of `--against` that chooses this world; empty if none is needed.
  package var text: String {
    switch self {
    case .mock: ""
    case .sockets, .real: worldName.rawValue
    case .trace(let trace): "trace:\(trace.path)"
    case .chosen(let choices): choices.text
    }
  }

  /// The settings of connections to real endpoints.
  package var settings: RealWorldSettings {
    switch self {
    case .mock, .sockets, .trace: RealWorldSettings()
    case .real(let settings): settings
    case .chosen(let choices): choices.settings
    }
  }

  /// Returns the world with other settings of connections to real endpoints.
  package func withSettings(_ settings: RealWorldSettings) -> WorldKind {
    switch self {
    case .sockets, .trace: return self
    case .real: return .real(settings)
    case .mock:
      var choices = WorldChoices()
      choices.settings = settings
      return .chosen(choices)
    case .chosen(var choices):
      choices.settings = settings
      return .chosen(choices)
    }
  }
}

extension [WorldName] {
  /// True if all endpoints are mocks in memory, as in most runs.
  var areMocks: Bool { allSatisfy { $0 == .mock } }
}

extension ScenarioPlan {
  /// Returns what the command line leaves to the scenario and to single endpoints; nil if all
  /// endpoints have the one world that it names, as in most runs.
  private func choices(in kind: WorldKind) -> WorldChoices? {
    switch kind {
    case .mock: against.choosesNothing ? nil : WorldChoices()
    case .chosen(let choices): choices
    case .sockets, .real, .trace: nil
    }
  }

  /// Returns the world of each endpoint, or of the scenario if it has none.
  func worlds(in kind: WorldKind) -> [WorldName] {
    guard let choices = choices(in: kind) else {
      return [WorldName](repeating: kind.worldName, count: max(1, endpoints.count))
    }
    let usual = choices.others ?? against.others ?? .mock
    guard !endpoints.isEmpty else { return [usual] }
    return endpoints.withIDs.map { id, endpoint in
      choices.world(of: endpoint.name) ?? against.endpoints[id] ?? usual
    }
  }

  /// Returns the names of the endpoints in a world.
  private func names(in world: WorldName, of worlds: [WorldName]) -> Set<String> {
    Set(zip(endpoints, worlds).filter { $0.1 == world }.map(\.0.name))
  }

  /// Returns the one world of a run, and the endpoints that are real beside mocks.
  ///
  /// A run has one clock and one network. So a mock beside an endpoint on sockets, or beside a real
  /// one, is on sockets as well.
  func world(in kind: WorldKind) -> Result<WorldOfRun, NoWorld> {
    guard let choices = choices(in: kind) else { return .success(WorldOfRun(kind)) }
    let worlds = worlds(in: kind)
    if worlds.areMocks { return .success(WorldOfRun(.mock)) }
    let kinds = Set(worlds)
    if kinds.contains(.trace) {
      guard var trace = choices.trace, kinds.isSubset(of: [.trace, .mock]) else {
        return .failure(NoWorld(.worldsDoNotMix(self, kinds), .scenario))
      }
      trace.mocked = names(in: .mock, of: worlds)
      return .success(WorldOfRun(.trace(trace)))
    }
    guard kinds.contains(.real) else {
      return .success(WorldOfRun(kinds.contains(.sockets) ? .sockets : .mock))
    }
    let all = kinds == [.real]
    return .success(
      WorldOfRun(
        .real(choices.settings), realEndpoints: all ? nil : names(in: .real, of: worlds)))
  }

  /// The endpoints that clients from outside can use.
  package var servedEndpoints: [EndpointPlan] {
    let called = calledEndpoints
    return endpoints.filter { !called.contains($0.name) }
  }

  /// The names of the real servers that a served scenario calls: those which `against` names, and
  /// beside mocks those that have none.
  var calledEndpoints: Set<String> {
    let named = endpoints.withIDs.filter { against.endpoints[$0.0] == .real }.map(\.1.name)
    return Set(named).union(endpoints.contains(where: \.hasMock) ? servers : [])
  }

  /// The warnings about endpoints of the command line that the scenario does not have.
  func unknownEndpoints(of kind: WorldKind) -> [Diagnostic] {
    guard let choices = choices(in: kind) else { return [] }
    let names = endpoints.map(\.name)
    return choices.choices.map(\.endpoint).filter { !names.contains($0) }.map {
      .worldOfNoEndpoint($0, names)
    }
  }
}

/// The world of one run.
struct WorldOfRun {
  /// A world without choices.
  var kind: WorldKind
  /// The names of the endpoints that are real, if the others are mocks.
  var realEndpoints: Set<String>?

  init(_ kind: WorldKind, realEndpoints: Set<String>? = nil) {
    self.kind = kind
    self.realEndpoints = realEndpoints
  }
}

extension Diagnostic {
  fileprivate static func worldsDoNotMix(
    _ plan: ScenarioPlan, _ worlds: Set<WorldName>
  ) -> Diagnostic {
    let others = worlds.subtracting([.trace]).map { "`\($0.rawValue)`" }.sorted()
    return Diagnostic(
      "worlds-do-not-mix",
      "a trace answers in memory, and cannot stand beside \(others.joined(separator: " or "))",
      labels: [.init(plan.range)], help: "leave the other endpoints to `mock`, or to the trace")
  }

  fileprivate static func worldOfNoEndpoint(_ name: String, _ known: [String]) -> Diagnostic {
    let nearest = nearestName(to: name, among: known).map { "did you mean `\($0)`?" }
    let list = known.isEmpty ? "none" : known.map { "`\($0)`" }.joined(separator: ", ")
    return Diagnostic(
      "world-of-no-endpoint", severity: .warning,
      "`--against` has a world for `\(name)`, which is no endpoint here",
      help: nearest ?? "endpoints are \(list)")
  }
}

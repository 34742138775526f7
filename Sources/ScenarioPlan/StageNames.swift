import Diagnostics
import ScenarioSpec

/// What the names on a stage stand for.
struct StageNames {
  /// Whose script or rule is compiled.
  enum Owner: Equatable {
    case scenario
    case reactor(ReactorID)
    case endpoint(EndpointID)
  }

  private(set) var nodes: [String: NodeID] = [:]
  private(set) var sources: [String: SourceID] = [:]
  private(set) var actions: [String: ActionID] = [:]
  private(set) var reactors: [String: ReactorID] = [:]
  private(set) var endpoints: [String: EndpointID] = [:]
  private(set) var providers: [String: ProviderID] = [:]
  /// In the order of declaration, for hints.
  private(set) var sourceNames: [String] = []
  private(set) var nodeNames: [String] = []
  private(set) var actionNames: [String] = []
  private(set) var reactorNames: [String] = []
  private(set) var endpointNames: [String] = []
  private(set) var providerNames: [String] = []

  mutating func addSource(_ name: String, _ id: SourceID) {
    sources[name] = id
    sourceNames.append(name)
  }

  mutating func addNode(_ name: String, _ id: NodeID) {
    nodes[name] = id
    nodeNames.append(name)
  }

  mutating func addAction(_ name: String, _ id: ActionID) {
    actions[name] = id
    actionNames.append(name)
  }

  mutating func addReactor(_ name: String, _ id: ReactorID) {
    reactors[name] = id
    reactorNames.append(name)
  }

  mutating func addEndpoint(_ name: String, _ id: EndpointID) {
    endpoints[name] = id
    endpointNames.append(name)
  }

  mutating func addProvider(_ name: String, _ id: ProviderID) {
    providers[name] = id
    providerNames.append(name)
  }
}

/// Looking names up, with a complaint that knows the nearest one.
extension PlanCompiler {
  /// The spellings a name may stand for here, most specific first: an owner's own part comes
  /// before the stage's.
  private func spellings(_ name: String) -> [String] {
    switch owner {
    case .scenario: [name]
    case .reactor(let id): [plan.reactors[id].name + "." + name, name]
    case .endpoint(let id): [plan.endpoints[id].name + "." + name, name]
    }
  }

  /// Names as they may be written here: those of the owner's parts also without its prefix.
  private func knownHere(_ all: [String]) -> [String] {
    let prefix = spellings("").first ?? ""
    guard prefix.count > 1 else { return all }
    return all.compactMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil } + all
  }

  func findNode(_ name: Located<String>) -> NodeID? {
    for spelling in spellings(name.value) {
      if let id = names.nodes[spelling] { return id }
    }
    report(.unknownName(name, what: "a node or field", known: knownHere(names.nodeNames)))
    return nil
  }

  func findSource(_ name: Located<String>) -> SourceID? {
    for spelling in spellings(name.value) {
      if let id = names.sources[spelling] { return id }
    }
    if names.reactors[name.value] != nil {
      let fields = names.nodeNames.filter { $0.hasPrefix(name.value + ".") }
      report(.reactorIsNoSource(name, fields: fields))
    } else {
      report(.unknownName(name, what: "a source", known: knownHere(names.sourceNames)))
    }
    return nil
  }

  func findAction(_ name: Located<String>) -> ActionID? {
    for spelling in spellings(name.value) {
      if let id = names.actions[spelling] { return id }
    }
    report(.unknownName(name, what: "an action", known: knownHere(names.actionNames)))
    return nil
  }

  func findReactor(_ name: Located<String>) -> ReactorID? {
    if let id = names.reactors[name.value] { return id }
    report(.unknownName(name, what: "a reactor", known: names.reactorNames))
    return nil
  }

  func findEndpoint(_ name: Located<String>) -> EndpointID? {
    if let id = names.endpoints[name.value] { return id }
    report(.unknownName(name, what: "an endpoint", known: names.endpointNames))
    return nil
  }

  func findProvider(_ name: Located<String>) -> ProviderID? {
    if let id = names.providers[name.value] { return id }
    report(.unknownName(name, what: "a provider", known: names.providerNames))
    return nil
  }
}

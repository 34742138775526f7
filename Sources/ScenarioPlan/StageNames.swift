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

  var nodes = NameTable()
  var sources = NameTable()
  var actions = NameTable()
  var reactors = NameTable()
  var endpoints = NameTable()
  var providers = NameTable()
}

/// Names of one kind, each standing for its place in the order of declaration; of two equal ones
/// the later is found.
///
/// Few names are searched one by one, which is all that most scenarios need; many are indexed.
struct NameTable: Sendable {
  private(set) var names: [String] = []
  private var index: [String: Int] = [:]
  private static let mostWithoutIndex = 16

  mutating func append(_ name: String) {
    names.append(name)
    if names.count > NameTable.mostWithoutIndex + 1 {
      index[name] = names.count - 1
    } else if names.count > NameTable.mostWithoutIndex {
      for (id, name) in names.enumerated() { index[name] = id }
    }
  }

  subscript(name: String) -> Int? {
    guard names.count <= NameTable.mostWithoutIndex else { return index[name] }
    let length = name.utf8.count
    var id = names.count - 1
    while id >= 0 {
      // Texts of another length are passed over without being compared.
      if names[id].utf8.count == length, names[id] == name { return id }
      id -= 1
    }
    return nil
  }
}

/// Looking names up, with a complaint that knows the nearest one.
extension PlanCompiler {
  /// What the names of the owner's own parts begin with; nil for the scenario's.
  private var ownPrefix: String? {
    switch owner {
    case .scenario: nil
    case .reactor(let id): plan.reactors[id].name + "."
    case .endpoint(let id): plan.endpoints[id].name + "."
    }
  }

  /// What a name stands for here: an owner's own part comes before the stage's.
  private func find(_ name: String, in table: NameTable) -> Int? {
    if let ownPrefix, let own = table[ownPrefix + name] { return own }
    return table[name]
  }

  /// Names as they may be written here: those of the owner's parts also without its prefix.
  private func knownHere(_ all: [String]) -> [String] {
    guard let prefix = ownPrefix else { return all }
    return all.compactMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil } + all
  }

  /// The name as the stage has it, where it is one of the owner's own parts.
  func prefixed(_ name: String) -> String { (ownPrefix ?? "") + name }

  func findNode(_ name: Located<String>) -> NodeID? {
    if let id = find(name.value, in: names.nodes) { return id }
    report(.unknownName(name, what: "a node or field", known: knownHere(names.nodes.names)))
    return nil
  }

  func findSource(_ name: Located<String>) -> SourceID? {
    if let id = find(name.value, in: names.sources) { return id }
    if names.reactors[name.value] != nil {
      let fields = names.nodes.names.filter { $0.hasPrefix(name.value + ".") }
      report(.reactorIsNoSource(name, fields: fields))
    } else {
      report(.unknownName(name, what: "a source", known: knownHere(names.sources.names)))
    }
    return nil
  }

  func findAction(_ name: Located<String>) -> ActionID? {
    if let id = find(name.value, in: names.actions) { return id }
    report(.unknownName(name, what: "an action", known: knownHere(names.actions.names)))
    return nil
  }

  func findReactor(_ name: Located<String>) -> ReactorID? {
    if let id = names.reactors[name.value] { return id }
    report(.unknownName(name, what: "a reactor", known: names.reactors.names))
    return nil
  }

  func findEndpoint(_ name: Located<String>) -> EndpointID? {
    if let id = names.endpoints[name.value] { return id }
    report(.unknownName(name, what: "an endpoint", known: names.endpoints.names))
    return nil
  }

  func findProvider(_ name: Located<String>) -> ProviderID? {
    if let id = names.providers[name.value] { return id }
    report(.unknownName(name, what: "a provider", known: names.providers.names))
    return nil
  }
}

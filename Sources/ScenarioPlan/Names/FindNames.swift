import Diagnostics
import ScenarioSpec
import TextSearch

/// Looking names up, with a complaint that knows the nearest one.
extension PlanCompiler {
  /// The prefix of the owner's own names; nil for scenarios.
  private var ownPrefix: String? {
    switch owner {
    case .scenario: nil
    case .reactor(let id): plan.reactors[id].name + "."
    case .endpoint(let id): plan.endpoints[id].name + "."
    }
  }

  // What a name stands for here: an owner's own part comes before the stage's.

  func lookUpNode(_ name: String) -> NodeID? {
    if let ownPrefix, let own = names.nodes[ownPrefix + name] { return own }
    return names.node(named: name, from: unit.prefix)
  }

  func lookUpSource(_ name: String) -> SourceID? {
    if let ownPrefix, let own = names.sources[ownPrefix + name] { return own }
    // Part by part: to ask all names at once copies them.
    if let source = names.sources[unit.prefix + name] { return source }
    if let node = names.shortNodes.find(name, from: unit.prefix) { return names.sourceOfNode[node] }
    if let only = names.onlyEndpoints[unit.prefix + name] { return plan.endpoints[only].source }
    return name == "network" ? names.connectivity : nil
  }

  private func lookUpAction(_ name: String) -> ActionID? {
    if let ownPrefix, let own = names.actions[ownPrefix + name] { return own }
    return names.actions[unit.prefix + name] ?? names.shortActions.find(name, from: unit.prefix)
  }

  func lookUpProvider(_ name: String) -> ProviderID? { names.providers[unit.prefix + name] }

  /// Names as they may be written here: those of the owner's parts also without its prefix.
  private func knownHere<Of, Part>(
    _ table: NameTable<Of>, _ short: ShortNames<Part>
  ) -> [String] {
    let own = ownPrefix.map { table.seen(from: $0) } ?? []
    return own + table.seen(from: unit.prefix) + short.seen(from: unit.prefix)
  }

  /// Nothing is said about the parts of a component that could not be read.
  func reportUnknown(
    _ name: Located<String>, _ what: String, known: [String], declaredIn key: Key? = nil
  ) {
    if unit.naming.isUnread(name.value) { return }
    report(.unknownName(name, what: what, known: known, declaredIn: key))
  }

  func findNode(_ name: Located<String>) -> NodeID? {
    if let id = lookUpNode(name.value) { return id }
    reportUnknown(name, "a node or field", known: knownHere(names.nodes, names.shortNodes))
    return nil
  }

  func findSource(_ name: Located<String>) -> SourceID? {
    if let id = lookUpSource(name.value) { return isOpenSource(id, name) ? id : nil }
    let full = unit.prefix + name.value
    if names.reactors[full] != nil {
      let fields = names.nodes.names.filter { $0.hasPrefix(full + ".") }
      report(.reactorIsNoSource(name, fields: fields.map(unit.name)))
    } else {
      let known = knownHere(names.sources, names.shortNodes)
      // A component is no source itself; what it holds is.
      let parts = known.filter { $0.hasPrefix(name.value + ".") }
      reportUnknown(name, "a source", known: parts.isEmpty ? known : parts)
    }
    return nil
  }

  /// Returns whether a source can be named alone. A stream with parameters starts for calls only.
  private func isOpenSource(_ source: SourceID, _ name: Located<String>) -> Bool {
    guard case .stream(let id) = plan.sources[source].kind, !plan.streams[id].parameters.isEmpty
    else { return true }
    report(.streamTakesParameters(name, plan.streams[id].parameters.map(\.name)))
    return false
  }

  func findAction(_ name: Located<String>) -> ActionID? {
    if let id = lookUpAction(name.value) { return id }
    reportUnknown(name, "an action", known: knownHere(names.actions, names.shortActions))
    return nil
  }

  func findReactor(_ name: Located<String>) -> ReactorID? {
    if let id = names.reactors[unit.prefix + name.value] { return id }
    reportUnknown(
      name, "a reactor", known: names.reactors.seen(from: unit.prefix), declaredIn: .reactors)
    return nil
  }

  func findEndpoint(_ name: Located<String>) -> EndpointID? {
    let full = unit.prefix + name.value
    if let id = names.endpoints[full] ?? names.onlyEndpoints[full] { return id }
    let parameters = unit.stage.streams.filter(\.isParameter)
    if let given = parameters.first(where: { $0.name.value == name.value }) {
      return endpoint(of: given)
    }
    reportUnknown(
      name, "an endpoint", known: names.endpoints.seen(from: unit.prefix), declaredIn: .endpoints)
    return nil
  }

  func findProvider(_ name: Located<String>) -> ProviderID? {
    if let id = lookUpProvider(name.value) { return id }
    reportUnknown(
      name, "a provider", known: names.providers.seen(from: unit.prefix), declaredIn: .providers)
    return nil
  }
}

/// The naming rules of a unit, in the form that closures can capture.
struct UnitNaming: Sendable {
  let prefix: String
  let unread: [String]

  /// Returns whether a name is part of a component that could not be read.
  func isUnread(_ name: String) -> Bool {
    unread.contains { $0 == name || name.hasPrefix($0 + ".") }
  }
}

extension StageUnit {
  var naming: UnitNaming { UnitNaming(prefix: prefix, unread: unread) }
}

import TextSearch

/// The meaning of each name on the stage.
struct StageNames: Sendable {
  /// Whose script or rule is compiled.
  enum Owner: Equatable {
    case scenario
    case reactor(ReactorID)
    case endpoint(EndpointID)
  }

  var nodes = NameTable<NodePlan>()
  var sources = NameTable<SourcePlan>()
  var actions = NameTable<ActionPlan>()
  var reactors = NameTable<ReactorPlan>()
  var endpoints = NameTable<EndpointPlan>()
  var providers = NameTable<ProviderPlan>()
  var databases = NameTable<DatabasePlan>()
  var lists = NameTable<ListPlan>()
  var connections = NameTable<ConnectionPlan>()
  var programs = NameTable<ProgramPlan>()
  /// Parts of a component's reactors as they may be named outside, without the reactor.
  var shortNodes = ShortNames<NodePlan>()
  var shortActions = ShortNames<ActionPlan>()
  /// By the name of a component: its endpoint, if it has just one.
  var onlyEndpoints: [String: EndpointID] = [:]
  /// The source `network`, if there is a network and the stage gives this name to nothing else.
  var connectivity: SourceID?
  /// By node: the source of its events.
  var sourceOfNode: PerID<NodePlan, SourceID> = []

  func node(named name: String, from prefix: String) -> NodeID? {
    nodes[prefix + name] ?? shortNodes.find(name, from: prefix)
  }

  func source(named name: String, from prefix: String) -> SourceID? {
    sources[prefix + name] ?? shortNodes.find(name, from: prefix).map { sourceOfNode[$0] }
  }

  func sources(seenFrom prefix: String) -> [String] {
    sources.seen(from: prefix) + shortNodes.seen(from: prefix)
  }
}

/// Names that leave something out, each as long as it means one thing.
struct ShortNames<Of>: Sendable {
  private(set) var names: [String] = []
  private var ids: [ID<Of>?] = []
  private var index: [String: Int] = [:]

  /// A name that is added twice means nothing.
  mutating func add(_ name: String, _ id: ID<Of>) {
    if let known = index[name] {
      ids[known] = nil
    } else {
      index[name] = names.count
      names.append(name)
      ids.append(id)
    }
  }

  /// Returns the part that a name means to the user of a component; the component itself uses the
  /// full name.
  func find(_ name: String, from prefix: String) -> ID<Of>? {
    guard name.contains(byte: UInt8(ascii: ".")), let place = index[prefix + name] else {
      return nil
    }
    return ids[place]
  }

  /// The name at this place as it is said there, and what it means.
  func visible(_ place: Int, from prefix: String) -> (name: String, id: ID<Of>)? {
    guard let id = ids[place], names[place].hasPrefix(prefix) else { return nil }
    let name = String(names[place].dropFirst(prefix.count))
    return name.contains(byte: UInt8(ascii: ".")) ? (name, id) : nil
  }

  func seen(from prefix: String) -> [String] {
    names.indices.compactMap { visible($0, from: prefix)?.name }
  }
}

/// Names of one kind, each standing for its place in the order of declaration; of two equal ones
/// the later is found.
///
/// Few names are searched one by one, which is all that most scenarios need; many are indexed.
struct NameTable<Of>: Sendable {
  private(set) var names: [String] = []
  private var index: [String: ID<Of>] = [:]
  private static var mostWithoutIndex: Int { 16 }

  mutating func append(_ name: String) {
    if names.isEmpty { names.reserveCapacity(PlanTables.usualCount) }
    names.append(name)
    if names.count > NameTable.mostWithoutIndex + 1 {
      index[name] = ID(names.count - 1)
    } else if names.count > NameTable.mostWithoutIndex {
      for (id, name) in names.enumerated() { index[name] = ID(id) }
    }
  }

  /// The names that begin with this, without it.
  func seen(from prefix: String) -> [String] {
    if prefix.isEmpty { return names }
    return names.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
  }

  subscript(name: String) -> ID<Of>? {
    guard names.count <= NameTable.mostWithoutIndex else { return index[name] }
    let length = name.utf8.count
    var id = names.count - 1
    while id >= 0 {
      // Texts of another length are passed over without being compared.
      if names[id].utf8.count == length, names[id] == name { return ID(id) }
      id -= 1
    }
    return nil
  }
}

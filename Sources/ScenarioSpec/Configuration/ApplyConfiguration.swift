import Diagnostics

extension ScenarioDocument {
  /// Adds what a configuration gives and the scenario does not have: options, and the variables and
  /// endpoints that it names.
  ///
  /// - Parameter names: The names in the scenario and in the files that it uses.
  package mutating func complete(
    by configuration: ConfigurationDocument, setupNames: [SetupName], naming names: Set<String>,
    in sources: SourceMap
  ) {
    timeout = timeout ?? configuration.timeout
    clock = clock ?? configuration.clock
    seed = seed ?? configuration.seed
    traces.complete(by: configuration.traces)
    let wanted = ConfiguredNames(configuration, names, in: sources)
    let own = declaredNames
    complete(by: configuration.endpoints.filter { wanted.names.contains($0.name) }, own)
    let variables = configuration.vars.filter { wanted.names.contains($0.name.value) }
    complete(by: variables, own, wanted)
    let taken = own.union(variables.map(\.name.value))
    self.setupNames = setupNames.filter {
      wanted.names.contains($0.name.value) && !taken.contains($0.name.value)
    }
    var defaults = configuration.against
    let endpoints = Set(stage.endpoints.map(\.name.value))
    defaults.endpoints.removeAll { !endpoints.contains($0.name.value) }
    against.complete(by: defaults)
  }

  private mutating func complete(by defaults: [DefaultEndpoint], _ own: Set<String>) {
    for given in defaults {
      if let place = stage.endpoints.firstIndex(where: { $0.name.value == given.name }) {
        stage.endpoints[place].complete(by: given.endpoint)
      } else if !own.contains(given.name) {
        stage.endpoints.append(given.endpoint)
      }
    }
  }

  /// Adds variables before the scenario's own ones, which may read them. One that reads a variable
  /// of the scenario comes behind it.
  private mutating func complete(
    by variables: [VariableSpec], _ own: Set<String>, _ wanted: ConfiguredNames
  ) {
    var late = own
    var (before, behind): ([VariableSpec], [VariableSpec]) = ([], [])
    for variable in variables where !own.contains(variable.name.value) {
      if wanted.namesInside(variable).isDisjoint(with: late) {
        before.append(variable)
      } else {
        late.insert(variable.name.value)
        behind.append(variable)
      }
    }
    stage.vars = before + stage.vars + behind
  }

  /// The names that the scenario itself gives to things.
  private var declaredNames: Set<String> {
    var names = Set(stage.vars.map(\.name.value))
    names.formUnion(stage.uses.map(\.name.value))
    names.formUnion(stage.graph.map(\.name.value))
    names.formUnion(stage.reactors.map(\.name.value))
    names.formUnion(stage.endpoints.map(\.name.value))
    names.formUnion(stage.databases.map(\.name.value))
    names.formUnion(stage.providers.map(\.name.value))
    names.formUnion(stage.lists.map(\.name.value))
    names.formUnion(stage.connections.map(\.name.value))
    names.formUnion(stage.streams.map(\.name.value))
    names.formUnion(stage.programs.map(\.name.value))
    for source in stage.sources {
      names.insert(String(source.name.value.prefix { $0 != "." }))
    }
    for row in cases.prefix(1) { names.formUnion(row.columns.map(\.name.value)) }
    return names
  }
}

extension EndpointSpec {
  /// Fills in the real URL, or all of the mock.
  mutating func complete(by given: EndpointSpec) {
    url = url ?? given.url
    let hasMock =
      proxy != nil
      || !(http.isEmpty && eventStreams.isEmpty && lines.isEmpty && webSockets.isEmpty)
    guard !hasMock else { return }
    (http, eventStreams, lines) = (given.http, given.eventStreams, given.lines)
    (webSockets, proxy) = (given.webSockets, given.proxy)
    if state.isEmpty { state = given.state }
    if case .unsaid = crossOrigin { crossOrigin = given.crossOrigin }
  }
}

extension DefaultEndpoint {
  fileprivate var name: String { endpoint.name.value }
}

/// The names of a scenario, with those inside the variables and endpoints that it gets.
private struct ConfiguredNames {
  private(set) var names: Set<String>
  private let sources: SourceMap

  init(_ configuration: ConfigurationDocument, _ names: Set<String>, in sources: SourceMap) {
    self.names = names
    self.sources = sources
    for endpoint in configuration.endpoints where names.contains(endpoint.name) {
      self.names.formUnion(sources.identifiers(in: endpoint.range))
    }
    // A variable reads only those before it.
    for variable in configuration.vars.reversed() where self.names.contains(variable.name.value) {
      self.names.formUnion(namesInside(variable))
    }
  }

  func namesInside(_ variable: VariableSpec) -> Set<String> {
    sources.identifiers(in: variable.value.range)
  }
}

extension SourceMap {
  /// Returns the words of a piece of text that may be names.
  package func identifiers(in range: SourceRange) -> Set<String> {
    guard let bytes = file(of: range)?.bytes else { return [] }
    let end = min(Int(range.end), bytes.count)
    return SourceMap.identifiers(in: bytes[min(Int(range.start), end)..<end])
  }

  private static func identifiers(in bytes: ArraySlice<UInt8>) -> Set<String> {
    var names: Set<String> = []
    for word in bytes.split(whereSeparator: { !isIdentifierByte($0) }) {
      names.insert(String(decoding: word, as: UTF8.self))
    }
    return names
  }
}

private func isIdentifierByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
    true
  default: false
  }
}

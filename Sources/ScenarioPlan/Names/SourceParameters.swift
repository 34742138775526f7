import Diagnostics
import ScenarioSpec
import Values

/// Parts that a component is given: a source becomes a stream of the component that follows it, a
/// node becomes a node that has its value.
extension PlanCompiler {
  /// Returns the stage of a component with the parts that a use gives, or its defaults.
  func stage(of component: ComponentDocument, given: [NamedData]) -> StageSpec {
    var stage = component.stage
    stage.graph = nodes(for: component.parameters, given: given) + stage.graph
    stage.streams = streams(for: component.parameters, given: given) + stage.streams
    return stage
  }

  /// A node that is missing or wrong has a value that nobody knows in its place.
  private func nodes(for parameters: [ParameterSpec], given: [NamedData]) -> [NodeSpec] {
    parameters.filter { $0.kind == .node }.map { parameter in
      let data = given.first { $0.name.value == parameter.name.value }?.value
      let unknown = NodeSpec.Rule.stored(DataSpec(.literal(.null), .none))
      let node = (data ?? parameter.initial).flatMap { sourceName($0, for: parameter) }
      var spec = NodeSpec(
        name: parameter.name,
        rule: node.map { .latest($0, of: nil, initial: nil) } ?? unknown)
      spec.isGivenByUse = data != nil && node != nil
      return spec
    }
  }

  /// Makes the streams of parameters that are sources, given by a use or by a default. A source
  /// that is missing or wrong has a subject in its place, so that what follows it is checked too.
  private func streams(for parameters: [ParameterSpec], given: [NamedData]) -> [StreamSpec] {
    parameters.filter { $0.kind == .source }.map { parameter in
      let data = given.first { $0.name.value == parameter.name.value }?.value
      let source = (data ?? parameter.initial).flatMap { sourceName($0, for: parameter) }
      let origin = source.map { StreamSpec.Origin.merge([InputSpec(source: $0, range: $0.range)]) }
      var stream = StreamSpec(
        name: parameter.name, origin: origin ?? .subject(initial: nil), operators: [],
        range: parameter.name.range)
      stream.isGivenByUse = data != nil && source != nil
      stream.isParameter = true
      return stream
    }
  }

  /// Finds the endpoint that a parameter names. If there is no such source, or none is given, its
  /// stream has been complained about.
  func endpoint(of parameter: StreamSpec) -> EndpointID? {
    guard case .merge(let inputs) = parameter.origin, let name = inputs.first?.source else {
      return nil
    }
    let find = { [self] in lookUpSource(name.value) == nil ? nil : findEndpoint(name) }
    return parameter.isGivenByUse ? insideUser(find) : find()
  }

  private func sourceName(_ data: DataSpec, for parameter: ParameterSpec) -> Located<String>? {
    if case .literal(.string(let name)) = data.content { return Located(name, data.range) }
    report(.notASourceName(parameter, at: data.range))
    return nil
  }

  /// Finds the node of the user's stage that a parameter names.
  func givenNode(_ name: Located<String>) -> SourceID? {
    guard let source = insideUser({ observedSource(name) }) else { return nil }
    if case .node = plan.sources[source].kind { return source }
    report(.notANode(name))
    return nil
  }

  /// Runs a part of the compilation in the unit that uses this one.
  func insideUser<Result>(_ body: () -> Result) -> Result {
    guard let user = position.units.first(where: { $0.prefix == unit.userPrefix }) else {
      return body()
    }
    return inside(user, body)
  }
}

extension Diagnostic {
  fileprivate static func notASourceName(
    _ parameter: ParameterSpec, at range: SourceRange
  ) -> Diagnostic {
    let name = parameter.name.value
    return Diagnostic(
      "parameter-type", "`\(name)` takes \(parameter.kind.phrase)",
      labels: [.init(range, "this is a value")],
      help: "write the name alone, without `${…}`, such as `\(name): prices`")
  }

  fileprivate static func notANode(_ name: Located<String>) -> Diagnostic {
    Diagnostic(
      "parameter-type", "`\(name.value)` is no node",
      labels: [.init(name.range, "this is another source")],
      help: "give the name of a node, or let the parameter be `{ type: source }`")
  }
}

import Diagnostics
import ScenarioSpec
import Values

/// Sources that a component is given: each becomes a stream of the component that follows it.
extension PlanCompiler {
  /// Returns the stage of a component with a stream for each source that a use gives.
  func stage(of component: ComponentDocument, usedBy use: UseSpec) -> StageSpec {
    var stage = component.stage
    stage.streams = streams(for: component.parameters, given: use.with) + stage.streams
    return stage
  }

  /// Makes the streams of parameters that are sources, given by a use or by a default. A source
  /// that is missing or wrong has a subject in its place, so that what follows it is checked too.
  func streams(for parameters: [ParameterSpec], given: [NamedData]) -> [StreamSpec] {
    parameters.filter { $0.kind == .source }.map { parameter in
      let data = given.first { $0.name.value == parameter.name.value }?.value
      let source = (data ?? parameter.initial).flatMap { sourceName($0, for: parameter) }
      let origin = source.map { StreamSpec.Origin.merge([InputSpec(source: $0, range: $0.range)]) }
      var stream = StreamSpec(
        name: parameter.name, origin: origin ?? .subject(initial: nil), operators: [],
        range: parameter.name.range)
      stream.isGivenByUse = data != nil && source != nil
      return stream
    }
  }

  private func sourceName(_ data: DataSpec, for parameter: ParameterSpec) -> Located<String>? {
    if case .literal(.string(let name)) = data.content { return Located(name, data.range) }
    report(.notASourceName(parameter, at: data.range))
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
}

import ScenarioSpec
import Values

/// The shapes of what sources emit, so that an expression about a number cannot read a field of it.
///
/// A stream that is compiled later, a subject and everything from outside may emit anything.
struct KnownShapes {
  /// The shape of the value that the expression being compiled is about.
  var value = ValueShape.any
  private var ofSources: [SourceID: ValueShape] = [:]
  private var ofStreams: [StreamID: ValueShape] = [:]

  func shape(of stream: StreamID) -> ValueShape { ofStreams[stream] ?? .any }
  func shape(of source: SourceID) -> ValueShape { ofSources[source] ?? .any }

  /// Keeps the shape of a node's values.
  mutating func note(_ shape: ValueShape, of source: SourceID) { ofSources[source] = shape }

  /// Keeps the shape of what a stream emits at its end. Other expressions are about any value.
  mutating func end(of stream: StreamID) {
    ofStreams[stream] = value
    value = .any
  }
}

extension PlanCompiler {
  /// Returns the shape of what a stream emits before its operators.
  func shape(of origin: StreamSpec.Origin) -> ValueShape {
    switch origin {
    case .items(let items): .common(items.map { ValueShape(of: $0) })
    case .marble(let marble, _): .common(marble.moments.compactMap { shape(of: $0) })
    case .merge(let inputs): .common(inputs.map { shape(of: $0) })
    case .combineLatest(let inputs), .zip(let inputs):
      inputs.labels.map { .members($0) } ?? .any
    case .subject, .interval: .any
    }
  }

  /// Returns the shape of the values that reach a stream from a source.
  func shape(of name: Located<String>) -> ValueShape {
    lookUpSource(name.value).map { shape(of: $0) } ?? .any
  }

  /// Returns the shape of the values that reach a stream or a node from a source.
  func shape(of source: SourceID) -> ValueShape {
    if case .stream(let id) = plan.sources[source].kind { return shapes.shape(of: id) }
    return shapeOfEvents(of: source)
  }

  /// Returns the shape of the events of a source.
  func shapeOfEvents(of source: SourceID) -> ValueShape {
    switch plan.sources[source].kind {
    case .endpoint: .ofEndpoints
    case .reactorEvents, .componentEvents, .allEvents: .members(["name", "payload"])
    case .program(_, .exit): .members(["code", "signal"])
    case .stream(let id): shapes.shape(of: id).ofEvents
    case .node: shapes.shape(of: source).ofEvents
    case .connection, .connectivity, .program, .declared: .any
    }
  }

  private func shape(of input: InputSpec) -> ValueShape {
    input.map == nil ? shape(of: input.source) : .any
  }

  private func shape(of moment: Marble<DataSpec>.Moment) -> ValueShape? {
    switch moment.kind {
    case .value(let data): ValueShape(of: data)
    case .completion, .failure: nil
    }
  }
}

extension StreamOperatorPlan.Kind {
  /// Returns the shape of what the operator emits if it gets values of a shape.
  func shape(ofValuesFrom shape: ValueShape, _ emits: StreamOperatorRule.Emits) -> ValueShape {
    switch emits {
    case .same: return shape
    case .anything: return .any
    case .results:
      if case .map(let rule) = self { return ValueShape(of: rule.program) }
      if case .compactMap(let rule) = self { return ValueShape(of: rule.program) }
      return .any
    }
  }
}

import ScenarioSpec
import Values

/// Publishers: where their events come from, and what these go through.
extension PlanCompiler {
  func compile(_ stream: StreamSpec, _ id: StreamID) {
    nested {
      let outer = frame
      frame = FrameBuilder()
      for parameter in stream.parameters { _ = declareLocal(parameter.value) }
      streamFrame = frame
      plan.streams[id].origin =
        stream.isGivenByUse
        ? insideUser { compile(stream.origin) } : compile(stream.origin)
      shapes.value = stream.isGivenByUse ? .any : shape(of: stream.origin)
      plan.streams[id].operators = stream.operators.compactMap { compile($0) }
      shapes.end(of: id)
      plan.streams[id].startsAgain = stream.isCold
      plan.streams[id].replay = stream.replay?.value
      (frame, streamFrame) = (outer, FrameBuilder())
    }
    if stream.origin.existsOnce, let first = stream.parameters.first {
      report(.parametersOfHotStream(first))
    }
  }

  /// Returns whether a slot is a parameter of the stream that is being compiled.
  func isParameterOfStream(_ slot: SlotPlan) -> Bool {
    if case .local(let local) = slot { local.index < streamFrame.localCount } else { false }
  }

  private func compile(_ origin: StreamSpec.Origin) -> StreamPlan.Origin {
    switch origin {
    case .merge(let inputs): .merge(compile(inputs))
    case .combineLatest(let inputs): .combineLatest(compile(inputs), labels: inputs.labels)
    case .zip(let inputs): .zip(compile(inputs), labels: inputs.labels)
    case .subject(let initial): .subject(initial: initial.map { compileInitial($0) })
    case .interval(let length): .interval(compileInterval(length))
    case .marble(let marble, let isHot):
      .marble(marble.map { compileInitial($0) }, isHot: isHot)
    case .items(let items): .items(items.map { compileInitial($0) })
    }
  }

  private func compileInterval(_ spec: DurationSpec) -> DurationPlan {
    let length = compile(spec)
    if case .constant(0) = length, case .literal(let written) = spec {
      report(.intervalOfNothing(written.range))
    }
    return length
  }

  func compile(_ inputs: [InputSpec]) -> [InputPlan] { inputs.compactMap { compile($0) } }

  func compile(_ input: InputSpec) -> InputPlan? {
    let shape = shape(of: input.source)
    let condition = about(shape) { input.where.flatMap { self.condition($0) } }
    let map = about(shape) { input.map.flatMap { ofValue($0) } }
    guard let source = observedSource(input.source) else { return nil }
    return InputPlan(source: source, where: condition, map: map, range: input.source.range)
  }

  /// A source that is named alone, and observed from the start.
  func observedSource(_ name: Located<String>) -> SourceID? {
    guard let source = findSource(name) else { return nil }
    observe(source)
    followed.append(source)
    return source
  }

  /// Compiles what is about values of this shape.
  func about<Result>(_ shape: ValueShape, _ body: () -> Result) -> Result {
    let outer = shapes.value
    defer { shapes.value = outer }
    shapes.value = shape
    return body()
  }

  /// Compiles what is about an emitted value: `value` and `event` are that value, and its fields
  /// are in scope where nothing on the stage has their name.
  func aboutValue<Result>(local: [String] = [], _ body: () -> Result) -> Result {
    nested {
      let (outer, matched) = (frame, slot(.matched))
      defer { frame = outer }
      frame = streamFrame
      scope.declareValue(shapes.value, slot: matched)
      guard let first = local.first else { return body() }
      let only = declareLocal(first)
      for other in local.dropFirst() { scope.declare(other, slot: slot(.local(only))) }
      return body()
    }
  }
}

extension StreamSpec.Origin {
  /// True if there is one for all subscribers, at any time.
  fileprivate var existsOnce: Bool {
    switch self {
    case .subject, .marble(_, isHot: true): true
    case .merge, .combineLatest, .zip, .interval, .marble(_, isHot: false), .items: false
    }
  }
}

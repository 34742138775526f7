import CEL
import Diagnostics
import ScenarioSpec
import Values

/// Publishers: where their events come from, and what these go through.
extension PlanCompiler {
  func compile(_ stream: StreamSpec, _ id: StreamID) {
    plan.streams[id].origin = compile(stream.origin)
    plan.streams[id].operators = stream.operators.compactMap { compile($0) }
  }

  private func compile(_ origin: StreamSpec.Origin) -> StreamPlan.Origin {
    switch origin {
    case .merge(let inputs): .merge(compile(inputs))
    case .combineLatest(let inputs): .combineLatest(compile(inputs), labels: labels(of: inputs))
    case .zip(let inputs): .zip(compile(inputs), labels: labels(of: inputs))
    case .subject(let initial): .subject(initial: initial.map { compileInitial($0) })
    case .interval(let length): .interval(compile(length))
    case .marble(let marble, let isHot):
      .marble(compile(marble) { self.compileInitial($0) }, isHot: isHot)
    case .items(let items): .items(items.map { compileInitial($0) })
    }
  }

  func compile(_ inputs: [InputSpec]) -> [InputPlan] { inputs.compactMap { compile($0) } }

  func labels(of inputs: [InputSpec]) -> [String]? {
    let labels = inputs.compactMap { $0.label?.value }
    return labels.count == inputs.count && !labels.isEmpty ? labels : nil
  }

  func compile<Spec, Plan>(
    _ marble: MarbleSpec<Spec>, payload: (Spec) -> Plan
  ) -> MarblePlan<Plan> {
    let moments = marble.moments.map { moment in
      let kind: MarblePlan<Plan>.Kind =
        switch moment.kind {
        case .value(let spec): .value(payload(spec))
        case .completion: .completion
        case .failure(let spec): .failure(spec.map(payload))
        }
      return MarblePlan<Plan>.Moment(
        kind: kind, symbol: moment.symbol, time: moment.time, range: moment.range)
    }
    return MarblePlan(
      diagram: marble.diagram.value, tick: marble.tick, moments: moments, end: marble.end,
      range: marble.diagram.range)
  }

  func compile(_ input: InputSpec) -> InputPlan? {
    let condition = input.where.flatMap { text in aboutValue { compileCondition(text) } }
    let map = input.map.flatMap { text in aboutValue { compile(text) } }
    guard let source = findSource(input.source) else { return nil }
    observe(source)
    return InputPlan(source: source, where: condition, map: map, range: input.source.range)
  }

  /// A source that is named alone, and observed from the start.
  func observedSource(_ name: Located<String>) -> SourceID? {
    guard let source = findSource(name) else { return nil }
    observe(source)
    return source
  }

  /// Compiles what is about an emitted value: `value` and `event` are that value, and its fields
  /// are in scope where nothing on the stage has their name.
  func aboutValue<Result>(local: [String] = [], _ body: () -> Result) -> Result {
    nested {
      let (outer, matched) = (frame, slot(.matched))
      defer { frame = outer }
      frame = FrameBuilder()
      scope.declare("value", slot: matched)
      scope.declare("event", slot: matched)
      scope.fallbackSlot = matched
      if let first = local.first { _ = declareLocal(first) }
      for other in local.dropFirst() { scope.declare(other, slot: slot(.local(0))) }
      return body()
    }
  }

  /// Streams that wait for each other would never begin.
  func refuseStreamCycles() {
    var state = [Bool?](repeating: nil, count: plan.streams.count)
    var path: [StreamID] = []
    func visit(_ stream: StreamID) {
      if state[stream] == true { return }
      if state[stream] == false {
        let start = path.firstIndex(of: stream) ?? 0
        return reportStreamCycle(Array(path[start...]))
      }
      state[stream] = false
      path.append(stream)
      for next in streamsRead(by: stream) { visit(next) }
      path.removeLast()
      state[stream] = true
    }
    for stream in plan.streams.indices { visit(stream) }
  }

  private func reportStreamCycle(_ circle: [StreamID]) {
    guard let first = circle.first,
      let home = units.first(where: { ($0.own.streams..<$0.end.streams).contains(first) })
    else { return }
    let streams = circle.map { id in
      var stream = plan.streams[id]
      stream.name = home.name(stream.name)
      return stream
    }
    inside(home) { report(.streamCycle(streams)) }
  }

  private func streamsRead(by stream: StreamID) -> [StreamID] {
    plan.streams[stream].sources.compactMap {
      if case .stream(let read) = plan.sources[$0].kind { read } else { nil }
    }
  }
}

extension Diagnostic {
  static func streamCycle(_ streams: [StreamPlan]) -> Diagnostic {
    let path = (streams + streams.prefix(1)).map { "`\($0.name)`" }.joined(separator: " ← ")
    return Diagnostic(
      "stream-cycle", "a stream cannot be fed by itself",
      labels: streams.enumerated().map { .init($1.range, $0 == 0 ? path : "") },
      help: "let a step or an action send into a subject instead")
  }
}

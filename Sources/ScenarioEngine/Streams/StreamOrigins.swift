import Events
import Publishers
import ScenarioPlan
import Values

/// The origins of streams' events.
extension LiveStreams {
  /// Makes a stream. Whatever in it is evaluated later keeps the values of its parameters.
  func make(
    _ stream: StreamPlan, _ id: StreamID, with arguments: [Value] = []
  ) -> ValuePublisher {
    let outer = self.arguments
    self.arguments = arguments
    defer { self.arguments = outer }
    var chain = placed(id, 0) { origin(of: stream, id) }
    for (place, step) in stream.operators.enumerated() {
      chain = placed(id, place + 1) { apply(step, to: chain) }
    }
    return chain
  }

  private func origin(of stream: StreamPlan, _ id: StreamID) -> ValuePublisher {
    switch stream.origin {
    case .merge(let inputs):
      return inputs.count == 1 ? input(inputs[0]) : merged(inputs.map { input($0) })
    case .combineLatest(let inputs, let labels):
      return combined(inputs.map { currentInput($0) }, labels)
    case .zip(let inputs, let labels): return zipped(inputs.map { input($0) }, labels)
    case .subject, .marble(_, isHot: true): return head(of: id) ?? Empty().eraseToAnyPublisher()
    case .interval(let length): return ticks(every: length)
    case .marble(let marble, isHot: false): return played(marble)
    case .items(let items): return played(items)
    }
  }

  /// A stream that never emits, used after the end of the run.
  var nothingEver: ValuePublisher { Empty(completeImmediately: false).eraseToAnyPublisher() }

  private func ticks(every plan: DurationPlan) -> ValuePublisher {
    let (scheduler, length) = (scheduler, Duration.microseconds(span(of: plan, "interval")))
    return Deferred {
      let counter = Counter()
      return TimerPublisher(every: length, scheduler: scheduler).autoconnect()
        .map { _ in Value.int(counter.next()) }.setFailureType(to: StreamFailure.self)
    }.eraseToAnyPublisher()
  }

  private final class Counter {
    private var count = -1

    func next() -> Int {
      count += 1
      return count
    }
  }

  /// Values that are written down come as jobs of their own: they are events also where the stage
  /// is just being set, and where streams make ever more of them a limit can be seen to.
  func played(_ items: [DataPlan]) -> ValuePublisher {
    guard run.mayWork(items.count + 1) else { return nothingEver }
    var moments = items.map {
      (at: Int64(0), event: Played.value(run.initialValue(of: $0, arguments)))
    }
    moments.append((at: 0, event: .finished))
    return TimelinePublisher(moments: moments, scheduler: scheduler).eraseToAnyPublisher()
  }

  func played(_ marble: MarblePlan<DataPlan>) -> ValuePublisher {
    guard run.mayWork(marble.moments.count) else { return nothingEver }
    let moments = marble.moments.map { moment in
      let event: Played =
        switch moment.kind {
        case .value(let data): .value(run.initialValue(of: data, arguments))
        case .completion: .finished
        case .failure(let data):
          .failure(
            StreamFailure(value: data.map { run.initialValue(of: $0, arguments) } ?? "error"))
        }
      return (at: moment.time, event: event)
    }
    return TimelinePublisher(moments: moments, scheduler: scheduler).eraseToAnyPublisher()
  }

  private typealias Played = TimelineEvent<Value, StreamFailure>

  /// Returns the value of a duration; an expression without a duration as its result fails the run.
  func length(of duration: DurationPlan) -> Int64 {
    run.supervisor.length(of: duration, in: ValueReader(run.stage, arguments))
  }

  /// Returns the length of a duration, at least 1 microsecond. With 0, time would never move on.
  func span(of duration: DurationPlan, _ verb: String) -> Int64 {
    let length = length(of: duration)
    guard length == 0, !run.supervisor.isStopped else { return max(length, 1) }
    guard case .data(let data) = duration else { return 1 }
    let message = "`\(verb)` takes a duration longer than nothing, such as `10ms`"
    run.supervisor.fail(
      .evaluation(EvaluationFailure(range: data.range, message: message), step: nil))
    return 1
  }

  // MARK: - sources

  /// Returns the events of a source from now on; a cold stream starts again.
  func publisher(of source: SourceID) -> ValuePublisher {
    guard case .stream(let id) = run.plan.sources[source].kind else { return relay(of: source) }
    let stream = run.plan.streams[id]
    let publisher =
      stream.isCold && !isPlayed(id)
      ? Deferred { [unowned self] in make(stream, id) }.eraseToAnyPublisher()
      : relay(of: source)
    return stream.logsSubscriptions ? logged(publisher, stream, id) : publisher
  }

  /// Returns a new start of a stream that has parameters.
  func publisher(of id: StreamID, with arguments: [Value]) -> ValuePublisher {
    make(run.plan.streams[id], id, with: arguments)
  }

  /// Makes an expression of the stream that is made now.
  func rule(_ expression: ExpressionPlan) -> StreamRule { StreamRule(run, expression, arguments) }

  /// Makes a closure that evaluates data of the stream that is made now.
  func valueLater(of data: DataPlan) -> () -> Value {
    { [unowned run, arguments] in run.initialValue(of: data, arguments) }
  }

  /// Returns the events of a source, first its present value if it is a node, or is made from a
  /// node or from a subject that has one. Such a subject repeats its value itself.
  func publisherWithPresentValue(of source: SourceID) -> ValuePublisher {
    if case .node(let node) = run.plan.sources[source].kind { return current(node, of: source) }
    let events = publisher(of: source)
    guard case .stream(let id) = run.plan.sources[source].kind, relayIsPassing(id),
      !run.emitter.isFinished[source], let origin = originWithValue(of: id)
    else { return events }
    var present = run.stage.lastEvent(of: source)
    if present == .null, origin == .node { present = presentValue(of: id) ?? .null }
    return present == .null ? events : events.prepend(present).eraseToAnyPublisher()
  }

  /// Returns the events of a source. A node, or a stream made from one, begins with its value.
  func publisherFromNode(_ source: SourceID) -> ValuePublisher {
    if case .stream(let id) = run.plan.sources[source].kind, originWithValue(of: id) != .node {
      return publisher(of: source)
    }
    return publisherWithPresentValue(of: source)
  }

  /// Returns what a stream makes of the present values of its nodes, before they change.
  private func presentValue(of id: StreamID) -> Value? {
    beginsWithNodes = true
    let fresh = make(run.plan.streams[id], id)
    beginsWithNodes = false
    var found: Value?
    let token = fresh.sink(
      receiveCompletion: { _ in }, receiveValue: { if found == nil { found = $0 } })
    token.cancel()
    return found
  }

  private func current(_ node: NodeID, of source: SourceID) -> ValuePublisher {
    let changes = relay(of: source)
    return Deferred { [unowned run] in changes.prepend(run.stage.value(of: node)) }
      .eraseToAnyPublisher()
  }

  private func relayIsPassing(_ id: StreamID) -> Bool {
    let stream = run.plan.streams[id]
    if case .subject = stream.origin { return !stream.operators.isEmpty }
    return !stream.isCold
  }

  private enum OriginWithValue { case node, subject }

  /// Returns what gives a stream its value of now; nil if nothing does.
  private func originWithValue(of id: StreamID) -> OriginWithValue? {
    var found: [StreamID] = [id]
    var next = 0
    while next < found.count {
      let stream = run.plan.streams[found[next]]
      if case .subject(_?) = stream.origin { return .subject }
      for origin in stream.origins {
        let kind = run.plan.sources[origin].kind
        if case .node = kind { return .node }
        if case .stream(let stream) = kind, !found.contains(stream) { found.append(stream) }
      }
      next += 1
    }
    return nil
  }

  private func logged(
    _ publisher: ValuePublisher, _ stream: StreamPlan, _ id: StreamID
  ) -> ValuePublisher {
    Deferred { [unowned self] in
      subscriptions[id] += 1
      let number = subscriptions[id]
      run.recorder.record(.source(.subscribed(stream.source, subscription: number)))
      let leave = { [unowned self] () -> Void in
        run.recorder.record(.source(.unsubscribed(stream.source, subscription: number)))
      }
      return publisher.handleEvents(receiveCompletion: { _ in leave() }, receiveCancel: leave)
    }.eraseToAnyPublisher()
  }

  func input(_ input: InputPlan) -> ValuePublisher {
    let events = beginsWithNodes ? publisherFromNode(input.source) : publisher(of: input.source)
    return refined(events, input)
  }

  /// Returns an input like `input`, but a node begins with its current value.
  func currentInput(_ input: InputPlan) -> ValuePublisher {
    guard case .node(let node) = run.plan.sources[input.source].kind else {
      return self.input(input)
    }
    return refined(current(node, of: input.source), input)
  }

  private func refined(_ publisher: ValuePublisher, _ input: InputPlan) -> ValuePublisher {
    let condition = input.where.map { rule($0) }
    let map = input.map.map { rule($0) }
    if condition == nil && map == nil { return publisher }
    return publisher.tryCompactMap { value throws(StreamFailure) -> Value? in
      if let condition, try !condition.holds(value) { return nil }
      guard let map else { return value }
      return try map(value)
    }.eraseToAnyPublisher()
  }

  // MARK: - several at once

  func merged(_ inputs: [ValuePublisher]) -> ValuePublisher {
    MergeMany(inputs).eraseToAnyPublisher()
  }

  func combined(_ inputs: [ValuePublisher], _ labels: [String]?) -> ValuePublisher {
    let all = CombineLatestMany(inputs).map { labelled($0, labels) }
    return glitchFree(all.eraseToAnyPublisher())
  }

  func zipped(_ inputs: [ValuePublisher], _ labels: [String]?) -> ValuePublisher {
    ZipMany(inputs).map { labelled($0, labels) }.eraseToAnyPublisher()
  }
}

/// The values as a list, or as a map where they have names.
private func labelled(_ values: [Value], _ labels: [String]?) -> Value {
  guard let labels else { return .list(values) }
  var map = ValueMap(minimumCapacity: values.count)
  for (label, value) in zip(labels, values) { map[.string(label)] = value }
  return .map(map)
}

import Cancellables
import Events
import Publishers
import ScenarioPlan
import Values

/// Why a stream failed, as a value.
struct StreamFailure: Error, Equatable {
  var value: Value
}

typealias ValuePublisher = AnyPublisher<Value, StreamFailure>

/// The streams of one run, the nodes that follow sources, and what connects them.
///
/// A source that is followed has a relay. One event reaches, in this order: the nodes that follow
/// the source, as the document has them, and then the streams that do, each with all that follows
/// from it before the next.
final class LiveStreams {
  unowned let run: ScenarioRun
  let scheduler: RunScheduler
  /// By source; made when somebody first follows it.
  private var relays: PerID<SourcePlan, Relay?>
  /// By stream: where values go for a subject that has operators, or for a hot diagram.
  private var heads: PerID<StreamPlan, Relay?>
  /// By source: the nodes that follow it.
  private var nodes: PerID<SourcePlan, [Follower]>
  private var tokens: [AnyCancellable] = []
  /// What joins several nodes, held back until all nodes of a change have told theirs.
  var held: [GlitchBarrier] = []
  var isInBatch = false
  /// Where what is being made would hold values back.
  var holdingPlace = BarrierRank(stream: 0, step: 0)
  /// By stream: how far it is from what it follows; those that follow come later.
  private var ranks: PerID<StreamPlan, Int> = []
  /// How often each stream was subscribed to.
  var subscriptions: PerID<StreamPlan, Int>

  private struct Follower {
    var node: NodeID
    var rule: ExpressionPlan?
    /// It has a value of its own before the first event.
    var isGiven: Bool
  }

  private enum Relay {
    case passing(PassthroughSubject<Value, StreamFailure>)
    case keeping(CurrentValueSubject<Value, StreamFailure>)

    var publisher: ValuePublisher {
      switch self {
      case .passing(let subject): subject.eraseToAnyPublisher()
      case .keeping(let subject): subject.eraseToAnyPublisher()
      }
    }

    func send(_ value: Value) {
      switch self {
      case .passing(let subject): subject.send(value)
      case .keeping(let subject): subject.send(value)
      }
    }

    func send(_ end: Completion<StreamFailure>) {
      switch self {
      case .passing(let subject): subject.send(completion: end)
      case .keeping(let subject): subject.send(completion: end)
      }
    }
  }

  init(_ run: ScenarioRun) {
    self.run = run
    scheduler = RunScheduler(run)
    relays = PerID(repeating: nil, for: run.plan.sources)
    heads = PerID(repeating: nil, for: run.plan.streams)
    nodes = PerID(repeating: [], for: run.plan.sources)
    subscriptions = PerID(repeating: 0, for: run.plan.streams)
  }

  // MARK: - the beginning and the end

  /// Subscribes everything: those that follow come before what they follow, so that nothing is
  /// missed. What begins anew for each that follows cannot be missed, and comes first, so that a
  /// source is seen before what is made of it.
  func start() {
    for (id, node) in run.plan.nodes.withIDs {
      if case .latest(let source, let rule, let initial) = node.rule {
        follow(source, by: id, rule, isGiven: initial != nil)
      }
    }
    for (id, stream) in run.plan.streams.withIDs { prepare(stream, id) }
    let order = followersFirst()
    ranks = PerID(repeating: 0, for: run.plan.streams)
    for (place, id) in order.reversed().enumerated() { ranks[id] = place }
    let streams = run.plan.streams
    for (id, stream) in streams.withIDs where stream.isCold { begin(id) }
    for id in order where !streams[id].isCold { begin(id) }
  }

  private func follow(_ source: SourceID, by node: NodeID, _ rule: ExpressionPlan?, isGiven: Bool) {
    nodes[source].append(Follower(node: node, rule: rule, isGiven: isGiven))
    guard !isGiven, case .node(let followed) = run.plan.sources[source].kind else { return }
    set(node, rule, run.stage.value(of: followed))
  }

  /// A subject without operators is its own relay; one with operators has them behind it.
  private func prepare(_ stream: StreamPlan, _ id: StreamID) {
    if case .marble(let marble, isHot: true) = stream.origin {
      let head = Relay.passing(PassthroughSubject())
      heads[id] = head
      return play(marble, into: head) { $0 > 0 }
    }
    guard case .subject(let initial) = stream.origin else { return }
    let relay = initial.map { Relay.keeping(CurrentValueSubject(run.initialValue(of: $0))) }
    guard stream.operators.isEmpty else {
      heads[id] = relay ?? .passing(PassthroughSubject())
      return
    }
    relays[stream.source] = relay ?? .passing(PassthroughSubject())
    guard case .keeping(let subject)? = relay else { return }
    run.stage.setLastEvent(subject.value, of: stream.source)
    deliverInitial(subject.value, of: stream.source)
  }

  /// The streams so that each comes before those it follows, else in the order of the document.
  private func followersFirst() -> [StreamID] {
    var order: [StreamID] = []
    var isPlaced = PerID<StreamPlan, Bool>(repeating: false, for: run.plan.streams)
    func place(_ stream: StreamID) {
      guard !isPlaced[stream] else { return }
      isPlaced[stream] = true
      for source in run.plan.streams[stream].sources {
        if case .stream(let followed) = run.plan.sources[source].kind { place(followed) }
      }
      order.append(stream)
    }
    for stream in run.plan.streams.indices.reversed() { place(stream) }
    return order.reversed()
  }

  private func begin(_ id: StreamID) {
    let stream = run.plan.streams[id]
    if case .subject = stream.origin, stream.operators.isEmpty { return }
    let token = make(stream, id).sink(
      receiveCompletion: { [unowned self] end in finished(id, end) },
      receiveValue: { [unowned self] value in run.emit(stream.source, value) })
    tokens.append(token)
    // At the first instant everybody has subscribed before a hot diagram begins.
    if case .marble(let marble, isHot: true) = stream.origin, let head = heads[id] {
      play(marble, into: head) { $0 == 0 }
    }
  }

  /// A hot diagram was there before anything that follows it: where others meet it, it is first.
  private func play(
    _ marble: MarblePlan<DataPlan>, into head: Relay, when isPlayed: (Int64) -> Bool
  ) {
    let token = played(marble, when: isPlayed)
      .sink(receiveCompletion: { head.send($0) }, receiveValue: { head.send($0) })
    tokens.append(token)
  }

  /// Makes something that knows its place among what may hold values back.
  func placed<Made>(_ stream: StreamID, _ step: Int, _ body: () -> Made) -> Made {
    let before = holdingPlace
    holdingPlace = BarrierRank(stream: ranks[stream], step: step)
    defer { holdingPlace = before }
    return body()
  }

  private func finished(_ id: StreamID, _ end: Completion<StreamFailure>) {
    let source = run.plan.streams[id].source
    switch end {
    case .finished: run.finish(source, nil)
    case .failure(let failure): run.finish(source, failure.value)
    }
  }

  func invalidate() {
    let ended = tokens
    tokens = []
    relays = []
    heads = []
    nodes = []
    held = []
    withExtendedLifetime(ended) {}
  }

  // MARK: - events

  /// Whether anybody follows a source.
  func isFollowed(_ source: SourceID) -> Bool {
    source < relays.endIndex && (relays[source] != nil || !nodes[source].isEmpty)
  }

  /// Tells an event to all that follow its source.
  func deliver(_ value: Value, of source: SourceID) {
    guard source < relays.endIndex else { return }
    if run.isBuildingStage {
      deliverInitial(value, of: source)
    } else {
      for follower in nodes[source] { set(follower.node, follower.rule, value) }
    }
    relays[source]?.send(value)
  }

  /// Tells those nodes of a value at the start that follow its source and have none of their own.
  func deliverInitial(_ value: Value, of source: SourceID) {
    for follower in nodes[source] where !follower.isGiven {
      set(follower.node, follower.rule, value)
    }
  }

  /// Whoever subscribes later learns of the end as well.
  func deliver(_ end: Completion<StreamFailure>, of source: SourceID) {
    guard source < relays.endIndex else { return }
    let relay = relays[source] ?? .passing(PassthroughSubject())
    relays[source] = relay
    relay.send(end)
  }

  private func set(_ node: NodeID, _ rule: ExpressionPlan?, _ value: Value) {
    guard let rule else { return run.write([(node, value)]) }
    switch evaluate(rule, in: StreamSlots(run, value)) {
    case .success(let value): run.write([(node, value)])
    case .failure(let failure): run.write([(node, failureValue(failure.message))])
    }
  }

  /// What follows an event of a source, from now on.
  func relay(of source: SourceID) -> ValuePublisher {
    let relay = relays[source] ?? .passing(PassthroughSubject())
    relays[source] = relay
    return relay.publisher
  }

  /// What the values go through of a subject with operators, or of a hot diagram.
  func head(of stream: StreamID) -> ValuePublisher? { heads[stream]?.publisher }
}

/// What steps do to subjects.
extension LiveStreams {
  func send(_ value: Value, to stream: StreamID) {
    let source = run.plan.streams[stream].source
    if run.isFinished[source] { return }
    guard let head = heads[stream] else {
      run.emit(source, value)
      return
    }
    run.change { head.send(value) }
  }

  func finish(_ stream: StreamID) {
    guard let head = heads[stream] else { return run.finish(run.plan.streams[stream].source, nil) }
    run.change { head.send(.finished) }
  }
}

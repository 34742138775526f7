import Cancellables
import Publishers
import ScenarioPlan
import Values

/// The error of a stream, as a value.
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
  let run: RunParts
  let scheduler: RunScheduler
  /// The relay of each source, made for its first follower.
  private var relays: PerID<SourcePlan, Relay?>
  /// The input of each stream: for a subject with operators, or for a hot diagram.
  private var heads: PerID<StreamPlan, Relay?>
  /// The nodes that follow each source.
  private var nodes: PerID<SourcePlan, [Follower]>
  private var tokens: [AnyCancellable] = []
  /// The barriers that hold values until all nodes of a change have notified.
  var held: [GlitchBarrier] = []
  var isInBatch = false
  /// The rank of a barrier that is made now.
  var holdingPlace = BarrierRank(stream: 0, step: 0)
  /// The values of the parameters of the stream that is made now.
  var arguments: [Value] = []
  /// True while a stream is made that begins with the values of its nodes.
  var beginsWithNodes = false
  let groupCount = GroupCount()
  private var order: SubscriptionOrder
  private var phase = Phase.beginning
  /// The stream that begins, while streams begin.
  private var beginning: StreamID?
  /// The number of streams and operators that begin inside each other.
  private var nesting = 0
  /// Subscribers that get the events of a source once all streams have begun.
  private var attachments: [Attachment] = []
  /// By stream, while streams start: the emitted values, for subscribers that are attached later.
  private var valuesAtStart: PerID<StreamPlan, [Value]>
  /// The number of subscriptions to each stream.
  var subscriptions: PerID<StreamPlan, Int>

  /// A `latest` node that follows a source.
  private struct Follower {
    var node: NodeID
    var rule: ExpressionPlan?
    /// True if the node has a value of its own before the first event.
    var isGiven: Bool
  }

  private enum Phase { case beginning, attaching, started }

  /// A subscriber that waits until all streams have begun.
  private struct Attachment {
    var source: SourceID
    /// First the source's place among the streams, then the follower's, then the time.
    var place: (source: Int, follower: Int, sequence: Int)
    var subscriber: AnySubscriber<Value, StreamFailure>
  }

  /// The subject that passes a source's events to its subscribers.
  private enum Relay {
    case passing(PassthroughSubject<Value, StreamFailure>)
    case keeping(CurrentValueSubject<Value, StreamFailure>)
    /// Keeps values for those who subscribe after the start.
    case replaying(PassthroughSubject<Value, StreamFailure>, LatestValues)

    /// The events from now on.
    var publisher: ValuePublisher {
      switch self {
      case .passing(let subject), .replaying(let subject, _): subject.eraseToAnyPublisher()
      case .keeping(let subject): subject.eraseToAnyPublisher()
      }
    }

    func send(_ value: Value) {
      switch self {
      case .passing(let subject): subject.send(value)
      case .keeping(let subject): subject.send(value)
      case .replaying(let subject, let latest):
        _ = latest.push(value)
        subject.send(value)
      }
    }

    func send(_ end: Completion<StreamFailure>) {
      switch self {
      case .passing(let subject), .replaying(let subject, _): subject.send(completion: end)
      case .keeping(let subject): subject.send(completion: end)
      }
    }
  }

  init(_ run: RunParts) {
    self.run = run
    scheduler = RunScheduler(run)
    relays = PerID(repeating: nil, for: run.plan.sources)
    heads = PerID(repeating: nil, for: run.plan.streams)
    nodes = PerID(repeating: [], for: run.plan.sources)
    subscriptions = PerID(repeating: 0, for: run.plan.streams)
    order = SubscriptionOrder(run.plan)
    valuesAtStart = PerID(repeating: [], for: run.plan.streams)
  }

  // MARK: - the beginning and the end

  /// Subscribes all streams; none has an event before all are subscribed.
  ///
  /// A diagram that starts for each subscriber is seen itself before anything that is made of it.
  func start() {
    for (id, node) in run.plan.nodes.withIDs {
      if case .latest(let source, let rule, let initial) = node.rule,
        run.subjects?.plays(id) != true
      {
        follow(source, by: id, rule, isGiven: initial != nil)
      }
    }
    for (id, stream) in run.plan.streams.withIDs { prepare(stream, id) }
    for id in order.coldStreams { begin(id) }
    for id in order.sharedStreams where order.open(id) { begin(withEarlyFollowersOf: id) }
    attachFollowers()
  }

  /// Returns whether a Swift object plays a stream. The object emits its events by itself.
  func isPlayed(_ id: StreamID) -> Bool { run.subjects?.plays(id) ?? false }

  private func follow(_ source: SourceID, by node: NodeID, _ rule: ExpressionPlan?, isGiven: Bool) {
    nodes[source].append(Follower(node: node, rule: rule, isGiven: isGiven))
    guard !isGiven, case .node(let followed) = run.plan.sources[source].kind else { return }
    set(node, rule, run.stage.value(of: followed))
  }

  /// A subject without operators is its own relay; one with operators has them behind it.
  private func prepare(_ stream: StreamPlan, _ id: StreamID) {
    if isPlayed(id) { return }
    if let count = stream.replay {
      relays[stream.source] = .replaying(PassthroughSubject(), LatestValues(count))
    }
    if case .marble(let marble, isHot: true) = stream.origin {
      let head = Relay.passing(PassthroughSubject())
      heads[id] = head
      return play(marble, into: head)
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

  private func begin(_ id: StreamID) {
    if isPlayed(id) { return }
    let stream = run.plan.streams[id]
    guard stream.parameters.isEmpty else { return }
    if case .subject = stream.origin, stream.operators.isEmpty { return }
    let before = beginning
    beginning = id
    defer { beginning = before }
    let token = make(stream, id).sink(
      receiveCompletion: { [unowned self] end in finished(id, end) },
      receiveValue: { [source = stream.source, emitter = run.emitter] value in
        emitter.emit(source, value)
      })
    tokens.append(token)
  }

  /// A hot diagram was there before anything that follows it: where others meet it, it is first.
  /// Its first instant comes after the start as well, when everything is subscribed.
  private func play(_ marble: MarblePlan<DataPlan>, into head: Relay) {
    let token = played(marble)
      .sink(receiveCompletion: { head.send($0) }, receiveValue: { head.send($0) })
    tokens.append(token)
  }

  /// Makes something that knows its place among what may hold values back.
  func placed<Made>(_ stream: StreamID, _ step: Int, _ body: () -> Made) -> Made {
    let before = holdingPlace
    holdingPlace = BarrierRank(stream: order.ranks[stream], step: step)
    defer { holdingPlace = before }
    return body()
  }

  private func finished(_ id: StreamID, _ end: Completion<StreamFailure>) {
    let source = run.plan.streams[id].source
    switch end {
    case .finished: run.emitter.finish(source, nil)
    case .failure(let failure): run.emitter.finish(source, failure.value)
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

  /// Returns whether anything follows a source.
  func isFollowed(_ source: SourceID) -> Bool {
    source < relays.endIndex && (relays[source] != nil || !nodes[source].isEmpty)
  }

  /// Delivers an event to all followers of its source.
  func deliver(_ value: Value, of source: SourceID) {
    guard source < relays.endIndex else { return }
    if run.emitter.isBuildingStage {
      deliverInitial(value, of: source)
      keepForStart(value, of: source)
    } else {
      for follower in nodes[source] { set(follower.node, follower.rule, value) }
    }
    relays[source]?.send(value)
  }

  private func keepForStart(_ value: Value, of source: SourceID) {
    guard phase != .started, case .stream(let id) = run.plan.sources[source].kind else { return }
    valuesAtStart[id].append(value)
  }

  /// Delivers an initial value to those nodes that follow its source and have none of their own.
  func deliverInitial(_ value: Value, of source: SourceID) {
    for follower in nodes[source] where !follower.isGiven {
      set(follower.node, follower.rule, value)
    }
  }

  /// Delivers an end; later subscribers get it as well.
  func deliver(_ end: Completion<StreamFailure>, of source: SourceID) {
    guard source < relays.endIndex else { return }
    let relay = relays[source] ?? .passing(PassthroughSubject())
    relays[source] = relay
    relay.send(end)
  }

  private func set(_ node: NodeID, _ rule: ExpressionPlan?, _ value: Value) {
    guard let rule else { return run.emitter.write([(node, value)]) }
    switch evaluate(rule, in: StreamSlots(run, value)) {
    case .success(let value): run.emitter.write([(node, value)])
    case .failure(let failure): run.emitter.write([(node, failureValue(failure.message))])
    }
  }

  /// Returns the events of a source from now on.
  func relay(of source: SourceID) -> ValuePublisher {
    SharedSource(streams: self, source: source).eraseToAnyPublisher()
  }

  /// Returns the input of a subject with operators, or of a hot diagram.
  func head(of stream: StreamID) -> ValuePublisher? { heads[stream]?.publisher }
}

/// The acts of steps on subjects.
extension LiveStreams {
  func send(_ value: Value, to stream: StreamID) {
    let source = run.plan.streams[stream].source
    if run.emitter.isFinished[source] { return }
    guard let head = heads[stream] else {
      run.emitter.emit(source, value)
      return
    }
    run.emitter.change { head.send(value) }
  }

  func finish(_ stream: StreamID) {
    guard let head = heads[stream] else {
      return run.emitter.finish(run.plan.streams[stream].source, nil)
    }
    run.emitter.change { head.send(.finished) }
  }
}

private let deepestNesting = 200
/// The rank of sources that are no streams: before all streams.
private let nodesRank = -1

/// The order in which streams begin, and in which they get the events of one source.
extension LiveStreams {
  /// Begins a stream after those of its followers that have to begin before it.
  ///
  /// Streams that begin inside each other are subscribed to inside each other. Beyond a limit,
  /// followers begin after what they follow, so that the stack suffices.
  private func begin(withEarlyFollowersOf id: StreamID) {
    let depth = 1 + run.plan.streams[id].operatorDepth
    nesting += depth
    defer { nesting -= depth }
    while nesting <= deepestNesting, let follower = order.openNextFollower(of: id) {
      begin(withEarlyFollowersOf: follower)
    }
    if order.begin(id) { begin(id) }
  }

  /// Subscribes to a source that all its followers share.
  ///
  /// While streams begin, a stream begins where the first of its followers subscribes to it, but
  /// after those that come before it. Its followers are attached when all have begun.
  fileprivate func subscribe<S: Subscriber>(_ subscriber: S, to source: SourceID)
  where S.Input == Value, S.Failure == StreamFailure {
    guard source < run.plan.sources.endIndex, !relays.isEmpty else {
      return nothingEver.attach(subscriber)
    }
    guard phase == .beginning, let follower = beginning else {
      return attach(subscriber, to: source)
    }
    var place = (source: nodesRank, follower: order.ranks[follower], sequence: attachments.count)
    guard case .stream(let id) = run.plan.sources[source].kind else {
      return attachments.append(
        Attachment(source: source, place: place, subscriber: AnySubscriber(subscriber)))
    }
    place.source = order.ranks[id]
    attachments.append(
      Attachment(source: source, place: place, subscriber: AnySubscriber(subscriber)))
    while let earlier = order.nextStream(before: id) { begin(withEarlyFollowersOf: earlier) }
    begin(withEarlyFollowersOf: id)
  }

  /// Attaches all followers: those of one source in their order, and those of a stream after it is
  /// attached itself, so that they get what it emits at once.
  private func attachFollowers() {
    phase = .attaching
    let inOrder = attachments.sorted { $0.place < $1.place }
    attachments = []
    for one in inOrder { attach(one.subscriber, to: one.source) }
    phase = .started
    valuesAtStart = []
  }

  private func attach<S: Subscriber>(_ subscriber: S, to source: SourceID)
  where S.Input == Value, S.Failure == StreamFailure {
    let relay = relays[source] ?? .passing(PassthroughSubject())
    relays[source] = relay
    if phase == .started, case .replaying(let events, let latest) = relay {
      return events.prepend(Array(latest.all)).attach(subscriber)
    }
    guard phase != .started, case .stream(let id) = run.plan.sources[source].kind,
      !valuesAtStart[id].isEmpty
    else { return relay.publisher.attach(subscriber) }
    relay.publisher.prepend(valuesAtStart[id]).attach(subscriber)
  }
}

/// A source that all its subscribers share.
private struct SharedSource: Publisher {
  typealias Output = Value
  typealias Failure = StreamFailure

  unowned let streams: LiveStreams
  let source: SourceID

  func attach<S: Subscriber>(_ subscriber: S) where S.Input == Value, S.Failure == StreamFailure {
    streams.subscribe(subscriber, to: source)
  }
}

extension RunParts {
  /// Counts values that a stream sets out to play or to ask others for; false if it may not.
  func mayWork(_ count: Int) -> Bool { supervisor.mayWork(count, at: loop.now) }

  /// Evaluates data outside of any script.
  func initialValue(of data: DataPlan, _ arguments: [Value] = []) -> Value {
    supervisor.value(of: data, in: ValueReader(stage, arguments)) ?? .null
  }
}

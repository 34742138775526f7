import Events
import ScenarioPlan
import Values

/// The way from sources to what follows them: actions, nodes and streams.
///
/// Writes to the graph take it as well: what follows a change is notified once the change is
/// complete.
final class SourceEmitter {
  private let recorder: EventRecorder
  private let supervisor: ScriptSupervisor
  private let stage: LiveStage
  /// Nil where nothing follows sources.
  @exclusivity(unchecked) private var streams: LiveStreams?
  /// Sends an action to its reactor.
  @exclusivity(unchecked) private var send: (ActionID, Value) -> Void = { _, _ in }
  /// While the stage is built, changes are values at the start and no events.
  @exclusivity(unchecked) private(set) var isBuildingStage = false
  @exclusivity(unchecked) private var changes = Changes()
  /// By follow: whether it has ended; empty if none can end.
  @exclusivity(unchecked) private var endedFollows: [Bool]
  /// Called at the end of each change; nil if nobody records the run.
  @exclusivity(unchecked) var onSettled: (() -> Void)?
  /// True for each source that has ended.
  @exclusivity(unchecked) private(set) var isFinished: PerID<SourcePlan, Bool>
  /// By invariant: the values that it read when it was sampled last.
  @exclusivity(unchecked) private var invariantSamples: PerID<InvariantPlan, [Value]?>

  init(
    _ shared: SharedPlan, _ recorder: EventRecorder, _ supervisor: ScriptSupervisor,
    _ stage: LiveStage
  ) {
    self.recorder = recorder
    self.supervisor = supervisor
    self.stage = stage
    isFinished = PerID(repeating: false, for: shared.plan.sources)
    let canEnd = shared.plan.follows.contains { $0.until != nil }
    endedFollows = canEnd ? shared.plan.follows.map { _ in false } : []
    invariantSamples = PerID(repeating: nil, for: shared.plan.invariants)
  }

  /// Sets what follows sources: streams, if there are any, and actions.
  func follow(by streams: LiveStreams?, send: @escaping (ActionID, Value) -> Void) {
    self.streams = streams
    self.send = send
  }

  /// Does something that is part of building the stage.
  func buildStage(_ body: () -> Void) {
    isBuildingStage = true
    body()
    isBuildingStage = false
  }

  func invalidate() {
    streams = nil
    onSettled = nil
    send = { _, _ in }
    changes = Changes()
  }

  // MARK: - events

  /// Logs an event of a source and notifies what follows the source. Returns the event's id, unless
  /// nothing was logged.
  @discardableResult
  func emit(_ source: SourceID, _ value: Value) -> EventID? {
    guard !supervisor.isExhausted else { return nil }
    guard !isBuildingStage else {
      begin(source, with: value)
      return nil
    }
    stage.count(value, of: source)
    let event = recorder.record(.source(.emitted(source, value)))
    recorder.caused(by: event) {
      if !endedFollows.isEmpty {
        sendActions(for: source, value)
      } else if !stage.plan.follows.isEmpty {
        for follow in stage.plan.follows where follow.source == source {
          send(follow.action, value)
        }
      }
      notifyFollowers(of: source, value)
    }
    return event
  }

  /// Sends the actions that follow a source, if some of them can end.
  private func sendActions(for source: SourceID, _ value: Value) {
    for (number, follow) in stage.plan.follows.enumerated() {
      if follow.until == source { endedFollows[number] = true }
      if follow.source == source, !endedFollows[number] { send(follow.action, value) }
    }
  }

  /// Sends the actions that come before the first step: those of the start, and those that take
  /// the value which a source has by then.
  func sendActionsAtStart() {
    for action in stage.plan.starts { send(action, .null) }
    for follow in stage.plan.follows where follow.sendsInitial {
      if let value = presentValue(of: follow.source) { send(follow.action, value) }
    }
  }

  private func presentValue(of source: SourceID) -> Value? {
    if case .node(let node) = stage.plan.sources[source].kind { return stage.value(of: node) }
    let last = stage.lastEvent(of: source)
    return last == .null ? nil : last
  }

  /// Sets the first value of a source. A value from the time when the stage is built is no event.
  private func begin(_ source: SourceID, with value: Value) {
    guard let streams else { return }
    if case .node = stage.plan.sources[source].kind {
      return streams.deliverInitial(value, of: source)
    }
    stage.setLastEvent(value, of: source)
    streams.deliver(value, of: source)
  }

  private func notifyFollowers(of source: SourceID, _ value: Value) {
    if case .node = stage.plan.sources[source].kind {
      guard let streams, streams.isFollowed(source) else { return }
      changes.deliveries.append(
        Changes.Delivery(source: source, value: value, cause: recorder.cause))
    } else if let streams {
      // As `change` does; a stream with many events would pay for its closure.
      changes.depth += 1
      stage.setLastEvent(value, of: source)
      streams.deliver(value, of: source)
      endChange(streams)
    } else {
      stage.setLastEvent(value, of: source)
    }
  }

  /// A stream came to its end; it has no other events any more.
  func finish(_ source: SourceID, _ error: Value?) {
    guard !isFinished[source] else { return }
    isFinished[source] = true
    recorder.caused(by: recorder.record(.source(.finished(source, error: error)))) {
      change {
        streams?.deliver(
          error.map { .failure(StreamFailure(value: $0)) } ?? .finished, of: source)
      }
    }
  }

  // MARK: - changes

  /// Does something that changes what is on the stage; what follows it is notified once it is done.
  func change<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let streams else { return try body() }
    changes.depth += 1
    defer { endChange(streams) }
    return try body()
  }

  private func endChange(_ streams: LiveStreams) {
    changes.depth -= 1
    if changes.depth == 0, !changes.isSettling { settleChange(streams) }
  }

  /// Writes nodes as one change.
  func write(_ writes: [(node: NodeID, value: Value)]) {
    change { stage.write(writes) }
  }

  /// Notifies the followers of nodes until nothing follows any more, and then samples the
  /// invariants. What joins several nodes is notified when all of them have changed.
  private func settleChange(_ streams: LiveStreams) {
    changes.isSettling = true
    streams.isInBatch = true
    repeat { deliverChanges(streams) } while !supervisor.isStopped && streams.releaseNext()
    changes.deliveries = []
    streams.held = []
    streams.isInBatch = false
    changes.isSettling = false
    onSettled?()
    sampleInvariants()
  }

  private func deliverChanges(_ streams: LiveStreams) {
    while !changes.deliveries.isEmpty, !supervisor.isStopped {
      let batch = changes.deliveries
      changes.deliveries = []
      for delivery in batch {
        recorder.caused(by: delivery.cause) {
          streams.deliver(delivery.value, of: delivery.source)
        }
      }
    }
  }

  /// Logs what the invariants read, where it is not what they read before.
  func sampleInvariants() {
    guard !stage.plan.invariants.isEmpty, supervisor.phase == .steps, !supervisor.isStopped
    else { return }
    var samples: [InvariantSample] = []
    for (id, invariant) in stage.plan.invariants.withIDs {
      if invariant.reads.isEmpty, !invariant.kind.matchers.isEmpty { continue }
      let reads = invariant.reads.map { stage.value(of: $0, locals: [], branch: .main) }
      guard invariantSamples[id] != reads else { continue }
      invariantSamples[id] = reads
      samples.append(InvariantSample(id, reads: reads))
    }
    if !samples.isEmpty { recorder.record(.assertion(.invariantsSampled(samples))) }
  }
}

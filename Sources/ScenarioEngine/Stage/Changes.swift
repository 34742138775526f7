import Events
import ScenarioPlan
import Values

/// What one change sets off, so that whoever follows several nodes sees all of them changed.
///
/// A change is one write to the graph, or one event of any other source, together with everything
/// that follows from it without time passing and without an action.
struct Changes {
  /// An event of a node that streams and `latest` nodes are still to be told of.
  struct Delivery {
    var source: SourceID
    var value: Value
    var cause: Int?
  }

  /// How many changes are open inside each other.
  var depth = 0
  var isSettling = false
  /// Told of when the change is complete, in the order the nodes emitted.
  var deliveries: [Delivery] = []
}

extension ScenarioRun {
  /// Does something that changes what is on the stage; what follows is told once it is done.
  func change<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard hasFollowers else { return try body() }
    changes.depth += 1
    defer {
      changes.depth -= 1
      if changes.depth == 0, !changes.isSettling { settleChange() }
    }
    return try body()
  }

  func write(_ writes: [(node: NodeID, value: Value)]) {
    change { stage.write(writes) }
  }

  /// Tells the followers of nodes what changed, until nothing follows any more, and then looks
  /// whether the invariants still hold. What joins several nodes comes when all have told.
  private func settleChange() {
    changes.isSettling = true
    streams.isInBatch = true
    let before = cause
    repeat { deliverChanges() } while !isStopped && streams.releaseNext()
    changes.deliveries = []
    streams.held = []
    cause = before
    streams.isInBatch = false
    changes.isSettling = false
    sampleInvariants()
  }

  private func deliverChanges() {
    while !changes.deliveries.isEmpty, !isStopped {
      let batch = changes.deliveries
      changes.deliveries = []
      for delivery in batch {
        cause = delivery.cause
        streams.deliver(delivery.value, of: delivery.source)
      }
    }
  }

  /// Logs what the invariants read, where it is not what they read before.
  func sampleInvariants() {
    guard !plan.invariants.isEmpty, phase == .steps, !isStopped else { return }
    for (id, invariant) in plan.invariants.enumerated() where !isStopped {
      if case .leadsTo = invariant.kind, invariant.reads.isEmpty { continue }
      let reads = invariant.reads.map { value(of: $0, locals: [], branch: 0) }
      guard invariantSamples[id] != reads else { continue }
      invariantSamples[id] = reads
      note(.assertion(.invariantSampled(id, reads: reads)))
    }
  }
}

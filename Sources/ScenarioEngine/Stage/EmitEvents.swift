import Events
import ScenarioPlan
import Values

/// Events of sources, and who is told of them.
extension ScenarioRun {
  func emit(_ source: SourceID, _ value: Value) {
    guard !isExhausted else { return }
    if isBuildingStage { return begin(source, with: value) }
    let before = cause
    stage.eventCounts[source] += 1
    cause = note(.source(.emitted(source, value)))
    for follow in plan.follows where follow.source == source { send(follow.action, value) }
    tellFollowers(of: source, value)
    cause = before
  }

  /// What comes while the stage is set is the value at the start, and no event.
  private func begin(_ source: SourceID, with value: Value) {
    guard hasFollowers else { return }
    if case .node = plan.sources[source].kind { return streams.deliverInitial(value, of: source) }
    stage.setLastEvent(value, of: source)
    streams.deliver(value, of: source)
  }

  private func tellFollowers(of source: SourceID, _ value: Value) {
    if case .node = plan.sources[source].kind {
      guard hasFollowers, streams.isFollowed(source) else { return }
      changes.deliveries.append(Changes.Delivery(source: source, value: value, cause: cause))
    } else {
      change {
        stage.setLastEvent(value, of: source)
        streams.deliver(value, of: source)
      }
    }
  }

  /// A stream came to its end; it has no other events any more.
  func finish(_ source: SourceID, _ error: Value?) {
    guard !isFinished[source] else { return }
    isFinished[source] = true
    let before = cause
    cause = note(.source(.finished(source, error: error)))
    change {
      streams.deliver(error.map { .failure(StreamFailure(value: $0)) } ?? .finished, of: source)
    }
    cause = before
  }
}

@_exported import GraphCore

/// Collects all observers of the body under one cancellable; releasing it ends them all.
///
/// In code of an actor, such as the main actor, the observers receive the changes of one turn of
/// the actor together, in a later turn. Elsewhere a change is delivered before the write returns.
/// The first delivery of an observer is always immediate.
public func withGraphTracking(
  isolation: isolated (any Actor)? = #isolation, _ body: () -> Void
) -> AnyCancellable {
  let scope = AnyCancellable()
  let turn = isolation.map { actor in
    DeliveryTurn { turn in Task { await deliver(turn, on: actor) } }
  }
  TrackingScope.open(scope, turn: turn, body)
  return scope
}

private func deliver(_ turn: DeliveryTurn, on actor: isolated any Actor) async {
  turn.deliver()
}

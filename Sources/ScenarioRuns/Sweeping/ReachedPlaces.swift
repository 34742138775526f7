import Events
import ScenarioPlan
import World

/// The places that a run has come to, of those at which something can go wrong.
struct ReachedPlaces {
  private var places: Set<PiecePlace> = []
  private var attempts: Set<Disturbance> = []

  mutating func observe(_ event: Event, _ plan: ScenarioPlan) {
    switch event.kind {
    case .network(.pieceSent(let place, _)):
      places.insert(place)
      attempts.insert(.refusal(line: place.line, connection: place.connection))
    case .network(.faulted(let fault)) where fault.kind == .refused:
      let line = plan.endpoints[fault.endpoint].name
      attempts.insert(.refusal(line: line, connection: fault.connection))
    case .network, .run, .source, .script, .assertion: return
    }
  }

  func hasPlace(of disturbance: Disturbance) -> Bool {
    switch disturbance {
    case .piece(let place, _): places.contains(place)
    case .refusal: attempts.contains(disturbance)
    case .offline: true
    }
  }
}

extension EventLog {
  /// The places that the run has come to.
  func reachedPlaces(of plan: ScenarioPlan) -> ReachedPlaces {
    var reached = ReachedPlaces()
    for event in events { reached.observe(event, plan) }
    return reached
  }
}

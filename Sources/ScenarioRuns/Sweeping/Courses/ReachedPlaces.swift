import Diagnostics
import Events
import ScenarioPlan
import World

/// The places that a run has come to, of those at which something can go wrong.
struct ReachedPlaces {
  private var places: Set<PiecePlace> = []
  private var attempts: Set<Disturbance> = []
  /// The connections for which there was no network: nothing travels there that could be lost.
  private(set) var unreachable: Set<PieceLine> = []

  mutating func observe(_ event: Event, _ plan: ScenarioPlan) {
    switch event.kind {
    case .network(.pieceSent(let place, _, _)):
      places.insert(place)
      attempts.insert(.refusal(line: place.line, connection: place.connection))
    case .network(.faulted(let fault)) where fault.kind == .refused:
      let line = plan.endpoints[fault.endpoint].name
      attempts.insert(.refusal(line: line, connection: fault.connection))
    case .network(.unreachable(let endpoint, let number)):
      unreachable.insert(PieceLine(name: endpoint, connection: number))
    case .network, .run, .source, .script, .assertion: return
    }
  }

  func hasPlace(of disturbance: Disturbance) -> Bool {
    switch disturbance {
    case .piece(let place, _): places.contains(place) && !unreachable.contains(place.onLine)
    case .refusal(let name, let number):
      attempts.contains(disturbance)
        && !unreachable.contains(PieceLine(name: name, connection: number))
    case .rewritten(let line, _): places.contains { $0.line == line }
    case .offline: true
    }
  }
}

extension ReachedPlaces {
  /// The visitors of a place.
  enum Visitor {
    /// A run, whose places a sweep names.
    case run
    /// A client from outside.
    case client
  }

  /// Returns the failure of a course to whose first place nobody came: nothing was tried then.
  func failure(
    of disturbances: [Disturbance], _ plan: ScenarioPlan, by visitor: Visitor
  ) -> Diagnostic? {
    guard let first = disturbances.first, !hasPlace(of: first) else { return nil }
    return Diagnostic(
      "no-place-of-disturbance", "\(visitor.whoDidNotCome) to the place of `\(first)`",
      labels: [.init(plan.range)], help: visitor.help)
  }
}

extension ReachedPlaces.Visitor {
  fileprivate var whoDidNotCome: String {
    switch self {
    case .run: "the run does not come"
    case .client: "no client came"
    }
  }

  fileprivate var help: String {
    switch self {
    case .run: "`rehearse sweep` names the disturbances of the places that there are"
    case .client: "`rehearse serve --courses FILE` writes the disturbances of what a client does"
    }
  }
}

/// A connection of a run: the name of its endpoint, and the number of the attempt to connect.
struct PieceLine: Hashable {
  var name: String
  var connection: Int
}

extension PiecePlace {
  /// The connection on which the piece travels.
  var onLine: PieceLine { PieceLine(name: line, connection: connection) }
}

extension EventLog {
  /// The places that the run has come to.
  func reachedPlaces(of plan: ScenarioPlan) -> ReachedPlaces {
    var reached = ReachedPlaces()
    for event in events { reached.observe(event, plan) }
    return reached
  }
}

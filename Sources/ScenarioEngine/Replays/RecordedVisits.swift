import Events
import ScenarioPlan
import Values

/// Something that somebody did in a trace, and when it is due in a replay.
package struct RecordedAct<Act: Sendable>: Sendable {
  package var act: Act
  package var due: ReplayedTrace.Input

  package init(_ act: Act, due: ReplayedTrace.Input) {
    self.act = act
    self.due = due
  }
}

/// The actions of outside clients in a trace of served endpoints.
package struct RecordedVisits: Sendable {
  /// Something that a client does.
  package enum Act: Sendable {
    /// It sends something, or ends the connection.
    case sends(Traffic.Kind)
    /// It sends a request without waiting for the answers before it.
    case pipelines(Exchange.Request)
    /// It sends a ping. A trace of an older version has only the pong that answers it.
    case pings([UInt8])
    /// It sends bytes that the protocol does not have, and the trace does not say which.
    case breaksRules
  }

  package typealias Input = RecordedAct<Act>

  /// A connection that a client made.
  package struct Visit: Sendable {
    package var endpoint: EndpointID
    /// The number of the connection at its endpoint.
    package var number: Int
    package var inputs: [Input]

    package init(endpoint: EndpointID, number: Int, inputs: [Input]) {
      self.endpoint = endpoint
      self.number = number
      self.inputs = inputs
    }
  }

  package var visits: [Visit]
  /// By endpoint: the numbers of the connections that the scenario's own clients made.
  package var own: PerID<EndpointPlan, [Int]>
  /// Nil in a run whose mocks nobody but the scenario could reach.
  package var serving: Serving?
  /// True if the `network` steps of the scenario cut off these clients.
  package var areCutOff = false
  /// The time at which serving was interrupted; nil if it was not.
  package var interruption: Microseconds?
  /// The time at which a trace was cut; nil if it is complete.
  package var cut: Microseconds?

  package init(
    visits: [Visit], own: PerID<EndpointPlan, [Int]>, serving: Serving?,
    interruption: Microseconds? = nil, cut: Microseconds? = nil
  ) {
    self.visits = visits
    self.own = own
    self.serving = serving
    self.interruption = interruption
    self.cut = cut
  }
}

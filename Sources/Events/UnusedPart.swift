import Diagnostics
import ScenarioPlan
import Values

/// A part of the stage that a run never used.
package struct UnusedPart: Sendable {
  package enum Kind: Sendable {
    /// A route that answered no request.
    case route(EndpointID, method: String?, path: String)
    /// An entry for a stream or a WebSocket that served none.
    case entry(EndpointID)
    /// A step of a mock that no connection or request reached, or one of the scenario behind a step
    /// that failed in each `try`.
    case step(verb: String)
    /// The steps under a word such as `then` or `forEach`, in the steps of the scenario.
    case body(String)
    /// A computed node that nothing read, and that has no value.
    indirect case failingNode(NodeID, EvaluationFailure)
  }

  package var kind: Kind
  package var range: SourceRange

  package init(_ kind: Kind, at range: SourceRange) {
    self.kind = kind
    self.range = range
  }
}

/// The pending waits of a scenario whose steps stopped at a failure.
package struct Standstill: Sendable {
  /// A connection whose mock waits.
  package struct WaitingMock: Sendable {
    package var endpoint: EndpointID
    package var connection: Int
    /// True if it waits for a message of its client; false if it waits for ever.
    package var awaitsMessage: Bool
    /// The place of the step that waits.
    package var range: SourceRange

    package init(
      _ endpoint: EndpointID, connection: Int, awaitsMessage: Bool, at range: SourceRange
    ) {
      self.endpoint = endpoint
      self.connection = connection
      self.awaitsMessage = awaitsMessage
      self.range = range
    }
  }

  package var mocks: [WaitingMock]
  /// The time of the next timer; nil if there is none, or if times are those of a machine.
  package var nextDue: Microseconds?
  /// The wait of each thread of the programs, if all of them wait for ever.
  package var programs: [String] = []

  package init(mocks: [WaitingMock], nextDue: Microseconds?, programs: [String] = []) {
    self.mocks = mocks
    self.nextDue = nextDue
    self.programs = programs
  }
}

import ScenarioPlan
import Values

/// An observation of a real endpoint, with the expectation of its mock.
package struct DriftObservation: Sendable {
  package enum Part: Sendable {
    /// A request without a route.
    case unforeseen(UnmatchedRequest)
    /// The answer to a request; the matcher is for the parts that the mock writes.
    case answer(Exchange, MatcherPlan)
    /// The opening of a connection: its `status`, or its `protocol`.
    case opening(Value, MatcherPlan)
    /// The next data on a connection; nil if it ended while this was still expected.
    case came(Value?, MatcherPlan)
    /// The next message to a connection, and what the mock's script receives.
    case sent(AssertionID, StepReference, message: Value, reads: [Value])
  }

  package var endpoint: EndpointID
  /// The connection of the observation, if it is one that stays open.
  package var branch: BranchID?
  package var part: Part

  package init(_ part: Part, at endpoint: EndpointID, in branch: BranchID? = nil) {
    self.endpoint = endpoint
    self.branch = branch
    self.part = part
  }
}

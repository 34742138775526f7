import ScenarioPlan
import Values

/// Something that a real endpoint did or was sent, beside what its mock says of it.
package struct DriftObservation: Sendable {
  package enum Part: Sendable {
    /// A request that nothing is written for.
    case unforeseen(UnmatchedRequest)
    /// The answer to a request; the matcher is for the parts of it that the mock writes.
    case answer(Exchange, MatcherPlan)
    /// How a connection was taken: its `status`, or its `protocol`.
    case opening(Value, MatcherPlan)
    /// What came next on a connection; nil where it ended, and this was still to come.
    case came(Value?, MatcherPlan)
    /// What was sent next on a connection, and what the mock's script receives.
    case sent(AssertionID, StepReference, message: Value, reads: [Value])
  }

  package var endpoint: EndpointID
  /// The connection it happened on, where it is one that stays.
  package var branch: BranchID?
  package var part: Part

  package init(_ part: Part, at endpoint: EndpointID, in branch: BranchID? = nil) {
    self.endpoint = endpoint
    self.branch = branch
    self.part = part
  }
}

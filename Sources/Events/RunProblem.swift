import Diagnostics
import ScenarioPlan
import Values

/// What can go wrong in a run apart from assertions; each fails the scenario.
package enum RunProblem: Sendable {
  /// A request came that no route was written for.
  case unmatchedRequest(UnmatchedRequest)
  /// An expression could not be evaluated; the range is that of the failing part.
  case evaluation(range: SourceRange, message: String, step: StepReference?)
  /// An action failed and nothing caught it.
  case actionFailed(ActionID, error: Value, range: SourceRange)
  /// A step could not be done.
  case stepFailed(StepReference, message: String)
  /// A request got no answer; the error is what `fails` sees, the message says the same in words.
  case requestFailed(StepReference, Exchange, error: Value, message: String)
  /// A named limit was reached.
  case limit(name: String, value: Int, message: String)
  /// `wait: forever` where nothing can end it.
  case endlessWait(StepReference)
  /// The run was ended from outside, while this step was under way if any was.
  case interrupted(StepReference?)
}

/// A request nothing was written for.
package struct UnmatchedRequest: Sendable {
  package var endpoint: EndpointID
  package var request: Value
  /// The entry that came closest, and in what the request differed from it.
  package var closest: SourceRange?
  package var differences: [String]

  package init(endpoint: EndpointID, request: Value, closest: SourceRange?, differences: [String]) {
    self.endpoint = endpoint
    self.request = request
    self.closest = closest
    self.differences = differences
  }
}

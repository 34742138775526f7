import Diagnostics
import ScenarioPlan
import Values

/// The failures of a run apart from assertions; each fails the scenario.
package enum RunProblem: Sendable {
  /// A request without a route.
  case unmatchedRequest(UnmatchedRequest)
  /// An expression that could not be evaluated; the range is that of the failing part.
  case evaluation(EvaluationFailure, step: StepReference?)
  /// An action that failed without a `catch`; nil if the script was not an action's.
  case actionFailed(ActionID?, error: Value, range: SourceRange)
  /// A step that could not be done.
  case stepFailed(StepReference, message: String)
  /// A request without an answer. `fails` sees the error; the message has the same in words.
  case requestFailed(StepReference, Exchange, error: Value, message: String)
  /// A named limit that was reached.
  case limit(name: String, value: Int, message: String)
  /// A program could not be started or used, or ended with an error.
  case program(ProgramProblem)
  /// A `wait: forever` that nothing can end.
  case endlessWait(StepReference)
  /// An interruption from outside, and the step that was running, if any.
  case interrupted(StepReference?)
  /// A Swift object that does not play its part.
  case subject(SubjectFailure)
}

/// A request without a route.
package struct UnmatchedRequest: Sendable {
  package var endpoint: EndpointID
  package var request: Value
  /// The closest entry, and the difference of the request from it.
  package var closest: SourceRange?
  package var differences: [String]
  /// The place of the closest entry as a trace has it, if the request is replayed.
  package var recordedClosest: String?
  /// Set if the endpoint's answers come from a trace.
  package var traced: TracedRequest?

  package init(endpoint: EndpointID, request: Value, closest: SourceRange?, differences: [String]) {
    self.endpoint = endpoint
    self.request = request
    self.closest = closest
    self.differences = differences
  }
}

/// The recorded request that comes nearest to one that a trace does not hold.
package struct TracedRequest: Sendable {
  /// The file or folder of the traces.
  package var path: String
  /// The request with its place, as reports show it; nil if the trace has none at the endpoint.
  package var nearest: String?
  /// The differences, each as `query: recorded 1, asked 2`.
  package var differences: [String]
  /// The step that was under way.
  package var step: StepReference?

  package init(path: String, nearest: String?, differences: [String]) {
    self.path = path
    self.nearest = nearest
    self.differences = differences
  }
}

/// The failure of a Swift object that plays a part of the stage.
package struct SubjectFailure: Error, Sendable {
  package enum Kind: Sendable {
    /// The object and the scenario do not fit together.
    case mismatch
    /// An action waits for something that is no part of the run.
    case waitsOutside
  }

  package var kind: Kind
  package var message: String
  /// The part of the scenario.
  package var range: SourceRange
  package var help: String?

  package init(_ kind: Kind, _ message: String, at range: SourceRange, help: String? = nil) {
    self.kind = kind
    self.message = message
    self.range = range
    self.help = help
  }
}

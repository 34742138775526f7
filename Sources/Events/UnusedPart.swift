import Diagnostics
import ScenarioPlan

/// A part of the stage that a run never used.
package struct UnusedPart: Sendable {
  package enum Kind: Sendable {
    /// A route that answered no request.
    case route(EndpointID, method: String?, path: String)
    /// An entry for a stream or a WebSocket that served none.
    case entry(EndpointID)
    /// A step of a mock that no connection or request reached.
    case step(verb: String)
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

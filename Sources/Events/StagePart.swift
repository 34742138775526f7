import Diagnostics
import ScenarioPlan

/// A part of the stage, and whether a run has reached it.
package struct StagePart: Sendable {
  package enum Kind: Sendable {
    case route(EndpointID, method: String?, path: String)
    /// An entry for a stream or a WebSocket.
    case entry(EndpointID)
    case action(ActionID)
    case computed(NodeID)
    /// The steps under a word such as `then` or `forEach`.
    case body(String)
  }

  package var kind: Kind
  package var range: SourceRange
  package var isReached: Bool

  package init(_ kind: Kind, at range: SourceRange, isReached: Bool) {
    self.kind = kind
    self.range = range
    self.isReached = isReached
  }
}

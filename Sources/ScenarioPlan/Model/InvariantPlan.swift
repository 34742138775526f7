import Diagnostics
import Values

package typealias InvariantID = ID<InvariantPlan>

/// A condition that must hold after each change.
package struct InvariantPlan: Sendable {
  package enum Kind: Sendable {
    case always(ExpressionPlan)
    case never(ExpressionPlan)
    case leadsTo(when: [SourceMatcherPlan], then: [SourceMatcherPlan], within: Microseconds?)
  }

  package var kind: Kind
  /// The slots that the invariant reads of the stage. They are logged after each change that alters
  /// one of them.
  package var reads: [SlotID]
  /// The verb as written, such as `always`, and its place.
  package var verb: String
  package var verbRange: SourceRange
  package var range: SourceRange

  package init(
    kind: Kind, reads: [SlotID], verb: String, verbRange: SourceRange, range: SourceRange
  ) {
    self.kind = kind
    self.reads = reads
    self.verb = verb
    self.verbRange = verbRange
    self.range = range
  }
}

/// Events of a source that look like this.
package struct SourceMatcherPlan: Sendable {
  package var source: SourceID
  package var matcher: MatcherPlan
  package var range: SourceRange

  package init(source: SourceID, matcher: MatcherPlan, range: SourceRange) {
    self.source = source
    self.matcher = matcher
    self.range = range
  }
}

/// The new conditions between clients and endpoints; nil leaves a condition unchanged.
package struct NetworkPlan: Sendable {
  /// nil: all endpoints.
  package var endpoint: EndpointID?
  package var isOnline: Bool?
  package var latency: DurationPlan?
  package var loss: DataPlan?
  package var fragments: [Int]?
  package var faults: FaultsPlan?
  package var range: SourceRange

  package init(
    endpoint: EndpointID?, isOnline: Bool?, latency: DurationPlan?, loss: DataPlan?,
    fragments: [Int]?, faults: FaultsPlan?, range: SourceRange
  ) {
    self.fragments = fragments
    self.faults = faults
    self.endpoint = endpoint
    self.isOnline = isOnline
    self.latency = latency
    self.loss = loss
    self.range = range
  }
}

/// The faults between clients and endpoints and their rates; faults that are not named do not
/// happen.
package struct FaultsPlan: Sendable {
  /// Shares from 0 to 1.
  package var refuse: DataPlan?
  package var drop: DataPlan?
  package var reset: DataPlan?
  package var stall: DataPlan?
  package var corrupt: DataPlan?
  package var duplicate: DataPlan?
  package var delay: DataPlan?
  package var longestDelay: DurationPlan?
}

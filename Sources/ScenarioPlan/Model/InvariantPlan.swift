import Diagnostics
import Values

package typealias InvariantID = ID<InvariantPlan>

/// What must hold whenever a change is complete.
package struct InvariantPlan: Sendable {
  package enum Kind: Sendable {
    case always(ExpressionPlan)
    case never(ExpressionPlan)
    case leadsTo(when: [SourceMatcherPlan], then: [SourceMatcherPlan], within: Microseconds?)
  }

  package var kind: Kind
  /// What it reads of the stage; logged whenever a change is complete and one of them is another
  /// than before.
  package var reads: [SlotID]
  /// As written: `always`, and its place.
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

/// How the world between clients and endpoints is from now on; what is nil stays as it was.
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

/// What goes wrong between clients and endpoints, and how often; what is not named does not.
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

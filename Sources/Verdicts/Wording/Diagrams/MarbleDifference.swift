import Diagnostics
import Events
import ScenarioPlan
import Values

/// The difference between a source's events and a diagram, with all that is needed to draw both.
package struct MarbleDifference: Sendable {
  /// The first difference.
  package enum Problem: Sendable {
    /// The event of this moment did not come.
    case missing(Int, isNothingLeft: Bool)
    /// An event came when that of this moment was due, and is another; nil: not even of its kind.
    case differs(Int, Differences?, event: EventID)
    /// An event came when none is due.
    case unexpected(event: EventID)
  }

  /// An event of the source, and the symbol the diagram has for it.
  package struct Seen: Sendable {
    package var event: EventID
    package var time: Microseconds
    package var value: Value?
    package var symbol: String?
  }

  /// The most events that are kept, which is more than a page shows.
  static let seenAtMost = 200

  package var source: SourceID
  /// The place that names the source.
  package var range: SourceRange
  package var marble: MarblePlan<MatcherPlan>
  /// The time of the first tick.
  package var zero: Microseconds
  package var problem: Problem
  /// The expected value of each moment, with its expressions evaluated; nil if any value is
  /// accepted.
  package var wanted: [Value?]
  /// The events of the source in order, whether they match or not.
  package var seen: [Seen]

  /// The event that was judged wrong.
  package var event: EventID? {
    switch problem {
    case .missing: nil
    case .differs(_, _, let event), .unexpected(let event): event
    }
  }
}

/// A subscription to a stream, as far as it is known.
package struct SubscriptionSeen: Sendable {
  package var source: SourceID
  package var number: Int
  package var began: Microseconds
  package var ended: Microseconds?
}

/// The difference between subscriptions to a stream and diagrams of them.
package struct SubscriptionDifference: Sendable {
  package var source: SourceID
  package var range: SourceRange
  package var zero: Microseconds
  /// Until when they were compared.
  package var end: Microseconds
  package var wanted: [SubscriptionMarblePlan]
  package var seen: [SubscriptionSeen]
  /// The number of the first one that differs.
  package var place: Int
}

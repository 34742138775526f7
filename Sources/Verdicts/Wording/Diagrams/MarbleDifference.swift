import Diagnostics
import ScenarioPlan
import Values

/// Where the events of a source are not as a diagram of them, and all that is needed to draw both.
package struct MarbleDifference: Sendable {
  package enum Problem: Sendable {
    /// The event of this moment did not come.
    case missing(Int, isNothingLeft: Bool)
    /// An event came when that of this moment was due, and is another; nil: not even of its kind.
    case differs(Int, Differences?, event: Int)
    /// An event came when none is due.
    case unexpected(event: Int)
  }

  /// An event of the source, and the symbol the diagram has for it.
  package struct Seen: Sendable {
    package var event: Int
    package var time: Microseconds
    package var value: Value?
    package var symbol: String?
  }

  /// More than fits on a page need not be kept.
  static let seenAtMost = 200

  package var source: SourceID
  /// Where the source is named.
  package var range: SourceRange
  package var marble: MarblePlan<MatcherPlan>
  /// When the first tick is.
  package var zero: Microseconds
  package var problem: Problem
  /// What each moment wants, its expressions worked out; nil where it takes anything.
  package var wanted: [Value?]
  /// Matched or not, in order.
  package var seen: [Seen]

  /// The event that was judged wrong.
  package var event: Int? {
    switch problem {
    case .missing: nil
    case .differs(_, _, let event), .unexpected(let event): event
    }
  }
}

/// One subscription to a stream, as far as it is known.
package struct SubscriptionSeen: Sendable {
  package var source: SourceID
  package var number: Int
  package var began: Microseconds
  package var ended: Microseconds?
}

/// Where subscriptions to a stream are not as the diagrams of them.
package struct SubscriptionDifference: Sendable {
  package var source: SourceID
  package var range: SourceRange
  package var zero: Microseconds
  /// Until when they were compared.
  package var end: Microseconds
  package var wanted: [SubscriptionMarblePlan]
  package var seen: [SubscriptionSeen]
  /// Which of them is the first that differs.
  package var place: Int
}

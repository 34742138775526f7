import Diagnostics
import ScenarioSpec
import Values

package typealias InvariantID = ID<InvariantPlan>

/// A condition that must hold after each change.
package struct InvariantPlan: Sendable {
  package enum Kind: Sendable {
    case always(ExpressionPlan)
    case never(ExpressionPlan)
    case leadsTo(when: [SourceMatcherPlan], then: [SourceMatcherPlan], within: Microseconds?)
    case precededBy(when: [SourceMatcherPlan], once: [KeyedMatcherPlan], within: Microseconds?)
    case between(BetweenPlan)
    case unchanged(UnchangedPlan)
    case count(EventCountPlan)
    /// A trace is complete after such an event and a silence. In a run it requires nothing.
    case complete(when: [SourceMatcherPlan], quiet: Microseconds?)

    /// The events that it is about; empty if it is about the values of the stage alone.
    package var matchers: [SourceMatcherPlan] {
      switch self {
      case .always, .never: []
      case .leadsTo(let when, let then, _): when + then
      case .precededBy(let when, let once, _): when + once.map(\.matcher)
      case .between(let plan): plan.when + plan.until + plan.rule.matchers
      case .unchanged(let plan): plan.when
      case .count(let plan): plan.when
      case .complete(let when, _): when
      }
    }

    /// The conditions and values that it reads of the stage, apart from those in its matchers.
    package var expressions: [ExpressionPlan] {
      switch self {
      case .always(let condition), .never(let condition): [condition]
      case .leadsTo, .precededBy, .count, .complete: []
      case .between(let plan): plan.rule.condition.map { [$0] } ?? []
      case .unchanged(let plan): [plan.of, plan.condition]
      }
    }
  }

  package var kind: Kind
  /// The slots that the invariant reads of the stage. They are logged after each change that alters
  /// one of them.
  package var reads: [SlotID]
  /// The verb as written, such as `always`, and its place.
  package var verb: String
  package var verbRange: SourceRange
  package var range: SourceRange
}

/// Events of a source that look like this.
package struct SourceMatcherPlan: Sendable {
  package var source: SourceID
  package var matcher: MatcherPlan
  package var range: SourceRange
}

/// Events that look like this, and what `when` captures of them as well.
package struct KeyedMatcherPlan: Sendable {
  package var matcher: SourceMatcherPlan
  /// The values that both events must share, in the order of their captures.
  package var key: [CaptureID]
}

/// The condition from one event until another.
package struct BetweenPlan: Sendable {
  package enum Rule: Sendable {
    case never([SourceMatcherPlan])
    /// The counts of the first and the last events are read as well, so that it is sampled then.
    case always(ExpressionPlan)

    package var matchers: [SourceMatcherPlan] {
      if case .never(let matchers) = self { matchers } else { [] }
    }

    package var condition: ExpressionPlan? {
      if case .always(let condition) = self { condition } else { nil }
    }
  }

  package var when: [SourceMatcherPlan]
  package var until: [SourceMatcherPlan]
  package var rule: Rule
}

/// A value that stays while a condition holds.
package struct UnchangedPlan: Sendable {
  package var of: ExpressionPlan
  package var condition: ExpressionPlan
  /// The events that are compared with each other; empty if the values are those of the stage.
  package var when: [SourceMatcherPlan]
  /// The values that compared events share.
  package var key: [CaptureID]
}

/// How many events come in a time, for each key.
package struct EventCountPlan: Sendable {
  package var when: [SourceMatcherPlan]
  package var key: [CaptureID]
  /// nil: the whole run.
  package var per: Microseconds?
  package var atMost: Int?
  package var atLeast: Int?
}

package typealias NetworkPlan = EndpointNetwork<Compiled>
package typealias FaultsPlan = NetworkFaults<Compiled>

import CEL
import Diagnostics
import JSONSchemas
import ScenarioSpec
import Values

/// Something that must hold, or must be seen, or must not.
package struct AssertionPlan: Sendable {
  package indirect enum Kind: Sendable {
    /// Each source's own sequence.
    case expectMap([SequencePlan])
    /// One order across all sources named.
    case expectList([EntryPlan])
    case never([NeverEntryPlan], duration: Microseconds?)
    case check([ExpressionPlan])
    case eventually(ExpressionPlan)
    case retry(RetryPlan)
    /// A step must fail, with an error like this.
    case fails(MatcherPlan?)
    /// A value is as a file has recorded it.
    case snapshot(SnapshotPlan)
    /// The next message of a mock's client is like this.
    case receive(MatcherPlan)
    /// The answer to a request.
    case answer(ExpectedAnswerPlan)
  }

  /// The expressions that the assertion evaluates when its step is reached.
  package enum Evaluation: Sendable {
    case nothing
    /// Its condition.
    case once
    /// Its condition, and again whenever what it reads has changed.
    case repeated
    indirect case snapshot(SnapshotPlan)
  }

  package var kind: Kind { didSet { evaluation = kind.evaluation } }
  /// Kept beside the kind, which is large, because each step asks for it.
  package private(set) var evaluation: Evaluation
  /// Bounds the whole of an `expect`, `eventually` or `retry`.
  package var within: Microseconds?
  /// The slots that the assertion reads of the stage. Their values are logged in this order when it
  /// is opened, and at each evaluation of `check`, `eventually` and `retry`, so that the log alone
  /// suffices to judge it again.
  package var reads: [SlotID]
  /// The step's key, as written (`expect`), and its place.
  package var verb: String
  package var verbRange: SourceRange
  /// The whole step.
  package var range: SourceRange
  /// True if the steps go on when it does not hold.
  package var isSoft: Bool

  package init(
    kind: Kind, within: Microseconds? = nil, reads: [SlotID], verb: String,
    verbRange: SourceRange, range: SourceRange, isSoft: Bool = false
  ) {
    self.kind = kind
    evaluation = kind.evaluation
    self.within = within
    self.reads = reads
    self.verb = verb
    self.verbRange = verbRange
    self.range = range
    self.isSoft = isSoft
  }
}

extension AssertionPlan.Kind {
  fileprivate var evaluation: AssertionPlan.Evaluation {
    switch self {
    case .check: .once
    case .eventually: .repeated
    case .snapshot(let snapshot): .snapshot(snapshot)
    case .expectMap, .expectList, .never, .retry, .fails, .receive, .answer: .nothing
    }
  }
}

/// The goal of steps that are repeated; `within` is the time after which no try begins.
package struct RetryPlan: Sendable {
  /// Nil if each try is judged by its own requests and checks.
  package var until: ExpressionPlan?
  /// The condition that makes more tries useless.
  package var failIf: ExpressionPlan?
  /// The pause before the next try.
  package var every: Microseconds
}

/// The expected events of one source.
package struct SequencePlan: Sendable {
  package enum Form: Sendable {
    /// Its next events, in this order.
    case events([MatcherPlan])
    /// A diagram of its events from the beginning of the span to the diagram's last tick.
    indirect case marble(MarblePlan<MatcherPlan>?, subscriptions: [SubscriptionMarblePlan]?)
  }

  package var source: SourceID
  /// The source's name where the expectation names it.
  package var range: SourceRange
  package var form: Form
}

/// The expected times of a subscription and of its end, since the beginning of the span.
package typealias SubscriptionMarblePlan = SubscriptionMarble

/// An entry of an `expect` list.
package indirect enum EntryPlan: Sendable {
  case event(EventEntryPlan)
  /// These in any order among themselves; entries here are never groups.
  case anyOrder([EventEntryPlan], range: SourceRange)
}

/// One awaited event of a list.
package struct EventEntryPlan: Sendable {
  package var source: SourceID
  package var matcher: MatcherPlan
  package var after: Microseconds?
  package var within: Microseconds?
  package var skips: Bool
  /// The mark `after` counts from.
  package var since: MarkID?
  package var mark: MarkID?
  package var times: Int
  /// The source's name in the entry.
  package var sourceRange: SourceRange
  package var range: SourceRange

  package init(
    source: SourceID, matcher: MatcherPlan, after: Microseconds? = nil,
    within: Microseconds? = nil, skips: Bool = false, since: MarkID? = nil, mark: MarkID? = nil,
    times: Int = 1, sourceRange: SourceRange, range: SourceRange
  ) {
    self.source = source
    self.matcher = matcher
    self.after = after
    self.within = within
    self.skips = skips
    self.since = since
    self.mark = mark
    self.times = times
    self.sourceRange = sourceRange
    self.range = range
  }
}

/// A source that must be silent, or must not emit what matches.
package struct NeverEntryPlan: Sendable {
  package var source: SourceID
  package var matcher: MatcherPlan?
  package var range: SourceRange
}

/// The expected shape of an event.
package struct MatcherPlan: Sendable {
  /// A key and what must be found under it.
  package typealias Entry = (key: Value, matcher: MatcherPlan)

  package enum Content: Sendable {
    case value(DataPlan)
    case list([MatcherPlan])
    case map([Entry])
    /// All of these hold.
    case operators([OperatorPlan])
  }

  package var content: Content
  package var range: SourceRange

  package init(_ content: Content, _ range: SourceRange) {
    self.content = content
    self.range = range
  }
}

/// One `$` operator.
package struct OperatorPlan: Sendable {
  package typealias OfData = DataTest
  package typealias OfMatcher = InnerTest
  package typealias Comparison = DataTest.Comparison
  package typealias Affix = DataTest.Affix

  package indirect enum Kind: Sendable {
    case any
    /// An entry that a map does not have.
    case absent
    case type(TypeName)
    case data(DataTest, DataPlan)
    case inner(InnerTest, MatcherPlan)
    case list(ListTest, [MatcherPlan])
    case regex(CELPattern, groups: [Group])
    case `where`(ExpressionPlan)
    case capture(CaptureID)
    case schema(JSONSchema)
  }

  /// A named group of a pattern, whose text is captured.
  package struct Group: Sendable {
    package var number: Int
    package var capture: CaptureID

    package init(number: Int, capture: CaptureID) {
      self.number = number
      self.capture = capture
    }
  }

  package var kind: Kind
  /// The name as written, such as `$regex`, and its place.
  package var name: String
  package var range: SourceRange
  /// True in a matcher that chooses among events or requests, and does not demand one.
  package var selects = false
}

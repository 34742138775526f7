import Diagnostics
import ScenarioSpec
import Values

package typealias StreamID = ID<StreamPlan>

/// A publisher with resolved names and compiled expressions.
///
/// In its expressions the slot `matched` is the passing value. The first locals are its parameters;
/// the one after them is `result`, the current value of a `scan`, or `error`.
package struct StreamPlan: Sendable {
  package enum Origin: Sendable {
    case merge([InputPlan])
    case combineLatest([InputPlan], labels: [String]?)
    case zip([InputPlan], labels: [String]?)
    case subject(initial: DataPlan?)
    case interval(DurationPlan)
    /// Payloads are worked out when the stage is set.
    case marble(MarblePlan<DataPlan>, isHot: Bool)
    case items([DataPlan])
  }

  package var name: String
  package var source: SourceID
  package var origin: Origin
  package var operators: [StreamOperatorPlan]
  /// The values that a call gives. A stream with any starts for each call, and never by itself.
  package var parameters: [(name: String, local: LocalID)] = []
  /// True if `cold` makes it start again for each subscriber, false if it makes it shared.
  package var startsAgain: Bool?
  /// The number of latest values that later subscribers get first; nil for none.
  package var replay: Int?
  /// True if its subscriptions are logged, because an expectation names them.
  package var logsSubscriptions: Bool = false
  package var range: SourceRange
}

/// A source as a stream takes it.
package struct InputPlan: Sendable {
  package var source: SourceID
  package var `where`: ExpressionPlan?
  package var map: ExpressionPlan?
  package var range: SourceRange

  package init(
    source: SourceID, where condition: ExpressionPlan?, map: ExpressionPlan?, range: SourceRange
  ) {
    self.source = source
    self.where = condition
    self.map = map
    self.range = range
  }
}

/// The parts of operators as they are compiled.
package enum Compiled: DocumentForm {
  package typealias Rule = ExpressionPlan
  package typealias Payload = DataPlan
  package typealias Source = SourceID
  package typealias Length = DurationPlan
  package typealias Input = InputPlan
  package typealias Call = CallPlan
  package typealias Pauses = RetryPolicyPlan
  package typealias Step = StreamOperatorPlan
  package typealias Bytes = BytesPlan
  package typealias Endpoint = EndpointID
}

/// One operator of a stream.
package struct StreamOperatorPlan: Sendable {
  package typealias Kind = StreamOperator<Compiled>
  package typealias Keeping = KeepingOperator<Compiled>
  package typealias TimeoutEnd = ScenarioSpec.TimeoutEnd<Compiled>
  package typealias Signal = ScenarioSpec.Signal<Compiled>
  package typealias Trailing = TrailingValue
  package typealias Plain = PlainOperator
  package typealias WhenFull = ScenarioSpec.WhenFull
  package typealias Flattening = ScenarioSpec.Flattening

  package var kind: Kind
  /// The name as written, such as `debounce`, and its place.
  package var name: Located<String>
  /// The sources that it follows, those of its group as well.
  package var sources: [SourceID]
  package var follows: StreamOperatorRule.Following
}

/// The call of a flattening operator for each value.
package struct CallPlan: Sendable {
  package enum Target: Sendable {
    case provider(ProviderCallPlan)
    case source(SourceID)
    /// A stream that starts with values for its parameters.
    case stream(StreamCallPlan)
    /// The first call whose condition holds for the value.
    case choice([CallChoicePlan])
  }

  package var target: Target
  package var replaceError: DataPlan?
}

/// A call of several, which the value chooses.
package struct CallChoicePlan: Sendable {
  /// Nil if the call is for any value that no entry before it is for.
  package var when: ExpressionPlan?
  package var call: CallPlan

  package init(when condition: ExpressionPlan?, call: CallPlan) {
    self.when = condition
    self.call = call
  }
}

/// A start of a stream that has parameters, with a value for each of them.
package struct StreamCallPlan: Sendable {
  package var stream: StreamID
  package var source: SourceID
  /// The values, in the order of the parameters.
  package var arguments: [DataPlan]
}

/// A stretch of time that is known, or is worked out when it is needed.
package enum DurationPlan: Sendable {
  case constant(Microseconds)
  case data(DataPlan)
}

/// A diagram of events over time.
package typealias MarblePlan<Payload: Sendable> = Marble<Payload>

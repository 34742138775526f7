import Diagnostics
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

/// One operator of a stream.
package struct StreamOperatorPlan: Sendable {
  package indirect enum Kind: Sendable {
    case map(ExpressionPlan)
    case filter(ExpressionPlan)
    case compactMap(ExpressionPlan)
    case removeDuplicates(by: ExpressionPlan?)
    /// The operators run for each key by themselves.
    case groupBy(ExpressionPlan, [StreamOperatorPlan])
    case scan(ExpressionPlan, initial: DataPlan?)
    case reduce(ExpressionPlan, initial: DataPlan?)
    case plain(Plain)
    case contains(DataPlan)
    case allSatisfy(ExpressionPlan)
    case first(where: ExpressionPlan?)
    case prefix(Int)
    case keeping(Keeping)
    case prefixWhile(ExpressionPlan, inclusive: Bool)
    case prefixUntil(SourceID)
    case dropFirst(Int)
    case dropWhile(ExpressionPlan)
    case dropUntil(SourceID)
    case output(at: Int)
    case replaceEmpty(DataPlan)
    case collectUntil(SourceID)
    case collectBy(count: Int?, every: DurationPlan?)
    case debounce(DurationPlan, flush: Bool)
    case throttle(DurationPlan, Trailing)
    case audit(DurationPlan)
    case sample(SignalPlan)
    case delay(DurationPlan)
    case timeout(DurationPlan, TimeoutEndPlan, onlyFirst: Bool)
    case retry(Int)
    case retryLater(RetryPolicyPlan)
    case `catch`(SourceID)
    case replaceError(DataPlan)
    case mapError(ExpressionPlan)
    case prepend([DataPlan])
    case append([DataPlan])
    case prependStream(SourceID)
    case appendStream(SourceID)
    case merge([InputPlan])
    case combineLatest([InputPlan], labels: [String]?)
    case zip([InputPlan], labels: [String]?)
    case withLatest(InputPlan)
    case flatten(Flattening, CallPlan)
    case buffer(size: Int, whenFull: WhenFull)
  }

  /// Operators without parameters.
  package enum Plain: Sendable {
    case count, min, max, last, ignoreOutput, collect, measureInterval, share, flatten
  }

  /// Operators that keep some of the latest values.
  package enum Keeping: Sendable {
    case suffix(Int)
    case dropLast(Int)
    case windowed(Int, step: Int)
    case removeDuplicates(when: ExpressionPlan)
  }

  /// The value of an interval that `throttle` gives at its end.
  package enum Trailing: Sendable {
    case none, first, latest
  }

  package enum WhenFull: Sendable {
    case dropNewest, dropOldest, fail
  }

  package enum Flattening: Sendable {
    case latest
    case merged(max: Int?)
    case oneByOne
    case first
  }

  package var kind: Kind
  /// The name as written, such as `debounce`, and its place.
  package var name: String
  package var range: SourceRange
}

/// The moments at which `sample` looks.
package enum SignalPlan: Sendable {
  case every(DurationPlan)
  case source(SourceID)
}

/// The end of a stream whose values did not come in time.
package enum TimeoutEndPlan: Sendable {
  case completion
  case failure(DataPlan)
  case fallback(SourceID)
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
package struct MarblePlan<Payload: Sendable>: Sendable {
  package enum Kind: Sendable {
    case value(Payload)
    case completion
    case failure(Payload?)
  }

  package struct Moment: Sendable {
    package var kind: Kind
    package var symbol: String
    /// Since the diagram's first tick.
    package var time: Microseconds
    package var range: SourceRange

    package init(kind: Kind, symbol: String, time: Microseconds, range: SourceRange) {
      self.kind = kind
      self.symbol = symbol
      self.time = time
      self.range = range
    }
  }

  /// The diagram as written.
  package var diagram: String
  package var tick: Microseconds
  package var moments: [Moment]
  /// The time of the last tick.
  package var end: Microseconds
  package var range: SourceRange
}

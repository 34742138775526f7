import Diagnostics
import Values

/// A publisher with a name: where its events come from, and the operators they go through.
package struct StreamSpec: Sendable {
  package enum Origin: Sendable {
    /// `from`: what one source or several emit, unchanged.
    case merge([InputSpec])
    /// The latest values of all whenever one emits: a list, or a map where they have labels.
    case combineLatest([InputSpec])
    /// The first values of all, then the second ones, and so on.
    case zip([InputSpec])
    /// A subject for the values that steps send. With a value at the start it keeps the latest.
    case subject(initial: DataSpec?)
    /// Counts from 0, once in each interval.
    case interval(DurationSpec)
    case marble(MarbleSpec<DataSpec>, isHot: Bool)
    /// These values at once, then its end.
    case items([DataSpec])
  }

  package var name: Located<String>
  package var origin: Origin
  package var operators: [StreamOperatorSpec]
  /// The names of the values that a call gives; the stream then starts for each call.
  package var parameters: [Located<String>]
  /// Whether the stream starts again for each subscriber; nil if it is not written.
  package var isCold: Bool?
  /// The number of latest values that later subscribers get first.
  package var replay: Located<Int>?
  /// True if the use of a component names its source, as a name of the stage of the user.
  package var isGivenByUse = false
  package var range: SourceRange

  package init(
    name: Located<String>, origin: Origin, operators: [StreamOperatorSpec],
    parameters: [Located<String>] = [], range: SourceRange
  ) {
    self.name = name
    self.origin = origin
    self.operators = operators
    self.parameters = parameters
    self.range = range
  }
}

/// A source of a stream: all of its events, some of them, or a part of each.
package struct InputSpec: Sendable {
  /// The name of its values in the map that `combineLatest` and `zip` make.
  package var label: Located<String>?
  package var source: Located<String>
  package var `where`: ExpressionText?
  package var map: ExpressionText?
  package var range: SourceRange

  package init(source: Located<String>, range: SourceRange) {
    self.source = source
    self.range = range
  }
}

/// One use of an operator.
package struct StreamOperatorSpec: Sendable {
  package indirect enum Kind: Sendable {
    // one value after the other
    case map(ExpressionText)
    case filter(ExpressionText)
    /// Leaves null out.
    case compactMap(ExpressionText)
    /// Compares the results of this expression, or the values themselves.
    case removeDuplicates(by: ExpressionText?)
    /// The operators run for each key by themselves.
    case groupBy(ExpressionText, [StreamOperatorSpec])
    /// `result` is the result before. Without `initial` the first value is the first result.
    case scan(ExpressionText, initial: DataSpec?)
    case reduce(ExpressionText, initial: DataSpec?)
    case plain(Plain)
    case contains(DataSpec)
    case allSatisfy(ExpressionText)
    case first(where: ExpressionText?)
    case prefix(Located<Int>)
    case keeping(Keeping)
    case prefixWhile(ExpressionText, inclusive: Bool)
    case prefixUntil(Located<String>)
    case dropFirst(Located<Int>)
    case dropWhile(ExpressionText)
    case dropUntil(Located<String>)
    /// The value at this index, from 0.
    case output(at: Located<Int>)
    case replaceEmpty(DataSpec)
    case collectUntil(Located<String>)
    /// Lists of a number of values, of the values in an interval, or whichever is first.
    case collectBy(count: Located<Int>?, every: DurationSpec?)
    // time
    case debounce(DurationSpec, flush: Bool)
    case throttle(DurationSpec, Trailing)
    case audit(DurationSpec)
    case sample(SignalSpec)
    case delay(DurationSpec)
    case timeout(DurationSpec, TimeoutEndSpec, onlyFirst: Bool)
    // failures
    case retry(Located<Int>)
    /// Subscribes again after pauses.
    case retryLater(RetryPolicySpec)
    /// Goes on with another stream.
    case `catch`(Located<String>)
    /// `error` is in scope.
    case replaceError(DataSpec)
    case mapError(ExpressionText)
    // several
    case prepend([DataSpec])
    case append([DataSpec])
    case prependStream(Located<String>)
    case appendStream(Located<String>)
    case merge([InputSpec])
    case combineLatest([InputSpec])
    case zip([InputSpec])
    /// Each value together with the latest one of another source: `[value, other]`.
    case withLatest(InputSpec)
    // calls
    /// A new value cancels the call before.
    case `switch`(CalledSpec)
    /// All calls at the same time, or at most this many.
    case flatMap(CalledSpec, max: Located<Int>?)
    /// One call after the other; values wait.
    case concatMap(CalledSpec)
    /// A value that comes while a call runs is left out.
    case exhaust(CalledSpec)
    // sharing and demand
    case buffer(size: Located<Int>, whenFull: WhenFull)
  }

  /// Operators without parameters.
  package enum Plain: String, Sendable, CaseIterable {
    case count, min, max, last, ignoreOutput, collect, measureInterval, share, flatten
  }

  /// Operators that keep some of the latest values.
  package enum Keeping: Sendable {
    case suffix(Located<Int>)
    case dropLast(Located<Int>)
    case windowed(Located<Int>, step: Located<Int>?)
    /// Leaves out a value for which this holds; `before` is the one that passed before.
    case removeDuplicates(when: ExpressionText)
  }

  /// The value of an interval that `throttle` gives at its end.
  package enum Trailing: Sendable {
    case none, first, latest
  }

  package enum WhenFull: String, Sendable {
    case dropNewest, dropOldest, fail
  }

  package var kind: Kind
  /// The key of the operator, as written.
  package var name: Located<String>
  package var range: SourceRange
}

/// The moments at which `sample` looks.
package enum SignalSpec: Sendable {
  case every(DurationSpec)
  case source(Located<String>)
}

/// The end of a stream whose values did not come in time.
package enum TimeoutEndSpec: Sendable {
  case completion
  case failure(DataSpec)
  /// Goes on with another stream.
  case fallback(Located<String>)
}

/// What an operator calls for a value: always the same, or what the value chooses.
package enum CalledSpec: Sendable {
  case one(CallSpec)
  /// The first call whose `when` holds.
  case choice([CallChoiceSpec])
}

/// A call of several, which the value chooses.
package struct CallChoiceSpec: Sendable {
  /// Nil if the call is for any value that no entry before it is for.
  package var when: ExpressionText?
  package var call: CallSpec

  package init(when condition: ExpressionText?, call: CallSpec) {
    self.when = condition
    self.call = call
  }
}

/// The call that a flattening operator makes for each value: a provider, or a stream to follow.
package struct CallSpec: Sendable {
  /// A provider, or a stream.
  package var target: Located<String>
  /// The values of the target's parameters; `value` is in scope. Without any, a single parameter is
  /// the value.
  package var with: [NamedData] = []
  /// The result of a call that fails; `error` is in scope. Without it the stream fails.
  package var replaceError: DataSpec?
}

/// A duration: a literal, or the result of an expression.
package enum DurationSpec: Sendable {
  case literal(Located<Microseconds>)
  /// A duration, or text such as `300ms`.
  case data(DataSpec)
}

/// The forms of the parts of a document: as written, with places, or as compiled.
package protocol DocumentForm: Sendable {
  /// An expression about the passing value.
  associatedtype Rule: Sendable
  associatedtype Payload: Sendable
  associatedtype Source: Sendable
  associatedtype Length: Sendable
  /// A source, with `where` and `map`.
  associatedtype Input: Sendable
  associatedtype Call: Sendable
  associatedtype Pauses: Sendable
  /// An operator of a group.
  associatedtype Step: Sendable
  /// A piece of raw bytes.
  associatedtype Bytes: Sendable
  associatedtype Endpoint: Sendable
}

/// One operator of a stream.
///
/// There is one list of operators for what is written and for what is compiled, so that
/// `{ debounce: 1s }` is `.debounce` with a literal first and with a constant after:
///
///     StreamOperator<Written>.debounce(.literal(1s), flush: false)
///     StreamOperator<Compiled>.debounce(.constant(1s), flush: false)
package indirect enum StreamOperator<Form: DocumentForm>: Sendable {
  // one value after the other
  case map(Form.Rule)
  case filter(Form.Rule)
  /// Leaves null out.
  case compactMap(Form.Rule)
  /// Compares the results of this expression, or the values themselves.
  case removeDuplicates(by: Form.Rule?)
  /// The operators run for each key by themselves.
  case groupBy(Form.Rule, [Form.Step])
  /// `result` is the result before. Without `initial` the first value is the first result.
  case scan(Form.Rule, initial: Form.Payload?)
  case reduce(Form.Rule, initial: Form.Payload?)
  case plain(PlainOperator)
  case contains(Form.Payload)
  case allSatisfy(Form.Rule)
  case first(where: Form.Rule?)
  case prefix(Int)
  case keeping(KeepingOperator<Form>)
  case prefixWhile(Form.Rule, inclusive: Bool)
  case prefixUntil(Form.Source)
  case dropFirst(Int)
  case dropWhile(Form.Rule)
  case dropUntil(Form.Source)
  /// The value at this index, from 0.
  case output(at: Int)
  case replaceEmpty(Form.Payload)
  case collectUntil(Form.Source)
  /// Lists of a number of values, of the values in an interval, or whichever is first.
  case collectBy(count: Int?, every: Form.Length?)
  // time
  case debounce(Form.Length, flush: Bool)
  case throttle(Form.Length, TrailingValue)
  case audit(Form.Length)
  case sample(Signal<Form>)
  case delay(Form.Length)
  case timeout(Form.Length, TimeoutEnd<Form>, onlyFirst: Bool)
  // failures
  case retry(Int)
  /// Subscribes again after pauses.
  case retryLater(Form.Pauses)
  /// Goes on with another stream.
  case `catch`(Form.Source)
  /// `error` is in scope.
  case replaceError(Form.Payload)
  case mapError(Form.Rule)
  // several
  case prepend([Form.Payload])
  case append([Form.Payload])
  case prependStream(Form.Source)
  case appendStream(Form.Source)
  case merge([Form.Input])
  /// With labels, the values are the members of a map.
  case combineLatest([Form.Input], labels: [String]?)
  case zip([Form.Input], labels: [String]?)
  /// Each value together with the latest one of another source: `[value, other]`.
  case withLatest(Form.Input)
  /// Calls something for each value.
  case flatten(Flattening, Form.Call)
  // sharing and demand
  case buffer(size: Int, whenFull: WhenFull)
}

/// Operators without parameters.
package enum PlainOperator: String, Sendable, CaseIterable {
  case count, min, max, last, ignoreOutput, collect, measureInterval, share, flatten
}

/// Operators that keep some of the latest values.
package enum KeepingOperator<Form: DocumentForm>: Sendable {
  case suffix(Int)
  case dropLast(Int)
  case windowed(Int, step: Int)
  /// Leaves out a value for which this holds; `before` is the one that passed before.
  case removeDuplicates(when: Form.Rule)
}

/// The value of an interval that `throttle` gives at its end.
package enum TrailingValue: Sendable {
  case none, first, latest
}

package enum WhenFull: String, Sendable {
  case dropNewest, dropOldest, fail
}

/// The calls that run while another value comes.
package enum Flattening: Sendable {
  /// A new value cancels the call before.
  case latest
  /// All calls at the same time, or at most this many.
  case merged(max: Int?)
  /// One call after the other; values wait.
  case oneByOne
  /// A value that comes while a call runs is left out.
  case first
}

/// The moments at which `sample` looks.
package enum Signal<Form: DocumentForm>: Sendable {
  case every(Form.Length)
  case source(Form.Source)
}

/// The end of a stream whose values did not come in time.
package enum TimeoutEnd<Form: DocumentForm>: Sendable {
  case completion
  case failure(Form.Payload)
  /// Goes on with another stream.
  case fallback(Form.Source)
}

/// The parts of operators as they are written.
package enum Written: DocumentForm {
  package typealias Rule = ExpressionText
  package typealias Payload = DataSpec
  package typealias Source = Located<String>
  package typealias Length = DurationSpec
  package typealias Input = InputSpec
  package typealias Call = CalledSpec
  package typealias Pauses = RetryPolicySpec
  package typealias Step = StreamOperatorSpec
  package typealias Bytes = BytesSpec
  package typealias Endpoint = Located<String>
}

/// One use of an operator.
package struct StreamOperatorSpec: Sendable {
  package var kind: StreamOperator<Written>
  /// The key of the operator, as written.
  package var name: Located<String>
  package var rule: StreamOperatorRule
}

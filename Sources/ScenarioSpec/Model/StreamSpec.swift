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
    case marble(Marble<DataSpec>, isHot: Bool)
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
  /// True if it is a parameter of a component, which may also be given an endpoint.
  package var isParameter = false
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

extension [InputSpec] {
  /// The names of the values in the map that they make; nil if they make a list.
  package var labels: [String]? {
    let labels = compactMap { $0.label?.value }
    return labels.count == count && !labels.isEmpty ? labels : nil
  }
}

/// The callee of an operator: always the same, or chosen by the value.
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

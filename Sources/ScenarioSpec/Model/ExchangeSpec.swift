import Diagnostics
import Values

/// One HTTP exchange of a scenario's steps: a request, and the expected answer.
package struct ExchangeSpec: Sendable {
  package var request: RequestSpec
  package var expected: ExpectedAnswerSpec?
  /// The capture that takes the whole answer.
  package var capture: Located<String>?

  package init(request: RequestSpec) { self.request = request }
}

/// The expected answer.
package struct ExpectedAnswerSpec: Sendable {
  /// The matchers by the part of the answer: `status`, `headers`, `json`.
  package var parts: [(key: Key, matcher: MatcherSpec)]
  /// The longest time the exchange may take.
  package var within: Located<Microseconds>?
  /// The key `expect`.
  package var keyRange: SourceRange
}

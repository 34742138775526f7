import Diagnostics
import Values

/// One HTTP exchange of a scenario's steps: a request, and the expected answer.
package struct ExchangeSpec: Sendable {
  package enum Cookies: Sendable {
    /// No cookies, not even those that the endpoint has set before.
    case none
    /// Cookies besides those that the endpoint has set.
    case given([NamedData])
  }

  package enum Authorization: Sendable {
    case basic(user: DataSpec, password: DataSpec)
    case bearer(DataSpec)
  }

  package var request: RequestSpec
  package var authorization: Authorization?
  package var cookies: Cookies?
  /// The most redirects that are followed.
  package var redirects: Int = 0
  package var timeout: Located<Microseconds>?
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

  package init(
    parts: [(key: Key, matcher: MatcherSpec)], within: Located<Microseconds>?,
    keyRange: SourceRange
  ) {
    self.parts = parts
    self.within = within
    self.keyRange = keyRange
  }
}

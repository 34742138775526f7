import Diagnostics
import Values

/// One HTTP exchange of a scenario's steps: a request, and what its answer must be like.
package struct ExchangeSpec: Sendable {
  package enum Cookies: Sendable {
    /// What the endpoint has set so far is forgotten.
    case none
    /// Sent besides those the endpoint has set.
    case given([NamedData])
  }

  package enum Authorization: Sendable {
    case basic(user: DataSpec, password: DataSpec)
    case bearer(DataSpec)
  }

  package var request: RequestSpec
  package var authorization: Authorization?
  package var cookies: Cookies?
  /// How many redirects are followed.
  package var redirects: Int = 0
  package var timeout: Located<Microseconds>?
  package var expected: ExpectedAnswerSpec?
  /// The capture that takes the whole answer.
  package var capture: Located<String>?

  package init(request: RequestSpec) { self.request = request }
}

/// What an answer must be like.
package struct ExpectedAnswerSpec: Sendable {
  /// By the part of the answer: `status`, `headers`, `json`.
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

import Diagnostics
import ScenarioSpec
import Values

/// A request, its expressions compiled.
package struct RequestPlan: Sendable {
  package enum Authorization: Sendable {
    case basic(user: DataPlan, password: DataPlan)
    case bearer(DataPlan)
  }

  package var endpoint: EndpointID
  package var method: DataPlan
  package var path: DataPlan
  package var query: [(name: String, value: DataPlan)]
  package var headers: [(name: String, value: DataPlan)]
  package var body: BodyPlan
  /// Whether the headers have a `Host`. Without one it is the endpoint's.
  package let namesHost: Bool
  package var authorization: Authorization?
  /// Sent besides those that are kept for the endpoint.
  package var cookies: [(name: String, value: DataPlan)] = []
  /// True if the cookies that are kept for the endpoint are dropped first.
  package var forgetsCookies = false
  /// The session that sends it; nil for the one that all clients of the scenario share.
  package var session: DataPlan?
  /// The most redirects that are followed; nil for the default of its place.
  package var redirects: Int?
  package var timeout: Microseconds?

  package init(
    endpoint: EndpointID, method: DataPlan, path: DataPlan,
    query: [(name: String, value: DataPlan)], headers: [(name: String, value: DataPlan)],
    body: BodyPlan
  ) {
    self.endpoint = endpoint
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    namesHost = headers.contains { name, value in
      if case .constant(.null) = value.content { return false }
      return name.lowercasedASCII == "host"
    }
  }
}

/// The body of a message.
package enum BodyPlan: Sendable {
  case none
  case json(DataPlan)
  case text(DataPlan)
  /// Names and values; a list repeats its name.
  case form([(name: String, value: DataPlan)])
  /// The bytes of a file, seen from `folder`.
  case file(DataPlan, folder: String)
  /// The bytes of a file that was read when the scenario was loaded.
  case contents([UInt8], path: Located<String>)
  case bytes([BytesPlan], at: SourceRange)
  case multipart([PartPlan])

  /// True for a body that the scenario writes as it is to be read; files and bytes are sent as they
  /// are.
  package var isWritten: Bool {
    switch self {
    case .json, .text, .form, .multipart: true
    case .none, .file, .contents, .bytes: false
    }
  }
}

/// A part of a body that has several.
package struct PartPlan: Sendable {
  package var name: DataPlan
  /// JSON, text or a file.
  package var content: BodyPlan
  package var filename: DataPlan?
  package var contentType: DataPlan?
}

/// One exchange of a scenario's steps; what its answer must be like is said by the assertion.
package struct ExchangePlan: Sendable {
  package var request: RequestPlan
  package var assertion: AssertionID
}

/// The expected shape of an answer.
package struct ExpectedAnswerPlan: Sendable {
  /// Matches the parts of the answer that are named; nil where any answer will do.
  package var matcher: MatcherPlan?
  /// The longest time the exchange may take, and where that is said.
  package var within: (span: Microseconds, range: SourceRange)?
  /// Takes the whole answer.
  package var capture: CaptureID?

  /// True if any part is asserted.
  package var isAssertion: Bool { matcher != nil || within != nil }
}

import Diagnostics
import Values

/// The conversation of one client with its servers, as it was recorded.
package struct ImportedFlow: Sendable {
  package var title: String
  /// The name of the recording.
  package var origin: String
  package var exchanges: [ImportedExchange] = []
  /// The places of what is no request that a client could send by HTTP.
  package var leftOut: [String] = []
  /// By kind of what a scenario does not have, such as pictures: how many there are.
  package var kindsLeftOut: [String: Int] = [:]
}

/// A request, and what followed from it.
package struct ImportedExchange: Sendable {
  /// The server: an endpoint's name, or the scheme and the host of a URL.
  package var server: String
  /// The URL of the server, where it is known.
  package var url: String?
  /// The time of the request.
  package var time: Microseconds
  package var request: ImportedRequest
  package var answer: ImportedAnswer
  /// Where the recording has it: `shop.trace.jsonl:7`, or `shop.har /log/entries/3`.
  package var place: String
}

package struct ImportedRequest: Sendable {
  package var method: String
  /// The path as it was sent, without its query.
  package var path: String
  package var query: [ImportedField] = []
  package var headers: [ImportedField] = []
  package var body: ImportedBody?
}

extension ImportedRequest {
  /// True if a name of the query comes several times.
  var repeatsNames: Bool { Set(query.map(\.name)).count < query.count }
}

/// A name with its value, in a query, a form or a head.
package struct ImportedField: Sendable, Equatable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

package enum ImportedBody: Sendable, Equatable {
  case json(Value)
  case form([ImportedField])
  case text(String)
  case bytes([UInt8])
}

package enum ImportedAnswer: Sendable {
  /// No answer came.
  case none
  case response(ImportedResponse)
  case conversation(ImportedConversation)
}

package struct ImportedResponse: Sendable {
  package var status: Int
  package var headers: [ImportedField] = []
  package var body: ImportedBody?
}

/// A stream or a WebSocket, with all that came over it.
package struct ImportedConversation: Sendable {
  package enum Kind: Sendable { case eventStream, lines, webSocket }

  /// The end of a conversation by a redirect.
  enum FoundRedirect: Sendable, Equatable {
    /// The exchange with this number is the next request of the same connection.
    case followed(by: Int)
    case notFollowed
  }

  package enum End: Sendable {
    /// The recording does not have the end, or the client left.
    case open
    case left
    case closed(code: Int?, reason: String)
    case dropped
    /// It was never opened: this answer came, or none.
    case refused(ImportedResponse?)
  }

  package var kind: Kind
  /// The subprotocols that the client offered, and the one that the server chose.
  package private(set) var offered: [String] = []
  package private(set) var subprotocol: String?
  package var messages: [ImportedMessage] = []
  package var end = End.open
  package var endTime: Microseconds
  /// The redirect that refused it; nil if none did.
  var redirect: FoundRedirect?
  /// The number of the exchange whose redirect led here: it is the same connection.
  var follows: Int?

  /// Notes the subprotocols. What the server chose was offered, also if the recording does not have
  /// the headers of the request, as of some browsers.
  mutating func agree(on chosen: String?, of offered: [String]) {
    subprotocol = chosen
    self.offered = offered
    if let chosen, !offered.contains(chosen) { self.offered.append(chosen) }
  }

  package var isEndedByServer: Bool {
    switch end {
    case .closed, .dropped, .refused: true
    case .open, .left: false
    }
  }

  /// True if the recording does not have its end.
  package var isOpen: Bool { if case .open = end { true } else { false } }
}

/// An event, a line, or a message of a WebSocket.
package struct ImportedMessage: Sendable {
  package var time: Microseconds
  package var isFromClient = false
  /// The type and the id of an event.
  package var event: String?
  package var id: String?
  package var data: Value
}

extension ImportedFlow {
  /// The conversation of an exchange; nil if it is a request.
  func conversation(_ number: Int) -> ImportedConversation? {
    if case .conversation(let conversation) = exchanges[number].answer { conversation } else { nil }
  }
}

/// The reason why a recording cannot be imported.
package struct ImportProblem: Error {
  package var diagnostic: Diagnostic

  init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }
}

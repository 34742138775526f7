import Diagnostics
import Values

/// A part of the outside world, and what its mock does.
package struct EndpointSpec: Sendable {
  package var name: Located<String>
  /// The URL of the real endpoint, used only if a scenario runs against it.
  package var url: DataSpec?
  /// The values that the endpoint's scripts may read and set.
  package var state: [(name: Located<String>, initial: DataSpec)] = []
  package var crossOrigin = CrossOrigin.unsaid
  /// True if its streams continue after the event that `Last-Event-ID` names.
  package var isResumable = false
  /// The real server that gets the requests which no entry answers.
  package var proxy: ProxySpec?
  package var http: [RouteSpec] = []
  package var eventStreams: [ConversationSpec] = []
  package var lines: [ConversationSpec] = []
  package var webSockets: [ConversationSpec] = []

  package init(name: Located<String>) { self.name = name }

  /// The scripts of all its entries.
  package var scripts: [ScriptSpec] {
    let ofCalls = http.flatMap(\.scripts)
    let ofConnections = (eventStreams + lines + webSockets).compactMap { entry -> ScriptSpec? in
      if case .accept(_, let script) = entry.kind { script } else { nil }
    }
    return ofCalls + ofConnections
  }
}

extension EndpointSpec {
  /// Replaces the scripts of all its entries.
  package mutating func mapScripts(_ body: (ScriptSpec) -> ScriptSpec) {
    for index in http.indices { http[index].answers = http[index].answers.mapScripts(body) }
    for index in eventStreams.indices { eventStreams[index].mapScript(body) }
    for index in lines.indices { lines[index].mapScript(body) }
    for index in webSockets.indices { webSockets[index].mapScript(body) }
  }
}

extension ConversationSpec {
  fileprivate mutating func mapScript(_ body: (ScriptSpec) -> ScriptSpec) {
    guard case .accept(let acceptance, let script) = kind else { return }
    kind = .accept(acceptance, body(script))
  }
}

/// The answers of a mock to the requests of one route.
package struct RouteSpec: Sendable {
  package enum Answers: Sendable {
    /// One turn for each call. The last one repeats.
    case inTurn([TurnSpec])
    /// A script that runs for each call.
    case script(ScriptSpec)
  }

  /// The method in upper case; nil for any method (`any: /path`).
  package var method: String?
  /// The path, such as `/tasks/{id}`. A name in braces stands for one segment: `request.params.id`.
  package var path: Located<String>
  package var when: ExpressionText?
  /// The matchers of the request, by its parts.
  package var match: MatcherSpec?
  /// The expression whose values are counted separately; nil if all calls are counted together.
  package var turnsBy: ExpressionText?
  package var answers: Answers
  package var range: SourceRange

  fileprivate var scripts: [ScriptSpec] {
    switch answers {
    case .inTurn(let turns): turns.compactMap(\.script)
    case .script(let script): [script]
    }
  }
}

extension RouteSpec.Answers {
  fileprivate func mapScripts(_ body: (ScriptSpec) -> ScriptSpec) -> RouteSpec.Answers {
    switch self {
    case .inTurn(let turns): .inTurn(turns.map { $0.mapScript(body) })
    case .script(let script): .script(body(script))
    }
  }

  /// True if a turn opens a WebSocket.
  var openWebSocket: Bool {
    guard case .inTurn(let turns) = self else { return false }
    return turns.contains { if case .open(.webSocket, _, _) = $0 { true } else { false } }
  }
}

/// A real server that requests are passed on to.
package struct ProxySpec: Sendable {
  package var url: DataSpec
  /// The replaced parts of its answers; nil if they stay unchanged.
  package var change: ResponseSpec?
}

/// The reaction of a route to one call.
package enum TurnSpec: Sendable {
  /// A kind of connection that stays open.
  package enum Connection: Sendable {
    case eventStream, lines, webSocket
  }

  case answer(AnswerSpec)
  /// Opens a connection with these header fields, and runs the script on it.
  case open(Connection, ScriptSpec, headers: [NamedData])
  /// Passes the request on to a real server.
  case proxy(ProxySpec)

  package var script: ScriptSpec? {
    switch self {
    case .answer, .proxy: nil
    case .open(_, let script, _): script
    }
  }

  fileprivate func mapScript(_ body: (ScriptSpec) -> ScriptSpec) -> TurnSpec {
    guard case .open(let connection, let script, let headers) = self else { return self }
    return .open(connection, body(script), headers: headers)
  }
}

/// One answer of a mock.
package struct AnswerSpec: Sendable {
  package enum Kind: Sendable {
    case response(ResponseSpec)
    /// The connection ends without an answer.
    case drop
    /// The connection breaks without an answer.
    case reset
    /// No answer is sent.
    case stall
  }

  package var kind: Kind
  /// The time that the answer takes.
  package var after: DurationSpec?
  package var range: SourceRange
}

/// An HTTP response. Its expressions have `request` in scope.
package struct ResponseSpec: Sendable {
  package typealias Body = BodySpec

  package var status: DataSpec?
  package var headers: [NamedData] = []
  package var body: Body = .none
  package var delivery = Delivery.whole

  /// How the bytes of the response are sent.
  package enum Delivery: Sendable {
    case whole
    case pieces(Int, every: DurationSpec)
    case fault(AnswerFault)
  }

  package init() {}
}

/// The body of a message.
package enum BodySpec: Sendable {
  case none
  case json(DataSpec)
  case text(DataSpec)
  /// Names and values. A list repeats its name.
  case form([NamedData])
  /// The path of a file, relative to the folder of this one.
  case file(DataSpec)
  /// The path of a file that is read when the scenario is loaded.
  case contents(Located<String>)
  case bytes([BytesSpec], at: SourceRange)
  case multipart([PartSpec])
}

/// A fault of an answer, after which the connection ends.
package enum AnswerFault: String, Sendable, CaseIterable {
  /// The head and the first half of the body.
  case partialBody
  /// A head that announces chunks, and bytes that are none.
  case malformedChunk
  /// Random bytes in place of the answer.
  case garbage
}

/// Whether pages of other origins may read the answers of a mock.
package enum CrossOrigin: Sendable {
  /// Nothing is written, so that the command may decide.
  case unsaid
  case none
  case allowed(CrossOriginPolicy)
}

/// The rights of pages of other origins. A part that is nil allows anything.
package struct CrossOriginPolicy: Sendable, Equatable {
  package var origins: [String]?
  package var methods: [String]?
  package var headers: [String]?
  package var exposedHeaders: [String] = []
  package var allowsCredentials = false
  package var maxAge: Microseconds?

  package init() {}
}

/// A part of a body with several parts.
package struct PartSpec: Sendable {
  package enum Content: Sendable {
    case json(DataSpec)
    case text(DataSpec)
    case file(DataSpec)
  }

  package var name: DataSpec
  package var content: Content
  package var filename: DataSpec?
  package var contentType: DataSpec?
}

import Diagnostics
import Values

/// What a part of the outside world does.
package struct EndpointSpec: Sendable {
  package var name: Located<String>
  /// Only asked for when a scenario runs against real endpoints.
  package var url: DataSpec?
  /// Values the endpoint's scripts may read and set, for endpoints that remember.
  package var state: [(name: Located<String>, initial: DataSpec)] = []
  package var http: [RouteSpec] = []
  package var eventStreams: [ConversationSpec] = []
  package var lines: [ConversationSpec] = []
  package var webSockets: [ConversationSpec] = []

  package init(name: Located<String>) { self.name = name }

  /// The scripts of all its entries.
  package var scripts: [ScriptSpec] {
    let ofCalls = http.compactMap { route -> ScriptSpec? in
      if case .script(let script) = route.answers { script } else { nil }
    }
    let ofConnections = (eventStreams + lines + webSockets).compactMap { entry -> ScriptSpec? in
      if case .accept(_, let script) = entry.kind { script } else { nil }
    }
    return ofCalls + ofConnections
  }
}

/// How a mock answers the requests of one route.
package struct RouteSpec: Sendable {
  package enum Answers: Sendable {
    /// Taken call by call; the last one repeats.
    case inTurn([AnswerSpec])
    /// Run for every call.
    case script(ScriptSpec)
  }

  /// In upper case; nil answers every method (`any: /path`).
  package var method: String?
  /// `/tasks/{id}`: a name in braces stands for one segment and is read as `request.params.id`.
  package var path: Located<String>
  package var when: ExpressionText?
  package var answers: Answers
  package var range: SourceRange

  package init(method: String?, path: Located<String>, answers: Answers, range: SourceRange) {
    self.method = method
    self.path = path
    self.answers = answers
    self.range = range
  }
}

/// One answer of a mock.
package struct AnswerSpec: Sendable {
  package enum Kind: Sendable {
    case response(ResponseSpec)
    /// The connection ends without an answer.
    case drop
    /// No answer ever comes.
    case stall
  }

  package var kind: Kind
  /// How long the answer takes.
  package var after: DurationSpec?
  package var range: SourceRange

  package init(kind: Kind, after: DurationSpec? = nil, range: SourceRange) {
    self.kind = kind
    self.after = after
    self.range = range
  }
}

/// An HTTP response; `request` is in scope of everything it holds.
package struct ResponseSpec: Sendable {
  package typealias Body = BodySpec

  package var status: DataSpec?
  package var headers: [(name: Located<String>, value: DataSpec)] = []
  package var body: Body = .none

  package init() {}
}

/// What a message carries.
package enum BodySpec: Sendable {
  case none
  case json(DataSpec)
  case text(DataSpec)
  /// Names and values; a list repeats its name.
  case form([NamedData])
  /// The path of a file, seen from the folder of this one.
  case file(DataSpec)
  case multipart([PartSpec])
}

/// A part of a body that has several.
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

  package init(
    name: DataSpec, content: Content, filename: DataSpec? = nil, contentType: DataSpec? = nil
  ) {
    self.name = name
    self.content = content
    self.filename = filename
    self.contentType = contentType
  }
}

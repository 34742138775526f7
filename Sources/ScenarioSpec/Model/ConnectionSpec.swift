import Diagnostics
import Values

/// A client that stays connected: its events, and the state of its connection, are sources.
package struct ConnectionSpec: Sendable {
  package enum Kind: Sendable {
    /// Server-sent events.
    case eventStream
    /// A JSON value on each line of an answer without end.
    case lines
    /// Subprotocols are offered in this order.
    case webSocket(protocols: [DataSpec])
  }

  package var name: Located<String>
  package var kind: Kind
  /// What is asked at each connect, its values worked out anew.
  package var request: RequestSpec
  /// Without one, a connection that is lost stays so.
  package var retry: RetryPolicySpec?
  package var ping: PingSpec?
  /// The longest silence; one that lasts longer counts as an error.
  package var idle: Located<Microseconds>?

  package init(name: Located<String>, kind: Kind, request: RequestSpec) {
    self.name = name
    self.kind = kind
    self.request = request
  }
}

/// How something that failed is tried again; what is nil is as it usually is.
package struct RetryPolicySpec: Sendable {
  /// All tries, the first one among them; nil where there is no end.
  package var maxAttempts: Located<Int>?
  package var initialDelay: Located<Microseconds>?
  package var maxDelay: Located<Microseconds>?
  package var multiplier: Located<Double>?
  /// The share by which a delay may be shorter or longer.
  package var jitter: Located<Double>?
  /// Statuses after which there is no other try.
  package var nonRetryableStatuses: [Located<Int>]?
  package var range: SourceRange

  package init(range: SourceRange) { self.range = range }
}

/// How a WebSocket finds out that the other side is gone.
package struct PingSpec: Sendable {
  package var interval: Located<Microseconds>?
  package var maxFailures: Located<Int>?

  package init() {}
}

/// What a mock does with one connection; entries are taken connection by connection, and the last
/// one repeats.
package struct ConversationSpec: Sendable {
  package enum Kind: Sendable {
    case accept(AcceptanceSpec, ScriptSpec)
    /// Answers like any other server.
    case refuse(AnswerSpec)
  }

  package var kind: Kind
  package var range: SourceRange

  package init(kind: Kind, range: SourceRange) {
    self.kind = kind
    self.range = range
  }
}

/// What a request must carry to be accepted, and how it is.
package struct AcceptanceSpec: Sendable {
  package var request: MatcherSpec
  package var when: ExpressionText?
  /// The subprotocol that is chosen, which must have been offered.
  package var subprotocol: DataSpec?
  /// Sent in place of the right key of the handshake.
  package var acceptKey: DataSpec?
  package var range: SourceRange

  package init(request: MatcherSpec, range: SourceRange) {
    self.request = request
    self.range = range
  }
}

/// What a mock does on a connection, in its script or because a step says so.
package enum ServerActSpec: Sendable {
  case event(ServerEventSpec)
  /// A message of a WebSocket.
  case message(DataSpec)
  /// Raw bytes, piece by piece.
  case bytes([BytesSpec])
  /// Ends the connection without a goodbye.
  case drop
  case reset
  /// Nothing is sent any more, not even answers to pings.
  case stall
  /// Says that nothing more will be sent, and goes on listening.
  case halfClose
  /// Says goodbye.
  case close(code: DataSpec?, reason: DataSpec?)
  case pings(areAnswered: Bool)
}

/// A server-sent event as a mock sends it.
package struct ServerEventSpec: Sendable {
  package var id: DataSpec?
  package var event: DataSpec?
  package var data: DataSpec?
  package var retry: DurationSpec?
  package var comment: DataSpec?

  package init() {}
}

/// A piece of raw bytes: text, a value of bytes, or hexadecimal digits.
package enum BytesSpec: Sendable {
  case value(DataSpec)
  case hexadecimal(Located<[UInt8]>)
}

/// What a step makes an endpoint do.
package struct ServeSpec: Sendable {
  package enum Command: Sendable {
    case act(ServerActSpec)
    /// Ends all connections and takes no new ones.
    case stop
    case start
    /// Ends all connections; new ones are taken.
    case restart
  }

  package enum Audience: Sendable, Equatable {
    case all, last
    /// The number of the connection, as its request tells it.
    case connection(Int)
  }

  package var endpoint: Located<String>
  package var command: Command
  /// The word or key that says what is done.
  package var commandRange: SourceRange

  package init(endpoint: Located<String>, command: Command, commandRange: SourceRange) {
    self.endpoint = endpoint
    self.command = command
    self.commandRange = commandRange
  }
}

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
  /// The request of each connection. Its values are evaluated each time.
  package var request: RequestSpec
  /// The retry policy. Without one, a lost connection stays closed.
  package var retry: RetryPolicySpec?
  package var ping: PingSpec?
  /// The longest silence. A longer one is treated as an error.
  package var idle: Located<Microseconds>?
  /// The steps that run whenever the connection has opened, and the place of their key.
  package var onConnect: (steps: ScriptSpec, key: SourceRange)?
}

/// A policy for retries. A setting that is nil has its default.
package struct RetryPolicySpec: Sendable {
  /// The number of attempts, with the first one; nil for no limit.
  package var maxAttempts: Located<Int>?
  package var initialDelay: Located<Microseconds>?
  package var maxDelay: Located<Microseconds>?
  package var multiplier: Located<Double>?
  /// The share by which a delay may be shorter or longer.
  package var jitter: Located<Double>?
  /// The statuses after which there is no other attempt.
  package var nonRetryableStatuses: [Located<Int>]?
  package var range: SourceRange

  package init(range: SourceRange) { self.range = range }
}

/// The pings by which a WebSocket finds out that the other side is gone.
package struct PingSpec: Sendable {
  package var interval: Located<Microseconds>?
  package var maxFailures: Located<Int>?

  package init() {}
}

/// A mock's behaviour on one connection. Of the entries for its path and method, the first that has
/// not served yet serves it, and the last entry repeats.
package struct ConversationSpec: Sendable {
  package enum Kind: Sendable {
    case accept(AcceptanceSpec, ScriptSpec)
    /// Answers with a plain HTTP response.
    case refuse(AnswerSpec)
  }

  package var kind: Kind
  /// Header fields of the answer that accepts.
  package var headers: [NamedData] = []
  package var range: SourceRange

  package init(kind: Kind, range: SourceRange) {
    self.kind = kind
    self.range = range
  }
}

/// The conditions for accepting a request, and the answer to it.
package struct AcceptanceSpec: Sendable {
  package var request: MatcherSpec
  package var when: ExpressionText?
  /// The chosen subprotocol. The client must have offered it.
  package var subprotocol: DataSpec?
  /// A key in place of the right one of the handshake.
  package var acceptKey: DataSpec?
  package var range: SourceRange

  package init(request: MatcherSpec, range: SourceRange) {
    self.request = request
    self.range = range
  }
}

/// An action of a mock on a connection, in its script or by a step, as written and as compiled.
package enum ServerAct<Form: DocumentForm>: Sendable {
  case event(MockedEvent<Form>)
  /// A message of a WebSocket.
  case message(Form.Payload)
  /// Raw bytes, piece by piece.
  case bytes([Form.Bytes])
  /// Ends the connection without closing it properly.
  case drop
  case reset
  /// Nothing is sent any more, not even answers to pings.
  case stall
  /// Ends sending, and still receives.
  case halfClose
  /// Closes the connection properly.
  case close(code: Form.Payload?, reason: Form.Payload?)
  case pings(areAnswered: Bool)
}

/// A server-sent event as a mock sends it.
package struct MockedEvent<Form: DocumentForm>: Sendable {
  package var id: Form.Payload?
  package var event: Form.Payload?
  package var data: Form.Payload?
  package var retry: Form.Length?
  package var comment: Form.Payload?

  package init() {}
}

package typealias ServerActSpec = ServerAct<Written>
package typealias ServerEventSpec = MockedEvent<Written>

/// A piece of raw bytes: text, a value of bytes, or hexadecimal digits.
package enum BytesSpec: Sendable {
  case value(DataSpec)
  case hexadecimal(Located<[UInt8]>)
}

/// A command of a step to an endpoint.
package struct ServeSpec: Sendable {
  package enum Command: Sendable {
    case act(ServerActSpec)
    /// Ends all connections and takes no new ones.
    case stop
    case start
    /// Ends all connections; new ones are taken.
    case restart
  }

  package enum Audience: Sendable {
    case all, last
    /// The number of the connection, as in its request.
    case connection(DataSpec)
  }

  package var endpoint: Located<String>
  package var command: Command
  /// The word or key of the command.
  package var commandRange: SourceRange
}

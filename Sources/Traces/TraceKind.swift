/// The kinds of lines that this version writes. Readers keep any other kind as it is.
package enum TraceKind: String, CaseIterable, Sendable {
  case emitted, finished, subscribed, unsubscribed
  case request, response, stream, upgrade
  case event, line, message, ping, pong, bytes
  case goodbye, drop, reset, left, unreachable
  case stdin, signal, ready, exit
  case now
  case step, branch, phase, assertion, read, idle
  case network, fault
  case log, ignored, problem, failure, listening, pending
  case verdict
}

/// A row of the table of kinds. The encoder, the decoder, the schema and the reference use it.
package struct TraceKindEntry: Sendable {
  /// The lines of a kind that a replay compares with its own.
  package enum Comparison: String, Sendable {
    case always
    /// Those that no program emitted. What a program emitted is an input.
    case unlessOfProgram
    /// Those that the running side sent. Those of the other side are inputs.
    case bySender
    /// None: what a program did is an input.
    case input
    case never
  }

  /// The sides of a conversation that send such a line.
  package enum Senders: Sendable {
    case none, client, server, both
  }

  package var kind: TraceKind
  /// The value, in words for the reference.
  package var value: String
  package var senders: Senders

  fileprivate init(_ kind: TraceKind, _ senders: Senders, _ value: String) {
    self.kind = kind
    self.value = value
    self.senders = senders
  }

  fileprivate init(_ kind: TraceKind, _ value: String) { self.init(kind, .none, value) }
}

extension TraceKind {
  /// The table of kinds, in the order of their declaration.
  package static let table: [TraceKindEntry] =
    sourceRows + exchangeRows + messageRows + endRows + programRows + runRows + informationRows

  /// Whether a replay compares such a line. Each line that is written asks this.
  package var comparison: TraceKindEntry.Comparison {
    switch self {
    case .emitted: .unlessOfProgram
    case .finished, .stdin, .signal, .assertion, .verdict: .always
    case .ready, .exit: .input
    case .request, .response, .stream, .upgrade, .event, .line, .message, .ping, .pong, .bytes,
      .goodbye,
      .drop, .reset, .left, .unreachable:
      .bySender
    case .subscribed, .unsubscribed, .now, .step, .branch, .phase, .read, .idle, .network, .fault,
      .log, .ignored, .problem, .failure, .listening, .pending:
      .never
    }
  }

  /// True if such a line counts for `seen`.
  package var isCounted: Bool {
    switch self {
    case .request, .response, .stream, .upgrade, .event, .line, .message, .stdin, .signal: true
    case .emitted, .finished, .subscribed, .unsubscribed, .ping, .pong, .bytes, .goodbye, .drop,
      .reset,
      .left, .unreachable, .ready, .exit, .now, .step, .branch, .phase, .assertion, .read, .idle,
      .network,
      .fault, .log, .ignored, .problem, .failure, .listening, .pending, .verdict:
      false
    }
  }

  private static let sourceRows = [
    TraceKindEntry(.emitted, "the value"),
    TraceKindEntry(.finished, "the error, or null if the source completed"),
    TraceKindEntry(.subscribed, "the subscription's number"),
    TraceKindEntry(.unsubscribed, "the subscription's number"),
  ]

  private static let exchangeRows = [
    TraceKindEntry(
      .request, .client, "`method`, `path`, `query`, `headers`, `body`"),
    TraceKindEntry(
      .response, .server, "`status`, `headers`, `body`"),
    TraceKindEntry(
      .stream, .server,
      "the head that opened a stream: `status`, `headers`"),
    TraceKindEntry(
      .upgrade, .server,
      "the head that opened a WebSocket: `status`, `headers`"),
  ]

  private static let messageRows = [
    TraceKindEntry(
      .event, .server,
      "an event of a stream: `event`, `id`, `data`, `retry`; or a `comment`, or what was `cut`"),
    TraceKindEntry(.line, .server, "a line of a stream of lines"),
    TraceKindEntry(.message, .both, "a message of a WebSocket"),
    TraceKindEntry(.ping, .both, "the payload of a ping"),
    TraceKindEntry(.pong, .both, "the payload of a pong"),
    TraceKindEntry(
      .bytes, .both,
      "raw bytes of a request, an answer or a frame that broke the rules or was cut"),
  ]

  private static let endRows = [
    TraceKindEntry(
      .goodbye, .server, "the server ended the stream; `code`, `reason` of a WebSocket"),
    TraceKindEntry(.drop, .both, "the connection ended in the middle of something"),
    TraceKindEntry(.reset, .both, "the connection was reset"),
    TraceKindEntry(
      .left, .client, "the client ended the stream; `code`, `reason` of a WebSocket"),
    TraceKindEntry(
      .unreachable, .server, "why there was no connection: `reason`, `problem`"),
  ]

  private static let programRows = [
    TraceKindEntry(.stdin, "a line that the scenario wrote to the standard input of a program"),
    TraceKindEntry(.signal, "the name of the signal that `terminate` sent to a program"),
    TraceKindEntry(.ready, "null: a program was ready"),
    TraceKindEntry(.exit, "the end of a program: `code` or `signal`"),
  ]

  private static let runRows = [
    TraceKindEntry(.now, "what `now()` gave, in real time"),
    TraceKindEntry(.step, "the step that began: `verb`, `branch`, `turns`"),
    TraceKindEntry(
      .branch, "branches of the script: `from`, `first`, `count`; `joined`; `accepted`"),
    TraceKindEntry(.phase, "`stepsEnded` or `finally`: the part of the run that is over"),
    TraceKindEntry(.assertion, "whether an assertion held: `held`, `verb`"),
    TraceKindEntry(.read, "what an assertion read: `as`, `values`, and what it judges"),
    TraceKindEntry(.idle, "when the next timer is due, in microseconds, or null"),
    TraceKindEntry(.network, "what a `network` step set"),
    TraceKindEntry(.fault, "the fault that struck a connection: `fault`, `to`"),
  ]

  private static let informationRows = [
    TraceKindEntry(.log, "information for readers; `value` if a `log` step wrote it"),
    TraceKindEntry(.ignored, "the sources that need not be accounted for from here on"),
    TraceKindEntry(.problem, "what went wrong apart from assertions"),
    TraceKindEntry(.failure, "a failure, as in the JSON report"),
    TraceKindEntry(
      .listening,
      "where an endpoint is served: `url`, `port`, `webSocket`; or the `port` or the folder `temp` "
        + "of a program"),
    TraceKindEntry(.pending, "what was still open at the end"),
    TraceKindEntry(
      .verdict, "the outcome; always the last line of a complete trace"),
  ]
}

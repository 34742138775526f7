/// The kinds of lines that this version writes. Readers keep any other kind as it is.
package enum TraceKind: String, CaseIterable, Sendable {
  case emitted, finished, subscribed, unsubscribed
  case request, response, stream, upgrade
  case event, line, message, pong, bytes
  case goodbye, drop, reset, left, unreachable
  case exit, now
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
    /// Those that the running side sent. Those of the other side are inputs.
    case bySender
    case never
  }

  /// The sides of a conversation that send such a line.
  package enum Senders: Sendable {
    case none, client, server, both
  }

  package var kind: TraceKind
  /// The value, in words for the reference.
  package var value: String
  package var comparison: Comparison
  package var senders: Senders
  /// True if it counts for `seen`.
  package var isCounted: Bool

  fileprivate init(
    _ kind: TraceKind, _ comparison: Comparison, _ senders: Senders, counts: Bool = false,
    _ value: String
  ) {
    self.kind = kind
    self.value = value
    self.comparison = comparison
    self.senders = senders
    isCounted = counts
  }

  fileprivate init(_ kind: TraceKind, _ comparison: Comparison, _ value: String) {
    self.init(kind, comparison, .none, value)
  }
}

extension TraceKind {
  /// The table of kinds, in the order of their declaration.
  package static let table: [TraceKindEntry] =
    sourceRows + exchangeRows + messageRows + endRows + runRows + informationRows

  package var entry: TraceKindEntry {
    TraceKind.table.first { $0.kind == self }
      ?? TraceKindEntry(self, .never, .none, "information for readers")
  }

  private static let sourceRows = [
    TraceKindEntry(.emitted, .always, "the value"),
    TraceKindEntry(.finished, .always, "the error, or null if the source completed"),
    TraceKindEntry(.subscribed, .never, "the subscription's number"),
    TraceKindEntry(.unsubscribed, .never, "the subscription's number"),
  ]

  private static let exchangeRows = [
    TraceKindEntry(
      .request, .bySender, .client, counts: true, "`method`, `path`, `query`, `headers`, `body`"),
    TraceKindEntry(
      .response, .bySender, .server, counts: true, "`status`, `headers`, `body`"),
    TraceKindEntry(
      .stream, .bySender, .server, counts: true,
      "the head that opened a stream: `status`, `headers`"),
    TraceKindEntry(
      .upgrade, .bySender, .server, counts: true,
      "the head that opened a WebSocket: `status`, `headers`"),
  ]

  private static let messageRows = [
    TraceKindEntry(
      .event, .bySender, .server, counts: true,
      "an event of a stream: `event`, `id`, `data`, `retry`; or a `comment`"),
    TraceKindEntry(.line, .bySender, .server, counts: true, "a line of a stream of lines"),
    TraceKindEntry(.message, .bySender, .both, counts: true, "a message of a WebSocket"),
    TraceKindEntry(.pong, .bySender, .both, "the payload of a pong"),
    TraceKindEntry(.bytes, .bySender, .both, "raw bytes without framing"),
  ]

  private static let endRows = [
    TraceKindEntry(
      .goodbye, .bySender, .server, "the server ended the stream; `code`, `reason` of a WebSocket"),
    TraceKindEntry(.drop, .bySender, .both, "the connection ended in the middle of something"),
    TraceKindEntry(.reset, .bySender, .both, "the connection was reset"),
    TraceKindEntry(
      .left, .bySender, .client, "the client ended the stream; `code`, `reason` of a WebSocket"),
    TraceKindEntry(
      .unreachable, .bySender, .server, "why there was no connection: `reason`, `problem`"),
    TraceKindEntry(.exit, .bySender, .server, "the end of a program: `code` or `signal`"),
  ]

  private static let runRows = [
    TraceKindEntry(.now, .never, "what `now()` gave, in real time"),
    TraceKindEntry(.step, .never, "the step that began: `verb`, `branch`, `turns`"),
    TraceKindEntry(
      .branch, .never, "branches of the script: `from`, `first`, `count`; `joined`; `accepted`"),
    TraceKindEntry(.phase, .never, "`stepsEnded` or `finally`: the part of the run that is over"),
    TraceKindEntry(.assertion, .always, "whether an assertion held: `held`, `verb`"),
    TraceKindEntry(.read, .never, "what an assertion read: `as`, `values`, and what it judges"),
    TraceKindEntry(.idle, .never, "when the next timer is due, in microseconds, or null"),
    TraceKindEntry(.network, .never, "what a `network` step set"),
    TraceKindEntry(.fault, .never, "the fault that struck a connection: `fault`, `to`"),
  ]

  private static let informationRows = [
    TraceKindEntry(.log, .never, "information for readers"),
    TraceKindEntry(.ignored, .never, "the sources that need not be accounted for from here on"),
    TraceKindEntry(.problem, .never, "what went wrong apart from assertions"),
    TraceKindEntry(.failure, .never, "a failure, as in the JSON report"),
    TraceKindEntry(.listening, .never, "where an endpoint is served: `url`, `port`, `webSocket`"),
    TraceKindEntry(.pending, .never, "what was still open at the end"),
    TraceKindEntry(
      .verdict, .always, "the outcome; always the last line of a complete trace"),
  ]
}

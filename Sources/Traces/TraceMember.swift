import TextSearch

/// The members of a line, in the order in which they are written.
package enum TraceMember: String, CaseIterable, Sendable {
  case n, us, time, kind, source, cause, value, text, connection, from, own, seen, at, step, run,
    settled, hash

  /// The JSON that a member takes.
  package enum Form: Sendable {
    case integer, microseconds, text, side, flag, timestamp, anyValue
  }

  package var form: Form {
    switch self {
    case .n, .cause, .connection, .seen, .run: .integer
    case .us: .microseconds
    case .kind, .source, .at, .step, .hash: .text
    case .time: .timestamp
    case .from: .side
    case .own, .settled: .flag
    case .value, .text: .anyValue
    }
  }

  /// The meaning, in words for the reference.
  package var purpose: String {
    switch self {
    case .n: "its number; numbers rise by one. If it is missing, the line counts"
    case .us: "microseconds since the start, from 0 on"
    case .time:
      "in place of `us`, the time of day (RFC 3339) as other programs write it; the first one is "
        + "the start"
    case .kind: "from the table below; if it is missing, `emitted`"
    case .source: "the name of what emitted; of a conversation, the endpoint"
    case .cause: "the number of the event that led to it; absent if nothing did or nobody knows"
    case .value: "what was emitted, sent or received; if it is missing, null"
    case .text:
      "of a body, an event's data, a line or a message: the text as it was sent, if it is not the "
        + "value in its shortest form with sorted keys"
    case .connection: "of a conversation: its number at the endpoint"
    case .from: "of a conversation: `client` or `server`"
    case .own:
      "true on what the scenario itself does again: what its client sends to an endpoint that was "
        + "served, and what it writes to a node that a mock writes as well"
    case .seen:
      "of an input: how many requests and messages the running side had sent to this endpoint, or "
        + "lines and signals to this program"
    case .at: "of a step or an assertion: `path:line:column`, for display"
    case .step:
      "of a step or an assertion, what it is: its path in the document (`steps/3/then/0`), and a "
        + "hash of its text without comments and layout"
    case .run: "the `run` of its header, if one log holds several scenarios"
    case .settled: "true on the last event of a change"
    case .hash: "of the last line: the SHA-256 of all that is compared"
    }
  }
}

/// A side of a conversation.
package enum TraceSide: String, Sendable, CaseIterable {
  case client, server

  /// The other side.
  package var peer: TraceSide { self == .client ? .server : .client }
}

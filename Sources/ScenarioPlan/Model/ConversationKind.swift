import TextSearch

/// The kinds of connections that stay open after their first answer.
package enum ConversationKind: Hashable, Sendable, CaseIterable {
  case eventStream, lines, webSocket

  /// One connection of this kind, and several, in words.
  package var text: (one: String, many: String) {
    switch self {
    case .eventStream: ("an event stream", "event streams")
    case .lines: ("a stream of lines", "streams of lines")
    case .webSocket: ("a WebSocket", "WebSockets")
    }
  }
}

extension EndpointPlan {
  package func conversations(_ kind: ConversationKind) -> [ConversationPlan] {
    switch kind {
    case .eventStream: eventStreams
    case .lines: lines
    case .webSocket: webSockets
    }
  }

  /// Adds what a route does on a connection, and returns its number among those of its kind.
  mutating func append(_ conversation: ConversationPlan, _ kind: ConversationKind) -> Int {
    switch kind {
    case .eventStream: eventStreams.append(conversation)
    case .lines: lines.append(conversation)
    case .webSocket: webSockets.append(conversation)
    }
    return conversations(kind).count - 1
  }

  /// The kinds of connections it has entries for.
  package var conversationKinds: [ConversationKind] {
    ConversationKind.allCases.filter { !conversations($0).isEmpty }
  }
}

extension ServerActPlan {
  /// Returns whether a connection of this kind can perform the act. A connection that cannot would
  /// ignore it silently.
  package func fits(_ kind: ConversationKind) -> Bool {
    switch self {
    case .event: kind != .webSocket
    case .message, .pings: kind == .webSocket
    case .close(let code, let reason): kind == .webSocket || code == nil && reason == nil
    case .bytes, .drop, .reset, .stall, .halfClose: true
    }
  }

  /// The text of the step in a diagnostic that says that it does not fit.
  package var displayName: String {
    switch self {
    case .event: "`event`"
    case .message: "`send`"
    case .pings: "`pings`"
    case .close: "`close` with a code or a reason"
    case .bytes: "`bytes`"
    case .drop: "`drop`"
    case .reset: "`reset`"
    case .stall: "`stall`"
    case .halfClose: "`halfClose`"
    }
  }

  /// The line to write for a connection that the act does not fit.
  package var helpWhereItDoesNotFit: String? {
    switch self {
    case .event: "a WebSocket is sent messages: `send: …`"
    case .message: "a stream is sent events: `event: …`"
    case .pings: "only a WebSocket is pinged"
    case .close: "a stream ends without either: `close`"
    case .bytes, .drop, .reset, .stall, .halfClose: nil
    }
  }
}

import TextSearch

/// An event of an event stream, as a client sees it.
package struct SSEEvent: Sendable, Equatable {
  /// The last id so far; a client sends it to get what it missed.
  package var lastEventID: String
  /// The event's type: `message` where none was sent.
  package var event: String
  package var data: String
  /// The reconnection time; a negative number stands for none. Streams have many events, so events
  /// are small.
  private var milliseconds: Int
  private var hasOwnID: Bool

  /// Makes an event; an id of its own is the last id as well.
  package init(
    id: String? = nil, lastEventID: String = "", event: String = "message", data: String,
    retry: Int? = nil
  ) {
    self.lastEventID = id ?? lastEventID
    self.event = event
    self.data = data
    milliseconds = retry ?? -1
    hasOwnID = id != nil
  }

  /// The id that the event itself was sent with.
  package var id: String? { hasOwnID ? lastEventID : nil }

  /// The reconnection time in milliseconds, if the event sets it.
  package var retry: Int? { milliseconds < 0 ? nil : milliseconds }
}

/// An item of an event stream, in the order of its bytes.
package enum SSEItem: Sendable, Equatable {
  case event(SSEEvent)
  /// The reconnection time; it takes effect at once, also if no event follows.
  case retry(milliseconds: Int)
  /// An id that came without an event, if the decoder shows those.
  case id(String)
  /// A comment, which shows that the connection is alive.
  case comment(String)
  /// The stream cannot be read any further; nothing follows.
  case problem(SSEProblem)
}

/// The fields that a server sends between two blank lines; a nil field is not sent.
package struct SSEMessage: Sendable, Equatable {
  package var comment: String?
  package var id: String?
  package var event: String?
  /// The reconnection time in milliseconds.
  package var retry: Int?
  package var data: String?

  package init(
    comment: String? = nil, id: String? = nil, event: String? = nil, retry: Int? = nil,
    data: String? = nil
  ) {
    self.comment = comment
    self.id = id
    self.event = event
    self.retry = retry
    self.data = data
  }
}

/// The reason why an event stream cannot be read any further, or why a message cannot be sent.
package enum SSEProblem: Error, Sendable, Equatable, CaseIterable {
  case eventTooLarge
  case unsendableID
  case unsendableEvent
  case unsendableRetry

  /// The stable name of the problem, in kebab-case.
  package var id: String {
    switch self {
    case .eventTooLarge: "sse-event-too-large"
    case .unsendableID: "sse-unsendable-id"
    case .unsendableEvent: "sse-unsendable-event"
    case .unsendableRetry: "sse-unsendable-retry"
    }
  }

  /// The broken rule, in one sentence.
  package var message: String {
    switch self {
    case .eventTooLarge: "the data of an event, and each of its lines, keep to a limit"
    case .unsendableID: "an id has no line breaks and no NUL"
    case .unsendableEvent: "the type of an event has no line breaks and no NUL"
    case .unsendableRetry: "the time to wait is a number of milliseconds, 0 or more"
    }
  }
}

/// The limits of an event.
package enum SSELimits {
  /// Bytes of an event's data, and of a line, unless a decoder is given another limit.
  package static let eventBytes = 16 << 20
  /// The longest reconnection time: a hundred years. A longer one is shortened to it.
  package static let retryMilliseconds = 3_155_760_000_000
}

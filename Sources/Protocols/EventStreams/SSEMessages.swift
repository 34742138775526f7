/// An event of an event stream, as a client sees it.
package struct SSEEvent: Sendable, Equatable {
  /// The last id sent so far: with it a client asks for what it missed.
  package var lastEventID: String
  /// The event's type: `message` where none was sent.
  package var event: String
  package var data: String
  /// A negative number stands for none: streams are made of many events, which are to be small.
  private var milliseconds: Int
  private var hasOwnID: Bool

  /// An id of its own is the last id as well.
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

  /// The id the event itself was sent with.
  package var id: String? { hasOwnID ? lastEventID : nil }

  /// Milliseconds, where the event was sent with a new time to wait before connecting again.
  package var retry: Int? { milliseconds < 0 ? nil : milliseconds }
}

/// What an event stream holds, in the order of its bytes.
package enum SSEItem: Sendable, Equatable {
  case event(SSEEvent)
  /// The time to wait before connecting again; it counts at once, also where no event follows.
  case retry(milliseconds: Int)
  /// A line for nobody, which shows that the connection lives.
  case comment(String)
  /// The stream is given up; nothing follows.
  case problem(SSEProblem)
}

/// What a server sends between two blank lines; what is nil is not sent.
package struct SSEMessage: Sendable, Equatable {
  package var comment: String?
  package var id: String?
  package var event: String?
  /// Milliseconds.
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

/// Why an event stream cannot be read on, or a message not be sent.
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

  /// The rule that was broken, in one sentence.
  package var message: String {
    switch self {
    case .eventTooLarge: "the data of an event, and each of its lines, keep to a limit"
    case .unsendableID: "an id has no line breaks and no NUL"
    case .unsendableEvent: "the type of an event has no line breaks and no NUL"
    case .unsendableRetry: "the time to wait is a number of milliseconds, 0 or more"
    }
  }
}

/// What an event may cost at most.
package enum SSELimits {
  /// Bytes of an event's data, and of a line, unless a decoder is given another limit.
  package static let eventBytes = 16 << 20
  /// A hundred years: who is told to wait longer waits no longer than this.
  package static let retryMilliseconds = 3_155_760_000_000
}

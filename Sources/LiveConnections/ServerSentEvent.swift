import Protocols

/// An event as a client receives it.
public struct ServerSentEvent: Sendable, Equatable {
  /// The id that this event was sent with.
  public var id: String?
  /// The id after this event: its own, or the id of an earlier event.
  public var lastEventID: String
  /// The event's type, `message` if the server names none.
  public var event: String
  /// The data, with line feeds between its lines.
  public var data: String
  /// The server's reconnection time in milliseconds, if this event sets it.
  public var retry: Int?

  /// Makes an event. Without a type it is a `message`.
  public init(
    id: String? = nil, lastEventID: String = "", event: String = "message", data: String,
    retry: Int? = nil
  ) {
    self.id = id
    self.lastEventID = lastEventID
    self.event = event
    self.data = data
    self.retry = retry
  }

  init(_ event: SSEEvent) {
    self.init(
      id: event.id, lastEventID: event.lastEventID, event: event.event, data: event.data,
      retry: event.retry)
  }
}

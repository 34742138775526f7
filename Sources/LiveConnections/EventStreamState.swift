/// How a client of an event stream stands.
public enum EventStreamState: Sendable, Equatable {
  /// As it begins; it is never told, since nothing has happened.
  case notConnected
  case connecting
  /// The server has accepted the request; no event need have come yet.
  case connected
  case disconnected(EventStreamEnd)
}

/// Why a client of an event stream is disconnected.
public enum EventStreamEnd: Sendable, Equatable {
  case manuallyDisconnected
  /// For good.
  case terminated
  /// The server ended the stream in good order.
  case streamEnded
  case streamError(EventStreamError)
}

/// What went wrong with an event stream.
public enum EventStreamError: Error, Sendable, Equatable {
  /// The server answered, but not with a stream.
  case status(Int, reason: String)
  case contentType(String?)
  case connection(ConnectionFailure)
  /// The request could not be made.
  case request(String)
  /// A redirect without a place to go to, to another server, or one too many.
  case redirect(String)
  /// Nothing came for longer than the client waits.
  case idleTimeout
  /// An event was larger than the client takes.
  case eventTooLarge
}

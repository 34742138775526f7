/// The state of a client of an event stream.
public enum EventStreamState: Sendable, Equatable {
  /// The initial state; it is never reported.
  case notConnected
  case connecting
  /// The server has accepted the request; perhaps no event has arrived yet.
  case connected
  case disconnected(EventStreamEnd)
}

/// The reason why a client of an event stream is disconnected.
public enum EventStreamEnd: Sendable, Equatable {
  case manuallyDisconnected
  /// The client was terminated.
  case terminated
  /// The server ended the stream in good order.
  case streamEnded
  case streamError(EventStreamError)
}

/// An error of an event stream.
public enum EventStreamError: Error, Sendable, Equatable {
  /// The server answered, but not with a stream.
  case status(Int, reason: String)
  case contentType(String?)
  /// The stream is compressed in a way that is not understood.
  case contentEncoding(String)
  case connection(ConnectionFailure)
  /// The request could not be made.
  case request(String)
  /// A redirect without a target, to another server, or one too many.
  case redirect(String)
  /// Nothing arrived for longer than the client waits.
  case idleTimeout
  /// An event was larger than the client accepts.
  case eventTooLarge
  /// The loop of the client was stopped.
  case loopStopped
}

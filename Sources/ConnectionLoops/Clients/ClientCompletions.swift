import LiveConnections
import Protocols
import Publishers

/// For code that does not await: functions that are called with the result, on the client's loop,
/// and publishers of the same. What they do, and when it fails, says the function that awaits.
extension EventStreamClient {
  /// Connects, and calls a function with the result: when the server has accepted the request, or
  /// with the error of the last attempt.
  public func connect(
    _ completion: @escaping @Sendable (Result<Void, ClientError>) -> Void
  ) {
    session.connect(completion)
  }

  /// Ends a connection, an attempt, or the pause before the next one, and calls a function then.
  /// The client may connect again.
  public func disconnect(_ completion: @escaping @Sendable () -> Void) {
    session.disconnect(completion)
  }

  /// A publisher that connects for each subscriber, and gives one value when the server has
  /// accepted the request.
  public var connecting: AnyPublisher<Void, ClientError> {
    resultPublisher { [self] in connect($0) }
  }
}

/// The same for WebSockets.
extension WebSocketClient {
  /// Connects, and calls a function with the subprotocol that the server chose, or with the error
  /// of the last attempt.
  public func connect(
    _ completion: @escaping @Sendable (Result<String?, ClientError>) -> Void
  ) {
    session.connect { [session] result in
      completion(
        result.map { if case .connected(let name) = session.state { name } else { nil } })
    }
  }

  /// Sends a message, and calls a function when it is accepted for sending, or with the reason why
  /// it is not. Messages leave in the order of the calls.
  public func send(
    _ message: Message, _ completion: @escaping @Sendable (Result<Void, ClientError>) -> Void
  ) {
    outgoing.send(WebSocketPayload(message), completion)
  }

  /// Closes with code 1000, or ends an attempt or a pause, and calls a function then. The client
  /// may connect again.
  public func disconnect(_ completion: @escaping @Sendable () -> Void) {
    session.disconnect(completion)
  }

  /// A publisher that connects for each subscriber, and gives the subprotocol that the server
  /// chose.
  public var connecting: AnyPublisher<String?, ClientError> {
    resultPublisher { [self] in connect($0) }
  }

  /// Returns a publisher that sends a message for each subscriber, and gives one value when it is
  /// accepted for sending.
  public func sending(_ message: Message) -> AnyPublisher<Void, ClientError> {
    resultPublisher { [self] in send(message, $0) }
  }
}

/// A promise that the loop keeps. Only its jobs and the subscription use it.
private struct LoopPromise<Output>: @unchecked Sendable {
  let keep: (Result<Output, ClientError>) -> Void
}

private func resultPublisher<Output: Sendable>(
  _ work: @escaping (@escaping @Sendable (Result<Output, ClientError>) -> Void) -> Void
) -> AnyPublisher<Output, ClientError> {
  Deferred {
    Future<Output, ClientError> { promise in
      let promise = LoopPromise(keep: promise)
      work { promise.keep($0) }
    }
  }
  .eraseToAnyPublisher()
}

import Publishers

/// A client's output for several receivers. Each receives everything from its beginning on, and the
/// end when the client is terminated.
final class Broadcast<Value: Sendable> {
  private let subject = PassthroughSubject<Value, Never>()
  private var sequences: [AsyncStream<Value>.Continuation] = []
  private var hasFinished = false

  /// The number of sequences that may still have a reader.
  var listeners: Int { sequences.count }

  func send(_ value: Value) {
    subject.send(value)
    sequences.removeAll { sequence in
      // The receiver has released the other end.
      if case .terminated = sequence.yield(value) { true } else { false }
    }
  }

  func finish() {
    hasFinished = true
    subject.send(completion: .finished)
    for sequence in sequences { sequence.finish() }
    sequences = []
  }

  var publisher: AnyPublisher<Value, Never> { subject.eraseToAnyPublisher() }

  /// Returns a sequence that keeps values until they are read.
  func sequence() -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self)
    if hasFinished { continuation.finish() } else { sequences.append(continuation) }
    return stream
  }
}

extension EventStreamClient {
  /// All events from the subscription on; completes when the client is terminated.
  public var events: AnyPublisher<ServerSentEvent, Never> { eventBroadcast.publisher }

  /// All changes of the state from the subscription on; the last one is `terminated`.
  public var states: AnyPublisher<EventStreamState, Never> { stateBroadcast.publisher }

  /// Returns the events from the call on, for `for await`; each call makes a sequence of its own.
  public func eventSequence() -> AsyncStream<ServerSentEvent> { eventBroadcast.sequence() }

  /// Returns the changes of the state from the call on; each call makes a sequence of its own.
  public func stateSequence() -> AsyncStream<EventStreamState> { stateBroadcast.sequence() }
}

extension WebSocketClient {
  /// All messages from the subscription on, also those of later connections; completes when the
  /// client is terminated.
  public var messages: AnyPublisher<Message, Never> { messageBroadcast.publisher }

  /// All changes of the state from the subscription on; the last one is `terminated`.
  public var states: AnyPublisher<WebSocketState, Never> { stateBroadcast.publisher }

  /// Returns the messages from the call on, for `for await`; each call makes a sequence of its own.
  public func messageSequence() -> AsyncStream<Message> { messageBroadcast.sequence() }

  /// Returns the changes of the state from the call on; each call makes a sequence of its own.
  public func stateSequence() -> AsyncStream<WebSocketState> { stateBroadcast.sequence() }
}

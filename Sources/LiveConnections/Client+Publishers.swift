import Publishers

/// What a client tells, for as many as want to hear it: each gets all of it from then on, and the
/// end when the client was ended for good.
final class Broadcast<Value: Sendable> {
  private let subject = PassthroughSubject<Value, Never>()
  private var sequences: [AsyncStream<Value>.Continuation] = []
  private var hasFinished = false

  /// Sequences that somebody may still read.
  var listeners: Int { sequences.count }

  func send(_ value: Value) {
    subject.send(value)
    sequences.removeAll { sequence in
      // Nobody holds the other end any more.
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

  /// Keeps what nobody has asked for yet.
  func sequence() -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self)
    if hasFinished { continuation.finish() } else { sequences.append(continuation) }
    return stream
  }
}

extension EventStreamClient {
  /// Every event from the subscription on; it completes when the client is terminated.
  public var events: AnyPublisher<ServerSentEvent, Never> { eventBroadcast.publisher }

  /// Every change of the state from the subscription on; the last one is `terminated`.
  public var states: AnyPublisher<EventStreamState, Never> { stateBroadcast.publisher }

  /// Every event from the call on, for `for await`; each call gives a sequence of its own.
  public func eventSequence() -> AsyncStream<ServerSentEvent> { eventBroadcast.sequence() }

  /// Every change of the state from the call on; each call gives a sequence of its own.
  public func stateSequence() -> AsyncStream<EventStreamState> { stateBroadcast.sequence() }
}

extension WebSocketClient {
  /// Every message from the subscription on, also those of later connections; it completes when
  /// the client is terminated.
  public var messages: AnyPublisher<Message, Never> { messageBroadcast.publisher }

  /// Every change of the state from the subscription on; the last one is `terminated`.
  public var states: AnyPublisher<WebSocketState, Never> { stateBroadcast.publisher }

  /// Every message from the call on, for `for await`; each call gives a sequence of its own.
  public func messageSequence() -> AsyncStream<Message> { messageBroadcast.sequence() }

  /// Every change of the state from the call on; each call gives a sequence of its own.
  public func stateSequence() -> AsyncStream<WebSocketState> { stateBroadcast.sequence() }
}

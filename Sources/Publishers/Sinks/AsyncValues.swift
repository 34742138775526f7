extension Publisher where Failure == Never, Output: Sendable {
  /// The values for `for await`, from now on. They are kept until they are read. A reader that
  /// stops early ends the subscription with the next value.
  public var values: AsyncStream<Output> {
    let (stream, continuation) = AsyncStream.makeStream(of: Output.self)
    let sink = StreamSink<Output, Never>(
      onValue: { if case .terminated = continuation.yield($0) { false } else { true } },
      onCompletion: { _ in continuation.finish() })
    attach(sink)
    return stream
  }
}

extension Publisher where Output: Sendable {
  /// The values for `for try await`, from now on. They are kept until they are read. A failure is
  /// thrown after them. A reader that stops early ends the subscription with the next value.
  public var values: AsyncThrowingStream<Output, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Output.self)
    let sink = StreamSink<Output, Failure>(
      onValue: { if case .terminated = continuation.yield($0) { false } else { true } },
      onCompletion: { completion in
        switch completion {
        case .finished: continuation.finish()
        case .failure(let error): continuation.finish(throwing: error)
        }
      })
    attach(sink)
    return stream
  }
}

/// Takes values for as long as somebody can read them.
private final class StreamSink<Input, Failure: Error>: Subscriber {
  private let onValue: (Input) -> Bool
  private let onCompletion: (Completion<Failure>) -> Void
  private var link = Link()

  init(
    onValue: @escaping (Input) -> Bool, onCompletion: @escaping (Completion<Failure>) -> Void
  ) {
    self.onValue = onValue
    self.onCompletion = onCompletion
  }

  func receive(subscription: any Subscription) {
    guard link.accept(subscription) else { return subscription.cancel() }
    subscription.request(.unlimited)
  }

  func receive(_ input: Input) -> Demand {
    if !onValue(input) { link.take()?.cancel() }
    return .none
  }

  func receive(completion: Completion<Failure>) {
    if link.close() { onCompletion(completion) }
  }
}

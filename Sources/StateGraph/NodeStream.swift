import GraphCore

extension GraphNode where Value: Sendable {
  /// Returns the values of the node for `for await`: the present one first, then each change.
  ///
  /// Each call returns a stream of its own. Several readers of one stream share its values. Without
  /// a limit, a slow reader gets them all; `.bufferingNewest(1)` gives it the latest. The stream
  /// follows the node until it and its iterators are released.
  public func observe(
    buffering policy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded
  ) -> NodeStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: policy)
    let token = TrackingScope.alone { graph.observe(self) { continuation.yield($0) } }
    let end = AnyCancellable {
      token.cancel()
      continuation.finish()
    }
    return NodeStream(stream: stream, token: end)
  }
}

/// The values of a node over time.
public struct NodeStream<Value: Sendable>: AsyncSequence {
  /// The values of the node.
  public typealias Element = Value
  /// It cannot fail.
  public typealias Failure = Never

  let stream: AsyncStream<Value>
  let token: AnyCancellable

  /// Returns a reader of the stream.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: stream.makeAsyncIterator(), token: token)
  }

  /// Ends the stream: its readers get what is buffered, and then the end.
  public func cancel() { token.cancel() }

  /// A reader of the stream.
  public struct Iterator: AsyncIteratorProtocol {
    var base: AsyncStream<Value>.Iterator
    let token: AnyCancellable

    /// Waits for the next value; nil at the end, or if the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      await base.next(isolation: actor)
    }

    /// Waits for the next value; nil at the end, or if the task is cancelled.
    public mutating func next() async -> Value? { await base.next() }
  }
}

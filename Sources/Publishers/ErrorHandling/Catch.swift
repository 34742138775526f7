/// Goes on with another publisher after a failure.
@frozen
public struct Catch<Upstream: Publisher, Replacement: Publisher>: Publisher
where Upstream.Output == Replacement.Output {
  /// The values of upstream.
  public typealias Output = Upstream.Output
  /// The failure of the replacement.
  public typealias Failure = Replacement.Failure

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// Makes the publisher that replaces upstream.
  public let handler: (Upstream.Failure) -> Replacement

  /// Creates the publisher that `catch(_:)` returns.
  @inlinable public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> Replacement) {
    self.upstream = upstream
    self.handler = handler
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    let relay = Relay(subscriber)
    upstream.attach(Inner(relay, handler))
  }

  @usableFromInline struct Inner<Downstream: Subscriber>: Subscriber
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let relay: Relay<Downstream>
    @usableFromInline let handler: (Upstream.Failure) -> Replacement

    @inlinable
    init(_ relay: Relay<Downstream>, _ handler: @escaping (Upstream.Failure) -> Replacement) {
      self.relay = relay
      self.handler = handler
    }

    @inlinable func receive(subscription: any Subscription) { relay.beginFirst(subscription) }
    @inlinable func receive(_ input: Output) -> Demand { relay.isFirst ? relay.pass(input) : .none }
    @inlinable func receive(completion: Completion<Upstream.Failure>) {
      guard relay.isFirst else { return }
      switch completion {
      case .finished: relay.finish(.finished)
      case .failure(let error):
        if relay.change() { handler(error).attach(RelaySecond(relay)) }
      }
    }
  }
}

extension Publisher {
  /// Goes on with the publisher that the handler makes of a failure; what was asked for and has not
  /// come is asked of that one. Its own failure is not handled.
  @inlinable public func `catch`<P: Publisher>(
    _ handler: @escaping (Failure) -> P
  ) -> Catch<Self, P> where P.Output == Output {
    Catch(upstream: self, handler: handler)
  }
}

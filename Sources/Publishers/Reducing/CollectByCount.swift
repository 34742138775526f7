/// Gathers so many values at a time; the end passes on what is left, a failure does not.
@frozen
public struct CollectByCount<Upstream: Publisher>: Publisher {
  /// Lists of upstream's values.
  public typealias Output = [Upstream.Output]
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The number of values that make a list.
  public let count: Int

  /// Creates the publisher that `collect(_:)` returns.
  @inlinable
  public init(upstream: Upstream, count: Int) {
    precondition(count > 0, "At least one value is gathered at a time.")
    self.upstream = upstream
    self.count = count
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    upstream.attach(Inner(subscriber, count))
  }

  @usableFromInline final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @usableFromInline let count: Int
    @exclusivity(unchecked) @usableFromInline var link = Link()
    @usableFromInline var values: Output = []

    @inlinable
    init(_ downstream: Downstream, _ count: Int) {
      self.downstream = downstream
      self.count = count
    }

    @inlinable
    func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      downstream.receive(subscription: self)
    }

    @inlinable
    func receive(_ input: Upstream.Output) -> Demand {
      guard link.isLive else { return .none }
      values.append(input)
      if values.count < count { return .none }
      return downstream.receive(takeAll()) * count
    }

    @inlinable
    func takeAll() -> Output {
      let taken = values
      values = []
      return taken
    }

    @inlinable
    func receive(completion: Completion<Failure>) {
      guard link.isLive else { return }
      let isFailure = if case .failure = completion { true } else { false }
      if !values.isEmpty, !isFailure { _ = downstream.receive(takeAll()) }
      if link.close() { downstream.receive(completion: completion) }
    }

    @inlinable
    func request(_ demand: Demand) {
      demand.mustAsk()
      link.subscription?.request(demand * count)
    }

    @inlinable
    func cancel() {
      values = []
      link.take()?.cancel()
    }
  }
}

extension CollectByCount: Equatable where Upstream: Equatable {}

extension Publisher {
  /// Emits lists of so many values. The end emits what is left before it; a failure drops that.
  @inlinable
  public func collect(_ count: Int) -> CollectByCount<Self> {
    CollectByCount(upstream: self, count: count)
  }
}

/// Collects values into arrays of a fixed size. Completion emits the incomplete last array; failure
/// drops it.
@frozen
public struct CollectByCount<Upstream: Publisher>: Operator {
  /// Lists of upstream's values.
  public typealias Output = [Upstream.Output]

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The number of values that make a list.
  public let count: Int

  /// Creates the publisher that `collect(_:)` returns.
  @inlinable public init(upstream: Upstream, count: Int) {
    precondition(count > 0, "At least one value is gathered at a time.")
    self.upstream = upstream
    self.count = count
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    upstream.attach(Inner(subscriber, count))
  }

  @usableFromInline final class Inner<S: Subscriber<Output, Failure>>: Passage<S>, Subscriber {
    @usableFromInline let count: Int
    @usableFromInline var values: Output = []

    @inlinable init(_ downstream: S, _ count: Int) {
      self.count = count
      super.init(downstream)
    }

    @inlinable func receive(_ input: Upstream.Output) -> Demand {
      guard link.isLive else { return .none }
      values.append(input)
      if values.count < count { return .none }
      return downstream.receive(takeAll()) * count
    }

    @inlinable func takeAll() -> Output {
      let taken = values
      values = []
      return taken
    }

    @inlinable override func receive(completion: Completion<Failure>) {
      guard link.isLive else { return }
      let isFailure = if case .failure = completion { true } else { false }
      if !values.isEmpty, !isFailure { _ = downstream.receive(takeAll()) }
      super.receive(completion: completion)
    }

    @inlinable override func request(_ demand: Demand) {
      demand.mustAsk()
      super.request(demand * count)
    }

    @inlinable override func cancel() {
      values = []
      super.cancel()
    }
  }
}

extension CollectByCount: Equatable where Upstream: Equatable {}

extension Publisher {
  /// Emits lists of `count` values. The end emits what is left before it; a failure drops that.
  @inlinable public func collect(_ count: Int) -> CollectByCount<Self> {
    CollectByCount(upstream: self, count: count)
  }
}

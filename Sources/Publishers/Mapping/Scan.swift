/// Emits what has accumulated after each value; the seed itself is not yielded.
@frozen
public struct Scan<Upstream: Publisher, Output>: Publisher {
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The result before the first value, which is not emitted.
  public let initialResult: Output
  /// Makes the next result of the last one and a value.
  public let nextPartialResult: (Output, Upstream.Output) -> Output

  /// Creates the publisher that `scan(_:_:)` returns.
  @inlinable
  public init(
    upstream: Upstream, initialResult: Output,
    nextPartialResult: @escaping (Output, Upstream.Output) -> Output
  ) {
    self.upstream = upstream
    self.initialResult = initialResult
    self.nextPartialResult = nextPartialResult
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    upstream.attach(Inner(subscriber, initialResult, nextPartialResult))
  }

  @usableFromInline final class Inner<Downstream: Subscriber>: Subscriber
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @usableFromInline let next: (Output, Upstream.Output) -> Output
    @exclusivity(unchecked) @usableFromInline var result: Output

    @inlinable
    init(
      _ downstream: Downstream, _ initial: Output,
      _ next: @escaping (Output, Upstream.Output) -> Output
    ) {
      self.downstream = downstream
      self.next = next
      result = initial
    }

    @inlinable
    func receive(subscription: any Subscription) {
      downstream.receive(subscription: subscription)
    }
    @inlinable
    func receive(_ input: Upstream.Output) -> Demand {
      let output = next(result, input)
      result = output
      return downstream.receive(output)
    }
    @inlinable
    func receive(completion: Completion<Failure>) {
      downstream.receive(completion: completion)
    }
  }
}

extension Publisher {
  /// Emits, for each value, what the closure makes of the last result and the value. The initial
  /// result is not emitted; the end and failures pass.
  @inlinable
  public func scan<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) -> Result
  ) -> Scan<Self, Result> {
    Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Accumulates from the first value on, which passes as it is.
  @inlinable
  public func scan(
    _ nextPartialResult: @escaping (Output, Output) -> Output
  ) -> CompactMap<Scan<Self, Output?>, Output> {
    scan(Output?.none) { last, input in last.map { nextPartialResult($0, input) } ?? input }
      .compactMap { $0 }
  }
}

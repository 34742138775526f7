/// Emits what has accumulated after each value; the seed itself is not yielded.
@frozen
public struct Scan<Upstream: Publisher, Output>: Operator {
  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The result before the first value, which is not emitted.
  public let initialResult: Output
  /// Makes the next result of the last one and a value.
  public let nextPartialResult: (Output, Upstream.Output) -> Output

  /// Creates the publisher that `scan(_:_:)` returns.
  @inlinable public init(
    upstream: Upstream, initialResult: Output,
    nextPartialResult: @escaping (Output, Upstream.Output) -> Output
  ) {
    self.upstream = upstream
    self.initialResult = initialResult
    self.nextPartialResult = nextPartialResult
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    let last = Memory(initialResult)
    upstream.attach(
      Sieve(subscriber) { (input: Upstream.Output) in
        let output = nextPartialResult(last.kept, input)
        last.kept = output
        return output
      })
  }
}

extension Publisher {
  /// Emits, for each value, what the closure makes of the last result and the value. The initial
  /// result is not emitted; the end and failures pass.
  @inlinable public func scan<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) -> Result
  ) -> Scan<Self, Result> {
    Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Accumulates from the first value on, which passes as it is.
  @inlinable public func scan(
    _ nextPartialResult: @escaping (Output, Output) -> Output
  ) -> CompactMap<Scan<Self, Output?>, Output> {
    scan(Output?.none) { last, input in last.map { nextPartialResult($0, input) } ?? input }
      .compactMap { $0 }
  }
}

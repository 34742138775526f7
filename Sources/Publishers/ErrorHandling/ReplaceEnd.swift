/// Emits one more value in place of a failure, or of having yielded none.
@frozen
public struct ReplaceEnd<Upstream: Publisher, Failure: Error>: Publisher {
  /// The values of upstream.
  public typealias Output = Upstream.Output

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The value that is emitted instead.
  public let replacement: Output
  /// The conversion of the end; nil stands for the replacement.
  @usableFromInline let convert:
    (_ end: Completion<Upstream.Failure>, _ isEmpty: Bool) -> Completion<Failure>?

  @inlinable init(
    upstream: Upstream, replacement: Output,
    convert: @escaping (Completion<Upstream.Failure>, Bool) -> Completion<Failure>?
  ) {
    self.upstream = upstream
    self.replacement = replacement
    self.convert = convert
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    upstream.attach(Inner(subscriber, self))
  }

  @usableFromInline final class Inner<S: Subscriber<Output, Failure>>: Passage<S>, Subscriber {
    @usableFromInline typealias Failure = Upstream.Failure

    @usableFromInline let publisher: ReplaceEnd
    @usableFromInline var isEmpty = true
    /// The replacement waits to be asked for.
    @usableFromInline var isDue = false

    @inlinable init(_ downstream: S, _ publisher: ReplaceEnd) {
      self.publisher = publisher
      super.init(downstream)
    }

    @inlinable func receive(_ input: Output) -> Demand {
      guard link.isLive else { return .none }
      isEmpty = false
      demand -= 1
      let more = downstream.receive(input)
      if more > .none { demand += more }
      return more
    }

    @inlinable func receive(completion: Completion<Upstream.Failure>) {
      guard link.close() else { return }
      if let end = publisher.convert(completion, isEmpty) { return finish(end) }
      isDue = true
      if demand > .none { replace() }
    }

    @inlinable func replace() {
      isDue = false
      _ = downstream.receive(publisher.replacement)
      finish(.finished)
    }

    @inlinable override func request(_ demand: Demand) {
      demand.mustAsk()
      self.demand += demand
      if isDue { replace() } else { super.request(demand) }
    }

    @inlinable override func cancel() {
      isDue = false
      super.cancel()
    }
  }
}

extension Publisher {
  /// Emits a value and finishes in place of failing.
  @inlinable public func replaceError(with output: Output) -> ReplaceEnd<Self, Never> {
    ReplaceEnd(upstream: self, replacement: output) { end, _ in
      if case .finished = end { .finished } else { nil }
    }
  }

  /// Emits a value before finishing if there was none.
  @inlinable public func replaceEmpty(with output: Output) -> ReplaceEnd<Self, Failure> {
    ReplaceEnd(upstream: self, replacement: output) { end, isEmpty in
      if isEmpty, case .finished = end { nil } else { end }
    }
  }
}

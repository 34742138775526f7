/// Takes values in and comes to one result.
public protocol Reduction<Input, Output>: AnyObject {
  /// The type of the values.
  associatedtype Input
  /// The type of the result.
  associatedtype Output
  /// Takes a value; true when the result is certain and no more are needed.
  func take(_ input: Input) -> Bool
  /// The present result; nil without a result.
  var result: Output? { get }
}

/// Takes everything upstream has, and yields one result at its end, or as soon as it is certain; a
/// failure yields none.
@frozen
public struct Reduced<Upstream: Publisher, Rule: Reduction>: Operator
where Rule.Input == Upstream.Output {
  /// The result.
  public typealias Output = Rule.Output

  /// The publisher whose events come in.
  public let upstream: Upstream
  @usableFromInline let makeRule: () -> Rule

  @inlinable init(upstream: Upstream, makeRule: @escaping () -> Rule) {
    self.upstream = upstream
    self.makeRule = makeRule
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    upstream.attach(Inner(subscriber, makeRule()))
  }

  @usableFromInline final class Inner<S: Subscriber<Output, Failure>>: Collector<S>, Subscriber {
    @usableFromInline let rule: Rule
    /// The result that waits to be asked for.
    @usableFromInline var pending: Output?

    @inlinable init(_ downstream: S, _ rule: Rule) {
      self.rule = rule
      super.init(downstream)
    }

    @inlinable func receive(_ input: Upstream.Output) -> Demand {
      guard link.isLive, rule.take(input), link.isLive else { return .none }
      link.take()?.cancel()
      conclude()
      return .none
    }

    @inlinable override func receive(completion: Completion<Failure>) {
      guard link.close() else { return }
      if case .failure = completion { finish(completion) } else { conclude() }
    }

    @inlinable func conclude() {
      pending = rule.result
      if pending == nil { finish(.finished) } else { deliverIfAsked() }
    }

    @inlinable func deliverIfAsked() {
      guard demand > .none, let result = pending else { return }
      pending = nil
      deliver(result)
      finish(.finished)
    }

    @inlinable override func request(_ demand: Demand) {
      super.request(demand)
      deliverIfAsked()
    }

    @inlinable override func cancel() {
      pending = nil
      super.cancel()
    }
  }
}

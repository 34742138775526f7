/// Takes values in and comes to one result.
public protocol Reduction<Input, Output>: AnyObject {
  /// The type of the values.
  associatedtype Input
  /// The type of the result.
  associatedtype Output
  /// Takes a value; true when the result is certain and no more are needed.
  func take(_ input: Input) -> Bool
  /// The result of the values so far; nil if there is none.
  var result: Output? { get }
}

/// Takes everything upstream has, and yields one result at its end, or as soon as it is certain; a
/// failure yields none.
@frozen
public struct Reduced<Upstream: Publisher, Rule: Reduction>: Publisher
where Rule.Input == Upstream.Output {
  /// The result.
  public typealias Output = Rule.Output
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The publisher whose events come in.
  public let upstream: Upstream
  @usableFromInline let makeRule: () -> Rule

  @inlinable
  init(upstream: Upstream, makeRule: @escaping () -> Rule) {
    self.upstream = upstream
    self.makeRule = makeRule
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    upstream.attach(Inner(subscriber, makeRule()))
  }

  @usableFromInline final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @usableFromInline let rule: Rule
    @exclusivity(unchecked) @usableFromInline var link = Link()
    @usableFromInline var isWanted = false
    @usableFromInline var isCancelled = false
    /// The result that waits to be asked for.
    @usableFromInline var pending: Output?

    @inlinable
    init(_ downstream: Downstream, _ rule: Rule) {
      self.downstream = downstream
      self.rule = rule
    }

    @inlinable
    func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      downstream.receive(subscription: self)
      link.subscription?.request(.unlimited)
    }

    @inlinable
    func receive(_ input: Upstream.Output) -> Demand {
      guard link.isLive, rule.take(input), link.isLive else { return .none }
      link.take()?.cancel()
      conclude()
      return .none
    }

    @inlinable
    func receive(completion: Completion<Failure>) {
      guard link.close() else { return }
      switch completion {
      case .finished: conclude()
      case .failure: downstream.receive(completion: completion)
      }
    }

    @inlinable
    func conclude() {
      pending = rule.result
      if pending == nil {
        downstream.receive(completion: .finished)
      } else if isWanted {
        deliver()
      }
    }

    @inlinable
    func deliver() {
      guard let result = pending else { return }
      pending = nil
      isWanted = false
      _ = downstream.receive(result)
      if !isCancelled { downstream.receive(completion: .finished) }
    }

    @inlinable
    func request(_ demand: Demand) {
      demand.mustAsk()
      isWanted = true
      deliver()
    }

    @inlinable
    func cancel() {
      isCancelled = true
      pending = nil
      link.take()?.cancel()
    }
  }
}

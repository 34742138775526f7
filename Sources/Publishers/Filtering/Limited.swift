/// Decides what happens to each value, and when no more are needed.
public protocol LimitRule<Input>: AnyObject {
  /// The type of the values.
  associatedtype Input
  /// True if it is complete before the first value.
  var needsNothing: Bool { get }
  /// Decides what happens to the next value.
  func judge(_ input: Input) -> LimitVerdict
}

/// The treatment of a value.
@frozen
public enum LimitVerdict: Sendable {
  /// It passes.
  case pass
  /// It is dropped.
  case skip
  /// It passes, and is the last.
  case passAndFinish
  /// It is dropped, and the publisher finishes.
  case finish
}

/// Passes a part of the values, and finishes as soon as no more are needed.
@frozen
public struct Limited<Upstream: Publisher, Rule: LimitRule>: PassingOperator
where Rule.Input == Upstream.Output {
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

  @usableFromInline final class Inner<S: Subscriber<Output, Failure>>: Passage<S>, Subscriber {
    @usableFromInline let rule: Rule

    @inlinable init(_ downstream: S, _ rule: Rule) {
      self.rule = rule
      super.init(downstream)
    }

    @inlinable override func receive(subscription: any Subscription) {
      guard rule.needsNothing else { return super.receive(subscription: subscription) }
      guard link.accept(subscription) else { return subscription.cancel() }
      link.take()?.cancel()
      downstream.receive(subscription: EmptySubscription.shared)
      downstream.receive(completion: .finished)
    }

    @inlinable func receive(_ input: Output) -> Demand {
      guard link.isLive else { return .none }
      let verdict = rule.judge(input)
      guard link.isLive else { return .none }
      switch verdict {
      case .pass: return downstream.receive(input)
      case .skip: return .max(1)
      case .passAndFinish: passLast(input)
      case .finish: end(.finished)
      }
      return .none
    }

    // Upstream is cancelled before the value goes on, so that nothing can overtake it.
    @inlinable func passLast(_ input: Output) {
      link.beginClosing()?.cancel()
      _ = downstream.receive(input)
      if link.close() { downstream.receive(completion: .finished) }
    }

    @inlinable override func receive(completion: Completion<Failure>) {
      if link.isLive { super.receive(completion: completion) }
    }

    @inlinable override func request(_ demand: Demand) {
      demand.mustAsk()
      super.request(demand)
    }
  }
}

/// Passes the values whose number is in a range.
public final class IndexLimit<Input>: LimitRule {
  @usableFromInline let range: Range<Int>
  @usableFromInline var index = 0

  @inlinable init(_ range: Range<Int>) { self.range = range }

  /// True if the range is empty.
  @inlinable public var needsNothing: Bool { range.isEmpty }

  /// Skips what comes before the range, and finishes with the last value in it.
  @inlinable public func judge(_ input: Input) -> LimitVerdict {
    let at = index
    guard at < range.upperBound else { return .finish }
    index += 1
    guard at >= range.lowerBound else { return .skip }
    return index == range.upperBound ? .passAndFinish : .pass
  }
}

/// Passes values as long as they satisfy a condition.
public final class ConditionLimit<Input>: LimitRule {
  @usableFromInline let predicate: (Input) -> Bool
  @usableFromInline let other: LimitVerdict

  @inlinable init(_ predicate: @escaping (Input) -> Bool, other: LimitVerdict = .finish) {
    self.predicate = predicate
    self.other = other
  }

  /// It is over only after a value.
  @inlinable public var needsNothing: Bool { false }
  /// Passes a value that satisfies the condition, and finishes at or with the first other one.
  @inlinable public func judge(_ input: Input) -> LimitVerdict { predicate(input) ? .pass : other }
}

extension Publisher {
  /// Passes at most `maxLength` values and finishes with the last of them; 0 finishes at once.
  @inlinable public func prefix(_ maxLength: Int) -> Limited<Self, IndexLimit<Output>> {
    output(in: 0..<Swift.max(maxLength, 0))
  }

  /// Passes values until one does not satisfy the condition; at that one it finishes.
  @inlinable public func prefix(
    while predicate: @escaping (Output) -> Bool
  ) -> Limited<Self, ConditionLimit<Output>> {
    Limited(upstream: self) { ConditionLimit(predicate) }
  }

  /// Passes values until one does not satisfy the condition, and finishes. If `inclusive`, that
  /// value passes too.
  @inlinable public func prefix(
    inclusive: Bool, while predicate: @escaping (Output) -> Bool
  ) -> Limited<Self, ConditionLimit<Output>> {
    Limited(upstream: self) {
      ConditionLimit(predicate, other: inclusive ? .passAndFinish : .finish)
    }
  }

  /// Emits the value with a number, counted from 0, and completes. If this publisher ends before
  /// it, no value is emitted.
  @inlinable public func output(at index: Int) -> Limited<Self, IndexLimit<Output>> {
    precondition(index >= 0, "An index cannot be negative.")
    return output(in: index..<(index + 1))
  }

  /// Emits the values whose numbers are in a range, and completes with the last of them.
  @inlinable public func output<R: RangeExpression>(
    in range: R
  ) -> Limited<Self, IndexLimit<Output>> where R.Bound == Int {
    let range = range.relative(to: 0..<Int.max)
    return Limited(upstream: self) { IndexLimit(range) }
  }
}

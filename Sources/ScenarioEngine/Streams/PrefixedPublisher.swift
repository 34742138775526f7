import Publishers
import Values

/// Emits the values of a prefix, and then all that upstream emits from the subscription on.
///
/// The values of a prefix come in a job of their own. Upstream is subscribed to right after the
/// prefix nevertheless, so that it keeps its place among the streams that others subscribe to; what
/// it emits before the prefix has ended waits. Upstream is asked for values then, or at once if
/// the demand is unlimited.
struct PrefixedPublisher: Publisher {
  typealias Output = Value
  typealias Failure = StreamFailure

  let prefix: ValuePublisher
  let upstream: ValuePublisher

  func attach<S: Subscriber>(_ subscriber: S) where S.Input == Value, S.Failure == StreamFailure {
    let joint = PrefixedSubscription(AnySubscriber(subscriber))
    subscriber.receive(subscription: joint)
    prefix.attach(
      AnySubscriber(
        receiveSubscription: { joint.begin(prefix: $0) },
        receiveValue: { joint.pass($0) },
        receiveCompletion: { _ in joint.finishPrefix() }))
    upstream.attach(
      AnySubscriber(
        receiveSubscription: { joint.begin(upstream: $0) },
        receiveValue: { joint.receive($0) },
        receiveCompletion: { joint.receive($0) }))
  }
}

private final class PrefixedSubscription: Subscription {
  private enum Phase { case prefix, waiting, upstream, over }

  private var downstream: AnySubscriber<Value, StreamFailure>?
  private var phase = Phase.prefix
  private var prefix: (any Subscription)?
  private var upstream: (any Subscription)?
  private var demand = Demand.none
  /// The values that upstream emitted before its turn.
  private var waiting: [Value] = []
  private var end: Completion<StreamFailure>?

  init(_ downstream: AnySubscriber<Value, StreamFailure>) { self.downstream = downstream }

  func begin(prefix subscription: any Subscription) {
    if phase == .over { return subscription.cancel() }
    prefix = subscription
    if demand > .none { subscription.request(demand) }
  }

  func begin(upstream subscription: any Subscription) {
    if phase == .over { return subscription.cancel() }
    upstream = subscription
    let isAsked = phase == .upstream ? demand > .none : demand == .unlimited
    if isAsked { subscription.request(demand) }
  }

  func pass(_ value: Value) -> Demand {
    guard let downstream else { return .none }
    demand -= 1
    let more = downstream.receive(value)
    demand += more
    return more
  }

  func finishPrefix() {
    guard phase == .prefix else { return }
    prefix = nil
    phase = .waiting
    passWaiting()
    guard phase == .waiting else { return }
    phase = .upstream
    if let end { return finish(end) }
    if demand > .none, demand != .unlimited { upstream?.request(demand) }
  }

  /// Passes on the waiting values. A value that arrives meanwhile waits behind them.
  private func passWaiting() {
    var next = 0
    while next < waiting.count {
      _ = pass(waiting[next])
      next += 1
    }
    waiting = []
  }

  func receive(_ value: Value) -> Demand {
    switch phase {
    case .prefix, .waiting:
      waiting.append(value)
      return .none
    case .upstream: return pass(value)
    case .over: return .none
    }
  }

  func receive(_ completion: Completion<StreamFailure>) {
    switch phase {
    case .prefix, .waiting: end = completion
    case .upstream: finish(completion)
    case .over: break
    }
  }

  private func finish(_ completion: Completion<StreamFailure>) {
    let subscriber = downstream
    cancel()
    subscriber?.receive(completion: completion)
  }

  func request(_ demand: Demand) {
    let wasUnlimited = self.demand == .unlimited
    self.demand += demand
    if wasUnlimited { return }
    switch phase {
    case .prefix:
      prefix?.request(demand)
      if self.demand == .unlimited { upstream?.request(.unlimited) }
    case .waiting:
      if self.demand == .unlimited { upstream?.request(.unlimited) }
    case .upstream: upstream?.request(demand)
    case .over: break
    }
  }

  func cancel() {
    let left = (downstream, prefix, upstream)
    phase = .over
    downstream = nil
    prefix = nil
    upstream = nil
    waiting = []
    end = nil
    left.1?.cancel()
    left.2?.cancel()
  }
}

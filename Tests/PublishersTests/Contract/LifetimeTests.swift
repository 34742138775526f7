import Publishers
import Testing

@Suite struct LifetimeTests {
  @Test(arguments: candidates, [true, false])
  func `a subscriber that keeps its cancelled subscription is freed`(
    _ candidate: Candidate, isDirect: Bool
  ) {
    let (a, b) = (PassthroughSubject<String, Oops>(), PassthroughSubject<String, Oops>())
    let freed = subscribe(to: candidate, a, b, isDirect: isDirect) { keeper, scheduler in
      a.send("a")
      b.send("b")
      scheduler.run()
      keeper.subscription?.cancel()
      scheduler.run()
    }
    #expect(freed)
  }

  @Test(arguments: candidates, [Completion<Oops>.finished, .failure(Oops())])
  func `a subscriber that keeps its completed subscription is freed`(
    _ candidate: Candidate, _ end: Completion<Oops>
  ) {
    for isDirect in [true, false] { check(candidate, end, isDirect: isDirect) }
  }

  private func check(_ candidate: Candidate, _ end: Completion<Oops>, isDirect: Bool) {
    let (a, b) = (PassthroughSubject<String, Oops>(), PassthroughSubject<String, Oops>())
    var isCompleted = false
    let freed = subscribe(to: candidate, a, b, isDirect: isDirect) { keeper, scheduler in
      a.send("a")
      b.send("b")
      a.send(completion: end)
      b.send(completion: end)
      scheduler.run()
      isCompleted = keeper.isCompleted
    }
    #expect(isCompleted)
    #expect(freed)
  }

  @Test(arguments: ["just", "sequence", "future", "empty", "current value"])
  func `a subscriber that keeps the subscription of a source is freed`(_ name: String) {
    weak var kept: Keeper<Int, Never>?
    let source = source(name)
    do {
      let keeper = Keeper<Int, Never>()
      kept = keeper
      source.receive(subscriber: keeper)
      #expect(keeper.isCompleted)
    }
    #expect(kept == nil)
  }

  private func source(_ name: String) -> AnyPublisher<Int, Never> {
    switch name {
    case "just": AnyPublisher(Just(1))
    case "sequence": AnyPublisher([1, 2].publisher)
    case "future": AnyPublisher(Future<Int, Never> { $0(.success(1)) })
    case "empty": AnyPublisher(Empty<Int, Never>())
    default: AnyPublisher(CurrentValueSubject<Int, Never>(1).first())
    }
  }

  /// Whether a subscriber is freed once nothing but its subscription is left.
  private func subscribe(
    to candidate: Candidate, _ a: PassthroughSubject<String, Oops>,
    _ b: PassthroughSubject<String, Oops>, isDirect: Bool,
    _ use: (Keeper<String, Oops>, VirtualScheduler) -> Void
  ) -> Bool {
    weak var kept: Keeper<String, Oops>?
    let scheduler = VirtualScheduler()
    let publisher = candidate.make(
      .init(a: a.eraseToAnyPublisher(), b: b.eraseToAnyPublisher(), scheduler: scheduler))
    do {
      let keeper = Keeper<String, Oops>()
      kept = keeper
      if isDirect { publisher.receive(subscriber: keeper) } else { publisher.subscribe(keeper) }
      use(keeper, scheduler)
    }
    return kept == nil
  }
}

/// A publisher as users of Combine write it.
private struct Doubled<Upstream: Publisher>: Publisher where Upstream.Output == Int {
  typealias Output = Int
  typealias Failure = Upstream.Failure
  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    upstream.map { $0 * 2 }.receive(subscriber: subscriber)
  }
}

extension LifetimeTests {
  @Test func `a publisher that has only the function of Combine works in a chain`() {
    var received: [Int] = []
    let token = Doubled(upstream: [1, 2].publisher).map { $0 + 1 }.sink { received.append($0) }
    #expect(received == [3, 5])
    token.cancel()
  }
}

/// The usual subscriber that is written by hand: it keeps its subscription.
private final class Keeper<Input, Failure: Error>: Subscriber {
  var subscription: (any Subscription)?
  var isCompleted = false

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.unlimited)
  }
  func receive(_ input: Input) -> Demand { .none }
  func receive(completion: Completion<Failure>) { isCompleted = true }
}

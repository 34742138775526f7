/// Calls closures with what passes by.
@frozen
public struct HandleEvents<Upstream: Publisher>: Publisher {
  /// The values of upstream.
  public typealias Output = Upstream.Output
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The publisher whose events come in.
  public let upstream: Upstream
  @usableFromInline let handlers: EventHandlers<Output, Failure>

  @inlinable
  init(upstream: Upstream, handlers: EventHandlers<Output, Failure>) {
    self.upstream = upstream
    self.handlers = handlers
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    upstream.attach(Inner(subscriber, handlers))
  }

  @usableFromInline final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @usableFromInline let handlers: EventHandlers<Output, Failure>
    @exclusivity(unchecked) @usableFromInline var link = Link()

    @inlinable
    init(_ downstream: Downstream, _ handlers: EventHandlers<Output, Failure>) {
      self.downstream = downstream
      self.handlers = handlers
    }

    @inlinable
    func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      handlers.onSubscription?(subscription)
      downstream.receive(subscription: self)
    }

    @inlinable
    func receive(_ input: Output) -> Demand {
      guard link.isLive else { return .none }
      handlers.onOutput?(input)
      let more = downstream.receive(input)
      if more > .none { handlers.onAnswer?(more) }
      return more
    }

    @inlinable
    func receive(completion: Completion<Failure>) {
      guard link.close() else { return }
      handlers.onCompletion?(completion)
      downstream.receive(completion: completion)
    }

    @inlinable
    func request(_ demand: Demand) {
      handlers.onRequest?(demand)
      link.subscription?.request(demand)
    }

    @inlinable
    func cancel() {
      guard let upstream = link.take() else { return }
      handlers.onCancel?()
      upstream.cancel()
    }
  }
}

@usableFromInline final class EventHandlers<Output, Failure: Error> {
  @usableFromInline let onSubscription: ((any Subscription) -> Void)?
  @usableFromInline let onOutput: ((Output) -> Void)?
  @usableFromInline let onCompletion: ((Completion<Failure>) -> Void)?
  @usableFromInline let onCancel: (() -> Void)?
  @usableFromInline let onRequest: ((Demand) -> Void)?
  /// Called with what a subscriber asks for when it takes a value.
  @usableFromInline let onAnswer: ((Demand) -> Void)?

  @inlinable
  init(
    onSubscription: ((any Subscription) -> Void)?, onOutput: ((Output) -> Void)?,
    onCompletion: ((Completion<Failure>) -> Void)?, onCancel: (() -> Void)?,
    onRequest: ((Demand) -> Void)?, onAnswer: ((Demand) -> Void)?
  ) {
    self.onSubscription = onSubscription
    self.onOutput = onOutput
    self.onCompletion = onCompletion
    self.onCancel = onCancel
    self.onRequest = onRequest
    self.onAnswer = onAnswer
  }
}

extension Publisher {
  /// Calls the closures before what they are about goes on.
  @inlinable
  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Completion<Failure>) -> Void)? = nil,
    receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Demand) -> Void)? = nil
  ) -> HandleEvents<Self> {
    HandleEvents(
      upstream: self,
      handlers: EventHandlers(
        onSubscription: receiveSubscription, onOutput: receiveOutput,
        onCompletion: receiveCompletion, onCancel: receiveCancel, onRequest: receiveRequest,
        onAnswer: receiveRequest))
  }
}

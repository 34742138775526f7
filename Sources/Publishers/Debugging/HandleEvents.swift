/// Calls closures with what passes by.
@frozen
public struct HandleEvents<Upstream: Publisher>: PassingOperator {
  /// The publisher whose events come in.
  public let upstream: Upstream
  @usableFromInline let handlers: EventHandlers<Output, Failure>

  @inlinable init(upstream: Upstream, handlers: EventHandlers<Output, Failure>) {
    self.upstream = upstream
    self.handlers = handlers
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    upstream.attach(Inner(subscriber, handlers))
  }

  @usableFromInline final class Inner<S: Subscriber<Output, Failure>>: Passage<S>, Subscriber {
    @usableFromInline let handlers: EventHandlers<Output, Failure>

    @inlinable init(_ downstream: S, _ handlers: EventHandlers<Output, Failure>) {
      self.handlers = handlers
      super.init(downstream)
    }

    @inlinable override func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      handlers.onSubscription?(subscription)
      downstream.receive(subscription: self)
    }

    @inlinable func receive(_ input: Output) -> Demand {
      guard link.isLive else { return .none }
      handlers.onOutput?(input)
      let more = downstream.receive(input)
      if more > .none { handlers.onAnswer?(more) }
      return more
    }

    @inlinable override func receive(completion: Completion<Failure>) {
      guard link.close() else { return }
      handlers.onCompletion?(completion)
      downstream.receive(completion: completion)
    }

    @inlinable override func request(_ demand: Demand) {
      handlers.onRequest?(demand)
      link.subscription?.request(demand)
    }

    @inlinable override func cancel() {
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

  @inlinable init(
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
  @inlinable public func handleEvents(
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

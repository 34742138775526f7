/// Takes the events of two publishers.
@usableFromInline protocol PairReceiver<InputA, InputB, Failure>: AnyObject {
  associatedtype InputA
  associatedtype InputB
  associatedtype Failure: Error

  var linkA: Link { get set }
  var linkB: Link { get set }
  /// The demand of a side when it is subscribed to.
  var demandAtStart: Demand { get }

  func receiveA(_ input: InputA) -> Demand
  func receiveB(_ input: InputB) -> Demand
  func didEnd(_ completion: Completion<Failure>)
}

/// The subscriber of the first of two publishers.
@usableFromInline struct SideA<State: PairReceiver>: Subscriber {
  @usableFromInline let state: State

  @inlinable
  init(_ state: State) { self.state = state }

  @inlinable
  func receive(subscription: any Subscription) {
    guard state.linkA.accept(subscription) else { return subscription.cancel() }
    if state.demandAtStart > .none { subscription.request(state.demandAtStart) }
  }
  @inlinable
  func receive(_ input: State.InputA) -> Demand { state.receiveA(input) }
  @inlinable
  func receive(completion: Completion<State.Failure>) {
    if state.linkA.close() { state.didEnd(completion) }
  }
}

/// The subscriber of the second of two publishers.
@usableFromInline struct SideB<State: PairReceiver>: Subscriber {
  @usableFromInline let state: State

  @inlinable
  init(_ state: State) { self.state = state }

  @inlinable
  func receive(subscription: any Subscription) {
    guard state.linkB.accept(subscription) else { return subscription.cancel() }
    if state.demandAtStart > .none { subscription.request(state.demandAtStart) }
  }
  @inlinable
  func receive(_ input: State.InputB) -> Demand { state.receiveB(input) }
  @inlinable
  func receive(completion: Completion<State.Failure>) {
    if state.linkB.close() { state.didEnd(completion) }
  }
}

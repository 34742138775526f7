/// Takes the events of several publishers of one type, which are numbered from 0.
@usableFromInline protocol SideReceiver<Input, Failure> {
  associatedtype Input
  associatedtype Failure: Error

  func receive(_ subscription: any Subscription, _ side: Int)
  func receive(_ input: Input, _ side: Int) -> Demand
  func receive(_ completion: Completion<Failure>, _ side: Int)
}

/// The subscriber of one of several publishers.
@usableFromInline struct NumberedSide<State: SideReceiver>: Subscriber {
  @usableFromInline let state: State
  @usableFromInline let side: Int

  @inlinable
  init(_ state: State, _ side: Int) {
    self.state = state
    self.side = side
  }

  @inlinable
  func receive(subscription: any Subscription) { state.receive(subscription, side) }
  @inlinable
  func receive(_ input: State.Input) -> Demand { state.receive(input, side) }
  @inlinable
  func receive(completion: Completion<State.Failure>) { state.receive(completion, side) }
}

import Publishers

/// One load of a list. It passes on its publisher's output; the list decides whether that still
/// counts.
///
/// It has its subscription before the first value. So a load can be cancelled from within a value,
/// even if its publisher delivers all at once.
final class ListLoad<Item: Equatable, Failure: Error>: Subscriber {
  let generation: Int
  private weak var model: ListModel<Item, Failure>?
  private var subscription: (any Subscription)?
  private var isOver = false

  init(_ generation: Int, of model: ListModel<Item, Failure>) {
    self.generation = generation
    self.model = model
  }

  func receive(subscription: any Subscription) {
    if isOver || self.subscription != nil { return subscription.cancel() }
    self.subscription = subscription
    subscription.request(.unlimited)
  }

  func receive(_ items: [Item]) -> Demand {
    model?.take(.received(generation: generation, items: items))
    return .none
  }

  func receive(completion: Completion<Failure>) {
    isOver = true
    subscription = nil
    switch completion {
    case .finished: model?.take(.finished(generation: generation))
    case .failure(let error): model?.take(.failed(generation: generation, error: error))
    }
  }

  func cancel() {
    isOver = true
    let ended = subscription
    subscription = nil
    ended?.cancel()
  }
}

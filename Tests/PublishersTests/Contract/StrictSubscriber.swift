import Publishers

/// A subscriber that records every breach of the contract.
final class StrictSubscriber: Subscriber {
  private var subscription: (any Subscription)?
  private var demand = Demand.none
  private(set) var isOver = false
  private(set) var faults: [String] = []
  private var count = 0
  private var hasBegun = false
  private let leaves: Bool

  /// The action while it receives its subscription or a value.
  private let whileTaking: (StrictSubscriber) -> Void

  init(leaves: Bool = false, whileTaking: @escaping (StrictSubscriber) -> Void = { _ in }) {
    self.leaves = leaves
    self.whileTaking = whileTaking
  }

  var hasTaken: Bool { count > 0 }

  func request(_ more: Demand) {
    if isOver { return }
    demand += more
    subscription?.request(more)
  }

  func cancel() {
    isOver = true
    let ending = subscription
    subscription = nil
    ending?.cancel()
  }

  func receive(subscription: any Subscription) {
    if hasBegun { faults.append("a second subscription") }
    hasBegun = true
    if !isOver { self.subscription = subscription }
    whileTaking(self)
  }

  func receive(_ input: String) -> Demand {
    if !hasBegun { faults.append("a value before the subscription") }
    if isOver { faults.append("a value after the end") }
    if demand == .none { faults.append("a value nobody asked for") }
    demand -= 1
    count += 1
    whileTaking(self)
    return isOver ? .none : answer()
  }

  /// Sometimes requests more while it receives a value, in both ways, or cancels.
  private func answer() -> Demand {
    switch count % 5 {
    case 2: request(.max(1))
    case 3:
      demand += 1
      return .max(1)
    case 4 where leaves: cancel()
    default: break
    }
    return .none
  }

  func receive(completion: Completion<Oops>) {
    if !hasBegun { faults.append("an end before the subscription") }
    if isOver { faults.append("an end after the end") }
    isOver = true
    subscription = nil
  }
}

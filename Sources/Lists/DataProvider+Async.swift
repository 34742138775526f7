import DataProviders
import Publishers
import Synchronization

extension DataProvider where Item: Sendable {
  /// Loads once, and returns the first items. It is called on the actor on which the provider
  /// delivers; by default that is the main actor.
  ///
  /// A provider that ends without items returns none. Throws the provider's error, or a
  /// `CancellationError` if the task is cancelled; then the load is cancelled.
  public func load(isolation: isolated (any Actor)? = #isolation) async throws -> [Item] {
    try Task.checkCancellation()
    let answer = FirstItems<Item>()
    let token = makePublisher().sink(
      receiveCompletion: { completion in
        switch completion {
        case .finished: answer.give(.success([]))
        case .failure(let error): answer.give(.failure(error))
        }
      }, receiveValue: { answer.give(.success($0)) })
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { answer.wait($0) }
    } onCancel: {
      answer.give(.failure(CancellationError()))
    }
    token.cancel()
    return try outcome.get()
  }
}

extension ListModel where Item: Sendable {
  /// The present view state, then each one that differs from the one before, for `for await`. They
  /// are kept until they are read, without a limit.
  public var states: AsyncStream<ListViewState<Item, Failure>> { viewStates.values }
}

/// The first answer of a provider.
private final class FirstItems<Item: Sendable>: Sendable {
  typealias Outcome = Result<[Item], any Error>

  private struct State {
    var outcome: Outcome?
    var waiting: CheckedContinuation<Outcome, Never>?
  }

  private let state = Mutex(State())

  func give(_ outcome: Outcome) {
    let waiting = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: outcome)
  }

  func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
    let outcome = state.withLock { state in
      if state.outcome == nil { state.waiting = continuation }
      return state.outcome
    }
    if let outcome { continuation.resume(returning: outcome) }
  }
}

import Synchronization

/// The answer of a loop to a task that waits. The first answer counts.
final class Reply<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, ClientError>

  private enum State {
    case waiting(CheckedContinuation<Outcome, Never>?)
    case answered(Outcome)
    case taken
  }

  private let state = Mutex(State.waiting(nil))

  /// Answers, and returns whether this is the first answer. A later one is ignored.
  @discardableResult
  func answer(_ outcome: Outcome) -> Bool {
    let (continuation, isFirst) = state.withLock { state in
      guard case .waiting(let continuation) = state else {
        return (nil as CheckedContinuation<Outcome, Never>?, false)
      }
      state = continuation == nil ? .answered(outcome) : .taken
      return (continuation, true)
    }
    continuation?.resume(returning: outcome)
    return isFirst
  }

  /// Waits for the answer. If the task is cancelled, the answer is `cancelled`, and `onCancel` ends
  /// what the task waited for.
  func value(onCancel: @escaping @Sendable () -> Void) async throws(ClientError) -> Value {
    let counter = ClientWaits.counter
    counter?.waitBegan()
    defer { counter?.waitEnded() }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answered = state.withLock { state -> Outcome? in
          if case .answered(let outcome) = state { return outcome }
          state = .waiting(continuation)
          return nil
        }
        if let answered { continuation.resume(returning: answered) }
      }
    } onCancel: {
      answer(.failure(.cancelled))
      onCancel()
    }
    return try outcome.get()
  }
}

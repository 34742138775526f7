import Synchronization

/// The answer of a loop to a task that waits, or to a function. The first answer counts.
///
/// Its states take care that a task is continued once. A continuation that checks it again would
/// need an object of its own.
final class Reply<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, ClientError>

  private enum State {
    case waiting(UnsafeContinuation<Outcome, Never>?)
    case calling(@Sendable (Outcome) -> Void)
    case answered(Outcome)
    case taken
  }

  private let state: Mutex<State>

  init() { state = Mutex(.waiting(nil)) }

  /// Makes a reply that calls a function with its answer.
  init(_ completion: @escaping @Sendable (Outcome) -> Void) { state = Mutex(.calling(completion)) }

  /// Answers, and returns whether this is the first answer. A later one is ignored.
  @discardableResult
  func answer(_ outcome: Outcome) -> Bool {
    let before = state.withLock { state in
      defer {
        switch state {
        case .waiting(nil): state = .answered(outcome)
        case .waiting, .calling: state = .taken
        case .answered, .taken: break
        }
      }
      return state
    }
    switch before {
    case .waiting(let continuation): continuation?.resume(returning: outcome)
    case .calling(let completion): completion(outcome)
    case .answered, .taken: return false
    }
    return true
  }

  /// Waits for the answer. If the task is cancelled, the answer is `cancelled`, and `onCancel` ends
  /// what the task waited for.
  func value(
    isolation: isolated (any Actor)? = #isolation, onCancel: @escaping @Sendable () -> Void
  ) async throws(ClientError) -> Value {
    let counter = ClientWaits.counter
    counter?.waitBegan()
    defer { counter?.waitEnded() }
    let outcome = await withTaskCancellationHandler {
      await withUnsafeContinuation(isolation: isolation) { continuation in
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

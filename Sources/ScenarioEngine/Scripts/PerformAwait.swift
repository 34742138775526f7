import ScenarioPlan
import Values
import World

/// A step that waits for the ends of actions that it has sent.
final class AwaitedActions {
  /// The run whose step waits.
  let waiter: RunningAction.ID
  /// Makes the failure of a wait that cannot end.
  let failure: (_ message: String) -> ScriptFailure
  private var open: Int
  private var first: ScriptFailure?
  private var onEnd: ((ScriptFailure?) -> Void)?

  init(
    _ waiter: RunningAction.ID, count: Int, failure: @escaping (String) -> ScriptFailure,
    onEnd: @escaping (ScriptFailure?) -> Void
  ) {
    self.waiter = waiter
    self.failure = failure
    self.onEnd = onEnd
    open = count
  }

  /// False once the step no longer waits, for example because its action was cancelled.
  var isWaiting: Bool { onEnd != nil }

  func stop() { onEnd = nil }

  /// Notes the end of one of the actions. The step continues after the last one, and fails with the
  /// first failure.
  func ended(_ failure: ScriptFailure?) {
    open -= 1
    first = first ?? failure
    guard open == 0, let onEnd else { return }
    self.onEnd = nil
    onEnd(first)
  }
}

/// The step `send` with `await`.
extension ScriptRun {
  /// Sends actions, and continues when all of them have ended.
  func sendAndWait(_ messages: [AwaitPlan], _ step: StepPlan) -> Flow {
    guard case .action(let own) = role else { return .next }
    var payloads: [Value] = []
    for message in messages {
      switch message.payload.map({ evaluate($0, in: self) }) ?? .success(.null) {
      case .failure(let failure): return .fails(scriptFailure(failure))
      case .success(let payload): payloads.append(payload)
      }
    }
    let wait = AwaitedActions(own.id, count: messages.count) { [unowned self] message in
      cannot(step, message)
    } onEnd: { [weak self] failure in
      self?.goOn(after: failure)
    }
    onCancel = { wait.stop() }
    for (message, payload) in zip(messages, payloads) {
      run.actions.send(message.action, payload, for: wait)
    }
    return .waits
  }

  /// Continues later in this instant, after what the ended action has set off.
  private func goOn(after failure: ScriptFailure?) {
    let job = run.loop.after(0, phase: .source) { [weak self] in
      guard let self, !hasEnded else { return }
      onCancel = nil
      if let failure { fail(failure) }
      resume()
    }
    onCancel = { [run] in run.loop.cancel(job) }
  }
}

import Events
import ScenarioPlan
import Values
import World

/// A reactor's action under way.
final class ActionRun {
  let action: ActionID
  var script: ScriptRun?

  init(_ action: ActionID) { self.action = action }
}

/// Sending actions, and which runs cancel or replace each other.
extension ScenarioRun {
  /// Returns at once; the handler starts later in this instant, in the order of sending.
  func send(_ action: ActionID, _ payload: Value) {
    after(0, phase: .source) { [unowned self] in start(action, payload) }
  }

  private func start(_ action: ActionID, _ payload: Value) {
    let plan = plan.actions[action]
    switch plan.policy {
    case .plain: break
    case .inFlight(let id):
      for running in actionRuns where running.isOf(plan.reactor, self, policyID: id) {
        running.script?.cancel()
      }
    case .join(let id):
      if actionRuns.contains(where: { $0.isOf(plan.reactor, self, policyID: id) }) { return }
    }
    begin(action, plan, payload)
  }

  private func begin(_ action: ActionID, _ plan: ActionPlan, _ payload: Value) {
    let running = ActionRun(action)
    let script = ScriptRun(self, frame: plan.frame, role: .action(running))
    script.locals[plan.payload] = payload
    for parameter in plan.parameters {
      script.locals[parameter.local] = argument(parameter.name, of: payload, plan)
    }
    running.script = script
    actionRuns.append(running)
    script.onEnd = { [unowned self] outcome in
      actionRuns.removeAll { $0 === running }
      running.script = nil
      if case .failed(let failure) = outcome { actionFailed(failure) }
    }
    script.resume()
  }

  /// A parameter is the payload's entry of its name; an only parameter may be the payload itself.
  private func argument(_ name: String, of payload: Value, _ plan: ActionPlan) -> Value {
    if let value = payload[name] { return value }
    return plan.parameters.count == 1 ? payload : .null
  }

  private func actionFailed(_ failure: ScriptFailure) {
    if let probe = probes.last {
      probe.error = failure.error
    } else {
      fail(failure.problem)
    }
  }

  func endLifecycle(of reactor: ReactorID) {
    for running in actionRuns
    where plan.actions[running.action].reactor == reactor
      && plan.actions[running.action].endsWithLifecycle
    {
      running.script?.cancel()
    }
  }
}

extension ActionRun {
  /// Whether it runs under this policy id of the reactor.
  fileprivate func isOf(_ reactor: ReactorID, _ run: ScenarioRun, policyID: String) -> Bool {
    let plan = run.plan.actions[action]
    guard plan.reactor == reactor else { return false }
    switch plan.policy {
    case .plain: return false
    case .inFlight(let id), .join(let id): return id == policyID
    }
  }
}

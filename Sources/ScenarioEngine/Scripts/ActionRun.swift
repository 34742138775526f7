import Events
import Reactors
import ScenarioPlan
import Values
import World

/// A reactor's action under way.
final class ActionRun {
  typealias ID = Int

  let id: ID
  let action: ActionID
  var script: ScriptRun?

  init(_ id: ID, _ action: ActionID) {
    self.id = id
    self.action = action
  }
}

/// The actions that run, and what is to become of them when others are sent.
struct ActionRuns {
  var policies: PerID<ReactorPlan, ActionPolicies<String, ActionRun.ID>>
  /// By id; nothing goes through them in an order that could be seen.
  var running: [ActionRun.ID: ActionRun] = [:]
  private var nextID = 0

  init(_ plan: ScenarioPlan) {
    policies = plan.reactors.mapValues { _ in ActionPolicies() }
  }

  mutating func makeRun(of action: ActionID) -> ActionRun {
    nextID += 1
    return ActionRun(nextID, action)
  }
}

/// Sending actions.
extension ScenarioRun {
  /// Returns at once; the handler starts later in this instant, in the order of sending.
  func send(_ action: ActionID, _ payload: Value) {
    after(0, phase: .source) { [unowned self] in start(action, payload) }
  }

  private func start(_ action: ActionID, _ payload: Value) {
    let plan = plan.actions[action]
    let running = actions.makeRun(of: action)
    guard plan.isGoverned else { return begin(running, plan, payload) }
    for decision in actions.policies[plan.reactor].actionSent(running.id, plan.asPolicy) {
      switch decision {
      case .cancel(let id): cancel(id)
      case .start: begin(running, plan, payload)
      // Nobody waits for a message that was sent: it is over when the one under way is.
      case .join: break
      }
    }
  }

  private func begin(_ running: ActionRun, _ plan: ActionPlan, _ payload: Value) {
    let script = ScriptRun(self, frame: plan.frame, role: .action(running))
    script.locals[plan.payload.index] = payload
    for parameter in plan.parameters {
      script.locals[parameter.local.index] = argument(parameter.name, of: payload, plan)
    }
    running.script = script
    actions.running[running.id] = running
    script.onEnd = { [unowned self] outcome in
      if plan.isGoverned { actions.policies[plan.reactor].actionEnded(running.id) }
      actions.running[running.id] = nil
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
    if let expectation = supervisor.expectedFailures.last {
      expectation.error = failure.error
    } else {
      fail(failure.problem)
    }
  }

  func endLifecycle(of reactor: ReactorID) {
    for decision in actions.policies[reactor].lifecycleEnded() {
      if case .cancel(let id) = decision { cancel(id) }
    }
  }

  private func cancel(_ id: ActionRun.ID) {
    actions.running[id]?.script?.cancel()
  }
}

extension ActionPlan {
  /// Whether anything but its own end could become of it once it runs.
  fileprivate var isGoverned: Bool {
    switch policy {
    case .plain: endsWithLifecycle
    case .inFlight, .join: true
    }
  }

  fileprivate var asPolicy: ActionPolicy<String> {
    let overlap: ActionPolicy<String>.Overlap =
      switch policy {
      case .plain: .allowed
      case .inFlight(let id): .inFlight(id)
      case .join(let id): .join(id)
      }
    return ActionPolicy(overlap, endsWithLifecycle: endsWithLifecycle)
  }
}

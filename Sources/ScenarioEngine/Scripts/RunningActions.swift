import Events
import ReactorPolicies
import ScenarioPlan
import Values
import World

/// A reactor's action under way.
final class RunningAction {
  /// The number of a performance, from 1 in each run.
  struct ID: Hashable {
    let number: Int
  }

  let id: ID
  let action: ActionID
  /// The policy on other actions.
  var policy = ActionPolicy<CancelKey<String>>(endsWithLifecycle: false)
  /// The key of the actions that follow each other; nil if this one does not wait for any.
  var queueKey: CancelKey<String>?
  var script: ScriptRun?
  /// The action of a Swift object.
  var subject: SubjectAction?

  init(_ id: ID, _ action: ActionID) {
    self.id = id
    self.action = action
  }
}

/// The actions that run, and what is to become of them when others are sent.
final class RunningActions {
  private let run: RunParts
  private var policies: PerID<ReactorPlan, ActionPolicies<CancelKey<String>, RunningAction.ID>>
  private var queues: PerID<ReactorPlan, ActionQueues<CancelKey<String>, RunningAction.ID>>
  /// The actions that wait for their turn, by id.
  private var waiting: [RunningAction.ID: WaitingAction] = [:]
  /// The running actions by id; nothing iterates over them in a visible order.
  private var running: [RunningAction.ID: RunningAction] = [:]
  /// The actions of which a performance has ended.
  private(set) var endedActions: Set<ActionID> = []
  private var actionCount = 0
  /// The steps that wait for the end of an action, by its id.
  private var awaits: [RunningAction.ID: [AwaitedActions]] = [:]

  init(_ run: RunParts) {
    self.run = run
    policies = run.plan.reactors.mapValues { _ in ActionPolicies() }
    queues = run.plan.reactors.mapValues { _ in ActionQueues() }
  }

  var runningActions: Set<ActionID> { Set(running.values.map(\.action)) }

  /// An action and its script hold each other.
  func invalidate() {
    for action in running.values { action.script = nil }
    running = [:]
    waiting = [:]
    awaits = [:]
  }

  /// An action that starts when others have ended.
  private struct WaitingAction {
    let action: RunningAction
    let payload: Value
    let cause: EventID?
  }

  /// Returns at once; the handler starts later in this instant, in the order of sending.
  ///
  /// A step that waits for it learns of its end, also if it ends without having started.
  func send(_ action: ActionID, _ payload: Value, for wait: AwaitedActions? = nil) {
    run.loop.after(0, phase: .source, of: .toClient) { [unowned self] in
      start(action, payload, wait)
    }
  }

  private func start(_ action: ActionID, _ payload: Value, _ wait: AwaitedActions?) {
    let plan = run.plan.actions[action]
    actionCount += 1
    let action = RunningAction(RunningAction.ID(number: actionCount), action)
    if let wait { awaits[action.id] = [wait] }
    if isGovernedBySubject(plan) { return begin(action, plan, payload) }
    if let failure = setPolicy(of: action, plan, payload) { return fail(action, failure) }
    if let key = action.queueKey,
      !queues[plan.reactor].actionSent(action.id, key)
    {
      guard running.count + waiting.count < Limits.actionsAtOnce else {
        return run.supervisor.fail(.tooManyActions)
      }
      waiting[action.id] = WaitingAction(
        action: action, payload: payload, cause: run.recorder.cause)
      if let wait { refuseCircle(wait, for: action.id) }
      return
    }
    govern(action, plan, payload)
  }

  /// Gives an action the policy under its id. Returns a failure if the id has no value.
  private func setPolicy(
    of action: RunningAction, _ plan: ActionPlan, _ payload: Value
  ) -> EvaluationFailure? {
    guard let data = plan.policy.id else {
      action.policy = ActionPolicy(endsWithLifecycle: plan.endsWithLifecycle)
      return nil
    }
    // A constant needs no script; nearly all ids are one.
    let value: Result<Value, EvaluationFailure> =
      if case .constant(let constant) = data.content {
        .success(constant)
      } else {
        evaluate(data, in: makeScript(of: action, plan, payload))
      }
    switch value {
    case .failure(let failure): return failure
    case .success(let id): set(CancelKey(id: id.plainText, mode: plan.mode), of: action, plan)
    }
    return nil
  }

  /// Ends an action that cannot start.
  private func fail(_ action: RunningAction, _ failure: EvaluationFailure) {
    let failure = ScriptFailure(failure, at: nil)
    if !continueWaiters(for: action.id, failure) { actionFailed(failure) }
  }

  private func set(_ key: CancelKey<String>, of action: RunningAction, _ plan: ActionPlan) {
    switch plan.policy {
    case .plain: break
    case .inFlight: action.policy = key.policy
    case .join: action.policy = key.joiningPolicy
    case .queue:
      action.policy = ActionPolicy(endsWithLifecycle: plan.endsWithLifecycle)
      action.queueKey = key
    }
  }

  private func isGovernedBySubject(_ plan: ActionPlan) -> Bool {
    run.subjects?.governs(plan.reactor) ?? false
  }

  private func govern(_ action: RunningAction, _ plan: ActionPlan, _ payload: Value) {
    guard plan.isGoverned else { return begin(action, plan, payload) }
    for decision in policies[plan.reactor].actionSent(action.id, action.policy) {
      switch decision {
      case .cancel(let id): cancel(id)
      case .start: begin(action, plan, payload)
      case .join(let other): join(action.id, other)
      }
    }
  }

  private func begin(_ action: RunningAction, _ plan: ActionPlan, _ payload: Value) {
    guard running.count < Limits.actionsAtOnce else { return run.supervisor.fail(.tooManyActions) }
    if let subjects = run.subjects, subjects.plays(plan.reactor) {
      return begin(action, plan, payload, playedBy: subjects)
    }
    let script = makeScript(of: action, plan, payload)
    action.script = script
    running[action.id] = action
    script.onEnd = { [unowned self] outcome in
      ended(action, plan)
      action.script = nil
      var failure: ScriptFailure?
      if case .failed(let found) = outcome { failure = found }
      if !continueWaiters(for: action.id, failure), let failure { actionFailed(failure) }
    }
    script.resume()
  }

  private func makeScript(
    of action: RunningAction, _ plan: ActionPlan, _ payload: Value
  ) -> ScriptRun {
    let script = ScriptRun(run, frame: plan.frame, role: .action(action))
    script.locals[plan.payload.index] = payload
    for parameter in plan.parameters {
      script.locals[parameter.local.index] = argument(parameter.name, of: payload, plan)
    }
    return script
  }

  private func ended(_ action: RunningAction, _ plan: ActionPlan) {
    running[action.id] = nil
    endedActions.insert(action.action)
    if isGovernedBySubject(plan) { return }
    if plan.isGoverned { policies[plan.reactor].actionEnded(action.id) }
    guard let key = action.queueKey, let next = queues[plan.reactor].actionEnded(key),
      let waiter = waiting.removeValue(forKey: next)
    else { return }
    run.recorder.caused(by: waiter.cause) {
      _ = run.loop.after(0, phase: .source) { [unowned self] in
        govern(waiter.action, run.plan.actions[waiter.action.action], waiter.payload)
      }
    }
  }

  private func begin(
    _ action: RunningAction, _ plan: ActionPlan, _ payload: Value,
    playedBy subjects: any StageSubjects
  ) {
    running[action.id] = action
    action.subject = subjects.perform(action.action, payload) { [unowned self] in
      ended(action, plan)
      action.subject = nil
      continueWaiters(for: action.id, nil)
    }
  }

  /// A parameter is the payload's entry of its name; a single parameter may be the payload itself.
  private func argument(_ name: String, of payload: Value, _ plan: ActionPlan) -> Value {
    if let value = payload[name] { return value }
    return plan.parameters.count == 1 ? payload : .null
  }

  private func actionFailed(_ failure: ScriptFailure) {
    if let expectation = run.supervisor.expectedFailures.last {
      expectation.error = failure.error
    } else {
      run.supervisor.fail(failure.problem)
    }
  }

  /// Returns at once; the actions end later in this instant, after those sent before have started.
  func endLifecycle(of reactor: ReactorID) {
    run.loop.after(0, phase: .source) { [unowned self] in
      removeWaitingActions(of: reactor)
      for decision in policies[reactor].lifecycleEnded() {
        if case .cancel(let id) = decision { cancel(id) }
      }
      if let subjects = run.subjects, subjects.plays(reactor) { subjects.endLifecycle(of: reactor) }
    }
  }

  private func removeWaitingActions(of reactor: ReactorID) {
    let plans = run.plan.actions
    queues[reactor].removeWaiting { [waiting] run in
      waiting[run].map { plans[$0.action.action].endsWithLifecycle } ?? false
    }
    let removed = waiting.values.map(\.action).filter { action in
      let plan = plans[action.action]
      return plan.reactor == reactor && plan.endsWithLifecycle
    }
    for action in removed.sorted(by: { $0.id.number < $1.id.number }) {
      waiting[action.id] = nil
      continueWaiters(for: action.id, nil)
    }
  }

  private func cancel(_ id: RunningAction.ID) {
    guard let action = running[id] else { return }
    action.script?.cancel()
    action.subject?.cancel()
  }
}

// Steps that wait for the ends of actions.
extension RunningActions {
  /// Continues the steps that wait for an action. Returns whether there are any.
  @discardableResult
  private func continueWaiters(for action: RunningAction.ID, _ failure: ScriptFailure?) -> Bool {
    let waits = (awaits.removeValue(forKey: action) ?? []).filter(\.isWaiting)
    for wait in waits { wait.ended(failure) }
    return !waits.isEmpty
  }

  /// Lets the steps that wait for an action wait for the one that it joined.
  private func join(_ action: RunningAction.ID, _ other: RunningAction.ID) {
    guard let waits = awaits.removeValue(forKey: action) else { return }
    awaits[other, default: []] += waits
    for wait in waits { refuseCircle(wait, for: other) }
  }

  /// Fails a step that waits for an action which cannot end before the step does.
  ///
  /// Only an action that waits itself can close a circle, so this is asked when one begins to wait.
  private func refuseCircle(_ wait: AwaitedActions, for action: RunningAction.ID) {
    guard wait.isWaiting, let way = wayBack(from: wait.waiter, to: action) else { return }
    awaits[action]?.removeAll { $0 === wait }
    let names = way.compactMap { id in
      (running[id] ?? waiting[id]?.action).map { "`\(run.plan.actions[$0.action].name)`" }
    }
    let path = (names.suffix(1) + names).joined(separator: " → ")
    wait.ended(wait.failure("the action would wait for its own end: \(path)"))
  }

  /// Returns the runs that wait for each other, from an action to the one whose end it needs; nil
  /// if it does not need it.
  private func wayBack(from last: RunningAction.ID, to first: RunningAction.ID) -> [RunningAction
    .ID]?
  {
    var next: [RunningAction.ID: RunningAction.ID] = [:]
    var seen: Set<RunningAction.ID> = [last]
    var open = [last]
    while !open.isEmpty, !seen.contains(first) {
      let run = open.removeFirst()
      for waiter in waiters(for: run) where seen.insert(waiter).inserted {
        next[waiter] = run
        open.append(waiter)
      }
    }
    guard seen.contains(first) else { return nil }
    return Array(sequence(first: first) { next[$0] })
  }

  /// The runs that continue only after this one has ended.
  private func waiters(for id: RunningAction.ID) -> [RunningAction.ID] {
    let awaiting = (awaits[id] ?? []).filter(\.isWaiting).map(\.waiter)
    guard let action = running[id], let key = action.queueKey else { return awaiting }
    return awaiting + queues[run.plan.actions[action.action].reactor].waiting(behind: id, key)
  }
}

extension ActionPlan {
  /// True if another action or the lifecycle can change its course.
  fileprivate var isGoverned: Bool {
    switch policy {
    case .plain, .queue: endsWithLifecycle
    case .inFlight, .join: true
    }
  }

  /// An id with and one without the lifecycle are two, as in the library.
  fileprivate var mode: CancelMode { endsWithLifecycle ? [.inFlight, .lifecycle] : .inFlight }
}

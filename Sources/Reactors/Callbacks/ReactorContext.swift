import GraphCore
import ReactorPolicies

/// A reactor's state as a node of a graph, and its running actions.
public final class ReactorContext<State> {
  /// A piece of work for `schedule`.
  public typealias Job = () -> Void

  /// The state.
  public let node: Stored<State>
  private let schedule: (@escaping Job) -> Void
  private var policies = ActionPolicies<CancelID, Int>()
  /// The runs that have started and not ended, in the order of their start.
  private var running: [ActionRun] = []
  private var lastRun = 0

  /// Makes a context. `schedule` must perform each job once, later, in the given order.
  public init(_ node: Stored<State>, schedule: @escaping (@escaping Job) -> Void) {
    self.node = node
    self.schedule = schedule
  }

  func later(
    _ policy: ActionPolicy<CancelID>, _ body: @escaping (ActionRun) -> Void
  ) -> ActionRun {
    let run = makeRun()
    schedule { self.begin(run, policy, body) }
    return run
  }

  func now(
    _ policy: ActionPolicy<CancelID>, _ body: @escaping (ActionRun) -> Void
  ) -> ActionRun {
    let run = makeRun()
    begin(run, policy, body)
    return run
  }

  func endLifecycle() {
    schedule { self.carryOut(self.policies.lifecycleEnded()) { _ in } }
  }

  private func makeRun() -> ActionRun {
    lastRun += 1
    return ActionRun(id: lastRun)
  }

  private func begin(
    _ run: ActionRun, _ policy: ActionPolicy<CancelID>, _ body: @escaping (ActionRun) -> Void
  ) {
    if run.isOver { return }
    running.append(run)
    run.onEnd { [weak self] in self?.ended(run.id) }
    carryOut(policies.actionSent(run.id, policy)) { decision in
      switch decision {
      case .start: run.perform { body(run) }
      case .join(let other): self.wait(run, for: other)
      case .cancel: break
      }
    }
  }

  private func carryOut(
    _ decisions: [ActionPolicies<CancelID, Int>.Decision],
    _ proceed: (ActionPolicies<CancelID, Int>.Decision) -> Void
  ) {
    for decision in decisions {
      switch decision {
      case .cancel(let id): running.first { $0.id == id }?.cancel()
      case .start, .join: proceed(decision)
      }
    }
  }

  private func wait(_ run: ActionRun, for other: Int) {
    running.first { $0.id == other }?.onEnd { run.finish() }
  }

  private func ended(_ id: Int) {
    running.removeAll { $0.id == id }
    policies.actionEnded(id)
  }
}

extension ReactorContext where State: Equatable {
  /// Makes a context with a node of its own for the state.
  public convenience init(
    _ initial: State, in graph: Graph = .shared, schedule: @escaping (@escaping Job) -> Void
  ) {
    self.init(graph.stored(initial), schedule: schedule)
  }
}

/// One performance of an action. It ends when its handler has returned and all its effects have
/// answered.
public final class ActionRun {
  let id: Int
  /// True if the run was ended before it was over.
  public private(set) var isCancelled = false
  /// True if the run has ended.
  public private(set) var isOver = false
  /// The number of open parts: the effects under way, and the handler itself while it runs.
  private var awaited = 0
  private var effects: [Effect] = []
  private var endHandlers: [() -> Void] = []

  private final class Effect {
    var cancellable: AnyCancellable?
    var isOver = false
  }

  init(id: Int) {
    self.id = id
  }

  /// Starts an operation that answers later, and continues with the answer unless the run was
  /// cancelled. The result of `start` is cancelled together with the run.
  public func effect<Answer>(
    _ start: (_ answer: @escaping (Answer) -> Void) -> AnyCancellable?,
    then proceed: @escaping (Answer) -> Void
  ) {
    if isOver { return }
    let effect = Effect()
    effects.append(effect)
    awaited += 1
    let cancellable = start { answer in
      if effect.isOver || self.isOver { return }
      effect.isOver = true
      proceed(answer)
      self.effects.removeAll { $0 === effect }
      self.settle()
    }
    if isOver { cancellable?.cancel() } else if !effect.isOver { effect.cancellable = cancellable }
  }

  /// Adds a callback for the end of the run, in any way; it is called at once if the run has ended.
  public func onEnd(_ handler: @escaping () -> Void) {
    if isOver { handler() } else { endHandlers.append(handler) }
  }

  /// Ends the run and its effects. State that was written stays.
  public func cancel() {
    if isOver { return }
    isCancelled = true
    let ended = effects
    finish()
    for effect in ended { effect.cancellable?.cancel() }
  }

  func perform(_ handler: () -> Void) {
    awaited += 1
    handler()
    settle()
  }

  func finish() {
    if isOver { return }
    isOver = true
    effects = []
    let handlers = endHandlers
    endHandlers = []
    for handler in handlers { handler() }
  }

  private func settle() {
    awaited -= 1
    if awaited == 0 { finish() }
  }
}

import StateGraph

/// A state that changes only by actions.
///
/// `send` starts an action in a later job; `action` performs it now. Actions that wait use effects
/// of their run, which can be cancelled.
@dynamicMemberLookup
public protocol Reactor: AnyObject {
  associatedtype State
  associatedtype Action = Never
  associatedtype SyncAction = Never

  /// The state and the running actions.
  var context: ReactorContext<State> { get }

  /// Performs an action; its effects belong to the run.
  func action(_ action: Action, in run: ActionRun)

  /// Performs an action that ends when this returns.
  func action(_ action: SyncAction)
}

extension Reactor where Action == Never {
  public func action(_ action: Never, in run: ActionRun) {}
}

extension Reactor where SyncAction == Never {
  public func action(_ action: Never) {}
}

extension Reactor {
  public var state: State {
    get { context.node.value }
    set { context.node.set(newValue) }
  }

  public subscript<Value>(dynamicMember member: KeyPath<State, Value>) -> Value {
    state[keyPath: member]
  }

  /// Starts the action in a later job, after those that were sent before it.
  @discardableResult
  public func send(_ action: Action, id: CancelID? = nil) -> ActionRun {
    context.later(id?.policy ?? ActionPolicy()) { run in self.action(action, in: run) }
  }

  /// Starts the action, unless one is running under the id; then it waits for that one instead.
  @discardableResult
  public func send(_ action: Action, joining id: CancelID) -> ActionRun {
    context.later(id.joiningPolicy) { run in self.action(action, in: run) }
  }

  /// Performs the action now, up to its first wait.
  @discardableResult
  public func action(_ action: Action, id: CancelID? = nil) -> ActionRun {
    context.now(id?.policy ?? ActionPolicy()) { run in self.action(action, in: run) }
  }

  /// Runs an activity until the lifecycle ends; it starts in a later job.
  @discardableResult
  public func lifecycleTask(_ body: @escaping (ActionRun) -> Void) -> ActionRun {
    context.later(ActionPolicy(endsWithLifecycle: true), body)
  }

  /// Cancels everything that ends with the lifecycle, in a later job.
  public func cancelLifecycleTasks() {
    context.endLifecycle()
  }

  /// Binds a value: reads the state, and turns a write into an action.
  public func bind<Value>(
    _ member: KeyPath<State, Value>, action: @escaping (Value) -> Action, id: CancelID? = nil
  ) -> ReactorBinding<Value> {
    ReactorBinding(
      get: { self.state[keyPath: member] }, set: { self.send(action($0), id: id) })
  }

  /// Binds a value: reads the state, and turns a write into an action that ends when the write
  /// returns.
  public func bind<Value>(
    _ member: KeyPath<State, Value>, action: @escaping (Value) -> SyncAction
  ) -> ReactorBinding<Value> {
    ReactorBinding(get: { self.state[keyPath: member] }, set: { self.action(action($0)) })
  }
}

/// A value that a view reads and writes.
public struct ReactorBinding<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void

  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.get = get
    self.set = set
  }

  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
}

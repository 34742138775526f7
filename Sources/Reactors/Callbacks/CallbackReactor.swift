import GraphCore

/// A reactor for programs with a loop of their own: its actions continue by callbacks instead of
/// `async` functions.
///
/// `send` starts an action in a later job; `action` performs it now. Actions that wait use effects
/// of their run, which can be cancelled. All of it belongs to the thread of its graph.
@dynamicMemberLookup
public protocol CallbackReactor: AnyObject {
  /// The values that actions change.
  associatedtype State
  /// The actions that may wait.
  associatedtype Action = Never
  /// The actions that end when they return.
  associatedtype SyncAction = Never

  /// The state and the running actions.
  var context: ReactorContext<State> { get }

  /// Performs an action; its effects belong to the run.
  func action(_ action: Action, in run: ActionRun)

  /// Performs an action that ends when this returns.
  func action(_ action: SyncAction)
}

extension CallbackReactor where Action == Never {
  /// Does nothing: there is no such action.
  public func action(_ action: Never, in run: ActionRun) {}
}

extension CallbackReactor where SyncAction == Never {
  /// Does nothing: there is no such action.
  public func action(_ action: Never) {}
}

extension CallbackReactor {
  /// The present state. Setting it is a change of the node.
  public var state: State {
    get { context.node.value }
    set { context.node.set(newValue) }
  }

  /// A member of the present state.
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

  /// Binds a value to an action that does not need it, such as one that toggles it.
  public func bind<Value>(
    _ member: KeyPath<State, Value>, action: @autoclosure @escaping () -> Action,
    id: CancelID? = nil
  ) -> CallbackBinding<Value> {
    bind(member, action: { _ in action() }, id: id)
  }

  /// Binds a value to an action that ends when the write returns, and does not need the value.
  public func bind<Value>(
    _ member: KeyPath<State, Value>, action: @autoclosure @escaping () -> SyncAction
  ) -> CallbackBinding<Value> {
    bind(member, action: { _ in action() })
  }

  /// Binds a value: reads the state, and turns a write into an action.
  public func bind<Value>(
    _ member: KeyPath<State, Value>, action: @escaping (Value) -> Action, id: CancelID? = nil
  ) -> CallbackBinding<Value> {
    CallbackBinding(
      get: { self.state[keyPath: member] }, set: { self.send(action($0), id: id) })
  }

  /// Binds a value: reads the state, and turns a write into an action that ends when the write
  /// returns.
  public func bind<Value>(
    _ member: KeyPath<State, Value>, action: @escaping (Value) -> SyncAction
  ) -> CallbackBinding<Value> {
    CallbackBinding(get: { self.state[keyPath: member] }, set: { self.action(action($0)) })
  }
}

/// A value that a view reads and writes.
public struct CallbackBinding<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void

  /// Makes a binding of two closures.
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.get = get
    self.set = set
  }

  /// The present value. Setting it calls the second closure.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
}

import StateGraph

/// A state that changes only by actions.
///
/// `send` lets an action start in a later job; `action` performs it now. Actions that wait for
/// something do so through effects of their run, which can be cancelled.
@dynamicMemberLookup
public protocol Reactor: AnyObject {
  associatedtype State
  associatedtype Action = Never
  associatedtype SyncAction = Never

  /// Holds the state and the actions that are running.
  var context: ReactorContext<State> { get }

  /// Performs an action; what it waits for belongs to the run.
  func action(_ action: Action, in run: ActionRun)

  /// Performs an action that is over when this returns.
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

  /// Lets the action start in a later job, after those that were sent before it.
  @discardableResult
  public func send(_ action: Action, id: CancelID? = nil) -> ActionRun {
    context.later(id?.policy ?? ActionPolicy()) { run in self.action(action, in: run) }
  }

  /// The same for an action that, while one is running under the id, waits for that instead.
  @discardableResult
  public func send(_ action: Action, joining id: CancelID) -> ActionRun {
    let lifecycle = id.mode.contains(.lifecycle)
    return context.later(ActionPolicy(.join(id), endsWithLifecycle: lifecycle)) { run in
      self.action(action, in: run)
    }
  }

  /// Performs the action now, up to what it waits for.
  @discardableResult
  public func action(_ action: Action, id: CancelID? = nil) -> ActionRun {
    context.now(id?.policy ?? ActionPolicy()) { run in self.action(action, in: run) }
  }

  /// Something that goes on until the lifecycle ends; starts in a later job.
  @discardableResult
  public func lifecycleTask(_ body: @escaping (ActionRun) -> Void) -> ActionRun {
    context.later(ActionPolicy(endsWithLifecycle: true), body)
  }

  /// In a later job, cancels everything that ends with the lifecycle.
  public func cancelLifecycleTasks() {
    context.endLifecycle()
  }

  /// Reads the state, and answers a write with an action.
  public func bind<Value>(
    _ member: KeyPath<State, Value>, action: @escaping (Value) -> Action, id: CancelID? = nil
  ) -> ReactorBinding<Value> {
    ReactorBinding(
      get: { self.state[keyPath: member] }, set: { self.send(action($0), id: id) })
  }

  /// Reads the state, and answers a write with an action that is over when the write returns.
  public func bind<Value>(
    _ member: KeyPath<State, Value>, action: @escaping (Value) -> SyncAction
  ) -> ReactorBinding<Value> {
    ReactorBinding(get: { self.state[keyPath: member] }, set: { self.action(action($0)) })
  }
}

/// A value that is read here and written there.
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

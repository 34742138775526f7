@_exported import Observation
@_exported import ReactorPolicies

/// A state that changes only by actions, which are `async` functions on the main actor.
///
/// `send` starts an action in a later turn of the main actor. `await reactor.action(…)` performs it
/// as part of the caller's task. A class that is `@Observable` shows each property of its state to
/// views; `AsyncReactor` publishes the state as a whole. Neither the state nor the actions need to
/// be `Sendable`.
@MainActor
@dynamicMemberLookup
public protocol Reactor: AnyObject, Sendable {
  /// The values that actions change.
  associatedtype State
  /// The actions that may wait.
  associatedtype Action = Never
  /// The actions that end when they return.
  associatedtype SyncAction = Never

  /// The present state. Only the reactor needs to be able to set it.
  var state: State { get }

  /// Performs an action. It may suspend, and finds out by `Task.isCancelled`, or by an error of
  /// what it awaits, that it was cancelled. State that was written before stays.
  func action(_ action: Action) async

  /// Performs an action that ends when this returns.
  func action(_ action: SyncAction)
}

extension Reactor where Action == Never {
  /// Does nothing: there is no such action.
  public func action(_ action: Never) async {}
}

extension Reactor where SyncAction == Never {
  /// Does nothing: there is no such action.
  public func action(_ action: Never) {}
}

extension Reactor {
  /// A member of the present state.
  public subscript<Value>(dynamicMember member: KeyPath<State, Value>) -> Value {
    state[keyPath: member]
  }

  /// Starts an action in a later turn of the main actor, after those that were sent before it.
  ///
  /// `await reactor.send(…).value` waits for its end; cancelling the task cancels the action. The
  /// reactor lives at least as long as the task.
  @inlinable
  @discardableResult
  public func send(_ action: Action) -> Task<Void, Never> {
    Task { await self.action(action) }
  }

  /// Starts an action under an id in a later turn. If the mode of the id has `inFlight`, it cancels
  /// the action that runs under the same id. If it has `lifecycle`, `cancelLifecycleTasks` cancels
  /// it.
  @discardableResult
  public func send(_ action: Action, id: CancelID) -> Task<Void, Never> {
    ReactorRuns.start(of: self, id.policy) { await self.action(action) }
  }

  /// Starts an action in a later turn, unless one is running under the id. Then its task waits for
  /// the end of that one instead.
  @discardableResult
  public func send(_ action: Action, joining id: CancelID) -> Task<Void, Never> {
    ReactorRuns.start(of: self, id.joiningPolicy) { await self.action(action) }
  }

  /// Performs an action under an id and returns when it has ended.
  ///
  /// The action has a task of its own. It is cancelled by its id, and not together with the caller.
  public func action(_ action: Action, id: CancelID) async {
    await send(action, id: id).value
  }

  /// Runs an activity in a later turn, on the main actor, until it ends or `cancelLifecycleTasks`
  /// is called. Only a body that captured the reactor keeps it alive, and only while it runs: an
  /// activity that may outlive its reactor captures it weakly.
  @discardableResult
  public func lifecycleTask(_ body: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
    ReactorRuns.start(of: self, ActionPolicy(endsWithLifecycle: true), body)
  }

  /// Cancels everything that ends with the lifecycle, in a later turn of the main actor, so that
  /// what was sent before has begun.
  @discardableResult
  public func cancelLifecycleTasks() -> Task<Void, Never> {
    Task { ReactorRuns.endLifecycle(of: self) }
  }
}

/// A value of a reactor's state that a view reads, and writes by an action.
@MainActor
@propertyWrapper
public struct ReactorBinding<Value> {
  private let get: @MainActor () -> Value
  private let set: @MainActor (Value) -> Void

  /// Makes a binding of two closures.
  public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
    self.get = get
    self.set = set
  }

  /// The present value of the state. Setting it sends the action; the state changes when the action
  /// does it.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }

  /// The binding itself, to be passed on.
  public var projectedValue: ReactorBinding { self }
}

extension Reactor {
  /// Binds a member of the state to an action that does not need the value, such as one that
  /// toggles it.
  public func bind<Value>(
    _ member: KeyPath<State, Value>, action: @autoclosure @escaping () -> Action,
    id: CancelID? = nil
  ) -> ReactorBinding<Value> {
    bind(member, action: { _ in action() }, id: id)
  }

  /// Binds a member of the state to an action that ends when the write returns, and does not need
  /// the value.
  public func bind<Value>(
    _ member: KeyPath<State, Value>, action: @autoclosure @escaping () -> SyncAction
  ) -> ReactorBinding<Value> {
    bind(member, action: { _ in action() })
  }

  /// Binds a member of the state. A write sends the action, so the state still has the old value
  /// when the write returns.
  public func bind<Value>(
    _ member: KeyPath<State, Value>, action: @escaping (Value) -> Action, id: CancelID? = nil
  ) -> ReactorBinding<Value> {
    ReactorBinding(
      get: { self.state[keyPath: member] },
      set: { value in
        if let id { self.send(action(value), id: id) } else { self.send(action(value)) }
      })
  }

  /// Binds a member of the state to an action that ends when the write returns.
  public func bind<Value>(
    _ member: KeyPath<State, Value>, action: @escaping (Value) -> SyncAction
  ) -> ReactorBinding<Value> {
    ReactorBinding(get: { self.state[keyPath: member] }, set: { self.action(action($0)) })
  }
}

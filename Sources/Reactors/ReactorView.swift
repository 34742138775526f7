/// The owner of a reactor and of what is made for it, which finds the reactor by its type.
///
/// It stands for a view of the platform's user interface. Its end cancels the lifecycle tasks of
/// the reactor, unless `definesLifecycle` is false.
@MainActor
public final class ReactorView<R: Reactor, Content> {
  /// The owned reactor.
  public let reactor: R
  /// The content, made while the reactor could be found.
  public let content: Content
  private let definesLifecycle: Bool

  /// Makes the content. Inside, `ReactorEnvironment` finds the reactor.
  public init(
    _ reactor: @autoclosure () -> R, definesLifecycle: Bool = true, content: () -> Content
  ) {
    let made = reactor()
    self.reactor = made
    self.definesLifecycle = definesLifecycle
    self.content = ReactorEnvironment.with(made, content)
  }

  deinit {
    guard definesLifecycle else { return }
    let reactor = reactor
    Task { @MainActor in _ = reactor.cancelLifecycleTasks() }
  }
}

/// The reactors that content finds by their types while it is made. The innermost one of a type is
/// found.
@MainActor
public enum ReactorEnvironment {
  private static var reactors: [any Reactor] = []

  /// Makes content that finds the reactor.
  public static func with<Content>(
    _ reactor: some Reactor, _ content: () throws -> Content
  ) rethrows -> Content {
    reactors.append(reactor)
    defer { reactors.removeLast() }
    return try content()
  }

  /// Returns the innermost reactor of a type, or nil.
  public static func current<R: Reactor>(_ type: R.Type = R.self) -> R? {
    reactors.last { $0 is R } as? R
  }
}

/// A property of a view that reads a member of a reactor's state, and writes it by an action.
///
/// The reactor is the one of its type in the environment in which the view is made, or the given
/// one.
@MainActor
@propertyWrapper
public struct ActionBinding<R: Reactor, Value> {
  private let reactor: R
  private let binding: @MainActor (R) -> ReactorBinding<Value>

  /// Binds a member to an action that does not need the value, such as one that toggles it.
  public init(
    _ type: R.Type = R.self, keyPath: KeyPath<R.State, Value>,
    action: @autoclosure @escaping () -> R.Action, cancelId: CancelID? = nil
  ) {
    self.init(type) { $0.bind(keyPath, action: { _ in action() }, id: cancelId) }
  }

  /// Binds a member to an action with the new value.
  public init(
    _ type: R.Type = R.self, keyPath: KeyPath<R.State, Value>,
    action: @escaping (Value) -> R.Action, cancelId: CancelID? = nil
  ) {
    self.init(type) { $0.bind(keyPath, action: action, id: cancelId) }
  }

  /// Binds a member to an action that ends when the write returns, and does not need the value.
  public init(
    _ type: R.Type = R.self, keyPath: KeyPath<R.State, Value>,
    action: @autoclosure @escaping () -> R.SyncAction
  ) {
    self.init(type) { $0.bind(keyPath, action: { _ in action() }) }
  }

  /// Binds a member to an action with the new value, which ends when the write returns.
  public init(
    _ type: R.Type = R.self, keyPath: KeyPath<R.State, Value>,
    action: @escaping (Value) -> R.SyncAction
  ) {
    self.init(type) { $0.bind(keyPath, action: action) }
  }

  private init(_ type: R.Type, _ binding: @escaping @MainActor (R) -> ReactorBinding<Value>) {
    guard let reactor = ReactorEnvironment.current(type) else {
      preconditionFailure(
        "No \(type) is in the environment. Make the view inside `ReactorView(\(type)()) { … }`.")
    }
    self.reactor = reactor
    self.binding = binding
  }

  /// The present value of the state. Setting it sends the action.
  public var wrappedValue: Value {
    get { binding(reactor).wrappedValue }
    nonmutating set { binding(reactor).wrappedValue = newValue }
  }

  /// The binding, for a control that reads and writes the value.
  public var projectedValue: ReactorBinding<Value> { binding(reactor) }
}

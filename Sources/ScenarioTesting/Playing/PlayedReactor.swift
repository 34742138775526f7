import Publishers
import Reactors
import Values

/// A Swift reactor, whatever its type is.
@MainActor
protocol PlayedReactor: AnyObject {
  var typeName: String { get }
  /// The names of its actions, if their type lists them.
  var actionNames: [String] { get }
  /// True if its actions can be made from names.
  var canMakeActions: Bool { get }
  /// The members of its present state.
  var members: [(name: String, value: Any)] { get }

  func has(_ action: String) -> Bool

  /// Makes an action, which can then be performed.
  func prepare(_ action: String, _ payload: Value) throws -> PreparedAction

  /// Shows each state that the reactor publishes. Reactors that publish none are read after each
  /// turn.
  func follow(_ show: @escaping @MainActor ([(name: String, value: Any)]) -> Void)
    -> AnyCancellable?

  func endLifecycle()
}

/// An action that was made of a message.
enum PreparedAction {
  /// It has ended when it returns.
  case immediate(@MainActor () -> Void)
  case waiting(@MainActor () async -> Void)
}

@MainActor
final class PlayedReactorOf<R: Reactor>: PlayedReactor {
  private let reactor: R
  private let actions = ActionMaking<R.Action>()
  private let syncActions = ActionMaking<R.SyncAction>()

  init(_ reactor: R) { self.reactor = reactor }

  var typeName: String { "\(R.self)" }
  var actionNames: [String] { (actions.names ?? []) + (syncActions.names ?? []) }
  var canMakeActions: Bool { actions.isPossible || syncActions.isPossible }
  var members: [(name: String, value: Any)] { membersOf(Mirror(reflecting: reactor.state)) }

  func has(_ action: String) -> Bool { actions.has(action) || syncActions.has(action) }

  func prepare(_ name: String, _ payload: Value) throws -> PreparedAction {
    if !actions.has(name), syncActions.has(name) {
      let action = try syncActions.make(name, payload)
      return .immediate { self.reactor.action(action) }
    }
    let action = try actions.make(name, payload)
    return .waiting { await self.reactor.action(action) }
  }

  func follow(
    _ show: @escaping @MainActor ([(name: String, value: Any)]) -> Void
  ) -> AnyCancellable? {
    guard let reactor = reactor as? any AsyncReactor else { return nil }
    return reactor.followStates(show)
  }

  func endLifecycle() { reactor.cancelLifecycleTasks() }
}

extension AsyncReactor {
  fileprivate func followStates(
    _ show: @escaping @MainActor ([(name: String, value: Any)]) -> Void
  ) -> AnyCancellable {
    statePublisher.dropFirst().sink { state in
      show(membersOf(Mirror(reflecting: state)))
    }
  }
}

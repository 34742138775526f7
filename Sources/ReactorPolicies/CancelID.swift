/// The key under which actions of one reactor cancel or join each other, and the mode of
/// cancellation.
///
/// Two keys are equal if both identifier and mode are.
public struct CancelKey<ID: Hashable>: Hashable {
  /// The events that cancel an action, under the name in a call.
  public typealias Mode = CancelMode

  /// The identifier.
  public let id: ID
  /// The events that cancel an action under this key.
  public let mode: CancelMode

  /// Makes a key; by default, a new action cancels the one that runs.
  public init(id: ID, mode: CancelMode = .inFlight) {
    self.id = id
    self.mode = mode
  }

  /// The policy of this mode.
  public var policy: ActionPolicy<CancelKey> {
    ActionPolicy(
      mode.contains(.inFlight) ? .inFlight(self) : .allowed,
      endsWithLifecycle: mode.contains(.lifecycle))
  }

  /// The policy of an action that does not start while one runs under this key.
  public var joiningPolicy: ActionPolicy<CancelKey> {
    ActionPolicy(.join(self), endsWithLifecycle: mode.contains(.lifecycle))
  }
}

extension CancelKey: Sendable where ID: Sendable {}

/// The events that cancel an action.
public struct CancelMode: OptionSet, Hashable, Sendable {
  /// The bits of the modes.
  public let rawValue: Int

  /// Makes a set of modes from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A new action cancels the one that is running.
  public static let inFlight = CancelMode(rawValue: 1)
  /// The action is cancelled when the reactor's lifecycle ends.
  public static let lifecycle = CancelMode(rawValue: 2)
}

/// A key with an identifier of any type.
public typealias CancelID = CancelKey<AnyHashable>

extension CancelKey where ID == AnyHashable {
  /// Makes a key from an identifier of any type.
  public init(_ id: some Hashable, mode: CancelMode = .inFlight) {
    self.init(id: AnyHashable(id), mode: mode)
  }
}

/// The key under which actions of one reactor cancel each other, and the mode of cancellation.
///
/// Two keys are equal if both identifier and mode are.
public struct CancelID: Hashable {
  public struct Mode: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A new action cancels the one that is running.
    public static let inFlight = Mode(rawValue: 1)
    /// The action is cancelled when the reactor's lifecycle ends.
    public static let lifecycle = Mode(rawValue: 2)
  }

  public let id: AnyHashable
  public let mode: Mode

  public init(_ id: some Hashable, mode: Mode = .inFlight) {
    self.id = AnyHashable(id)
    self.mode = mode
  }

  /// The policy of this mode.
  public var policy: ActionPolicy<CancelID> {
    ActionPolicy(
      mode.contains(.inFlight) ? .inFlight(self) : .allowed,
      endsWithLifecycle: mode.contains(.lifecycle))
  }
}

/// The effect of a new action on those that run under the same key.
public struct ActionPolicy<Key: Hashable> {
  /// The rule for an action that runs under the same key already.
  public enum Overlap {
    /// Both actions run.
    case allowed
    /// The new action cancels those that run under this key.
    case inFlight(Key)
    /// The new action does not start, but waits for the one that runs under this key.
    case join(Key)
  }

  /// The rule for an action that runs under the same key already.
  public var overlap: Overlap
  /// True if the action is cancelled when its reactor's lifecycle ends.
  public var endsWithLifecycle: Bool

  /// Makes a policy; by default, actions do not affect each other.
  @inlinable public init(_ overlap: Overlap = .allowed, endsWithLifecycle: Bool = false) {
    self.overlap = overlap
    self.endsWithLifecycle = endsWithLifecycle
  }
}

extension ActionPolicy: Equatable, Hashable {}
extension ActionPolicy.Overlap: Equatable, Hashable {}
extension ActionPolicy: Sendable where Key: Sendable {}
extension ActionPolicy.Overlap: Sendable where Key: Sendable {}

/// Decides which running actions are cancelled, joined or started; acts on nothing itself.
///
/// There is one per reactor. Actions are cancelled in the order in which they were started. Its
/// functions can be copied into other modules, since code for any key takes twenty times as long.
public struct ActionPolicies<Key: Hashable, Run: Hashable> {
  /// The decision about a run.
  public enum Decision: Equatable {
    /// The run is cancelled.
    case cancel(Run)
    /// The run starts.
    case start(Run)
    /// The new run does not start; it ends with this one.
    case join(Run)
  }

  @usableFromInline struct Running {
    @usableFromInline let run: Run
    @usableFromInline let key: Key?
    @usableFromInline let endsWithLifecycle: Bool

    @inlinable init(run: Run, key: Key?, endsWithLifecycle: Bool) {
      self.run = run
      self.key = key
      self.endsWithLifecycle = endsWithLifecycle
    }
  }

  /// The runs that can still matter, in the order of their start.
  @usableFromInline var running: [Running]

  /// Makes the policies of a reactor in which nothing runs.
  @inlinable public init() { running = [] }

  /// Returns what to do, in this order, when an action was sent.
  @inlinable public mutating func actionSent(
    _ run: Run, _ policy: ActionPolicy<Key> = ActionPolicy()
  )
    -> [Decision]
  {
    switch policy.overlap {
    case .allowed:
      return [start(run, under: nil, policy)]
    case .inFlight(let key):
      let replaced = cancel { $0.key == key }
      return replaced + [start(run, under: key, policy)]
    case .join(let key):
      if let other = running.first(where: { $0.key == key }) { return [.join(other.run)] }
      return [start(run, under: key, policy)]
    }
  }

  /// Records that an action ended, by itself or by cancellation.
  @inlinable public mutating func actionEnded(_ run: Run) {
    running.removeAll { $0.run == run }
  }

  /// Returns the runs to cancel when the reactor's lifecycle ends.
  @inlinable public mutating func lifecycleEnded() -> [Decision] {
    cancel { $0.endsWithLifecycle }
  }

  @inlinable mutating func start(
    _ run: Run, under key: Key?, _ policy: ActionPolicy<Key>
  ) -> Decision {
    if key != nil || policy.endsWithLifecycle {
      running.append(
        Running(run: run, key: key, endsWithLifecycle: policy.endsWithLifecycle))
    }
    return .start(run)
  }

  @inlinable mutating func cancel(where isMeant: (Running) -> Bool) -> [Decision] {
    let cancelled = running.filter(isMeant)
    if !cancelled.isEmpty { running.removeAll(where: isMeant) }
    return cancelled.map { .cancel($0.run) }
  }
}

extension ActionPolicies: Sendable where Key: Sendable, Run: Sendable {}
extension ActionPolicies.Running: Sendable where Key: Sendable, Run: Sendable {}
extension ActionPolicies.Decision: Sendable where Run: Sendable {}

import GraphCore

/// When an observer learns of a change.
public enum ObserverDelivery: Sendable {
  /// In code of an actor, such as the main actor, after the turn that made the change. Elsewhere
  /// before the write returns.
  case afterTurn
  /// Before the write returns.
  case immediate
}

/// Collects all observers of the body under one cancellable; releasing it ends them all.
///
/// In code of an actor, such as the main actor, observers receive the changes of one turn of the
/// actor together, after that turn: in the order of their registration, whichever scopes they are
/// in, and before tasks that the turn starts after the change, unless these have a higher priority.
/// Elsewhere a change is delivered before the write returns. The first delivery of an observer is
/// always immediate.
public func withGraphTracking(
  isolation: isolated (any Actor)? = #isolation, _ body: () -> Void
) -> AnyCancellable {
  let scope = AnyCancellable()
  ObserverDelivery.afterTurn.apply { TrackingScope.open(scope, body) }
  return scope
}

/// Runs the body now, and again whenever something that it read has changed. A computed node whose
/// new value equals the old one has not changed.
///
/// Observers that the body makes live until its next run. Inside a tracking scope or another group,
/// the group belongs to that.
@discardableResult
public func withGraphTrackingGroup(
  in graph: Graph? = nil, name: String? = nil, isolation: isolated (any Actor)? = #isolation,
  _ body: @escaping () -> Void
) -> AnyCancellable {
  if TrackingScope.isClosed { return AnyCancellable() }
  return TrackingScope.adopt(
    ObserverDelivery.afterTurn.apply { (graph ?? .ofNewWatchers).group(name: name, body) })
}

/// Calls the handler with the result of the projection: now, and whenever a change of its reads
/// leads to another result.
@discardableResult
@inlinable
public func withGraphTrackingMap<Value: Equatable>(
  in graph: Graph? = nil, initial: Bool = true,
  isolation: isolated (any Actor)? = #isolation, _ projection: @escaping () -> Value,
  onChange: @escaping (Value) -> Void
) -> AnyCancellable {
  withGraphTrackingMap(
    in: graph, initial: initial, isolation: isolation, projection,
    isNews: { $0 != $1 }, onChange: onChange)
}

/// Does the same with a filter, which compares the last value that passed with the new one.
@discardableResult
@inlinable
public func withGraphTrackingMap<Value>(
  in graph: Graph? = nil, initial: Bool = true,
  isolation: isolated (any Actor)? = #isolation, _ projection: @escaping () -> Value,
  isNews: @escaping (Value, Value) -> Bool, onChange: @escaping (Value) -> Void
) -> AnyCancellable {
  if TrackingScope.isClosed { return AnyCancellable() }
  let graph = graph ?? .ofNewWatchers
  let node = graph.computed(areEqual: { _, _ in false }, { _ in projection() })
  return TrackingScope.adopt(
    ObserverDelivery.afterTurn.apply {
      graph.observe(node, initial: initial, isNews: isNews, onChange: onChange)
    })
}

/// Does the same for a value of an owner, without keeping the owner alive. After the owner is gone,
/// nothing is delivered any more.
@discardableResult
@inlinable
public func withGraphTrackingMap<Owner: AnyObject, Value: Equatable>(
  from owner: Owner, in graph: Graph? = nil, initial: Bool = true,
  isolation: isolated (any Actor)? = #isolation, map: @escaping (Owner) -> Value,
  onChange: @escaping (Value) -> Void
) -> AnyCancellable {
  withGraphTrackingMap(
    in: graph, initial: initial, isolation: isolation,
    { [weak owner] in owner.map(map) }, isNews: { $1 != nil && $0 != $1 },
    onChange: { if let value = $0 { onChange(value) } })
}

extension GraphNode {
  /// Calls the handler with each new value, at first with the present one. In a tracking scope it
  /// lives as long as the scope, elsewhere as long as the result is kept.
  ///
  /// In code of an actor the handler is called after the turn that changed the value.
  @discardableResult
  @inlinable
  public func onChange(
    initial: Bool = true, isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (Value) -> Void
  ) -> AnyCancellable {
    onChange(.afterTurn, initial: initial, isolation: isolation, handler)
  }

  /// Does the same at the given time: `.immediate` is inside the write, on an actor as well.
  @discardableResult
  @inlinable
  public func onChange(
    _ delivery: ObserverDelivery, initial: Bool = true,
    isolation: isolated (any Actor)? = #isolation, _ handler: @escaping (Value) -> Void
  ) -> AnyCancellable {
    if TrackingScope.isClosed { return AnyCancellable() }
    return TrackingScope.adopt(
      delivery.apply { graph.observe(self, initial: initial, onChange: handler) })
  }

  /// Makes a computed node from this one's value.
  @inlinable
  public func map<Other: Equatable>(
    name: String? = nil, _ transform: @escaping (Value) -> Other
  ) -> Computed<Other> {
    graph.computed(name: name) { _ in transform(self.value) }
  }
}

extension ObserverDelivery {
  /// Runs a body that makes observers. In nonisolated code they wait as their scope does.
  @usableFromInline
  func apply<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () -> Result
  ) -> Result {
    switch self {
    case .immediate: return TrackingScope.waiting(in: nil, body)
    case .afterTurn:
      guard let isolation else { return body() }
      return TrackingScope.waiting(in: ActorDeliveries.queue(of: isolation), body)
    }
  }
}

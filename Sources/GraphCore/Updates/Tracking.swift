/// Runs the body now, and again whenever something that it read has changed. A computed node whose
/// new value equals the old one has not changed.
///
/// Observers that the body makes live until its next run. Inside a tracking scope or another group,
/// the group belongs to that.
@discardableResult
public func withGraphTrackingGroup(
  in graph: Graph? = nil, name: String? = nil, _ body: @escaping () -> Void
) -> AnyCancellable {
  TrackingScope.isClosed
    ? AnyCancellable()
    : TrackingScope.adopt((graph ?? .ofNewWatchers).group(name: name, body))
}

/// Calls the handler with the result of the projection: now, and whenever a change of its reads
/// leads to another result.
@discardableResult
@inlinable
public func withGraphTrackingMap<Value: Equatable>(
  in graph: Graph? = nil, initial: Bool = true, _ projection: @escaping () -> Value,
  onChange: @escaping (Value) -> Void
) -> AnyCancellable {
  withGraphTrackingMap(
    in: graph, initial: initial, projection, isNews: { $0 != $1 }, onChange: onChange)
}

/// Does the same with a filter, which compares the last value that passed with the new one.
@discardableResult
@inlinable
public func withGraphTrackingMap<Value>(
  in graph: Graph? = nil, initial: Bool = true, _ projection: @escaping () -> Value,
  isNews: @escaping (Value, Value) -> Bool, onChange: @escaping (Value) -> Void
) -> AnyCancellable {
  if TrackingScope.isClosed { return AnyCancellable() }
  let graph = graph ?? .ofNewWatchers
  let node = graph.computed(areEqual: neverEqual, { _ in projection() })
  return TrackingScope.adopt(
    graph.observe(node, initial: initial, isNews: isNews, onChange: onChange))
}

/// Does the same for a value of an owner, without keeping the owner alive. After the owner is gone,
/// nothing is delivered any more.
@discardableResult
@inlinable
public func withGraphTrackingMap<Owner: AnyObject, Value: Equatable>(
  from owner: Owner, in graph: Graph? = nil, initial: Bool = true,
  map: @escaping (Owner) -> Value, onChange: @escaping (Value) -> Void
) -> AnyCancellable {
  withGraphTrackingMap(
    in: graph, initial: initial, { [weak owner] in owner.map(map) },
    isNews: { $1 != nil && $0 != $1 },
    onChange: { if let value = $0 { onChange(value) } })
}

extension GraphNode {
  /// Calls the handler with each new value, at first with the present one. In a tracking scope it
  /// lives as long as the scope, elsewhere as long as the result is kept.
  @discardableResult
  @inlinable
  public func onChange(
    initial: Bool = true, _ handler: @escaping (Value) -> Void
  ) -> AnyCancellable {
    TrackingScope.isClosed
      ? AnyCancellable()
      : TrackingScope.adopt(graph.observe(self, initial: initial, onChange: handler))
  }

  /// Makes a computed node from this one's value.
  @inlinable
  public func map<Other: Equatable>(
    name: String? = nil, _ transform: @escaping (Value) -> Other
  ) -> Computed<Other> {
    graph.computed(name: name) { _ in transform(self.value) }
  }
}

extension Graph {
  func group(name: String?, _ body: @escaping () -> Void) -> AnyCancellable {
    arena.alone {
      let id = arena.addNode([.watcher, .group])
      arena.install(GroupWork(id, in: arena, name: name, run: body).work)
      arena.deferDelivery(of: id)
      let token = AnyCancellable(graph: self, watcher: id)
      arena.deliverFirst(id)
      return token
    }
  }
}

extension Arena {
  /// Makes a watcher wait for turns of the actor to which the open scope belongs, if there is one.
  @usableFromInline
  func deferDelivery(of id: Int32) {
    let place = ThreadState.place
    guard place._withUnsafeGuaranteedRef({ $0.turn != nil }) else { return }
    nodes[Int(id)].work?.header.pointee.turn = place.takeUnretainedValue().turn
    nodes[Int(id)].flags.insert(.deferred)
  }
}

/// The open scope of this thread, which owns new subscriptions.
@usableFromInline
package enum TrackingScope {
  /// Runs the body with a scope. The watchers of the body wait for a turn, if one is given.
  package static func open(
    _ scope: AnyCancellable, turn: DeliveryTurn?, in graph: Graph? = nil, _ body: () -> Void
  ) {
    let thread = ThreadState.current
    let outer = (thread.scope, thread.turn, thread.groupGraph)
    thread.scope = scope
    thread.turn = turn ?? thread.turn
    thread.groupGraph = graph ?? thread.groupGraph
    body()
    (thread.scope, thread.turn, thread.groupGraph) = outer
  }

  /// Runs the body outside of any scope.
  package static func alone<Result>(_ body: () -> Result) -> Result {
    let thread = ThreadState.current
    let outer = (thread.scope, thread.turn)
    (thread.scope, thread.turn) = (nil, nil)
    defer { (thread.scope, thread.turn) = outer }
    return body()
  }

  /// True within a group that was cancelled while it runs: nothing begins there any more.
  @usableFromInline
  static var isClosed: Bool { ThreadState.current.scope?.isCancelled ?? false }

  @usableFromInline
  static func adopt(_ subscription: AnyCancellable) -> AnyCancellable {
    ThreadState.current.scope?.add(subscription)
    return subscription
  }
}

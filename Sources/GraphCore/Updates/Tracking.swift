extension Graph {
  /// Runs the body now, and again whenever something that it read has changed.
  package func group(name: String? = nil, _ body: @escaping () -> Void) -> AnyCancellable {
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
  /// Makes a watcher wait for turns of an actor, if new ones do so at the moment.
  @usableFromInline
  func deferDelivery(of id: Int32) {
    let place = ThreadState.place
    guard place._withUnsafeGuaranteedRef({ $0.queue != nil }) else { return }
    nodes[Int(id)].work?.header.pointee.queue = place.takeUnretainedValue().queue
    nodes[Int(id)].flags.insert(.deferred)
  }
}

/// The open scope of this thread, which owns new subscriptions, and the queue in which these wait.
@usableFromInline
package enum TrackingScope {
  /// Runs the body with a scope.
  package static func open(
    _ scope: AnyCancellable, in graph: Graph? = nil, _ body: () -> Void
  ) {
    let thread = ThreadState.current
    let outer = (thread.scope, thread.groupGraph)
    thread.scope = scope
    thread.groupGraph = graph ?? thread.groupGraph
    body()
    (thread.scope, thread.groupGraph) = outer
  }

  /// Runs the body outside of any scope; its watchers are delivered inside the write.
  package static func alone<Result>(_ body: () -> Result) -> Result {
    let thread = ThreadState.current
    let outer = thread.scope
    thread.scope = nil
    defer { thread.scope = outer }
    return waiting(in: nil, body)
  }

  /// Runs the body; its watchers wait in the queue of an actor, or are delivered inside the write.
  package static func waiting<Result>(
    in queue: DeliveryQueue?, _ body: () -> Result
  ) -> Result {
    let thread = ThreadState.current
    let outer = thread.queue
    thread.queue = queue
    defer { thread.queue = outer }
    return body()
  }

  /// True within a group that was cancelled while it runs: nothing begins there any more.
  @usableFromInline
  package static var isClosed: Bool { ThreadState.current.scope?.isCancelled ?? false }

  @usableFromInline
  package static func adopt(_ subscription: AnyCancellable) -> AnyCancellable {
    ThreadState.current.scope?.add(subscription)
    return subscription
  }
}

extension Graph {
  /// Calls the handler with each new value of a node, after the change is complete. Handlers are
  /// called in the order of registration, so parents that are registered first come first. Reads of
  /// a handler are not tracked; its writes belong to the next turn.
  ///
  /// With `initial`, the handler is called at once with the present value. The calls end when the
  /// result is cancelled or released.
  @inlinable
  public func observe<Value>(
    _ node: GraphNode<Value>, initial: Bool = true, onChange: @escaping (Value) -> Void
  ) -> AnyCancellable {
    watch(node, initial: initial, isNews: nil, onChange: onChange)
  }

  /// Calls the handler with the values that are news compared with the last delivered one.
  @inlinable
  public func observe<Value>(
    _ node: GraphNode<Value>, initial: Bool = true, isNews: @escaping (Value, Value) -> Bool,
    onChange: @escaping (Value) -> Void
  ) -> AnyCancellable {
    watch(node, initial: initial, isNews: isNews, onChange: onChange)
  }

  @inlinable
  func watch<Value>(
    _ node: GraphNode<Value>, initial: Bool, isNews: ((Value, Value) -> Bool)?,
    onChange: @escaping (Value) -> Void
  ) -> AnyCancellable {
    precondition(node.graph === self, "A node is observed in its own graph.")
    let arena = arena
    if arena.isShared { arena.lock() }
    defer { if arena.isShared { arena.unlock() } }
    let id = arena.addNode(.watcher)
    arena.install(ObserverWork(id, of: node, isNews: isNews, onChange: onChange).work)
    arena.deferDelivery(of: id)
    let token = AnyCancellable(graph: self, watcher: id)
    if initial { arena.deliverFirst(id) }
    return token
  }
}

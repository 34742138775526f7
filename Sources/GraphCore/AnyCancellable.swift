@_exported import Cancellables

extension Graph: CancellableOwner {
  /// Ends the watcher of a cancellable of this graph.
  public func cancel(_ number: Int32) {
    arena.alone {
      arena.release(number)
      removeUnreadBridges()
    }
  }
}

extension AnyCancellable {
  @usableFromInline
  convenience init(graph: Graph, watcher: Int32) {
    self.init(owner: graph, number: watcher)
  }
}

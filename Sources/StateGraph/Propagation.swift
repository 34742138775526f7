extension Arena {
  /// Marks everything downstream as perhaps stale. Runs no user code, and needs a stack only where
  /// a node has several subscribers.
  func propagate(from id: Int32) {
    let base = state.pointee.branches.count
    var edge = nodes[Int(id)].subscribers
    while true {
      while edge >= 0 {
        let next = edges[Int(edge)].nextSubscriber
        if let below = mark(edges[Int(edge)].subscriber) {
          if next >= 0 { state.pointee.branches.append(next) }
          edge = below
        } else {
          edge = next
        }
      }
      if state.pointee.branches.count == base { return }
      edge = state.pointee.branches.removeLast()
    }
  }

  /// Marks one node; the first edge below it when the wave has to go on there.
  @inline(__always)
  private func mark(_ id: Int32) -> Int32? {
    let node = nodes + Int(id)
    let flags = node.pointee.flags
    if flags.contains(.watcher) {
      markWatcher(id)
      return nil
    }
    if !flags.isDisjoint(with: .stale) { return nil }
    node.pointee.flags = flags.union(.pending)
    return node.pointee.subscribers >= 0 ? node.pointee.subscribers : nil
  }

  private func markWatcher(_ id: Int32) {
    let node = nodes + Int(id)
    if node.pointee.flags.contains(.running) {
      node.pointee.flags.insert(.selfWritten)
      return
    }
    node.pointee.flags.insert(.pending)
    if node.pointee.flags.contains(.queued) { return }
    node.pointee.flags.insert(.queued)
    guard let work = node.pointee.work else { return }
    let sequence = work._withUnsafeGuaranteedRef { $0.sequence }
    state.pointee.nextQueue.append(QueueEntry(sequence: sequence, node: id))
  }

  /// A node did change: whoever was perhaps stale because of it is now surely stale.
  func propagateChange(of id: Int32) {
    var edge = nodes[Int(id)].subscribers
    while edge >= 0 {
      let subscriber = nodes + Int(edges[Int(edge)].subscriber)
      if subscriber.pointee.flags.contains(.pending) { subscriber.pointee.flags.insert(.dirty) }
      edge = edges[Int(edge)].nextSubscriber
    }
  }

  /// Before a read: brings the node up to date and records the read.
  @inlinable
  @inline(__always)
  func willRead(_ id: Int32) {
    if !nodes[Int(id)].flags.isDisjoint(with: .unsettled) { refresh(id) }
    if state.pointee.active >= 0 { link(id) }
  }

  /// Brings a node up to date for a reader. A stored node's new value becomes current only for a
  /// reader that is recorded: a plain look may be followed by taking the value back.
  @usableFromInline
  func refresh(_ id: Int32) {
    if nodes[Int(id)].flags.contains(.stored), state.pointee.active < 0 { return }
    settle(id)
  }

  /// Brings a node up to date.
  @usableFromInline
  func settle(_ id: Int32) {
    let flags = nodes[Int(id)].flags
    if !flags.isDisjoint(with: [.running, .checking]) { return meetCycle(id) }
    if flags.isDisjoint(with: .stale) { return }
    if flags.contains(.dirty) || isStale(id) {
      change(id)
    }
  }

  /// Evaluates a computed node, or makes a stored node's new value current.
  private func update(_ id: Int32) -> Bool {
    if nodes[Int(id)].flags.contains(.computed) { return evaluateWithRoom(id) }
    nodes[Int(id)].flags.remove(.stale)
    guard let work = nodes[Int(id)].work else { return false }
    return work._withUnsafeGuaranteedRef { $0.body(.update, nil) }
  }

  /// Whether a perhaps stale node really is: looks at its dependencies in the order they were read
  /// and stops at the first that changed, since later ones may not be reached after that change.
  func isStale(_ root: Int32) -> Bool {
    state.pointee.checks += 1
    let base = state.pointee.path.count
    let answer = check(root, base: base)
    nodes[Int(root)].flags.remove(.checking)
    if !answer { nodes[Int(root)].flags.remove(.stale) }
    state.pointee.checks -= 1
    reapIfIdle()
    return answer
  }

  private func check(_ root: Int32, base: Int32) -> Bool {
    var current = root
    var edge = nodes[Int(root)].dependencies
    nodes[Int(root)].flags.insert(.checking)
    while true {
      while edge >= 0, !nodes[Int(current)].flags.contains(.dirty) {
        let dependency = edges[Int(edge)].dependency
        if mustDescend(into: dependency, from: current, along: edge) {
          current = dependency
          edge = nodes[Int(dependency)].dependencies
        } else {
          edge = edges[Int(edge)].nextDependency
        }
      }
      let isDirty = !nodes[Int(current)].flags.isDisjoint(with: [.dirty, .cyclic])
      if state.pointee.path.count == base { return isDirty }
      nodes[Int(current)].flags.remove(.checking)
      if isDirty { change(current) } else { nodes[Int(current)].flags.remove(.stale) }
      let descended = state.pointee.path.removeLast()
      current = edges[Int(descended)].subscriber
      edge = edges[Int(descended)].nextDependency
    }
  }

  /// Looks at one dependency of a node being checked; true when its own must be looked at first.
  @inline(__always)
  private func mustDescend(into dependency: Int32, from current: Int32, along edge: Int32) -> Bool {
    let flags = nodes[Int(dependency)].flags
    if flags.isDisjoint(with: .unsettled) { return false }
    if !flags.isDisjoint(with: [.running, .checking]) {
      // A cycle; evaluating the node will meet it again, name it and settle it.
      nodes[Int(current)].flags.insert(.dirty)
      return false
    }
    state.pointee.path.append(edge)
    if flags.contains(.dirty) {
      change(dependency)
      _ = state.pointee.path.removeLast()
      return false
    }
    nodes[Int(dependency)].flags.insert(.checking)
    return true
  }

  /// Updates a node that is surely stale, and those that read it if it changed.
  private func change(_ id: Int32) {
    if update(id) { propagateChange(of: id) }
  }
}

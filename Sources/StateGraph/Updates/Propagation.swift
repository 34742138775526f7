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

  /// Brings a node up to date, on a new stack where the present one might not have the room.
  @usableFromInline
  func settle(_ id: Int32) {
    let flags = nodes[Int(id)].flags
    if !flags.isDisjoint(with: [.running, .checking]) { return meetCycle(id) }
    if flags.isDisjoint(with: .stale) { return }
    let depth = state.pointee.settlingDepth
    state.pointee.settlingDepth = depth &+ 1
    let active = state.pointee.active
    if active != -1 { state.pointee.path.append(active >= 0 ? ~active : active + 1) }
    if DeepStack.isNeeded(atDepth: depth) {
      DeepStack.run { changeIfStale(id) }
    } else {
      changeIfStale(id)
    }
    if active != -1 { _ = state.pointee.path.removeLast() }
    state.pointee.settlingDepth = depth
  }

  @inline(__always)
  private func changeIfStale(_ id: Int32) {
    if nodes[Int(id)].flags.contains(.dirty) || isStale(id) { change(id) }
  }

  /// Evaluates a computed node, or makes a stored node's new value current.
  @inline(__always)
  private func update(_ id: Int32) -> Bool {
    if nodes[Int(id)].flags.contains(.computed) { return evaluate(id) }
    nodes[Int(id)].flags.remove(.stale)
    guard let work = nodes[Int(id)].work else { return false }
    return work._withUnsafeGuaranteedRef { $0(.update) }
  }

  /// Returns whether a perhaps stale node really is: looks at its dependencies in the order they
  /// were read and stops at the first that changed, since later ones may not be reached after that
  /// change.
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
      while edge >= 0 {
        let link = edges + Int(edge)
        let dependency = nodes + Int(link.pointee.dependency)
        let flags = dependency.pointee.flags
        if flags.isDisjoint(with: .unsettled) {
          edge = link.pointee.nextDependency
        } else if flags.intersection(.unsettled) == .pending {
          state.pointee.path.append(edge)
          dependency.pointee.flags = flags.union(.checking)
          current = link.pointee.dependency
          edge = dependency.pointee.dependencies
        } else {
          edge = next(after: edge, of: current)
        }
      }
      let flags = nodes[Int(current)].flags
      let isDirty = !flags.isDisjoint(with: [.dirty, .cyclic])
      if state.pointee.path.count == base { return isDirty }
      if isDirty {
        change(current)
      } else {
        nodes[Int(current)].flags = flags.subtracting([.pending, .checking])
      }
      let descended = edges + Int(state.pointee.path.removeLast())
      current = descended.pointee.subscriber
      let stops = nodes[Int(current)].flags.contains(.dirty)
      edge = stops ? -1 : descended.pointee.nextDependency
    }
  }

  /// Settles a dependency that is surely stale, or already being looked at; the next edge to look
  /// at, unless the node is now known to be stale itself.
  @inline(never)
  private func next(after edge: Int32, of current: Int32) -> Int32 {
    let dependency = edges[Int(edge)].dependency
    if nodes[Int(dependency)].flags.isDisjoint(with: [.running, .checking]) {
      state.pointee.path.append(edge)
      change(dependency)
      _ = state.pointee.path.removeLast()
    } else {
      // A cycle; evaluating the node will meet it again, name it and settle it.
      nodes[Int(current)].flags.insert(.dirty)
    }
    if nodes[Int(current)].flags.contains(.dirty) { return -1 }
    return edges[Int(edge)].nextDependency
  }

  /// Updates a node that is surely stale, and marks those that read it if it changed.
  private func change(_ id: Int32) {
    if update(id) { propagateChange(of: id) }
  }
}

extension Arena {
  /// Marks all downstream nodes as perhaps stale. It runs no user code, and needs a stack only if a
  /// node has several subscribers.
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

  /// Marks one node; returns the first edge below it if the wave has to continue there.
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
    if node.pointee.flags.contains(.deferred), let turn = work.takeUnretainedValue().turn {
      turn.add(QueueEntry(sequence: sequence, node: id), of: state.pointee.graph)
      return
    }
    state.pointee.nextQueue.append(QueueEntry(sequence: sequence, node: id))
  }

  /// Marks the readers of a changed node: those that were perhaps stale because of it are now
  /// certainly stale.
  func propagateChange(of id: Int32) {
    var edge = nodes[Int(id)].subscribers
    while edge >= 0 {
      let subscriber = nodes + Int(edges[Int(edge)].subscriber)
      if subscriber.pointee.flags.contains(.pending) { subscriber.pointee.flags.insert(.dirty) }
      edge = edges[Int(edge)].nextSubscriber
    }
  }

  /// Updates the node before a read, and records the read.
  @inlinable
  @inline(__always)
  func willRead(_ id: Int32) {
    bringUpToDate(id)
    if state.pointee.active >= 0 {
      link(id)
    } else if state.pointee.active == -1 {
      checkForeignRead(of: id)
    }
  }

  /// Does the same in the shared graph. What the reader then loads belongs to its own region, so
  /// the load needs no lock.
  @usableFromInline
  @inline(never)
  func willReadShared(_ id: Int32) {
    lock()
    defer { unlock() }
    willRead(id)
  }

  /// Updates the node before a read that is not recorded.
  @inlinable
  @inline(__always)
  func bringUpToDate(_ id: Int32) {
    if !nodes[Int(id)].flags.isDisjoint(with: .unsettled) { refresh(id) }
  }

  /// Updates a node for a reader. A stored node's new value becomes current only for a recorded
  /// read, because an unrecorded one may be followed by a rollback.
  @usableFromInline
  func refresh(_ id: Int32) {
    if nodes[Int(id)].flags.contains(.stored), state.pointee.active < 0 { return }
    settle(id)
  }

  /// Updates a node, on a new stack if the present one may lack the room.
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
      DeepStack.run { [self] in changeIfStale(id) }
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

  /// Returns whether a perhaps stale node really is stale. It checks the dependencies in the order
  /// of their reads and stops at the first change, since later ones may not be read after that
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

  /// Settles a dependency that is certainly stale or already being checked. Returns the next edge
  /// to check, unless the node is now known to be stale itself.
  @inline(never)
  private func next(after edge: Int32, of current: Int32) -> Int32 {
    let dependency = edges[Int(edge)].dependency
    if nodes[Int(dependency)].flags.isDisjoint(with: [.running, .checking]) {
      state.pointee.path.append(edge)
      change(dependency)
      _ = state.pointee.path.removeLast()
    } else {
      // This is a cycle; the evaluation of the node will meet it again, name it and settle it.
      nodes[Int(current)].flags.insert(.dirty)
    }
    if nodes[Int(current)].flags.contains(.dirty) { return -1 }
    return edges[Int(edge)].nextDependency
  }

  /// Updates a node that is certainly stale, and marks its readers if it changed.
  private func change(_ id: Int32) {
    if update(id) { propagateChange(of: id) }
  }
}

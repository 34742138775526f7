extension Arena {
  /// Marks all downstream nodes as perhaps stale. It runs no user code, and needs a stack only if
  /// nodes with several subscribers are below each other.
  func propagate(from id: Int32) {
    let base = state.pointee.branches.count
    let (nodes, edges) = (nodes, edges)
    var edge = nodes[Int(id)].subscribers
    var branch: Int32 = -1
    while true {
      while edge >= 0 {
        let next = edges[Int(edge)].nextSubscriber
        let below = mark(edges[Int(edge)].subscriber, of: nodes)
        if below >= 0, next >= 0 {
          if branch >= 0 { state.pointee.branches.append(branch) }
          branch = next
        }
        edge = below >= 0 ? below : next
      }
      if branch < 0 {
        if state.pointee.branches.count == base { return }
        branch = state.pointee.branches.removeLast()
      }
      edge = branch
      branch = -1
    }
  }

  /// Marks one node; returns the first edge below it, or -1 if the wave ends there.
  @inline(__always)
  private func mark(_ id: Int32, of nodes: UnsafeMutablePointer<NodeRecord>) -> Int32 {
    let node = nodes + Int(id)
    let flags = node.pointee.flags
    if flags.isDisjoint(with: [.stale, .watcher]) {
      node.pointee.flags = flags.union(.pending)
      return node.pointee.subscribers
    }
    if flags.contains(.watcher) { markWatcher(id) }
    return -1
  }

  private func markWatcher(_ id: Int32) {
    let node = nodes + Int(id)
    let flags = node.pointee.flags
    if flags.contains(.running) {
      node.pointee.flags = flags.union(.selfWritten)
      return
    }
    node.pointee.flags = flags.union([.pending, .queued])
    if flags.contains(.queued) { return }
    guard let work = node.pointee.work else { return }
    let entry = QueueEntry(sequence: work.sequence, node: id)
    if flags.contains(.deferred), defers(entry, of: work) { return }
    state.pointee.nextQueue.append(entry)
  }

  /// Lets a watcher wait for a turn of its actor. Returns false if no such turn comes.
  @inline(never)
  private func defers(_ entry: QueueEntry, of work: NodeWork) -> Bool {
    work.header.pointee.queue?.add(entry, of: state.pointee.graph) ?? false
  }

  /// Marks the readers of a changed node: those that were perhaps stale because of it are now
  /// certainly stale.
  @inline(__always)
  func propagateChange(of id: Int32) {
    let (nodes, edges) = (nodes, edges)
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

  /// Updates a node that may be stale.
  @inlinable
  @inline(__always)
  func settleUnlessSettled(_ id: Int32) {
    if !nodes[Int(id)].flags.isDisjoint(with: .unsettled) { settle(id) }
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
    if depth >= DeepStack.firstDepth {
      settleDeeply(id, depth: depth)
    } else if mustUpdate(id) {
      change(id)
    }
    if active != -1 { _ = state.pointee.path.removeLast() }
    state.pointee.settlingDepth = depth
  }

  @inline(__always)
  private func mustUpdate(_ id: Int32) -> Bool {
    nodes[Int(id)].flags.contains(.dirty) || isStale(id)
  }

  @inline(never)
  private func settleDeeply(_ id: Int32, depth: Int32) {
    if DeepStack.isNeeded(atDepth: depth) {
      DeepStack.run { [self] in if mustUpdate(id) { changeApart(id) } }
    } else if mustUpdate(id) {
      changeApart(id)
    }
  }

  /// Evaluates a computed node, or makes a stored node's new value current.
  @inline(__always)
  private func update(_ id: Int32) -> Bool {
    if nodes[Int(id)].flags.contains(.computed) { return evaluate(id) }
    nodes[Int(id)].flags.remove(.stale)
    guard let work = nodes[Int(id)].work else { return false }
    return work(.update)
  }

  /// Returns whether a perhaps stale node really is stale. It checks the dependencies in the order
  /// of their reads and stops at the first change, since later ones may not be read after that
  /// change.
  @inline(never)
  func isStale(_ root: Int32) -> Bool {
    state.pointee.checks &+= 1
    let base = state.pointee.path.count
    let answer = check(root, base: base)
    nodes[Int(root)].flags.remove(.checking)
    if !answer { nodes[Int(root)].flags.remove(.stale) }
    state.pointee.checks &-= 1
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
      var isDirty = !nodes[Int(current)].flags.isDisjoint(with: [.dirty, .cyclic])
      repeat {
        if state.pointee.path.count == base { return isDirty }
        let isChanged = finishCheck(of: current, isDirty: isDirty)
        let descended = edges + Int(state.pointee.path.removeLast())
        if isChanged, !descended.pointee.isOnlySubscriber { propagateChange(of: current) }
        current = descended.pointee.subscriber
        edge = descended.pointee.nextDependency
        isDirty = isChanged || nodes[Int(current)].flags.contains(.dirty)
      } while isDirty
    }
  }

  /// Updates a checked node if it is stale. Returns whether it changed.
  @inline(__always)
  private func finishCheck(of id: Int32, isDirty: Bool) -> Bool {
    if isDirty { return update(id) }
    nodes[Int(id)].flags.remove([.pending, .checking])
    return false
  }

  /// Settles a dependency that is certainly stale or already being checked. Returns the next edge
  /// to check, unless the node is now known to be stale itself.
  @inline(never)
  private func next(after edge: Int32, of current: Int32) -> Int32 {
    let dependency = edges[Int(edge)].dependency
    if nodes[Int(dependency)].flags.isDisjoint(with: [.running, .checking]) {
      state.pointee.path.append(edge)
      changeApart(dependency)
      _ = state.pointee.path.removeLast()
    } else {
      // This is a cycle; the evaluation of the node will meet it again, name it and settle it.
      nodes[Int(current)].flags.insert(.dirty)
    }
    if nodes[Int(current)].flags.contains(.dirty) { return -1 }
    return edges[Int(edge)].nextDependency
  }

  /// Updates a node that is certainly stale, and marks its readers if it changed.
  @inline(__always)
  private func change(_ id: Int32) {
    if update(id) { propagateChange(of: id) }
  }

  /// Does the same where it is rare, so that the code is there only once.
  @inline(never)
  private func changeApart(_ id: Int32) { change(id) }
}

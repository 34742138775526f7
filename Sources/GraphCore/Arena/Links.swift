extension Arena {
  /// Returns a number for a new node; the caller installs its work before anything else happens.
  @usableFromInline
  func addNode(_ flags: NodeFlags) -> Int32 {
    state.pointee.liveNodes += 1
    let id = freeNumber()
    (nodes + Int(id)).initialize(
      to: NodeRecord(
        flags: flags, dependencies: -1, nextRead: -1, subscribers: -1, lastSubscriber: -1,
        count: 0, work: nil))
    return id
  }

  @usableFromInline
  func install(_ work: NodeWork) {
    nodes[Int(work.header.pointee.id)].work = work
  }

  private func freeNumber() -> Int32 {
    let free = state.pointee.freeNode
    if free >= 0 {
      state.pointee.freeNode = nodes[Int(free)].dependencies
      return free
    }
    let id = state.pointee.nodeCount
    let capacity = state.pointee.nodeCapacity
    if id == capacity {
      state.pointee.nodes = grown(
        nodes, from: capacity, to: capacity * 2, isBlock: capacity > ArenaState.firstNodes)
      state.pointee.nodeCapacity = capacity * 2
    }
    state.pointee.nodeCount = id + 1
    return id
  }

  private func freeEdge() -> Int32 {
    state.pointee.liveEdges += 1
    let free = state.pointee.freeEdge
    if free >= 0 {
      state.pointee.freeEdge = edges[Int(free)].nextDependency
      return free
    }
    let id = state.pointee.edgeCount
    let capacity = state.pointee.edgeCapacity
    if id == capacity {
      state.pointee.edges = grown(
        edges, from: capacity, to: capacity * 2, isBlock: capacity > ArenaState.firstEdges)
      state.pointee.edgeCapacity = capacity * 2
    }
    state.pointee.edgeCount = id + 1
    return id
  }

  /// Records that the active node read this one. If the reads come in the same order, it reuses the
  /// edge of the previous evaluation.
  @inlinable
  @inline(__always)
  func link(_ id: Int32) {
    let reader = nodes + Int(state.pointee.active)
    let next = reader.pointee.nextRead
    if next >= 0 {
      let edge = edges + Int(next)
      if edge.pointee.dependency == id {
        edge.pointee.version = state.pointee.activeVersion
        reader.pointee.nextRead = edge.pointee.nextDependency
        return
      }
    }
    linkAgain(id, before: next)
  }

  /// Records a read that is not the next expected one, unless the active node has read this one
  /// already. That is so often so that the rest is a function of its own.
  @usableFromInline
  func linkAgain(_ id: Int32, before next: Int32) {
    let active = state.pointee.active
    let first = nodes[Int(active)].dependencies
    let last = next == first ? -1 : edges[Int(next < 0 ? first : next)].previousDependency
    if last >= 0, edges[Int(last)].dependency == id { return }
    let newest = nodes[Int(id)].lastSubscriber
    if newest >= 0, edges[Int(newest)].version == state.pointee.activeVersion,
      edges[Int(newest)].subscriber == active
    {
      return
    }
    addEdge(to: id, after: last, before: next)
  }

  @inline(never)
  private func addEdge(to id: Int32, after last: Int32, before next: Int32) {
    let active = state.pointee.active
    let newest = nodes[Int(id)].lastSubscriber
    let edge = freeEdge()
    (edges + Int(edge)).initialize(
      to: EdgeRecord(
        version: state.pointee.activeVersion, dependency: id, subscriber: active,
        previousDependency: edge, nextDependency: next, previousSubscriber: newest,
        nextSubscriber: -1))
    insert(edge, after: last, before: next, amongDependenciesOf: nodes + Int(active))
    if newest >= 0 {
      edges[Int(newest)].nextSubscriber = edge
    } else {
      nodes[Int(id)].subscribers = edge
    }
    nodes[Int(id)].lastSubscriber = edge
  }

  @inline(__always)
  private func insert(
    _ edge: Int32, after last: Int32, before next: Int32,
    amongDependenciesOf node: UnsafeMutablePointer<NodeRecord>
  ) {
    let first = node.pointee.dependencies
    if first >= 0 {
      let follower = edges + Int(next < 0 ? first : next)
      edges[Int(edge)].previousDependency = follower.pointee.previousDependency
      follower.pointee.previousDependency = edge
    }
    if last >= 0 {
      edges[Int(last)].nextDependency = edge
    } else {
      node.pointee.dependencies = edge
    }
  }

  /// Drops the edges that the finished evaluation did not use again.
  @inline(__always)
  func purgeUnread(of id: Int32) {
    if nodes[Int(id)].nextRead >= 0 { purge(from: nodes[Int(id)].nextRead) }
  }

  @inline(never)
  private func purge(from first: Int32) {
    var edge = first
    while edge >= 0 {
      let next = edges[Int(edge)].nextDependency
      unlink(edge)
      edge = next
    }
  }

  @inline(never)
  func unlink(_ edge: Int32) {
    let record = edges[Int(edge)]
    let subscriber = nodes + Int(record.subscriber)
    let dependency = nodes + Int(record.dependency)
    let first = subscriber.pointee.dependencies
    let follower = record.nextDependency < 0 ? first : record.nextDependency
    edges[Int(follower)].previousDependency = record.previousDependency
    if edge == first {
      subscriber.pointee.dependencies = record.nextDependency
    } else {
      edges[Int(record.previousDependency)].nextDependency = record.nextDependency
    }
    if subscriber.pointee.nextRead == edge { subscriber.pointee.nextRead = record.nextDependency }
    if record.previousSubscriber >= 0 {
      edges[Int(record.previousSubscriber)].nextSubscriber = record.nextSubscriber
    } else {
      dependency.pointee.subscribers = record.nextSubscriber
    }
    if record.nextSubscriber >= 0 {
      edges[Int(record.nextSubscriber)].previousSubscriber = record.previousSubscriber
    } else {
      dependency.pointee.lastSubscriber = record.previousSubscriber
    }
    edges[Int(edge)].nextDependency = state.pointee.freeEdge
    state.pointee.freeEdge = edge
    state.pointee.liveEdges -= 1
  }
}

// MARK: - the end of nodes

extension Arena {
  /// Releases a node for its owner. The node is destroyed at once, unless it is running or a check
  /// may still walk its edges; then it is destroyed as soon as that is over.
  @usableFromInline
  func release(_ id: Int32) {
    nodes[Int(id)].flags.insert(.released)
    // A group that cancels itself finishes its pass, but starts nothing new.
    if nodes[Int(id)].flags.isSuperset(of: [.running, .group]) {
      _ = nodes[Int(id)].work?(.close)
    }
    state.pointee.graveyard.append(id)
    if state.pointee.checks == 0 { reap() }
  }

  /// Destroys the released nodes. It loops instead of recursing, because destroying the head of a
  /// long chain releases the next link, and so on.
  ///
  /// It is seldom called from what runs for each node, which has more registers without it.
  @inline(never)
  func reap() {
    if state.pointee.isReaping { return }
    state.pointee.isReaping = true
    var index: Int32 = 0
    while index < state.pointee.graveyard.count {
      let id = state.pointee.graveyard[index]
      if nodes[Int(id)].flags.contains(.running) {
        index += 1
        continue
      }
      let last = state.pointee.graveyard.removeLast()
      if index < state.pointee.graveyard.count { state.pointee.graveyard[index] = last }
      destroy(id)
    }
    state.pointee.isReaping = false
  }

  func reapIfIdle() {
    if !state.pointee.graveyard.isEmpty, state.pointee.checks == 0 { reap() }
  }

  private func destroy(_ id: Int32) {
    while nodes[Int(id)].dependencies >= 0 { unlink(nodes[Int(id)].dependencies) }
    while nodes[Int(id)].subscribers >= 0 { unlink(nodes[Int(id)].subscribers) }
    if !state.pointee.undo.isEmpty { forgetSaved(of: id) }
    let work = nodes[Int(id)].work
    nodes[Int(id)].work = nil
    state.pointee.liveNodes -= 1
    // What ends with the record may make nodes, so the number is free only afterwards.
    _ = work?(.destroy)
    nodes[Int(id)].flags = []
    nodes[Int(id)].dependencies = state.pointee.freeNode
    state.pointee.freeNode = id
  }
}

// MARK: - memory for records and values

extension Arena {
  @usableFromInline
  func allocate(bytes: Int, alignment: Int) -> UnsafeMutableRawPointer {
    state.pointee.memory.allocate(bytes: bytes, alignment: alignment)
  }

  @usableFromInline
  func free(_ slot: UnsafeMutableRawPointer, bytes: Int, alignment: Int) {
    state.pointee.memory.free(slot, bytes: bytes, alignment: alignment)
  }

  @inlinable
  func allocate<Value>(_ type: Value.Type, count: Int) -> UnsafeMutablePointer<Value> {
    allocate(bytes: MemoryLayout<Value>.stride * count, alignment: MemoryLayout<Value>.alignment)
      .bindMemory(to: type, capacity: count)
  }

  @inlinable
  func free<Value>(_ slot: UnsafeMutablePointer<Value>, count: Int) {
    free(
      slot, bytes: MemoryLayout<Value>.stride * count, alignment: MemoryLayout<Value>.alignment)
  }
}

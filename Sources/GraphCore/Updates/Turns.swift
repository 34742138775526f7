/// Turns of which each delivers what the handlers of the one before have written.
struct TurnChain {
  /// The number of last turns before the limit in which the nodes that trigger each other are
  /// recorded.
  private static let turnsWatched = 16

  /// The number of turns until now.
  var count = 0
  /// The names of the nodes that trigger each other, if the limit is near.
  var busy: [String] = []
  var isCutOff = false

  var isWatched: Bool { count > Graph.turnLimit - Self.turnsWatched }
}

extension Arena {
  /// Returns whether a node may be written now: a computed rule must not write.
  @inlinable
  @inline(__always)
  func mayWrite(_ id: Int32) -> Bool {
    state.pointee.active == -1 || mayWriteWithin(id)
  }

  @usableFromInline
  func mayWriteWithin(_ id: Int32) -> Bool {
    guard let rule = runningRule else { return true }
    state.pointee.graph.report(.writeInsideComputed(node: name(of: id), in: name(of: rule)))
    return false
  }

  /// Marks the dependent nodes after a write, and delivers unless something else will.
  @usableFromInline
  func didWrite(_ id: Int32) {
    propagate(from: id)
    if state.pointee.transactionDepth == 0, state.pointee.flushesAutomatically { flush() }
  }

  func flush() {
    if state.pointee.isFlushing || state.pointee.nextQueue.isEmpty { return }
    if state.pointee.delivering > 0 || runningRule != nil { return }
    if state.pointee.transactionDepth > 0 { return }
    var chain = TurnChain()
    takeTurns(in: &chain)
  }

  /// Delivers to watchers that have waited for a turn of their actor.
  func flush(_ entries: [QueueEntry], in chain: inout TurnChain) {
    for entry in entries { state.pointee.nextQueue.append(entry) }
    takeTurns(in: &chain)
  }

  private func takeTurns(in chain: inout TurnChain) {
    state.pointee.isFlushing = true
    defer {
      state.pointee.isFlushing = false
      state.pointee.turn = 0
    }
    while !state.pointee.nextQueue.isEmpty {
      if chain.count == Graph.turnLimit { return cutOff(&chain) }
      chain.count += 1
      state.pointee.turn = chain.count
      takeTurn()
      if chain.isWatched { collectNames(into: &chain.busy) }
    }
  }

  /// Runs one turn. First everything is settled and read, then the handlers run. So all of them see
  /// the same complete change, even if they write.
  private func takeTurn() {
    state.pointee.generation += 1
    let finished = state.pointee.queue
    state.pointee.queue = state.pointee.nextQueue
    state.pointee.nextQueue = finished
    state.pointee.nextQueue.truncate(to: 0)
    sortQueue()
    for index in 0..<state.pointee.queue.count { stage(index) }
    for index in 0..<state.pointee.queue.count {
      let entry = state.pointee.queue[index]
      if entry.isDue, isLive(entry) || entry.isLast { deliver(entry.node) }
    }
  }

  /// Returns whether the watcher is neither cancelled nor its number reused since it was queued.
  private func isLive(_ entry: QueueEntry) -> Bool {
    let node = nodes + Int(entry.node)
    guard !node.pointee.flags.contains(.released), let work = node.pointee.work else {
      return false
    }
    return work.sequence == entry.sequence
  }

  private func stage(_ index: Int32) {
    let entry = state.pointee.queue[index]
    guard isLive(entry) else { return }
    nodes[Int(entry.node)].flags.remove(.queued)
    state.pointee.checks &+= 1
    state.pointee.queue[index].isDue = isDue(entry.node)
    state.pointee.checks &-= 1
    if !state.pointee.graveyard.isEmpty { finishReleases(afterStaging: index) }
  }

  @inline(__always)
  private func isDue(_ id: Int32) -> Bool {
    let flags = nodes[Int(id)].flags
    guard flags.contains(.dirty) || (flags.contains(.pending) && isChanged(above: id)) else {
      return false
    }
    nodes[Int(id)].flags.remove(.stale)
    return nodes[Int(id)].work?(.stage) ?? false
  }

  /// Returns whether a watcher that is perhaps stale really is. If it reads one node, as observers
  /// do, that marks it when it changes, so the watcher needs no check of its own.
  @inline(__always)
  private func isChanged(above id: Int32) -> Bool {
    let edge = nodes[Int(id)].dependencies
    guard edge >= 0, edges[Int(edge)].nextDependency < 0 else { return isStale(id) }
    let dependency = edges[Int(edge)].dependency
    guard nodes[Int(dependency)].flags.isDisjoint(with: [.running, .checking]) else {
      return isStale(id)
    }
    settle(dependency)
    let isDirty = nodes[Int(id)].flags.contains(.dirty)
    if !isDirty { nodes[Int(id)].flags.remove(.stale) }
    return isDirty
  }

  /// Destroys what was released while a watcher was staged. A watcher whose projection cancels it
  /// gets that value, and is kept until then.
  private func finishReleases(afterStaging index: Int32) {
    let entry = state.pointee.queue[index]
    let flags = nodes[Int(entry.node)].flags
    if entry.isDue, flags.contains(.released), !flags.contains(.group) {
      state.pointee.queue[index].isLast = true
      nodes[Int(entry.node)].flags.insert(.running)
    }
    reapIfIdle()
  }

  /// Runs a handler or the body of a group.
  @usableFromInline
  func deliver(_ id: Int32) {
    guard let work = nodes[Int(id)].work else { return }
    let isGroup = nodes[Int(id)].flags.contains(.group)
    if isGroup { nodes[Int(id)].flags.remove(.stale) }
    nodes[Int(id)].flags.insert(.running)
    state.pointee.delivering &+= 1
    let outer = (state.pointee.active, state.pointee.activeVersion)
    if isGroup { _ = beginTracking(id) } else { beginUntracked() }
    if nodes[Int(id)].flags.contains(.deferred) {
      TrackingScope.waiting(in: work.header.pointee.queue) { _ = work(.deliver) }
    } else {
      _ = work(.deliver)
    }
    if isGroup { endTracking(id, outer: outer) } else { endUntracked(outer.0) }
    state.pointee.delivering &-= 1
    nodes[Int(id)].flags.remove(.running)
    if nodes[Int(id)].flags.contains(.released) { return reapIfIdle() }
    if nodes[Int(id)].flags.contains(.selfWritten) { forgiveSelfWrite(id) }
  }

  /// Runs a watcher for the first time, as a turn of its own unless one is running.
  @usableFromInline
  func deliverFirst(_ id: Int32) {
    deliver(id)
    if state.pointee.flushesAutomatically { flush() }
  }

  /// Handles a handler that changed what it observes: it is not called for that, but for every
  /// later change.
  private func forgiveSelfWrite(_ id: Int32) {
    nodes[Int(id)].flags.remove(.selfWritten)
    catchUp(id)
    state.pointee.graph.report(.selfWrite(node: observedName(id)))
  }

  /// Treats a watcher's values as seen, and leaves nothing above it stale: a wave stops at a stale
  /// node, and would never arrive here again.
  private func catchUp(_ id: Int32) {
    state.pointee.checks += 1
    var edge = nodes[Int(id)].dependencies
    while edge >= 0 {
      settle(edges[Int(edge)].dependency)
      edge = edges[Int(edge)].nextDependency
    }
    _ = nodes[Int(id)].work?(.rebase)
    nodes[Int(id)].flags.remove(.stale)
    state.pointee.checks -= 1
    reapIfIdle()
  }

  // MARK: ping-pong

  private func collectNames(into names: inout [String]) {
    for index in 0..<state.pointee.queue.count {
      let entry = state.pointee.queue[index]
      guard entry.isDue, isLive(entry) else { continue }
      let name = observedName(entry.node)
      if !names.contains(name) { names.append(name) }
    }
  }

  private func cutOff(_ chain: inout TurnChain) {
    for index in 0..<state.pointee.nextQueue.count {
      let entry = state.pointee.nextQueue[index]
      guard isLive(entry) else { continue }
      nodes[Int(entry.node)].flags.remove(.queued)
      catchUp(entry.node)
    }
    state.pointee.nextQueue.truncate(to: 0)
    chain.isCutOff = true
    state.pointee.graph.report(.pingPong(nodes: chain.busy, turns: Graph.turnLimit))
  }

  private func observedName(_ id: Int32) -> String {
    let edge = nodes[Int(id)].dependencies
    if let own = nodes[Int(id)].work?.name { return own }
    return edge >= 0 ? name(of: edges[Int(edge)].dependency) : name(of: id)
  }
}

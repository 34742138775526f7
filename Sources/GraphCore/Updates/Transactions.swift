extension Arena {
  /// The beginning of a transaction: values saved after it belong to it.
  @usableFromInline
  struct Mark {
    let saved: Int32
    let outer: UInt32
  }

  @usableFromInline
  func beginTransaction() -> Mark {
    let mark = Mark(saved: state.pointee.undo.count, outer: state.pointee.transaction)
    state.pointee.transactionDepth += 1
    // Zero marks a node that no transaction has saved.
    state.pointee.lastTransaction = max(state.pointee.lastTransaction &+ 1, 1)
    state.pointee.transaction = state.pointee.lastTransaction
    return mark
  }

  @usableFromInline
  func commit(_ mark: Mark) {
    end(mark)
    if state.pointee.transactionDepth > 0 { return }
    settleStaged()
    while !state.pointee.undo.isEmpty { close(state.pointee.undo.removeLast(), .forget) }
    if state.pointee.flushesAutomatically { flush() }
  }

  @usableFromInline
  func rollBack(_ mark: Mark) {
    while state.pointee.undo.count > mark.saved {
      close(state.pointee.undo.removeLast(), .restore)
    }
    end(mark)
    if state.pointee.transactionDepth == 0, state.pointee.flushesAutomatically { flush() }
  }

  /// Compares what was written to nodes that ask once. A comparison may drop its own node, which is
  /// kept until all are done.
  private func settleStaged() {
    state.pointee.checks &+= 1
    for index in 0..<state.pointee.undo.count {
      let id = state.pointee.undo[index].node
      if id >= 0, nodes[Int(id)].flags.contains(.asksOnce) { settle(id) }
    }
    state.pointee.checks &-= 1
    reapIfIdle()
  }

  private func end(_ mark: Mark) {
    state.pointee.transactionDepth -= 1
    state.pointee.transaction = mark.outer
  }

  private func close(_ entry: UndoEntry, _ operation: NodeOperation) {
    guard entry.node >= 0 else { return }
    state.pointee.restoresDirty = entry.wasDirty
    nodes[Int(entry.node)].count = 0
    _ = nodes[Int(entry.node)].work?(operation, entry.value)
  }

  /// Saves a stored node's value once per transaction, before its first write there.
  @inlinable
  func saveForRollback(_ id: Int32) {
    if nodes[Int(id)].count != state.pointee.transaction { save(id) }
  }

  @usableFromInline
  func save(_ id: Int32) {
    nodes[Int(id)].count = state.pointee.transaction
    _ = nodes[Int(id)].work?(.save)
  }

  @usableFromInline
  func didSave(_ id: Int32, _ value: UnsafeMutableRawPointer) {
    let wasDirty = nodes[Int(id)].flags.contains(.dirty)
    state.pointee.undo.append(UndoEntry(value: value, node: id, wasDirty: wasDirty))
  }

  /// Drops the old values that a transaction holds of a node that ends.
  func forgetSaved(of id: Int32) {
    for index in 0..<state.pointee.undo.count where state.pointee.undo[index].node == id {
      close(state.pointee.undo[index], .forget)
      state.pointee.undo[index].node = -1
    }
  }
}

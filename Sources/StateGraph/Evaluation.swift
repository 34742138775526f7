extension Arena {
  /// Evaluates a computed node, on a new stack where the present one might not have the room.
  func evaluateWithRoom(_ id: Int32) -> Bool {
    guard DeepStack.isNeeded(atDepth: state.pointee.rulesRunning) else { return evaluate(id) }
    return DeepStack.run { evaluate(id) }
  }

  @inline(__always)
  private func evaluate(_ id: Int32) -> Bool {
    let node = nodes + Int(id)
    guard let work = node.pointee.work else { return false }
    node.pointee.flags =
      node.pointee.flags.subtracting([.dirty, .pending, .checking]).union(.running)
    state.pointee.path.append(~id)
    state.pointee.rulesRunning &+= 1
    let outer = beginTracking(id)
    let changed = work._withUnsafeGuaranteedRef { $0(.update) }
    endTracking(id, outer: outer)
    state.pointee.rulesRunning &-= 1
    _ = state.pointee.path.removeLast()
    let after = nodes + Int(id)
    let flags = after.pointee.flags
    after.pointee.flags = flags.subtracting([.running, .cyclic])
    after.pointee.count &+= 1
    if flags.contains(.released) { reapIfIdle() }
    return changed
  }

  /// Records reads for this node from here on; the answer restores what was recorded before.
  @usableFromInline
  @inline(__always)
  func beginTracking(_ id: Int32) -> (active: Int32, version: Int) {
    let outer = (state.pointee.active, state.pointee.activeVersion)
    nodes[Int(id)].lastDependency = -1
    state.pointee.lastVersion &+= 1
    state.pointee.activeVersion = state.pointee.lastVersion
    state.pointee.active = id
    return outer
  }

  @usableFromInline
  @inline(__always)
  func endTracking(_ id: Int32, outer: (active: Int32, version: Int)) {
    state.pointee.active = outer.active
    state.pointee.activeVersion = outer.version
    purgeUnread(of: id)
  }

  @inlinable
  func untracked<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = state.pointee.active
    state.pointee.active = -1
    defer { state.pointee.active = outer }
    return try body()
  }

  // MARK: cycles

  /// A node was read while it was being evaluated or checked. Every node on the way back to it
  /// keeps its value, or takes its fallback, so that the outcome does not depend on which of them
  /// was read first.
  func meetCycle(_ id: Int32) {
    var members: [Int32] = []
    var index = state.pointee.path.count
    while index > 0 {
      index -= 1
      let entry = state.pointee.path[index]
      members.append(entry < 0 ? ~entry : edges[Int(entry)].subscriber)
      if members.last == id { break }
    }
    for member in members { nodes[Int(member)].flags.insert(.cyclic) }
    let path = (members.reversed() + [id]).map(name(of:))
    state.pointee.graph.onDiagnostic?(.cycle(path: path))
    let hasValue = nodes[Int(id)].work?._withUnsafeGuaranteedRef { $0(.fallBack) }
    if hasValue != true {
      fatalError(
        "A computed node without a fallback needs its own first value: "
          + path.joined(separator: " → "))
    }
  }

  /// The name its maker gave a node, or its number.
  @usableFromInline
  func name(of id: Int32) -> String {
    nodes[Int(id)].work?.takeUnretainedValue().name ?? "node \(id)"
  }
}

extension Arena {
  /// Evaluates a computed node, on a new stack where the present one might not have the room.
  func evaluateWithRoom(_ id: Int32) -> Bool {
    let depth = state.pointee.evaluationDepth
    state.pointee.evaluationDepth = depth + 1
    defer { state.pointee.evaluationDepth = depth }
    guard DeepStack.isNeeded(atDepth: Int(depth)) else { return evaluate(id) }
    return DeepStack.run { evaluate(id) }
  }

  @inline(__always)
  private func evaluate(_ id: Int32) -> Bool {
    guard let work = nodes[Int(id)].work else { return false }
    nodes[Int(id)].flags.remove([.dirty, .pending, .checking])
    nodes[Int(id)].flags.insert(.running)
    state.pointee.path.append(~id)
    state.pointee.rulesRunning += 1
    let outer = beginTracking(id)
    let changed = work._withUnsafeGuaranteedRef { $0.body(.update, nil) }
    endTracking(id, outer: outer)
    state.pointee.rulesRunning -= 1
    _ = state.pointee.path.removeLast()
    nodes[Int(id)].flags.remove([.running, .cyclic])
    nodes[Int(id)].count &+= 1
    if nodes[Int(id)].flags.contains(.released) { reapIfIdle() }
    return changed
  }

  /// Records reads for this node from here on; the answer restores what was recorded before.
  @usableFromInline
  func beginTracking(_ id: Int32) -> (active: Int32, version: Int) {
    let outer = (state.pointee.active, state.pointee.activeVersion)
    nodes[Int(id)].lastDependency = -1
    state.pointee.lastVersion += 1
    state.pointee.activeVersion = state.pointee.lastVersion
    state.pointee.active = id
    return outer
  }

  @usableFromInline
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
    let hasValue = nodes[Int(id)].work?._withUnsafeGuaranteedRef { $0.body(.fallBack, nil) }
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

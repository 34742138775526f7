extension Arena {
  /// Evaluates a computed node.
  @inline(__always)
  func evaluate(_ id: Int32) -> Bool {
    let node = nodes + Int(id)
    guard let work = node.pointee.work else { return false }
    node.pointee.flags =
      node.pointee.flags.subtracting([.dirty, .pending, .checking]).union(.running)
    let outer = beginTracking(id)
    let changed = work(.update)
    endTracking(id, outer: outer)
    let after = nodes + Int(id)
    let flags = after.pointee.flags
    after.pointee.flags = flags.subtracting([.running, .cyclic])
    after.pointee.count &+= 1
    if flags.contains(.released) { reapIfIdle() }
    return changed
  }

  /// Records reads for this node from here on; returns the state to restore.
  @usableFromInline
  @inline(__always)
  func beginTracking(_ id: Int32) -> (active: Int32, version: Int) {
    let outer = (state.pointee.active, state.pointee.activeVersion)
    nodes[Int(id)].nextRead = nodes[Int(id)].dependencies
    state.pointee.lastVersion &+= 1
    state.pointee.activeVersion = state.pointee.lastVersion
    state.pointee.active = id
    noteEntry()
    return outer
  }

  @usableFromInline
  @inline(__always)
  func endTracking(_ id: Int32, outer: (active: Int32, version: Int)) {
    state.pointee.active = outer.active
    state.pointee.activeVersion = outer.version
    noteExit()
    purgeUnread(of: id)
  }

  /// Runs what follows as a handler, whose reads are not recorded.
  @inline(__always)
  func beginUntracked() {
    state.pointee.active = Arena.untracking(state.pointee.active)
    noteEntry()
  }

  @inline(__always)
  func endUntracked(_ outer: Int32) {
    state.pointee.active = outer
    noteExit()
  }

  @inlinable
  func untracked<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = state.pointee.active
    state.pointee.active = Arena.untracking(outer)
    defer { state.pointee.active = outer }
    return try body()
  }

  /// Returns the number that means "reads are not recorded" and still remembers the node.
  @inlinable
  static func untracking(_ active: Int32) -> Int32 { active >= 0 ? ~active - 1 : active }

  /// The innermost rule or group on the stack, even if its reads are not recorded.
  var innermost: Int32? {
    let active = state.pointee.active
    return active >= 0 ? active : active == -1 ? nil : ~(active + 1)
  }

  /// The rule on the stack, unless something that may write runs inside it.
  var runningRule: Int32? {
    guard let id = innermost, nodes[Int(id)].flags.contains(.computed) else { return nil }
    return id
  }

  // MARK: cycles

  /// Handles a read of a node during its own evaluation or check. Every node of the cycle keeps its
  /// value, or takes its fallback. So the result does not depend on which of them was read first.
  func meetCycle(_ id: Int32) {
    var members: [Int32] = []
    if let innermost { members.append(innermost) }
    var index = state.pointee.path.count
    while index > 0, members.last != id {
      index -= 1
      let entry = state.pointee.path[index]
      members.append(entry < 0 ? ~entry : edges[Int(entry)].subscriber)
    }
    if members.last != id { members.append(id) }
    for member in members where nodes[Int(member)].flags.contains(.computed) {
      nodes[Int(member)].flags.insert(.cyclic)
    }
    let path = (members.reversed() + [id]).map(name(of:))
    state.pointee.graph.report(.cycle(path: path))
    let hasValue = nodes[Int(id)].work?(.fallBack)
    if hasValue != true {
      fatalError(
        "A computed node without a fallback needs its own first value: "
          + path.joined(separator: " → "))
    }
  }

  /// Returns the name of a node, or its number.
  @usableFromInline
  func name(of id: Int32) -> String {
    nodes[Int(id)].work?.name ?? "node \(id)"
  }
}

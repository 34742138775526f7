/// A node of one graph that stands for a node of another one, which a rule here has read.
///
/// The other graph has a watcher. When that node changes, the watcher marks the readers here before
/// any handler runs there, and delivers here after them.
final class Bridge {
  let node: Stored<Void>
  private var watcher: AnyCancellable?

  init(in graph: Graph, to foreign: Arena, _ id: Int32) {
    node = Stored(graph: graph, (), name: nil, areEqual: neverEqual)
    let number = foreign.addNode(.watcher)
    foreign.install(BridgeWork(number, in: foreign, node).work)
    let outer = foreign.beginTracking(number)
    foreign.link(id)
    foreign.endTracking(number, outer: outer)
    watcher = AnyCancellable(graph: foreign.state.pointee.graph, watcher: number)
  }
}

/// The record of a bridge's watcher in the other graph.
private typealias BridgeWork = TypedWork<BridgePayload, Void>

private struct BridgePayload: ~Copyable {
  let node: Stored<Void>

  /// Marks the readers of the bridge.
  borrowing func mark() {
    node.arena.alone {
      StoredWork.write((), to: node.slot, id: node.id, in: node.arena)
      node.arena.propagate(from: node.id)
    }
  }

  borrowing func deliver() { node.graph.flush() }
}

extension TypedWork where Payload == BridgePayload, Value == Void {
  fileprivate init(_ id: Int32, in arena: Arena, _ node: Stored<Void>) {
    self.init(
      NodeWork.Header(id, in: arena, name: nil) { work, operation, _ in
        Self(work).perform(operation)
      },
      BridgePayload(node: node), values: 0)
  }

  private func perform(_ operation: NodeOperation) -> Bool {
    switch operation {
    case .stage:
      record.pointee.payload.mark()
      return true
    case .deliver: record.pointee.payload.deliver()
    case .destroy: destroy(values: 0)
    case .update, .save, .forget, .restore, .rebase, .fallBack, .close: break
    }
    return false
  }
}

/// A node of another graph. A later node may have its number, but not its place in the order of
/// registration.
struct BridgeKey: Hashable {
  let graph: ObjectIdentifier
  let sequence: Int
}

extension Arena {
  /// Notes that a rule or group of this graph runs, so that a read of another graph finds it.
  @inline(__always)
  func noteEntry() {
    #if DEBUG
      ThreadState.current.running.append(self)
    #endif
    if isShared { noteShared(1) }
  }

  @inline(__always)
  func noteExit() {
    #if DEBUG
      ThreadState.current.running.removeLast()
    #endif
    if isShared { noteShared(-1) }
  }

  // Inlined, it would crowd other code out of the evaluation of a graph of one thread.
  @inline(never)
  private func noteShared(_ change: Int) {
    ThreadState.place._withUnsafeGuaranteedRef { $0.sharedDepth += change }
  }

  /// True while this thread runs a rule, group or handler of the shared graph.
  var isRunByThisThread: Bool {
    ThreadState.place._withUnsafeGuaranteedRef { $0.sharedDepth > 0 }
  }

  /// Handles a read that no rule of this graph makes. A rule of the shared graph follows the node
  /// over a bridge. For a rule of another graph it is a problem, which debug builds report.
  @usableFromInline
  func checkForeignRead(of id: Int32) {
    guard let reader = ThreadState.runningArena, reader.state != state else { return }
    let active = reader.state.pointee.active
    guard active >= 0 else { return }
    if reader.isShared { return reader.follow(self, id) }
    reader.state.pointee.graph.report(
      .foreignRead(node: name(of: id), in: reader.name(of: active)))
  }

  private func follow(_ foreign: Arena, _ id: Int32) {
    guard let work = foreign.nodes[Int(id)].work else { return }
    let graph = state.pointee.graph
    graph.removeUnreadBridges()
    let key = BridgeKey(
      graph: ObjectIdentifier(foreign.state.pointee.graph), sequence: work.sequence)
    let bridge = graph.bridges[key] ?? Bridge(in: graph, to: foreign, id)
    graph.bridges[key] = bridge
    willRead(bridge.node.id)
  }
}

extension Graph {
  /// Ends the watchers in other graphs that no rule here needs any more.
  func removeUnreadBridges() {
    if bridges.isEmpty { return }
    bridges = bridges.filter { $0.value.node.subscriberCount > 0 }
  }
}

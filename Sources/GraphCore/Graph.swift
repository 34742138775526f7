import CThreadState

/// A graph of stored and computed values that keeps derived values consistent.
///
/// A write only marks the dependent nodes as perhaps stale. A read or a flush then evaluates what
/// is needed, each node at most once. Observers receive real changes in the order in which they
/// were registered.
///
/// A graph, its nodes and its observers are not `Sendable`: the compiler keeps them in one
/// isolation region, such as an actor. Nodes that are made without a graph are in the shared one.
/// Each region uses nodes of its own there, from any thread.
public final class Graph {
  /// The number of turns that one change may cause. Then observers that trigger each other are cut
  /// off.
  public static let turnLimit = 1_000

  @usableFromInline let arena: Arena

  /// A callback for problems with the rules and handlers of this graph. Without one, debug builds
  /// write them to standard error.
  public var onDiagnostic: ((GraphDiagnostic) -> Void)?

  /// The nodes of other graphs that rules of this one read. Each cancellation asks for them, and a
  /// check of the access would cost as much as the rest of it.
  @exclusivity(unchecked) var bridges: [BridgeKey: Bridge] = [:]

  /// Makes an empty graph.
  public convenience init() { self.init(isShared: false) }

  private init(isShared: Bool) {
    var memory = GraphMemory()
    arena = Arena(state: memory.allocate(ArenaState.self, capacity: 1))
    arena.state.initialize(to: ArenaState(graph: self, isShared: isShared, in: memory))
  }

  deinit {
    ArenaState.destroy(arena.state)
  }

  /// The graph of property wrappers and of nodes that are made without a graph. Several threads may
  /// use it at a time, each with nodes of its own region.
  ///
  /// Rules, handlers and transactions run one thread at a time here. A handler must not wait for
  /// another thread that uses the graph.
  public nonisolated(unsafe) static let shared = Graph(isShared: true)

  /// The graph of a new group or map that names none: that of the group in which it is made.
  @usableFromInline package static var ofNewWatchers: Graph {
    ThreadState.current.groupGraph ?? .shared
  }

  /// True if a write outside a transaction is delivered at once; otherwise `flush` delivers.
  public var flushesAutomatically: Bool {
    get { arena.state.pointee.flushesAutomatically }
    set { arena.state.pointee.flushesAutomatically = newValue }
  }

  /// The number of delivered turns. The writes of a handler are delivered in the next generation.
  public var generation: Int { arena.state.pointee.generation }

  /// The turn of the running flush: 1 for writes from outside, 2 for writes of the handlers of turn
  /// 1, and so on; 0 outside of a flush.
  public var turn: Int { arena.state.pointee.turn }

  /// The number of live nodes and observers.
  public var nodeCount: Int { Int(arena.state.pointee.liveNodes) }
  /// The number of recorded reads between nodes and observers.
  public var edgeCount: Int { Int(arena.state.pointee.liveEdges) }

  /// Returns how often a node's rule has run.
  public func recomputeCount<Value>(of node: GraphNode<Value>) -> Int {
    node is Computed<Value> ? Int(arena.nodes[Int(node.id)].count) : 0
  }

  /// Delivers all changes, and their consequences, now. Inside a transaction, a rule or a handler
  /// it does nothing: those deliver when they end.
  public func flush() {
    arena.alone { arena.flush() }
  }

  /// Runs the body without recording its reads for the running rule or group.
  @inlinable
  public func untracked<Result>(_ body: () throws -> Result) rethrows -> Result {
    try arena.alone { try arena.untracked(body) }
  }

  /// Makes all writes of the body one change, which is delivered at its end. Reads inside see the
  /// writes. A node that is set back to its value has not changed: neither observers nor groups
  /// run. If the body throws, the writes are rolled back, and nodes that were computed from them in
  /// the body are computed again. A transaction in another is a savepoint.
  @inlinable
  public func transaction<Result>(_ body: () throws -> Result) rethrows -> Result {
    try arena.alone {
      let mark = arena.beginTransaction()
      do {
        let result = try body()
        arena.commit(mark)
        return result
      } catch {
        arena.rollBack(mark)
        throw error
      }
    }
  }
}

extension Graph {
  func report(_ diagnostic: @autoclosure () -> GraphDiagnostic) {
    if let onDiagnostic { return onDiagnostic(diagnostic()) }
    #if DEBUG
      let line = Array("StateGraph: \(diagnostic())\n".utf8)
      _ = write(STDERR_FILENO, line, line.count)
    #endif
  }
}

// MARK: - making nodes

extension Graph {
  /// Makes a stored node. An assignment of an equal value is no change.
  @inlinable
  public func stored<Value: Equatable>(_ initial: Value, name: String? = nil) -> Stored<Value> {
    Stored(graph: self, initial, name: name, areEqual: { $0 == $1 })
  }

  /// Makes a stored node whose values cannot be compared: every assignment is a change.
  @inlinable
  public func stored<Value>(_ initial: Value, name: String? = nil) -> Stored<Value> {
    Stored(graph: self, initial, name: name, areEqual: neverEqual)
  }

  /// Makes a stored node whose values are compared by a function.
  @inlinable
  public func stored<Value>(
    _ initial: Value, name: String? = nil, areEqual: @escaping (Value, Value) -> Bool
  ) -> Stored<Value> {
    Stored(graph: self, initial, name: name, areEqual: areEqual, flags: [.stored, .asksOnce])
  }

  /// Makes a computed node. If its rule reads the node itself, it keeps its last value, or takes
  /// the fallback if one is given. A node that reads itself before it has a value needs a fallback.
  /// Without one the program stops and names the path.
  @inlinable
  public func computed<Value: Equatable>(
    name: String? = nil, fallback: Value? = nil, _ rule: @escaping (Reader) -> Value
  ) -> Computed<Value> {
    Computed(comparing: self, name: name, fallback: fallback, rule)
  }

  /// Makes a computed node whose values cannot be compared: every run of its rule is a change.
  @inlinable
  public func computed<Value>(
    name: String? = nil, fallback: Value? = nil, _ rule: @escaping (Reader) -> Value
  ) -> Computed<Value> {
    Computed(graph: self, name: name, fallback: fallback, areEqual: neverEqual, rule)
  }

  /// Makes a computed node whose values are compared by a function.
  @inlinable
  public func computed<Value>(
    name: String? = nil, fallback: Value? = nil, areEqual: @escaping (Value, Value) -> Bool,
    _ rule: @escaping (Reader) -> Value
  ) -> Computed<Value> {
    Computed(graph: self, name: name, fallback: fallback, areEqual: areEqual, rule)
  }
}

/// Returns false: for values that cannot be compared, everything is a change.
@inlinable
func neverEqual<Value>(_ left: Value, _ right: Value) -> Bool { false }

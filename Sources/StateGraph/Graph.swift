/// A graph of stored and computed values that keeps everything derived consistent.
///
/// A write only marks what hangs on it as perhaps stale; a read or a flush then evaluates what is
/// needed, each node at most once, and observers hear of real changes in the order in which they
/// were registered. A graph and everything in it belongs to one thread at a time.
public final class Graph {
  /// So many turns may follow from one change before observers that keep each other busy are cut
  /// off.
  public static let turnLimit = 1_000

  @usableFromInline let arena: Arena

  /// Hears of what is wrong with the rules and handlers of this graph.
  public var onDiagnostic: ((GraphDiagnostic) -> Void)?

  public init() {
    arena = Arena(state: .allocate(capacity: 1))
    arena.state.initialize(to: ArenaState(graph: self))
  }

  deinit {
    arena.state.pointee.deallocate()
    arena.state.deinitialize(count: 1)
    arena.state.deallocate()
  }

  /// The graph that property wrappers and free functions of this thread use.
  public static var current: Graph {
    get { ThreadState.current.graph }
    set { ThreadState.current.graph = newValue }
  }

  /// True if a write outside a transaction is delivered at once; otherwise `flush` delivers.
  public var flushesAutomatically: Bool {
    get { arena.state.pointee.flushesAutomatically }
    set { arena.state.pointee.flushesAutomatically = newValue }
  }

  /// Turns delivered so far. What a handler writes is delivered in the next generation.
  public var generation: Int { arena.state.pointee.generation }

  /// The turn of the flush that is running: 1 for what was written outside, 2 for what handlers
  /// of turn 1 wrote, and so on; 0 outside of a flush.
  public var turn: Int { arena.state.pointee.turn }

  /// Nodes and observers alive, and reads recorded between them.
  public var nodeCount: Int { Int(arena.state.pointee.liveNodes) }
  public var edgeCount: Int { Int(arena.state.pointee.liveEdges) }

  /// How often a node's rule has run.
  public func recomputeCount<Value>(of node: GraphNode<Value>) -> Int {
    node is Computed<Value> ? Int(arena.nodes[Int(node.id)].count) : 0
  }

  /// Delivers all changes, and what follows from them, now. Inside a transaction, a rule or a
  /// handler it does nothing: those deliver when they are over.
  public func flush() {
    arena.flush()
  }

  /// Reads inside are not recorded by the rule or group that is running.
  @inlinable
  public func untracked<Result>(_ body: () throws -> Result) rethrows -> Result {
    try arena.untracked(body)
  }

  /// Makes all writes of the body one change, delivered when it is over. Reads inside see them; if
  /// the body throws they are taken back as though they had not been. A transaction in another is
  /// a savepoint.
  @inlinable
  public func transaction<Result>(_ body: () throws -> Result) rethrows -> Result {
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

// MARK: - making nodes

extension Graph {
  @inlinable
  public func stored<Value: Equatable>(_ initial: Value, name: String? = nil) -> Stored<Value> {
    Stored(graph: self, initial, name: name, areEqual: { $0 == $1 })
  }

  /// A node whose values cannot be compared: every assignment is a change.
  @inlinable
  public func stored<Value>(_ initial: Value, name: String? = nil) -> Stored<Value> {
    Stored(graph: self, initial, name: name, areEqual: neverEqual)
  }

  @inlinable
  public func stored<Value>(
    _ initial: Value, name: String? = nil, areEqual: @escaping (Value, Value) -> Bool
  ) -> Stored<Value> {
    Stored(graph: self, initial, name: name, areEqual: areEqual)
  }

  /// A computed node. Should its rule come to read the node itself, it keeps its last value, or
  /// takes the fallback where one is given. A node that reads itself before it ever had a value
  /// needs a fallback: without one there is nothing to go on with, and the program stops, naming
  /// the path.
  @inlinable
  public func computed<Value: Equatable>(
    name: String? = nil, fallback: Value? = nil, _ rule: @escaping (Reader) -> Value
  ) -> Computed<Value> {
    Computed(comparing: self, name: name, fallback: fallback, rule)
  }

  @inlinable
  public func computed<Value>(
    name: String? = nil, fallback: Value? = nil, _ rule: @escaping (Reader) -> Value
  ) -> Computed<Value> {
    Computed(graph: self, name: name, fallback: fallback, areEqual: neverEqual, rule)
  }

  @inlinable
  public func computed<Value>(
    name: String? = nil, fallback: Value? = nil, areEqual: @escaping (Value, Value) -> Bool,
    _ rule: @escaping (Reader) -> Value
  ) -> Computed<Value> {
    Computed(graph: self, name: name, fallback: fallback, areEqual: areEqual, rule)
  }
}

/// For values that cannot be compared: everything is a change.
@inlinable
func neverEqual<Value>(_ left: Value, _ right: Value) -> Bool { false }

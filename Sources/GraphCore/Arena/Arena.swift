/// The storage of one graph: nodes and edges as integers into contiguous raw memory.
///
/// It is a trivial handle rather than a class or an inout struct. User code runs in the middle of
/// almost every operation and may change the memory that the operation walks. So each access reads
/// the state again through the pointer.
@frozen
@usableFromInline
struct Arena {
  @usableFromInline let state: UnsafeMutablePointer<ArenaState>

  @inlinable
  init(state: UnsafeMutablePointer<ArenaState>) {
    self.state = state
  }

  @inlinable var nodes: UnsafeMutablePointer<NodeRecord> { state.pointee.nodes }
  @inlinable var edges: UnsafeMutablePointer<EdgeRecord> { state.pointee.edges }
}

/// The record of a node, by its number; half a cache line.
@frozen
@usableFromInline
struct NodeRecord {
  @usableFromInline var flags: NodeFlags
  @usableFromInline var dependencies: Int32
  /// The edge of the next expected read, while the node's reads are recorded.
  @usableFromInline var nextRead: Int32
  @usableFromInline var subscribers: Int32
  @usableFromInline var lastSubscriber: Int32
  /// For a computed node, the number of evaluations; for a stored node, the transaction that last
  /// saved its value.
  @usableFromInline var count: UInt32
  @usableFromInline var work: NodeWork?
}

/// One "subscriber read dependency". It is a member of two linked lists: the dependencies of the
/// one and the subscribers of the other.
///
/// The previous dependency of the first one is the last one, so that a read is added at the end
/// without a search.
@frozen
@usableFromInline
struct EdgeRecord {
  @usableFromInline var version: Int
  @usableFromInline var dependency: Int32
  @usableFromInline var subscriber: Int32
  @usableFromInline var previousDependency: Int32
  @usableFromInline var nextDependency: Int32
  @usableFromInline var previousSubscriber: Int32
  @usableFromInline var nextSubscriber: Int32

  /// True if nothing else reads the dependency.
  var isOnlySubscriber: Bool { previousSubscriber & nextSubscriber < 0 }
}

@frozen
@usableFromInline
struct NodeFlags: OptionSet {
  @usableFromInline let rawValue: UInt32

  @inlinable
  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The node is certainly stale.
  @inlinable static var dirty: NodeFlags { NodeFlags(rawValue: 1) }
  /// The node is perhaps stale: something further up changed.
  @inlinable static var pending: NodeFlags { NodeFlags(rawValue: 2) }
  /// The node's rule, body or handler is on the stack.
  @inlinable static var running: NodeFlags { NodeFlags(rawValue: 4) }
  /// The node's dependencies are being checked.
  @inlinable static var checking: NodeFlags { NodeFlags(rawValue: 8) }
  /// The node reached itself during the running evaluation.
  @inlinable static var cyclic: NodeFlags { NodeFlags(rawValue: 16) }
  /// The node is computed and holds a value.
  @inlinable static var valued: NodeFlags { NodeFlags(rawValue: 32) }
  /// The node waits in the queue of the next turn.
  @inlinable static var queued: NodeFlags { NodeFlags(rawValue: 64) }
  /// The node's own handler wrote what it observes.
  @inlinable static var selfWritten: NodeFlags { NodeFlags(rawValue: 128) }
  /// The node's owner released it; it is destroyed as soon as nothing uses it.
  @inlinable static var released: NodeFlags { NodeFlags(rawValue: 256) }
  @inlinable static var stored: NodeFlags { NodeFlags(rawValue: 512) }
  @inlinable static var computed: NodeFlags { NodeFlags(rawValue: 1024) }
  /// The node is an observer or a tracking group: the end of a wave.
  @inlinable static var watcher: NodeFlags { NodeFlags(rawValue: 2048) }
  /// The node is a watcher that tracks what its body reads.
  @inlinable static var group: NodeFlags { NodeFlags(rawValue: 4096) }
  /// The node is a watcher that waits for the next turn of an actor.
  @inlinable static var deferred: NodeFlags { NodeFlags(rawValue: 8192) }
  /// The node is stored and compared by a function of its owner, which is asked once per
  /// transaction.
  @inlinable static var asksOnce: NodeFlags { NodeFlags(rawValue: 16384) }

  @inlinable static var stale: NodeFlags { [.dirty, .pending] }
  /// The flags that keep a read from simply taking the value.
  @inlinable static var unsettled: NodeFlags { [.dirty, .pending, .running, .checking] }
}

/// The operations that the arena calls on a node without knowing the type of its value.
@frozen
@usableFromInline
enum NodeOperation {
  /// Computed: evaluate. Stored: make the new value current. Returns whether it changed.
  case update
  /// Watcher: read the settled value. Returns whether there is something to deliver.
  case stage
  case deliver
  /// Watcher: treat the present value as the last delivered one.
  case rebase
  /// Stored: copy the value for a rollback, drop the copy, restore it.
  case save, forget, restore
  /// Computed: stop evaluating and take the fallback. Returns whether there is a value.
  case fallBack
  /// Group: end what the body has begun, and begin nothing more.
  case close
  case destroy
}

@usableFromInline
struct QueueEntry: BitwiseCopyable {
  var sequence: Int
  var node: Int32
  var isDue = false
  /// True for a watcher that has cancelled itself in this turn, which is delivered nevertheless.
  var isLast = false
}

struct UndoEntry: BitwiseCopyable {
  var value: UnsafeMutableRawPointer
  var node: Int32
  var wasDirty: Bool
}

@usableFromInline
struct ArenaState {
  @usableFromInline var nodes: UnsafeMutablePointer<NodeRecord>
  @usableFromInline var edges: UnsafeMutablePointer<EdgeRecord>
  /// True if several threads may use the graph; then there is a lock.
  @usableFromInline let isShared: Bool
  /// The node whose reads are being recorded. -1 means none; other negative numbers mean a node
  /// whose reads are not recorded at the moment.
  @usableFromInline var active: Int32 = -1
  @usableFromInline var activeVersion = 0
  @usableFromInline var transactionDepth: Int32 = 0
  @usableFromInline var flushesAutomatically = true
  /// The number of handlers and bodies on the stack; their writes wait for the next turn.
  var delivering: Int32 = 0
  var isFlushing = false
  var checks: Int32 = 0
  var settlingDepth: Int32 = 0
  /// The innermost open transaction, and the last one that was opened.
  @usableFromInline var transaction: UInt32 = 0
  var lastTransaction: UInt32 = 0
  /// True if the value being restored replaced one that was not yet current.
  var restoresDirty = false
  var lastVersion = 0
  var lastSequence = 0
  var generation = 0
  var turn = 0

  var nodeCount: Int32 = 0
  var nodeCapacity: Int32
  var freeNode: Int32 = -1
  var edgeCount: Int32 = 0
  var edgeCapacity: Int32
  var freeEdge: Int32 = -1
  var liveNodes: Int32 = 0
  var liveEdges: Int32 = 0

  /// The path from the outermost read to here, which names a cycle. It has the edges that a check
  /// descends and, as ~node, the nodes whose rule read a stale node.
  var path: RawStack<Int32>
  var branches = RawStack<Int32>()
  var queue: RawStack<QueueEntry>
  var nextQueue: RawStack<QueueEntry>
  var undo = RawStack<UndoEntry>()
  var graveyard: RawStack<Int32>
  var isReaping = false
  var propertyNesting = PropertyNesting()
  var memory: GraphMemory
  unowned(unsafe) let graph: Graph
  let lock: GraphLock?

  static let firstNodes: Int32 = 16
  static let firstEdges: Int32 = 16

  /// Makes the state of a new graph, for a place in the memory that it then has.
  init(graph: Graph, isShared: Bool, in memory: consuming GraphMemory) {
    self.graph = graph
    self.isShared = isShared
    lock = isShared ? GraphLock() : nil
    nodeCapacity = Self.firstNodes
    edgeCapacity = Self.firstEdges
    nodes = memory.allocate(NodeRecord.self, capacity: Self.firstNodes)
    edges = memory.allocate(EdgeRecord.self, capacity: Self.firstEdges)
    path = RawStack(in: &memory)
    queue = RawStack(in: &memory)
    nextQueue = RawStack(in: &memory)
    graveyard = RawStack(in: &memory)
    self.memory = memory
  }

  /// Ends the state and its memory. Handles and tokens keep the graph, so no node is left.
  static func destroy(_ state: UnsafeMutablePointer<ArenaState>) {
    state.pointee.deallocateBlocks()
    var memory = state.pointee.memory
    state.deinitialize(count: 1)
    memory.deallocate()
  }

  private mutating func deallocateBlocks() {
    if nodeCapacity > Self.firstNodes { nodes.deallocate() }
    if edgeCapacity > Self.firstEdges { edges.deallocate() }
    path.deallocate()
    branches.deallocate()
    queue.deallocate()
    nextQueue.deallocate()
    undo.deallocate()
    graveyard.deallocate()
  }
}

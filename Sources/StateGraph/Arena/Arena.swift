/// The storage of one graph: nodes and edges as integers into contiguous raw memory.
///
/// A trivial handle rather than a class or an inout struct, because user code runs in the middle of
/// almost every operation and may change the very memory that operation walks: each access reads
/// the state anew through the pointer.
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

/// What a node's number leads to; half a cache line.
@frozen
@usableFromInline
struct NodeRecord {
  @usableFromInline var flags: NodeFlags
  @usableFromInline var dependencies: Int32
  @usableFromInline var lastDependency: Int32
  @usableFromInline var subscribers: Int32
  @usableFromInline var lastSubscriber: Int32
  /// Evaluations of a computed node; for a stored node, the transaction that last saved its value.
  @usableFromInline var count: UInt32
  @usableFromInline var work: Unmanaged<NodeWork>?
}

/// One "subscriber read dependency", member of two linked lists: the dependencies of the one and
/// the subscribers of the other.
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
}

@frozen
@usableFromInline
struct NodeFlags: OptionSet {
  @usableFromInline let rawValue: UInt32

  @inlinable
  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Surely stale.
  @inlinable static var dirty: NodeFlags { NodeFlags(rawValue: 1) }
  /// Perhaps stale: something further up changed.
  @inlinable static var pending: NodeFlags { NodeFlags(rawValue: 2) }
  /// Its rule, body or handler is on the stack.
  @inlinable static var running: NodeFlags { NodeFlags(rawValue: 4) }
  /// Its dependencies are being checked.
  @inlinable static var checking: NodeFlags { NodeFlags(rawValue: 8) }
  /// Reached itself during the running evaluation.
  @inlinable static var cyclic: NodeFlags { NodeFlags(rawValue: 16) }
  /// A computed node that holds a value.
  @inlinable static var valued: NodeFlags { NodeFlags(rawValue: 32) }
  /// Waits in the queue of the next turn.
  @inlinable static var queued: NodeFlags { NodeFlags(rawValue: 64) }
  /// Its own handler wrote what it observes.
  @inlinable static var selfWritten: NodeFlags { NodeFlags(rawValue: 128) }
  /// Dropped by its owner, to be destroyed as soon as nothing uses it.
  @inlinable static var released: NodeFlags { NodeFlags(rawValue: 256) }
  @inlinable static var stored: NodeFlags { NodeFlags(rawValue: 512) }
  @inlinable static var computed: NodeFlags { NodeFlags(rawValue: 1024) }
  /// An observer or a tracking group: the end of a wave.
  @inlinable static var watcher: NodeFlags { NodeFlags(rawValue: 2048) }
  /// A watcher that tracks what its body reads.
  @inlinable static var group: NodeFlags { NodeFlags(rawValue: 4096) }

  @inlinable static var stale: NodeFlags { [.dirty, .pending] }
  /// Everything that keeps a read from simply taking the value.
  @inlinable static var unsettled: NodeFlags { [.dirty, .pending, .running, .checking] }
}

/// What the arena may ask of a node without knowing the type of its value.
@frozen
@usableFromInline
enum NodeOperation {
  /// Computed: evaluate; stored: take the new value for current. Answers whether it changed.
  case update
  /// Watcher: look at the settled value; answers whether there is something to deliver.
  case stage
  case deliver
  /// Watcher: take the present value for the last delivered one.
  case rebase
  /// Stored: copy the value for a rollback, drop the copy, put it back.
  case save, forget, restore
  /// Computed: give up on evaluating and take the fallback; answers whether there is a value.
  case fallBack
  case destroy
}

/// The part of a node that knows the type of its value; subclasses hold what it needs.
///
/// Reached through one function made where the type is known, since that is specialised there. A
/// method that subclasses override would not be, and costs nine times as much.
@usableFromInline
class NodeWork {
  @usableFromInline
  typealias Body = (NodeWork, NodeOperation, UnsafeMutableRawPointer?) -> Bool

  @usableFromInline final let body: Body
  @usableFromInline final let arena: Arena
  @usableFromInline final let id: Int32
  @usableFromInline final let name: String?
  /// The place in the order of registration.
  @usableFromInline final let sequence: Int

  @usableFromInline
  init(_ id: Int32, in arena: Arena, name: String?, body: @escaping Body) {
    arena.state.pointee.lastSequence += 1
    self.arena = arena
    self.id = id
    self.name = name
    self.body = body
    sequence = arena.state.pointee.lastSequence
  }

  @inlinable
  @inline(__always)
  final func callAsFunction(
    _ operation: NodeOperation, _ value: UnsafeMutableRawPointer? = nil
  ) -> Bool {
    body(self, operation, value)
  }
}

@usableFromInline
struct QueueEntry: BitwiseCopyable {
  var sequence: Int
  var node: Int32
  var isDue = false
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
  /// The node whose reads are being recorded; -1 for none, other negative numbers for one whose
  /// reads are not recorded just now.
  @usableFromInline var active: Int32 = -1
  @usableFromInline var activeVersion = 0
  @usableFromInline var transactionDepth: Int32 = 0
  @usableFromInline var flushesAutomatically = true
  /// Handlers and bodies on the stack; their writes wait for the next turn.
  var delivering: Int32 = 0
  var isFlushing = false
  var checks: Int32 = 0
  var settlingDepth: Int32 = 0
  /// The innermost open transaction, and the last one that was opened.
  @usableFromInline var transaction: UInt32 = 0
  var lastTransaction: UInt32 = 0
  /// True if the value being put back replaced one that was not yet current.
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

  /// Edges being descended while checking, and (as ~node) nodes whose rule read a stale node: the
  /// way from the outermost read to here, which names a cycle when one is met.
  var path = RawStack<Int32>()
  var branches = RawStack<Int32>()
  var queue = RawStack<QueueEntry>()
  var nextQueue = RawStack<QueueEntry>()
  var undo = RawStack<UndoEntry>()
  var graveyard = RawStack<Int32>()
  var isReaping = false
  var slots = ValueSlots()
  unowned(unsafe) let graph: Graph

  static let firstNodes: Int32 = 16
  static let firstEdges: Int32 = 16

  init(graph: Graph) {
    self.graph = graph
    nodeCapacity = Self.firstNodes
    edgeCapacity = Self.firstEdges
    nodes = .allocate(capacity: Int(Self.firstNodes))
    edges = .allocate(capacity: Int(Self.firstEdges))
  }

  mutating func deallocate() {
    nodes.deallocate()
    edges.deallocate()
    path.deallocate()
    branches.deallocate()
    queue.deallocate()
    nextQueue.deallocate()
    undo.deallocate()
    graveyard.deallocate()
    slots.deallocate()
  }
}

/// The part of a node that knows the type of its value, by the address of its record.
///
/// Records lie in the memory of the graph. An object for each node would be allocated and counted.
/// The arena calls a record through one function that is made with the known type, so that it is
/// specialised. An overridden method would not be, and costs nine times as much.
///
/// The arena owns a record from `install` until `destroy`, which ends it exactly once. The function
/// and the payload of a record are lent to calls of the user's code, and nothing writes them until
/// the end. No record ends during such a call: its node is running, a check is open, or the caller
/// holds the handle. So the user's code may read, write, make and drop any nodes.
@usableFromInline
struct NodeWork: BitwiseCopyable {
  @usableFromInline
  typealias Body = (NodeWork, NodeOperation, UnsafeMutableRawPointer?) -> Bool

  @usableFromInline let header: UnsafeMutablePointer<Header>

  /// The function of a record. It is not copyable, so a call borrows it and counts no reference.
  @usableFromInline
  struct Function: ~Copyable {
    @usableFromInline let body: Body

    @inlinable
    init(_ body: @escaping Body) { self.body = body }

    @inlinable
    @inline(__always)
    borrowing func callAsFunction(
      _ work: NodeWork, _ operation: NodeOperation, _ value: UnsafeMutableRawPointer?
    ) -> Bool {
      body(work, operation, value)
    }
  }

  /// The beginning of each record.
  @usableFromInline
  struct Header: ~Copyable {
    @usableFromInline let function: Function
    @usableFromInline let arena: Arena
    @usableFromInline let id: Int32
    /// The number of values that became current and differed from the one before. One that nobody
    /// compared counts twice. For an observer, the number of its node when it took the value.
    @usableFromInline var changes: UInt32 = 0
    @usableFromInline let name: String?
    /// The position in the order of registration.
    @usableFromInline let sequence: Int
    /// Where a watcher waits for a turn of an actor, if it does.
    var queue: DeliveryQueue?

    @usableFromInline
    init(_ id: Int32, in arena: Arena, name: String?, body: @escaping Body) {
      arena.state.pointee.lastSequence += 1
      self.arena = arena
      self.id = id
      self.name = name
      function = Function(body)
      sequence = arena.state.pointee.lastSequence
    }
  }

  @inlinable
  init(header: UnsafeMutablePointer<Header>) { self.header = header }

  var sequence: Int { header.pointee.sequence }
  var name: String? { header.pointee.name }

  @inlinable
  @inline(__always)
  func callAsFunction(
    _ operation: NodeOperation, _ value: UnsafeMutableRawPointer? = nil
  ) -> Bool {
    header.pointee.function(self, operation, value)
  }
}

extension Arena {
  /// Returns the number of changes of a node's value.
  @inlinable
  @inline(__always)
  func changes(of id: Int32) -> UInt32 {
    nodes[Int(id)].work.unsafelyUnwrapped.header.pointee.changes
  }
}

/// The record of a node: the header, what its kind needs, and behind that the places of its values.
@usableFromInline
struct WorkRecord<Payload: ~Copyable>: ~Copyable {
  @usableFromInline var header: NodeWork.Header
  @usableFromInline let payload: Payload

  @inlinable
  init(_ header: consuming NodeWork.Header, _ payload: consuming Payload) {
    self.header = header
    self.payload = payload
  }
}

/// A record of a known type, by its address.
@usableFromInline
struct TypedWork<Payload: ~Copyable, Value> {
  @usableFromInline let record: UnsafeMutablePointer<WorkRecord<Payload>>

  /// Takes the record of a node whose type the caller knows.
  @inlinable
  @inline(__always)
  init(_ work: NodeWork) {
    record = UnsafeMutableRawPointer(work.header)
      .assumingMemoryBound(to: WorkRecord<Payload>.self)
  }

  /// Makes a record in the memory of a graph, with places for some values.
  @inlinable
  init(
    _ header: consuming NodeWork.Header, _ payload: consuming Payload, values: Int
  ) {
    let arena = header.arena
    record = arena.allocate(bytes: Self.bytes(values: values), alignment: Self.alignment)
      .bindMemory(to: WorkRecord<Payload>.self, capacity: 1)
    record.initialize(to: WorkRecord(header, payload))
  }

  /// Ends the record; the values have been ended before.
  @inlinable
  func destroy(values: Int) {
    let arena = arena
    record.deinitialize(count: 1)
    arena.free(record, bytes: Self.bytes(values: values), alignment: Self.alignment)
  }

  @inlinable @inline(__always) var work: NodeWork {
    NodeWork(
      header: UnsafeMutableRawPointer(record).assumingMemoryBound(to: NodeWork.Header.self))
  }

  @inlinable @inline(__always) var arena: Arena { record.pointee.header.arena }
  @inlinable @inline(__always) var id: Int32 { record.pointee.header.id }

  @inlinable
  @inline(__always)
  func noteChange() { record.pointee.header.changes &+= 1 }

  /// Notes that the value may have changed, so that observers compare it.
  @inlinable
  @inline(__always)
  func noteUnknownChange() { record.pointee.header.changes &+= 2 }

  /// The place of the first value.
  @inlinable @inline(__always) var slot: UnsafeMutablePointer<Value> {
    (UnsafeMutableRawPointer(record) + Self.offset).assumingMemoryBound(to: Value.self)
  }

  @inlinable @inline(__always) static var alignment: Int {
    max(MemoryLayout<WorkRecord<Payload>>.alignment, MemoryLayout<Value>.alignment)
  }

  @inlinable @inline(__always) static var offset: Int {
    let size = MemoryLayout<WorkRecord<Payload>>.size
    return (size + MemoryLayout<Value>.alignment - 1) & ~(MemoryLayout<Value>.alignment - 1)
  }

  @inlinable
  @inline(__always)
  static func bytes(values: Int) -> Int { offset + values * MemoryLayout<Value>.stride }
}

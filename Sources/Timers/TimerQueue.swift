/// The name of one entry of a timer queue, by which it is cancelled. A queue never uses one twice.
@frozen
public struct TimerID: Hashable, Sendable {
  /// The phase (3 bits), the sequence number (37 bits) and the slot (24 bits), in this order, so
  /// that ids compare as entries that are due at one time do.
  @usableFromInline let order: UInt64

  @inlinable
  init(order: UInt64) { self.order = order }

  /// The id of no entry.
  @inlinable public static var none: TimerID { TimerID(order: 0) }

  @inlinable static var slotBits: UInt64 { 24 }
  @inlinable static var sequenceBits: UInt64 { 37 }

  @inlinable var slot: Int { Int(truncatingIfNeeded: order & ((1 << TimerID.slotBits) - 1)) }
}

/// The place of an entry in the heap, which orders by due, then by the order of the id.
@frozen
@usableFromInline
struct TimerKey {
  @usableFromInline var due: Int64
  @usableFromInline var order: UInt64

  @inlinable
  init(due: Int64, order: UInt64) {
    self.due = due
    self.order = order
  }

  @inlinable
  func isBefore(_ other: TimerKey) -> Bool {
    due != other.due ? due < other.due : order < other.order
  }
}

/// A priority queue of payloads by (due, phase, sequence): a heap of small trivial keys beside a
/// slab of payloads.
///
/// Sifting moves 16-byte keys only, four children to a cache line. Payloads stay where they are and
/// leave the queue the moment they are cancelled. A cancelled key stays in the heap until it comes
/// up, or until such keys are the majority and are swept out.
///
/// All of it can be specialised where it is used, so that a payload costs no more than in a queue
/// of its own.
@frozen
public struct TimerQueue<Payload> {
  @frozen
  @usableFromInline
  struct Slot {
    /// The order of the entry that lives here, or zero.
    @usableFromInline var order: UInt64
    @usableFromInline var payload: Payload?

    @inlinable
    init(order: UInt64, payload: Payload?) {
      self.order = order
      self.payload = payload
    }
  }

  @inlinable static var lastSequence: UInt64 { (1 << TimerID.sequenceBits) - 1 }
  /// The most entries that may wait at once.
  @inlinable public static var capacity: Int { 1 << Int(TimerID.slotBits) }
  /// The number of cancelled keys below which a sweep is not worth its time.
  @inlinable static var sweepThreshold: Int { 64 }

  @usableFromInline var waiting = 0
  @usableFromInline var heap: [TimerKey] = []
  @usableFromInline var slots: [Slot] = []
  @usableFromInline var freeSlots: [UInt32] = []
  @usableFromInline var sequence: UInt64 = 0

  @inlinable
  public init() {}

  /// The number of entries that wait; cancelled ones are not counted.
  @inlinable public var count: Int { waiting }

  /// The room that the queue takes: the entries that wait and the cancelled ones not yet swept out.
  @inlinable public var heapSize: Int { heap.count }

  /// Whether one more entry can be inserted.
  @inlinable public var hasRoom: Bool {
    count < TimerQueue.capacity && sequence < TimerQueue.lastSequence
  }

  /// The time at which the first entry is due. No cancelled key is ever left at the top.
  @inlinable public var nextDue: Int64? { heap.first?.due }

  /// Inserts a payload and returns its id. Phases are smaller than 8, and there must be room.
  @inlinable
  public mutating func insert(due: Int64, phase: UInt8 = 0, _ payload: Payload) -> TimerID {
    sequence += 1
    let slot = freeSlots.popLast() ?? UInt32(truncatingIfNeeded: slots.count)
    let order =
      UInt64(phase) << (TimerID.slotBits + TimerID.sequenceBits)
      | sequence << TimerID.slotBits | UInt64(slot)
    if Int(slot) == slots.count {
      slots.append(Slot(order: order, payload: payload))
    } else {
      slots[Int(slot)] = Slot(order: order, payload: payload)
    }
    waiting += 1
    heap.append(TimerKey(due: due, order: order))
    siftUp(from: heap.count - 1)
    return TimerID(order: order)
  }

  /// Returns the payload instead of freeing it: freeing may run code that uses the queue again.
  @inlinable
  public mutating func cancel(_ id: TimerID) -> Payload? {
    guard let payload = release(id) else { return nil }
    if heap.count > 2 * count + TimerQueue.sweepThreshold { sweep() }
    dropCancelledFromTop()
    return payload
  }

  @inlinable
  public mutating func takeNext() -> Payload? {
    guard let first = heap.first else { return nil }
    let payload = release(TimerID(order: first.order))
    removeTop()
    dropCancelledFromTop()
    return payload
  }

  /// Returns all payloads, for the same reason as `cancel`.
  @inlinable
  public mutating func takeAll() -> [Payload] {
    if slots.isEmpty { return [] }
    let payloads = slots.compactMap(\.payload)
    heap = []
    slots = []
    freeSlots = []
    waiting = 0
    return payloads
  }

  /// Gives entries other times. What is due at one time keeps its order.
  @inlinable
  public mutating func move(to time: (Int64, Payload) -> Int64) {
    for index in heap.indices {
      guard isWaiting(TimerID(order: heap[index].order)),
        let payload = slots[TimerID(order: heap[index].order).slot].payload
      else { continue }
      heap[index].due = time(heap[index].due, payload)
    }
    sweep()
    dropCancelledFromTop()
  }

  /// The times at which entries are due, each once, in their order.
  public var dueTimes: [Int64] {
    let waiting = heap.filter { isWaiting(TimerID(order: $0.order)) }
    return Set(waiting.map(\.due)).sorted()
  }

  @inlinable
  func isWaiting(_ id: TimerID) -> Bool {
    let slot = id.slot
    return id.order != 0 && slot < slots.count && slots[slot].order == id.order
  }

  @inlinable
  mutating func release(_ id: TimerID) -> Payload? {
    guard isWaiting(id) else { return nil }
    let slot = id.slot
    let payload = slots[slot].payload
    slots[slot] = Slot(order: 0, payload: nil)
    freeSlots.append(UInt32(truncatingIfNeeded: slot))
    waiting -= 1
    return payload
  }
}

// The heap proper: four children per node.
extension TimerQueue {
  @inlinable
  mutating func dropCancelledFromTop() {
    guard heap.count > count else { return }
    while let first = heap.first, !isWaiting(TimerID(order: first.order)) { removeTop() }
  }

  @inlinable
  mutating func sweep() {
    heap = heap.filter { isWaiting(TimerID(order: $0.order)) }
    guard heap.count > 1 else { return }
    for index in stride(from: (heap.count - 2) / 4, through: 0, by: -1) { siftDown(from: index) }
  }

  @inlinable
  mutating func removeTop() {
    let last = heap.removeLast()
    guard !heap.isEmpty else { return }
    heap[0] = last
    siftDown(from: 0)
  }

  @inlinable
  mutating func siftUp(from start: Int) {
    heap.withUnsafeMutableBufferPointer { heap in
      let key = heap[start]
      var index = start
      while index > 0 {
        let parent = (index - 1) / 4
        guard key.isBefore(heap[parent]) else { break }
        heap[index] = heap[parent]
        index = parent
      }
      heap[index] = key
    }
  }

  @inlinable
  mutating func siftDown(from start: Int) {
    heap.withUnsafeMutableBufferPointer { heap in
      let key = heap[start]
      var index = start
      while true {
        let firstChild = 4 * index + 1
        guard firstChild < heap.count else { break }
        var least = firstChild
        for child in firstChild + 1..<max(min(firstChild + 4, heap.count), firstChild + 1)
        where heap[child].isBefore(heap[least]) {
          least = child
        }
        guard heap[least].isBefore(key) else { break }
        heap[index] = heap[least]
        index = least
      }
      heap[index] = key
    }
  }
}

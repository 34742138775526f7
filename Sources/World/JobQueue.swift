/// A priority queue of closures: a heap of small trivial keys beside a slab of closures.
///
/// Sifting moves 16-byte keys only, four children to a cache line; closures stay where they are
/// and are freed the moment they are cancelled. A cancelled key stays in the heap until it comes
/// up, or until such keys are the majority and are swept out.
struct JobQueue {
  /// Orders by due, then by `order`: phase (3 bits), sequence (37 bits), slot (24 bits).
  private struct Key {
    var due: Int64
    var order: UInt64

    func isBefore(_ other: Key) -> Bool {
      due != other.due ? due < other.due : order < other.order
    }
  }

  private struct Slot {
    /// The `order` of the job that lives here, or zero.
    var order: UInt64
    var job: (() -> Void)?
  }

  private static let slotBits: UInt64 = 24
  private static let sequenceBits: UInt64 = 37
  private static let lastSequence: UInt64 = (1 << sequenceBits) - 1
  /// Fewer cancelled keys than this are not worth a sweep.
  private static let sweepThreshold = 64

  /// Jobs that wait; cancelled ones are not counted.
  private(set) var count = 0
  private var heap: [Key] = []
  private var slots: [Slot] = []
  private var freeSlots: [UInt32] = []
  private var sequence: UInt64 = 0

  var heapSize: Int { heap.count }

  var hasSequenceLeft: Bool { sequence < JobQueue.lastSequence }

  /// When the first job is due. No cancelled key is ever left at the top.
  var nextDue: Int64? { heap.first?.due }

  /// Puts a job in and gives the number it goes by, which is never zero.
  mutating func insert(due: Int64, phase: UInt8, _ job: @escaping () -> Void) -> UInt64 {
    sequence += 1
    let slot = freeSlots.popLast() ?? UInt32(truncatingIfNeeded: slots.count)
    let order =
      UInt64(phase) << (JobQueue.slotBits + JobQueue.sequenceBits)
      | sequence << JobQueue.slotBits | UInt64(slot)
    if Int(slot) == slots.count {
      slots.append(Slot(order: order, job: job))
    } else {
      slots[Int(slot)] = Slot(order: order, job: job)
    }
    count += 1
    heap.append(Key(due: due, order: order))
    siftUp(from: heap.count - 1)
    return order
  }

  /// Gives the closure back instead of freeing it: freeing may run code that uses the queue again.
  mutating func cancel(_ order: UInt64) -> (() -> Void)? {
    guard let job = release(order) else { return nil }
    if heap.count > 2 * count + JobQueue.sweepThreshold { sweep() }
    dropCancelledFromTop()
    return job
  }

  mutating func takeNext() -> (() -> Void)? {
    guard let first = heap.first else { return nil }
    let job = release(first.order)
    removeTop()
    dropCancelledFromTop()
    return job
  }

  /// Gives all closures back, for the same reason as `cancel`.
  mutating func takeAll() -> [() -> Void] {
    let jobs = slots.compactMap(\.job)
    heap = []
    slots = []
    freeSlots = []
    count = 0
    return jobs
  }

  private func isWaiting(_ order: UInt64) -> Bool {
    let slot = Int(order & ((1 << JobQueue.slotBits) - 1))
    return order != 0 && slot < slots.count && slots[slot].order == order
  }

  private mutating func release(_ order: UInt64) -> (() -> Void)? {
    guard isWaiting(order) else { return nil }
    let slot = Int(order & ((1 << JobQueue.slotBits) - 1))
    let job = slots[slot].job
    slots[slot] = Slot(order: 0, job: nil)
    freeSlots.append(UInt32(truncatingIfNeeded: slot))
    count -= 1
    return job
  }
}

// The heap proper: four children per node.
extension JobQueue {
  private mutating func dropCancelledFromTop() {
    guard heap.count > count else { return }
    while let first = heap.first, !isWaiting(first.order) { removeTop() }
  }

  private mutating func sweep() {
    heap = heap.filter { isWaiting($0.order) }
    guard heap.count > 1 else { return }
    for index in stride(from: (heap.count - 2) / 4, through: 0, by: -1) { siftDown(from: index) }
  }

  private mutating func removeTop() {
    let last = heap.removeLast()
    guard !heap.isEmpty else { return }
    heap[0] = last
    siftDown(from: 0)
  }

  private mutating func siftUp(from start: Int) {
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

  private mutating func siftDown(from start: Int) {
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

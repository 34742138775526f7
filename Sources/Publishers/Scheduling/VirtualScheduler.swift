/// A clock that moves only by `advance` and `runNext`. Jobs run in the order in which they are due,
/// then in the order in which they were scheduled.
public final class VirtualScheduler: PublisherScheduler {
  /// The time, in microseconds.
  public private(set) var now: Int64 = 0
  private var queue = VirtualQueue()

  /// Creates a scheduler at time zero without any jobs.
  public init() {}

  /// Queues a job that is due after so many microseconds.
  @discardableResult
  public func schedule(after delay: Int64, _ job: @escaping () -> Void) -> any Cancellable {
    let entry = VirtualJob(job, queue.cancelled)
    queue.insert(entry, due: instant(now, plus: max(delay, 0)))
    return entry
  }

  /// Runs a job at a point in time; what is past is due now.
  @discardableResult
  public func schedule(at time: Int64, _ job: @escaping () -> Void) -> any Cancellable {
    let (delay, overflow) = time.subtractingReportingOverflow(now)
    return schedule(after: overflow ? 0 : delay, job)
  }

  /// How many jobs wait.
  public var count: Int { queue.count }

  /// When the next job is due; nil when none waits.
  public var nextDue: Int64? { queue.nextDue() }

  /// Moves time on and runs everything that is due on the way.
  public func advance(by delay: Duration) {
    advance(to: instant(now, plus: delay.microseconds))
  }

  /// Moves time on to a point in time and runs everything that is due on the way.
  public func advance(to time: Int64) {
    while let due = queue.nextDue(), due <= time { runNext() }
    now = max(now, time)
  }

  /// Runs the next job, moving time to where it is due; false when there is none.
  @discardableResult
  public func runNext() -> Bool {
    guard let (due, job) = queue.takeNext() else { return false }
    now = max(now, due)
    job()
    return true
  }

  /// Runs until no job waits, at most so many; false when that was not enough.
  @discardableResult
  public func run(atMost jobs: Int = 1_000_000) -> Bool {
    for _ in 0..<jobs where !runNext() { return true }
    return count == 0
  }
}

/// A job that waits; without its action it has run or was cancelled.
private final class VirtualJob: Cancellable {
  var action: (() -> Void)?
  private let cancelled: CancelledCount

  init(_ action: @escaping () -> Void, _ cancelled: CancelledCount) {
    self.action = action
    self.cancelled = cancelled
  }

  func cancel() {
    guard let dropped = action else { return }
    action = nil
    cancelled.count += 1
    withExtendedLifetime(dropped) {}
  }
}

/// How many jobs of a queue were cancelled and are still in it.
private final class CancelledCount {
  var count = 0
}

/// A heap by (due, sequence); cancelled jobs stay until they come up or are more than the others.
private struct VirtualQueue {
  private struct Entry {
    var due: Int64
    var sequence: UInt64
    var job: VirtualJob

    func comes(before other: Entry) -> Bool {
      (due, sequence) < (other.due, other.sequence)
    }
  }

  private var heap: [Entry] = []
  private var sequence: UInt64 = 0
  let cancelled = CancelledCount()

  var count: Int { heap.count - cancelled.count }

  mutating func insert(_ job: VirtualJob, due: Int64) {
    sweep()
    sequence += 1
    heap.append(Entry(due: due, sequence: sequence, job: job))
    siftUp(heap.count - 1)
  }

  mutating func nextDue() -> Int64? {
    while let first = heap.first, first.job.action == nil {
      removeFirst()
      cancelled.count -= 1
    }
    return heap.first?.due
  }

  mutating func takeNext() -> (due: Int64, action: () -> Void)? {
    guard let due = nextDue(), let job = heap.first?.job, let action = job.action else {
      return nil
    }
    job.action = nil
    removeFirst()
    return (due, action)
  }

  private mutating func sweep() {
    guard cancelled.count > 64, cancelled.count * 2 > heap.count else { return }
    heap.removeAll { $0.job.action == nil }
    cancelled.count = 0
    for at in stride(from: heap.count / 2, through: 0, by: -1) { siftDown(at) }
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown(0)
  }

  private mutating func siftUp(_ start: Int) {
    var at = start
    while at > 0, heap[at].comes(before: heap[(at - 1) / 2]) {
      heap.swapAt(at, (at - 1) / 2)
      at = (at - 1) / 2
    }
  }

  private mutating func siftDown(_ start: Int) {
    var at = start
    while true {
      var least = at
      for child in (2 * at + 1)...(2 * at + 2)
      where child < heap.count && heap[child].comes(before: heap[least]) {
        least = child
      }
      if least == at { return }
      heap.swapAt(at, least)
      at = least
    }
  }
}

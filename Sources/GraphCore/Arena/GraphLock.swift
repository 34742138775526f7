import CThreadState
import Synchronization

/// Keeps apart the threads that use the shared graph. Each of them touches nodes of its own region
/// only; what they share is the memory of the nodes.
///
/// It is recursive, as rules and handlers use the graph again. It belongs to the state of a thread
/// rather than to the thread, so that an evaluation may continue on a larger stack.
final class GraphLock: @unchecked Sendable {
  /// The number of tries after which a thread sleeps between them.
  private static let impatientTries = 100
  /// The time between later tries, in microseconds.
  private static let pause: UInt32 = 50

  private let owner = Atomic<UInt>(0)
  private var depth = 0

  func lock() {
    let current = UInt(bitPattern: ThreadState.place.toOpaque())
    if owner.load(ordering: .relaxed) == current {
      depth += 1
      return
    }
    if !take(for: current) { wait(for: current) }
    depth = 1
  }

  func unlock() {
    depth -= 1
    if depth == 0 { owner.store(0, ordering: .releasing) }
  }

  private func take(for current: UInt) -> Bool {
    owner.compareExchange(
      expected: 0, desired: current, successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged
  }

  private func wait(for current: UInt) {
    var tries = 0
    while !take(for: current) {
      tries += 1
      if tries < Self.impatientTries { sched_yield() } else { usleep(Self.pause) }
    }
  }
}

extension Arena {
  @inlinable
  @inline(__always)
  var isShared: Bool { state.pointee.isShared }

  @usableFromInline
  func lock() { state.pointee.lock?.lock() }

  @usableFromInline
  func unlock() { state.pointee.lock?.unlock() }

  /// Runs the body alone, if other threads may use the graph.
  @inlinable
  @inline(__always)
  func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard isShared else { return try body() }
    lock()
    defer { unlock() }
    return try body()
  }
}

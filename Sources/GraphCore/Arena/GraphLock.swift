import Glibc
import Synchronization

/// Keeps apart the threads that use the shared graph. Each of them touches nodes of its own region
/// only; what they share is the memory of the nodes.
///
/// It is recursive, as rules and handlers use the graph again. It belongs to the state of a thread
/// rather than to the thread, so that an evaluation may continue on a larger stack.
final class GraphLock: @unchecked Sendable {
  private let owner = Atomic<UInt>(0)
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var depth = 0

  init() {
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func lock() {
    let current = UInt(bitPattern: Unmanaged.passUnretained(ThreadState.current).toOpaque())
    if owner.load(ordering: .relaxed) == current {
      depth += 1
    } else {
      pthread_mutex_lock(mutex)
      owner.store(current, ordering: .relaxed)
      depth = 1
    }
  }

  func unlock() {
    depth -= 1
    if depth > 0 { return }
    owner.store(0, ordering: .relaxed)
    pthread_mutex_unlock(mutex)
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

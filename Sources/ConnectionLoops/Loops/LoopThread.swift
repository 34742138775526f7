import Glibc
import Synchronization

/// The thread that runs the jobs of a loop at present.
struct LoopThread: ~Copyable {
  private let thread = Atomic<UInt>(0)

  func enter() { thread.store(UInt(pthread_self()), ordering: .relaxed) }
  func leave() { thread.store(0, ordering: .relaxed) }

  var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }
}

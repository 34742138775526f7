import Glibc

/// A signal for which one thread sleeps. One that is sent early is kept.
package final class ThreadSignal: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  package init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  package func send() { sem_post(semaphore) }

  /// Sleeps until a signal is sent; perhaps shorter, if the process is interrupted.
  package func wait() { sem_wait(semaphore) }
}

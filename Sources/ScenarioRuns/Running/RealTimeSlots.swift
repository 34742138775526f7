import Glibc

/// Room for a few scenarios that keep to the clock on the wall; others wait for their turn.
final class RealTimeSlots: @unchecked Sendable {
  // A semaphore must stay where it was made.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init(_ count: Int) { sem_init(semaphore, 0, UInt32(count)) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func take<Result>(_ body: () -> Result) -> Result {
    while sem_wait(semaphore) != 0 {}
    defer { sem_post(semaphore) }
    return body()
  }
}

/// How many processors the machine has for us.
package func processorCount() -> Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

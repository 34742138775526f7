import Glibc

/// A number of places for scenarios that run in real time. The others wait until a place is free.
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

/// Returns how many processors this process may use.
package func processorCount() -> Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

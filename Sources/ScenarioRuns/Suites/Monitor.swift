import Glibc

/// A lock with two conditions: one for workers that wait for files, and one for the thread that
/// reports.
final class Monitor: @unchecked Sendable {
  // Locks and conditions must stay where they were made.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let loaded = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let finished = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(loaded, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(finished, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(finished)
    pthread_cond_destroy(loaded)
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
    loaded.deallocate()
    finished.deallocate()
  }

  func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Waits until files are loaded. The caller holds the lock, as for all functions below.
  func awaitLoading() { pthread_cond_wait(loaded, mutex) }

  func wakeWorkers() { pthread_cond_broadcast(loaded) }

  /// Waits until the workers have finished, or for this many microseconds.
  func awaitWorkers(atMost time: Int) {
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    end.tv_nsec += time * 1_000
    end.tv_sec += end.tv_nsec / 1_000_000_000
    end.tv_nsec %= 1_000_000_000
    pthread_cond_timedwait(finished, mutex, &end)
  }

  func wakeReporter() { pthread_cond_signal(finished) }
}

import Glibc

/// Starts a thread, to be joined or detached; returns nil if the system has none left.
package func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let box = Unmanaged.passRetained(Box(body))
  let failed = pthread_create(
    &thread, nil,
    { argument in
      guard let argument else { return nil }
      Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
      return nil
    }, box.toOpaque())
  if failed != 0 { box.release() }
  return failed == 0 ? thread : nil
}

/// Does work on a thread of its own and returns its result; on this one if the system has no more.
package func onOwnThread<Result>(_ work: @escaping () -> Result) -> Result {
  nonisolated(unsafe) let work = work
  nonisolated(unsafe) let result = UnsafeMutablePointer<Result>.allocate(capacity: 1)
  defer { result.deallocate() }
  guard let thread = startThread({ result.initialize(to: work()) }) else { return work() }
  pthread_join(thread, nil)
  return result.move()
}

/// Starts a thread that nobody waits for; false if the system has none left.
package func startDetachedThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  guard let thread = startThread(body) else { return false }
  pthread_detach(thread)
  return true
}

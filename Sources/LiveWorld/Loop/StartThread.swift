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

/// Starts a thread that nobody waits for; false if the system has none left.
package func startDetachedThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  guard let thread = startThread(body) else { return false }
  pthread_detach(thread)
  return true
}

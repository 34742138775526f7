import Glibc

/// The implicit state of free functions and property wrappers: the current graph and the open
/// tracking scope. There is one per thread, so graphs on several threads do not interfere.
final class ThreadState {
  var graph = Graph()
  var scope: AnyCancellable?
  /// The graphs whose rules, groups and handlers run on this thread, the innermost last. Only debug
  /// builds keep it.
  var running: [Arena] = []

  static var current: ThreadState {
    if let known = pthread_getspecific(key) {
      return Unmanaged<ThreadState>.fromOpaque(known).takeUnretainedValue()
    }
    let state = ThreadState()
    pthread_setspecific(key, Unmanaged.passRetained(state).toOpaque())
    return state
  }

  /// Lends the state to a helper thread while this thread waits for it.
  static func lend(_ state: ThreadState, to body: () -> Void) {
    pthread_setspecific(key, Unmanaged.passUnretained(state).toOpaque())
    body()
    pthread_setspecific(key, nil)
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { state in
      if let state { Unmanaged<ThreadState>.fromOpaque(state).release() }
    }
    return key
  }()
}

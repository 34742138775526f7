import Synchronization

/// Ends the sleep of a loop, from any thread.
///
/// The function is in a structure. A `Mutex` of the function itself would wrap it once more with
/// each look at it: each call would go through all wrappers, until the stack is full.
final class LoopWaker: Sendable {
  private struct Place {
    var wake: (@Sendable () -> Void)?
  }

  private let place = Mutex(Place())

  /// Takes the function of a loop that has its sockets now.
  func set(_ wake: @escaping @Sendable () -> Void) { place.withLock { $0.wake = wake } }

  /// Calls the function, if there is one.
  func wake() { place.withLock { $0 }.wake?() }
}

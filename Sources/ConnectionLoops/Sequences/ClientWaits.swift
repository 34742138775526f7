/// A counter of what tasks wait for at clients.
///
/// A run in virtual time asks it whether a task waits for something that the run continues.
package protocol WaitCounter: AnyObject, Sendable {
  func waitBegan()
  func waitEnded()
}

/// The waits of a task for the answers and values of clients.
package enum ClientWaits {
  /// The counter of the current task; nil if nobody counts.
  @TaskLocal package static var counter: (any WaitCounter)?
}

import CSQLite

/// An observer of a connection while a statement runs: it counts steps and sees commits.
final class StatementWatch {
  private(set) var isExhausted = false
  private var steps = 0
  /// True if a transaction that could write has been committed since the last reset.
  var hasCommitted = false

  func beginStatement() {
    steps = 0
    isExhausted = false
  }

  /// Attaches to a connection, which must not outlive this object.
  func attach(to handle: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_progress_handler(
      handle, Int32(DatabaseLimits.stepsBetweenLooks),
      { StatementWatch.of($0).countSteps() ? 1 : 0 }, context)
    sqlite3_commit_hook(
      handle,
      {
        StatementWatch.of($0).hasCommitted = true
        return 0
      }, context)
    // A commit can still fail after its hook was called; then it is rolled back.
    sqlite3_rollback_hook(handle, { StatementWatch.of($0).hasCommitted = false }, context)
  }

  private func countSteps() -> Bool {
    steps += DatabaseLimits.stepsBetweenLooks
    isExhausted = steps > DatabaseLimits.steps
    return isExhausted
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> StatementWatch {
    guard let context else { preconditionFailure("a hook was called without its context") }
    return Unmanaged<StatementWatch>.fromOpaque(context).takeUnretainedValue()
  }
}

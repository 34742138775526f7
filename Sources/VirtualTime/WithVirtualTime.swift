import World

/// The reason why code in virtual time did not come to its end.
public enum VirtualTimeError: Error, CustomStringConvertible {
  /// The code waits for something that nothing in the run continues.
  case waitsOutside
  /// Jobs keep making jobs, and time does not move.
  case instantNeverEnds
  /// The runtime of Swift lacks what is needed to run tasks on one thread.
  case notAvailable

  /// The text for a person.
  public var description: String {
    switch self {
    case .waitsOutside:
      "The code waits for something outside: another thread, a real clock, or a continuation that "
        + "nothing resumes. Sleep by the `VirtualClock`, and replace what is outside."
    case .instantNeverEnds: "Jobs make new jobs at one instant without end."
    case .notAvailable:
      "This toolchain's runtime has no hooks for executors. Use Swift 6.2 or newer."
    }
  }
}

/// Runs code in virtual time and returns its result. All that it awaits runs on one thread, in one
/// order. When nothing is left to do, the clock jumps to the next time at which something is due.
///
/// It works without any scenario:
///
/// ```swift
/// try withVirtualTime { clock in
///   let search = SearchReactor(clock: clock)
///   search.send(.type("swift"))
///   try await clock.advance(by: .milliseconds(300))
///   #expect(search.results == ["Swift"])
/// }
/// ```
@MainActor
public func withVirtualTime<Result>(
  _ body: @escaping @MainActor (VirtualClock) async throws -> Result
) throws -> Result {
  guard VirtualExecutor.isAvailable else { throw VirtualTimeError.notAvailable }
  let executor = VirtualExecutor.shared
  let scheduler = Scheduler()
  let end = VirtualResult<Result>()
  executor.begin()
  defer { executor.end() }
  let task = executor.startTask { await end.take(body) }
  executor.use(scheduler.jobQueue)
  while end.result == nil, let due = scheduler.nextDue, scheduler.runNext(upTo: due) {}
  task.cancel()
  if let result = end.result { return try result.get() }
  throw scheduler.exceeded == nil
    ? VirtualTimeError.waitsOutside : VirtualTimeError.instantNeverEnds
}

/// Runs code in virtual time, as the function above, on the main actor.
public func withVirtualTime<Result: Sendable>(
  _ body: @escaping @MainActor @Sendable (VirtualClock) async throws -> Result
) async throws -> Result {
  try await MainActor.run { try withVirtualTime(body) }
}

@MainActor
private final class VirtualResult<Success> {
  var result: Result<Success, any Error>?

  func take(_ body: @MainActor (VirtualClock) async throws -> Success) async {
    do { result = .success(try await body(VirtualClock())) } catch { result = .failure(error) }
  }
}

extension Scheduler {
  /// The queue of a run without a scenario.
  fileprivate var jobQueue: JobQueue {
    JobQueue(
      now: { self.now }, add: { self.schedule(after: 0, phase: .source, $0) },
      schedule: { self.schedule(at: $0, phase: .source, $1) }, cancel: { self.cancel($0) })
  }
}

extension VirtualExecutor {
  /// Starts a task of the run, on the main actor. All that it makes runs here as well.
  @MainActor
  package func startTask(_ body: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
    Task(executorPreference: faces.tasks) { await body() }
  }
}

@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

/// The executors of one run.
final class ExecutorFaces: @unchecked Sendable {
  private(set) var main: MainFace!
  private(set) var tasks: TaskFace!

  init() {
    main = MainFace(self)
    tasks = TaskFace(self)
  }

  func take(_ job: UnownedJob, isMain: Bool) {
    VirtualExecutor.shared.take(
      VirtualJob(job: job, isMain: isMain, isPreferred: !isMain, faces: self))
  }
}

/// The executor in the place of the main actor's.
///
/// There are two faces, since one object for both would queue each call between isolated code and
/// code that is not isolated again.
final class MainFace: SerialExecutor, @unchecked Sendable {
  private unowned let faces: ExecutorFaces

  init(_ faces: ExecutorFaces) { self.faces = faces }

  func enqueue(_ job: consuming ExecutorJob) { faces.take(UnownedJob(job), isMain: true) }

  /// Nothing runs on the thread of a run that is not in turn.
  func checkIsolated() {
    precondition(VirtualExecutor.shared.isActive, "this is not the thread of the run")
  }

  func isIsolatingCurrentContext() -> Bool? { VirtualExecutor.shared.isActive }
}

/// The executor in the place of the global pool.
final class TaskFace: TaskExecutor, @unchecked Sendable {
  private unowned let faces: ExecutorFaces

  init(_ faces: ExecutorFaces) { self.faces = faces }

  func enqueue(_ job: consuming ExecutorJob) { faces.take(UnownedJob(job), isMain: false) }
}

#if compiler(>=6.3)
  // `Task.sleep` asks the executor for it. Before this compiler it cannot be taken over.
  extension TaskFace: SchedulingExecutor {
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      guard let delay = delay as? Duration else { return enqueue(job) }
      VirtualExecutor.shared.sleep(UnownedJob(job), exactly: delay)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      guard let left = clock.now.duration(to: instant) as? Duration else { return enqueue(job) }
      VirtualExecutor.shared.sleep(UnownedJob(job), shortest: left)
    }
  }

  /// The default executor of the process. It passes all jobs on, unless the thread of a run makes
  /// them: some ways to the pool, such as `Task.yield` in an actor, pass no hook.
  final class PassingExecutor: TaskExecutor, SchedulingExecutor {
    private static let shared = PassingExecutor()
    private let original = PlatformExecutorFactory.defaultExecutor
    private var scheduling: (any SchedulingExecutor)? { original as? any SchedulingExecutor }

    private struct Factory: ExecutorFactory {
      static var mainExecutor: any MainExecutor { MainActor.executor }
      static var defaultExecutor: any TaskExecutor { PassingExecutor.shared }
    }

    /// Makes it the default executor; once for the process.
    static let install: Void = _createExecutors(factory: Factory.self)

    private var run: TaskFace? {
      VirtualExecutor.shared.isActive ? VirtualExecutor.shared.faces.tasks : nil
    }

    func enqueue(_ job: consuming ExecutorJob) {
      if run == nil { return original.enqueue(job) }
      VirtualExecutor.shared.take(UnownedJob(job), isMain: false)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      if let run {
        run.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
      } else if let scheduling {
        scheduling.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
      } else {
        original.enqueue(job)
      }
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      if let run {
        run.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
      } else if let scheduling {
        scheduling.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
      } else {
        original.enqueue(job)
      }
    }
  }
#endif

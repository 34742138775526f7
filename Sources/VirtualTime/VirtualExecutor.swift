import CTaskHooks
import Synchronization
import Timers
@_spi(ExperimentalScheduling) import _Concurrency

/// The queue and the clock that the jobs of tasks run by.
package struct JobQueue {
  /// The time in microseconds.
  package var now: () -> Int64
  /// Queues something for this instant.
  package var add: (@escaping () -> Void) -> Void
  /// Queues something for a later time.
  package var schedule: (_ due: Int64, @escaping () -> Void) -> TimerID
  package var cancel: (TimerID) -> Void

  package init(
    now: @escaping () -> Int64, add: @escaping (@escaping () -> Void) -> Void,
    schedule: @escaping (Int64, @escaping () -> Void) -> TimerID,
    cancel: @escaping (TimerID) -> Void
  ) {
    self.now = now
    self.add = add
    self.schedule = schedule
    self.cancel = cancel
  }
}

/// The executor of everything that a run's tasks do: one thread, and one queue in virtual time.
///
/// While it runs, it takes the place of the main actor's executor and of the global pool for all
/// that its thread starts. Its thread has the main actor: nothing else of the main actor runs
/// meanwhile.
package final class VirtualExecutor: @unchecked Sendable {
  package static let shared = VirtualExecutor()

  // One thread has a run, and no access to these spans a job, so there is none to guard.
  /// The faces of the run that is under way, or was last.
  @exclusivity(unchecked) private(set) var faces = ExecutorFaces()
  @exclusivity(unchecked) private var queue: JobQueue?
  @exclusivity(unchecked) private var ready = ReadyJobs()
  /// The job that runs.
  @exclusivity(unchecked) private var running: JobPlace?
  /// True if the task of the job that runs has queued itself where it is already.
  @exclusivity(unchecked) private var continuesAtOnce = false
  /// The task that was last found to prefer the executor of its run.
  @exclusivity(unchecked) private var preferring: JobPlace?
  /// The jobs that wait for a time, by the number of their wait.
  private var waits: [Int: VirtualWait] = [:]
  private var lastWait = 0
  /// Called after each job.
  @exclusivity(unchecked) package var afterJob: () -> Void = {}
  /// Jobs that other threads made while a run was under way.
  private let outside = Mutex(OutsideJobs())
  /// The real time at which the job that runs began.
  @exclusivity(unchecked) private var jobBegan = ContinuousClock.now

  private init() {}

  package static var isAvailable: Bool { task_hooks_are_available() }

  /// True on the thread of a run.
  package var isActive: Bool { task_hooks_are_active() }

  /// True if another thread continued a task of the run.
  package var wasContinuedFromOutside: Bool {
    outside.withLock { $0.jobs.contains { $0.faces === faces } }
  }

  var now: Int64 { queue?.now() ?? 0 }

  /// True if no job is ready, and nothing that waits for a time is due.
  var isInstantDrained: Bool { ready.count == 0 && !waits.values.contains { $0.due <= now } }

  // MARK: - the course of a run

  /// Takes over what this thread starts. Jobs wait until there is a queue.
  package func begin() {
    precondition(!isActive, "a run in virtual time is inside another")
    #if compiler(>=6.3)
      PassingExecutor.install
    #endif
    // A task may outlive its run, and refers to its executors without keeping them.
    faces = ExecutorFaces()
    _ = Unmanaged.passRetained(faces)
    let reference = unsafeBitCast(faces.main.asUnownedSerialExecutor(), to: (UInt, UInt).self)
    outside.withLock { $0.isUnderWay = true }
    task_hooks_begin(
      { job, kind in takeHookedJob(job, kind) }, reference.0, reference.1)
  }

  /// Lets the jobs run, also those that were made before.
  package func use(_ queue: JobQueue) {
    self.queue = queue
    for _ in 0..<ready.count { queue.add { [self] in runNext() } }
  }

  /// Ends the run. What still waits is continued with `CancellationError` and comes to its end, or
  /// is left where it is if it waits for something else.
  package func end() {
    releaseRun()
    var jobs = 0
    repeat {
      while ready.count > 0, jobs < VirtualExecutor.jobsAfterEnd {
        jobs += 1
        runNext()
      }
      for (_, wait) in waits.sorted(by: { $0.key < $1.key }) { wait.give(up: self) }
      waits = [:]
      takeJobsFromOutside()
    } while ready.count > 0 && jobs < VirtualExecutor.jobsAfterEnd
    ready = ReadyJobs()
    task_hooks_end()
    let late = outside.withLock { outside in
      outside.isUnderWay = false
      defer { outside.jobs = [] }
      return outside.jobs
    }
    for job in late { job.runElsewhere() }
  }

  /// Frees what the run has given. The last owner of an object may go with it, whose end is a job.
  private func releaseRun() {
    let given = (queue, afterJob)
    queue = nil
    afterJob = {}
    withExtendedLifetime(given) {}
  }

  /// The jobs that tasks may run after the end of their run, to clean up.
  private static let jobsAfterEnd = 100_000

  private func takeJobsFromOutside() {
    let jobs = outside.withLock { outside in
      let own = outside.jobs.filter { $0.faces === faces }
      outside.jobs.removeAll { $0.faces === faces }
      return own
    }
    for job in jobs { ready.append(job) }
  }

  // MARK: - jobs

  /// Takes a job of this run, or one that a task of an earlier run or another thread has made.
  func take(_ job: VirtualJob) {
    guard isActive, job.faces === faces else { return takeFromOutside(job) }
    if job.place == running {
      continuesAtOnce = true
      return
    }
    ready.append(job)
    queue?.add { [self] in runNext() }
  }

  func take(_ job: UnownedJob, isMain: Bool) {
    take(VirtualJob(job: job, isMain: isMain, isPreferred: false, faces: faces))
  }

  /// Keeps a job until no run is under way. Then it runs where it would have run at first.
  private func takeFromOutside(_ job: VirtualJob) {
    let isKept = outside.withLock { outside in
      if outside.isUnderWay { outside.jobs.append(job) }
      return outside.isUnderWay
    }
    if !isKept { job.runElsewhere() }
  }

  private func runNext() {
    guard var job = ready.takeFirst() else { return }
    jobBegan = ContinuousClock.now
    if job.isMain { job.isPreferred = job.place == preferring }
    running = job.place
    job.run()
    while continuesAtOnce {
      continuesAtOnce = false
      job.isPreferred.toggle()
      if job.isMain, job.isPreferred { preferring = job.place }
      job.run()
    }
    running = nil
    afterJob()
  }

  // MARK: - waits

  /// Wakes something at a time. Returns the number of the wait, or nil if the run is over.
  func wait(until due: Int64, _ wait: VirtualWait) -> Int? {
    guard isActive, let queue else { return nil }
    lastWait += 1
    let number = lastWait
    waits[number] = wait
    wait.due = due
    wait.timer = queue.schedule(due) { [self] in
      waits[number] = nil
      wait.wake(self)
    }
    return number
  }

  /// Ends a wait before its time; nil if it is over.
  func endWait(_ number: Int) -> VirtualWait? {
    guard isActive, let wait = waits.removeValue(forKey: number) else { return nil }
    queue?.cancel(wait.timer)
    return wait
  }

  /// Queues a job of `Task.sleep`. Real time has passed since the task asked for it, so that its
  /// length is at least this, and not more than the time that the job has run adds to it.
  func sleep(_ job: UnownedJob, shortest: Duration) {
    guard isActive, queue != nil else { return take(job, isMain: false) }
    let longest = shortest + (ContinuousClock.now - jobBegan)
    wait(job, writtenLength(from: shortest.microseconds, to: longest.microseconds))
  }

  func sleep(_ job: UnownedJob, exactly length: Duration) {
    guard isActive, queue != nil else { return take(job, isMain: false) }
    wait(job, length.microseconds)
  }

  private func wait(_ job: UnownedJob, _ length: Int64) {
    let (due, isNever) = now.addingReportingOverflow(max(length, 0))
    _ = wait(until: isNever ? .max : due, VirtualWait(.job(job)))
  }
}

/// Takes a job that the runtime would have given to an executor of its own.
private func takeHookedJob(_ job: UnsafeMutableRawPointer, _ kind: Int32) -> Bool {
  let job = unsafeBitCast(job, to: UnownedJob.self)
  VirtualExecutor.shared.take(job, isMain: kind == Int32(task_hooks_main.rawValue))
  return true
}

/// Returns the length that a sleep probably has, when it is known to be between two: the roundest
/// if that has whole milliseconds, else the next whole millisecond.
package func writtenLength(from low: Int64, to high: Int64) -> Int64 {
  var unit: Int64 = 1
  while unit <= high / 10, high / (unit * 10) * (unit * 10) >= low { unit *= 10 }
  let roundest = max(low, high / unit * unit)
  let millisecond: Int64 = 1_000
  if roundest < millisecond || roundest % millisecond == 0 { return roundest }
  let (next, overflow) = (low / millisecond * millisecond).addingReportingOverflow(millisecond)
  return overflow ? low : next
}

/// Something that a run started, such as an action, with all tasks that it makes in turn.
package final class VirtualActivity: @unchecked Sendable {
  /// The activity that the current task belongs to.
  @TaskLocal package static var current: VirtualActivity?

  /// The number of its waits that the run will end. If there are none and it has not ended, it
  /// waits for something else.
  package var waits = 0

  package init() {}
}

/// Something that waits for a time.
final class VirtualWait {
  enum Sleeper {
    case continuation(UnsafeContinuation<Void, any Error>)
    case job(UnownedJob)
  }

  private let sleeper: Sleeper
  private let activity: VirtualActivity?
  var timer = TimerID.none
  fileprivate(set) var due: Int64 = .max

  init(_ sleeper: Sleeper) {
    self.sleeper = sleeper
    activity = VirtualActivity.current
    activity?.waits += 1
  }

  deinit { activity?.waits -= 1 }

  func wake(_ executor: VirtualExecutor) {
    switch sleeper {
    case .continuation(let continuation): continuation.resume()
    case .job(let job): executor.take(job, isMain: false)
    }
  }

  func give(up executor: VirtualExecutor) {
    switch sleeper {
    case .continuation(let continuation): continuation.resume(throwing: CancellationError())
    case .job(let job): executor.take(job, isMain: false)
    }
  }
}

/// A job of a task, and the executors that it was made for.
struct VirtualJob: @unchecked Sendable {
  let job: UnownedJob
  let isMain: Bool
  /// True if the task of the job prefers the executor of the run, as far as is known.
  ///
  /// The runtime compares this with the task at each call into isolated code. If it differs, the
  /// task queues itself again where it is already. So it is a guess that costs time if it is wrong,
  /// and nothing else: such a job continues at once.
  var isPreferred: Bool
  let faces: ExecutorFaces

  var place: JobPlace { JobPlace(task: unsafeBitCast(job, to: UInt.self), isMain: isMain) }

  func run() {
    let tasks =
      isPreferred
      ? faces.tasks.asUnownedTaskExecutor()
      : unsafeBitCast(noExecutor, to: UnownedTaskExecutor.self)
    let place =
      isMain
      ? faces.main.asUnownedSerialExecutor()
      : unsafeBitCast(noExecutor, to: UnownedSerialExecutor.self)
    job.runSynchronously(isolatedTo: place, taskExecutor: tasks)
  }

  /// Runs the job without a run, on the real main actor or in the pool.
  func runElsewhere() {
    if isMain {
      Task { @MainActor in job.runSynchronously(on: MainActor.sharedUnownedExecutor) }
    } else {
      Task.detached { job.runSynchronously(on: faces.tasks.asUnownedTaskExecutor()) }
    }
  }
}

/// A task, which has the identity of its jobs, and where it runs.
struct JobPlace: Equatable {
  let task: UInt
  let isMain: Bool
}

/// The executor of no actor, and the one that no task prefers, as the runtime writes them.
private let noExecutor: (UInt, UInt) = (0, 0)

/// Jobs that were made outside of the run that is under way.
private struct OutsideJobs {
  var isUnderWay = false
  var jobs: [VirtualJob] = []
}

/// Jobs in the order in which they were made.
private struct ReadyJobs {
  private var jobs: [VirtualJob] = []
  private var first = 0

  var count: Int { jobs.count - first }

  mutating func append(_ job: VirtualJob) { jobs.append(job) }

  mutating func takeFirst() -> VirtualJob? {
    guard first < jobs.count else { return nil }
    defer {
      first += 1
      if first == jobs.count {
        jobs.removeAll(keepingCapacity: true)
        first = 0
      } else if first > 1_000, first > jobs.count / 2 {
        jobs.removeFirst(first)
        first = 0
      }
    }
    return jobs[first]
  }
}

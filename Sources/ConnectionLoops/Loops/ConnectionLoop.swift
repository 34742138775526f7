import Glibc
@_exported import LiveConnections
import LiveWorld
import Synchronization
import World

/// A loop on a thread of its own, with real sockets and real time.
///
/// Clients use `ConnectionLoop.shared` unless they are given another one. The thread starts with
/// the first job, and ends when there has been nothing to do for a while. An actor runs on the loop
/// if this is its executor:
///
/// ```swift
/// actor Chat {
///   nonisolated var unownedExecutor: UnownedSerialExecutor {
///     ConnectionLoop.shared.asUnownedSerialExecutor()
///   }
/// }
/// ```
///
/// A client that is called from such an actor needs no change of thread. Neither does one that is
/// called from a task on the loop: `Task(executorPreference: ConnectionLoop.shared.tasks) { … }`.
/// What computes for long belongs elsewhere, since the loop's connections wait for it.
public final class ConnectionLoop: WorldLoop, @unchecked Sendable {
  /// The loop of all clients that are given no other one.
  public static let shared = ConnectionLoop()

  enum Job {
    case ofActor(UnownedJob)
    case ofTask(UnownedJob, on: LoopTasks)
    case closure(@Sendable () -> Void)
  }

  private struct Inbox {
    var jobs: [Job] = []
    var hasThread = false
    var isAsleep = false
    var isStopped = false
  }

  private let inbox = Mutex(Inbox())
  /// True if the inbox has jobs, for a look without its lock.
  private let hasJobs = Atomic<Bool>(false)
  private let tasksPlace = Mutex(LoopTasksPlace())
  private let thread = LoopThread()
  private let waker = LoopWaker()
  private let trustedFile: String?

  // Only the loop's thread uses these.
  private let scheduler = Scheduler()
  private var world: SocketWorld?
  private var random: SeededRandom
  private let stopJobs = StopJobs()
  /// An array without jobs, for the next ones.
  private var room: [Job] = []

  /// The microseconds without anything to do after which the thread ends.
  static let idleTime: Int64 = 1_000_000
  /// The timers that run before the loop looks at its sockets again.
  private static let timersPerTurn = 256
  /// The rounds of jobs that run before the loop looks at its sockets again.
  private static let roundsPerTurn = 16
  /// The most jobs for which the room is kept.
  private static let mostKeptRoom = 256

  /// Makes a loop. Certificates in `trustedFile` (PEM) are trusted in addition to the
  /// system's.
  public init(trustedFile: String? = nil) {
    self.trustedFile = trustedFile
    var seed: UInt64 = 0
    // The keys that mask frames must not be predictable.
    _ = getentropy(&seed, MemoryLayout<UInt64>.size)
    random = SeededRandom(seed: seed)
  }

  deinit { world?.network.discardAll() }

  /// True from `stop` on.
  public var isStopped: Bool { inbox.withLock { $0.isStopped } }

  /// Ends all connections of the loop's clients, with the error `loopStopped`, and makes no others.
  /// It returns when they have ended. Jobs of actors still run.
  public func stop() async {
    inbox.withLock { $0.isStopped = true }
    await withCheckedContinuation { continuation in
      perform { [self] in
        for job in stopJobs.takeAll() { job() }
        continuation.resume()
      }
    }
  }
}

// What tests look at.
extension ConnectionLoop {
  /// True if the thread runs.
  var hasThread: Bool { inbox.withLock { $0.hasThread } }

  /// The number of entries that are kept for clients. It is read on the loop.
  var keptEntries: Int { stopJobs.count }
}

// The executor.
extension ConnectionLoop {
  /// The executor of tasks that run on the loop, for `Task(executorPreference:)`.
  public var tasks: any TaskExecutor { tasksPlace.withLock { $0.tasks(of: self) } }

  /// Runs a job of an actor on the loop.
  public func enqueue(_ job: consuming ExecutorJob) { add(.ofActor(UnownedJob(job))) }

  /// Runs a job on the loop, after the jobs that were given before.
  public func perform(_ job: @escaping @Sendable () -> Void) { add(.closure(job)) }

  /// Traps if the caller does not run on the loop.
  public func checkIsolated() {
    precondition(thread.isCurrent, "this code runs on the thread of its ConnectionLoop")
  }

  /// True on the thread of the loop.
  public func isIsolatingCurrentContext() -> Bool? { thread.isCurrent }

  private enum Wake {
    case nothing, thread, start
  }

  func add(_ job: Job) {
    let wake = inbox.withLock { inbox -> Wake in
      inbox.jobs.append(job)
      hasJobs.store(true, ordering: .relaxed)
      if !inbox.hasThread {
        inbox.hasThread = true
        return .start
      }
      defer { inbox.isAsleep = false }
      // The loop looks for jobs when it has handled its sockets.
      return inbox.isAsleep && !thread.isCurrent ? .thread : .nothing
    }
    switch wake {
    case .nothing: break
    case .thread: waker.wake()
    case .start: start()
    }
  }
}

// The thread.
extension ConnectionLoop {
  private func start() {
    let body: @Sendable () -> Void = { [self] in run() }
    guard let started = startThread(body) else {
      // Without a thread of its own the loop takes one of the tasks, which is late but right.
      Task { body() }
      return
    }
    pthread_detach(started)
  }

  private func run() {
    thread.enter()
    poll(until: scheduler.now)
    var idleEnd: Int64?
    while true {
      runJobs()
      if runTimers() {
        poll(until: scheduler.now)
      } else if scheduler.nextDue != nil || world?.network.mayBringMore == true {
        idleEnd = nil
        wait(until: scheduler.nextDue)
      } else {
        let end = idleEnd ?? scheduler.instant(after: ConnectionLoop.idleTime)
        idleEnd = end
        if scheduler.now >= end, endThread() { return }
        wait(until: end)
      }
    }
  }

  /// Runs the jobs of the inbox and those that they add, so that a task which asks a client for
  /// something and goes on with its answer does not wait for the sockets in between. After some
  /// rounds the sockets have their turn: jobs could add others without an end.
  private func runJobs() {
    for _ in 0..<ConnectionLoop.roundsPerTurn where hasJobs.load(ordering: .relaxed) {
      var jobs = takeJobs()
      for job in jobs { run(job) }
      guard jobs.capacity <= ConnectionLoop.mostKeptRoom else { continue }
      jobs.removeAll(keepingCapacity: true)
      room = jobs
    }
  }

  /// Takes the jobs of the inbox, which has the room of those before them from then on.
  private func takeJobs() -> [Job] {
    var jobs = room
    room = []
    inbox.withLock { inbox in
      swap(&inbox.jobs, &jobs)
      hasJobs.store(false, ordering: .relaxed)
    }
    return jobs
  }

  private func run(_ job: Job) {
    switch job {
    case .ofActor(let job): job.runSynchronously(on: asUnownedSerialExecutor())
    case .ofTask(let job, let tasks): job.runSynchronously(on: tasks.asUnownedTaskExecutor())
    case .closure(let job): job()
    }
  }

  /// Runs the timers that are due; true if there may be more of them. A read of a socket is such a
  /// timer: a reader takes what it brought before the next one, while it is near the processor.
  private func runTimers() -> Bool {
    for _ in 0..<ConnectionLoop.timersPerTurn {
      guard scheduler.runNext(upTo: scheduler.now) else { return false }
      if hasJobs.load(ordering: .relaxed) { runJobs() }
    }
    return true
  }

  private func wait(until instant: Int64?) {
    let maySleep = inbox.withLock { inbox in
      inbox.isAsleep = inbox.jobs.isEmpty
      return inbox.isAsleep
    }
    poll(until: maySleep ? instant : scheduler.now)
    inbox.withLock { $0.isAsleep = false }
  }

  /// Ends the thread unless there are jobs; the next one starts another.
  private func endThread() -> Bool {
    inbox.withLock { inbox in
      guard inbox.jobs.isEmpty else { return false }
      inbox.hasThread = false
      thread.leave()
      return true
    }
  }

  private func poll(until instant: Int64?) {
    if let loop = openWorld()?.loop { return loop.poll(until: instant) }
    usleep(1_000)
    scheduler.follow(scheduler.now + 1_000)
  }
}

// The sockets.
extension ConnectionLoop {
  /// The sockets of a loop.
  private struct SocketWorld {
    let loop: EventLoop
    let network: SocketNetwork
    let security: TLSContext
    var addressesKnownSince: Int64 = 0
  }

  /// The microseconds for which the addresses of names are kept.
  private static let addressLifetime: Int64 = 60_000_000

  /// Returns the sockets, which are made on the loop's thread; nil if the system has no file
  /// descriptors left.
  private func openWorld() -> SocketWorld? {
    if let world { return world }
    guard let loop = EventLoop(scheduler) else { return nil }
    var settings = TLSClientSettings()
    settings.trustedFile = trustedFile
    waker.set(loop.makeWaker())
    world = SocketWorld(
      loop: loop, network: SocketNetwork(on: loop), security: TLSContext(settings))
    return world
  }

  package var calendarTime: Int? { Int(calendarClock() / 1_000_000) }
  package var keepsConnections: Bool { true }

  package func transport(to server: ServerAddress) -> any Transport {
    guard let world = openWorld(), !isStopped else {
      return FailedTransport(isStopped ? .unreachable : .tooManyFiles, scheduler)
    }
    if scheduler.now - world.addressesKnownSince > ConnectionLoop.addressLifetime {
      world.network.forgetAddresses()
      self.world?.addressesKnownSince = scheduler.now
    }
    let security = server.isSecure ? TLSClient(host: server.host, context: world.security) : nil
    return world.network.connect(
      to: Destination(.internet(host: server.host, port: server.port), security: security))
  }

  /// Runs a job on the loop after a delay, and returns a function that cancels it. Both are called
  /// on the loop.
  public func schedule(after delay: Duration, _ job: @escaping () -> Void) -> () -> Void {
    let timer = scheduler.schedule(after: delay.wholeMicroseconds, phase: .source, job)
    return { [scheduler] in scheduler.cancel(timer) }
  }

  /// Returns 64 random bits. It is called on the loop.
  public func randomBits() -> UInt64 { random.next() }

  /// Runs a job when the loop is stopped, and returns a function that forgets it. Both are called
  /// on the loop.
  public func whenStopped(_ job: @escaping () -> Void) -> () -> Void { stopJobs.add(job) }
}

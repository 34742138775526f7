import LiveConnections
import Synchronization
import World

/// A loop with servers in memory and virtual time, for tests.
///
/// Bytes arrive at once. Time moves only when the test calls `advance(by:)` or `run(until:)`, so a
/// pause of an hour takes no time. What is due happens in one order, and before time moves, the
/// program's tasks come to where they wait. So a task may be started just before.
///
/// ```swift
/// let loop = VirtualLoop()
/// loop.serve(at: "api.test") { request in
///   ClientResponse(status: 200, headers: ["Content-Type": "text/plain"], text: "Hello")
/// }
/// let response = try await HTTPClient(on: loop).response(to: "http://api.test/greeting")
/// ```
public final class VirtualLoop: WorldLoop, @unchecked Sendable {
  private enum Job {
    case ofExecutor(UnownedJob)
    case closure(@Sendable () -> Void)
  }

  private struct Inbox {
    var jobs: [Job] = []
    var isDraining = false
    var isStopped = false
  }

  private let inbox = Mutex(Inbox())
  private let thread = LoopThread()
  private let elapsed = Atomic<Int64>(0)
  /// The number of jobs that the loop was given.
  let jobCount = Atomic<Int>(0)
  /// True while the main actor has not run for long.
  let isMainBlocked = Flag()

  // Only jobs of the loop use these.
  private let scheduler = Scheduler()
  private let network: MemoryNetwork
  private var random: SeededRandom
  /// The time up to which timers run now.
  private var target: Int64 = 0
  /// The time up to which the test has asked to move.
  private var goal: Int64 = 0
  private var steps: [() -> Void] = []
  private let stopJobs = StopJobs()

  /// Makes a loop at time zero. The seed decides the random numbers, such as jitter.
  public init(seed: UInt64 = 0) {
    network = MemoryNetwork(on: scheduler)
    random = SeededRandom(seed: seed)
  }

  deinit { network.discardAll() }

  /// The virtual time since the loop was made.
  public var now: Duration { .microseconds(elapsed.load(ordering: .relaxed)) }

  /// True from `stop` on.
  public var isStopped: Bool { inbox.withLock { $0.isStopped } }

  /// Moves the time forward, and runs what becomes due on the way.
  ///
  /// Whenever the time is about to move, and at the end, it first lets the tasks of the program run
  /// until they wait. A task that computes for long, or waits for something outside of the loop,
  /// may come later: `run(until:)` waits for it.
  public func advance(by duration: Duration) async {
    let microseconds = duration.wholeMicroseconds
    await settle()
    let goal = await onLoop { loop in
      let (sum, overflow) = max(loop.goal, loop.scheduler.now).addingReportingOverflow(microseconds)
      loop.goal = overflow ? .max : sum
      return loop.goal
    }
    while await move(upTo: goal) < goal { await settle() }
    await settle()
  }

  /// Moves the time forward to a time since the loop was made, as `advance(by:)`. It does nothing
  /// if that has passed.
  public func run(until time: Duration) async { await advance(by: max(.zero, time - now)) }

  /// Moves the time forward until the task has ended, and returns its result. While nothing is due,
  /// it waits: the task may be held up by something outside of the loop.
  ///
  /// ```swift
  /// let connecting = Task { try await client.connect() }
  /// try await loop.run(until: connecting)
  /// ```
  @discardableResult
  public func run<Success: Sendable, Failure: Error>(
    until task: Task<Success, Failure>
  ) async throws(Failure) -> Success {
    let end = Flag()
    Task {
      _ = await task.result
      end.set()
    }
    await settle()
    while !end.isSet {
      if Task.isCancelled { task.cancel() }
      if let next = await onLoop({ $0.scheduler.nextDue }) {
        _ = await move(upTo: next)
      } else {
        try? await Task.sleep(for: .milliseconds(1))
      }
      await settle()
    }
    return try await task.result.get()
  }

  /// Moves the time to the next time at which something is due, but not beyond a goal.
  private func move(upTo goal: Int64) async -> Int64 {
    await withCheckedContinuation { continuation in
      perform { [self] in
        let next = scheduler.nextDue.map { $0 > scheduler.now ? min($0, goal) : goal }
        target = max(target, next ?? goal)
        steps.append { continuation.resume(returning: self.scheduler.now) }
      }
    }
  }

  private func onLoop<Result: Sendable>(
    _ body: @escaping @Sendable (VirtualLoop) -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      perform { [self] in continuation.resume(returning: body(self)) }
    }
  }

  /// Ends all connections of the loop's clients, with the error `loopStopped`, and makes no others.
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

// The servers.
extension VirtualLoop {
  /// Answers each request to a host, such as `api.test` or `api.test:8080`. `https` and `http`
  /// reach the same server. Hosts without a server refuse connections.
  public func serve(
    at host: String, _ answer: @escaping @Sendable (ServedRequest) -> ClientResponse
  ) {
    listen(at: host) { ServedConnection($0, answer).begin() }
  }

  /// Accepts connections to a host, to exchange bytes with a client.
  public func listen(at host: String, _ accept: @escaping @Sendable (MemoryConnection) -> Void) {
    perform { [self] in
      network.stopListening(at: host)
      _ = network.listen(at: host) { [unowned self] in accept(MemoryConnection($0, on: self)) }
    }
  }

  /// Refuses connections to a host from now on.
  public func stopListening(at host: String) {
    perform { [self] in network.stopListening(at: host) }
  }

  package var calendarTime: Int? { nil }
  package var keepsConnections: Bool { false }

  package func transport(to server: ServerAddress) -> any Transport {
    isStopped ? FailedTransport(.unreachable, scheduler) : network.connect(to: server.hostHeader)
  }
}

// The executor.
extension VirtualLoop {
  /// Runs a job of an actor on the loop.
  public func enqueue(_ job: consuming ExecutorJob) { add(.ofExecutor(UnownedJob(job))) }

  /// Runs a job on the loop, after the jobs that were given before.
  public func perform(_ job: @escaping @Sendable () -> Void) { add(.closure(job)) }

  /// Traps if the caller does not run on the loop.
  public func checkIsolated() {
    precondition(thread.isCurrent, "this code runs in a job of its VirtualLoop")
  }

  /// True inside jobs of the loop.
  public func isIsolatingCurrentContext() -> Bool? { thread.isCurrent }

  /// Runs a job on the loop after a delay of virtual time, and returns a function that cancels it.
  public func schedule(after delay: Duration, _ job: @escaping () -> Void) -> () -> Void {
    let timer = scheduler.schedule(after: delay.wholeMicroseconds, phase: .source, job)
    return { [scheduler] in scheduler.cancel(timer) }
  }

  /// Returns 64 bits that depend on the seed.
  public func randomBits() -> UInt64 { random.next() }

  /// Runs a job when the loop is stopped, and returns a function that forgets it.
  public func whenStopped(_ job: @escaping () -> Void) -> () -> Void { stopJobs.add(job) }

  private func add(_ job: Job) {
    jobCount.add(1, ordering: .relaxed)
    let starts = inbox.withLock { inbox in
      inbox.jobs.append(job)
      defer { inbox.isDraining = true }
      return !inbox.isDraining
    }
    if starts { Task { drain() } }
  }

  private func drain() {
    thread.enter()
    while true {
      let jobs = inbox.withLock { inbox in
        defer { inbox.jobs = [] }
        return inbox.jobs
      }
      for job in jobs { run(job) }
      if !jobs.isEmpty || runTimer() { continue }
      finishSteps()
      thread.leave()
      let isOver = inbox.withLock { inbox in
        inbox.isDraining = !inbox.jobs.isEmpty
        return !inbox.isDraining
      }
      if isOver { return }
      thread.enter()
    }
  }

  private func run(_ job: Job) {
    switch job {
    case .ofExecutor(let job): job.runSynchronously(on: asUnownedSerialExecutor())
    case .closure(let job): job()
    }
  }

  private func runTimer() -> Bool {
    // The job may continue a task, which reads the time on another thread.
    let limit = max(target, scheduler.now)
    if let due = scheduler.nextDue, due <= limit {
      elapsed.store(max(due, scheduler.now), ordering: .relaxed)
    }
    return scheduler.runNext(upTo: limit)
  }

  private func finishSteps() {
    scheduler.follow(target)
    elapsed.store(scheduler.now, ordering: .relaxed)
    let finished = steps
    steps = []
    for finish in finished { finish() }
  }
}

import LiveConnections
import Synchronization
import World

/// A loop with servers in memory and virtual time, for tests.
///
/// Bytes arrive at once. Time moves only when the test calls `advance(by:)`, so a pause of an hour
/// takes no time, and everything happens in one order.
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
  private let thread = ThreadMark()
  private let elapsed = Atomic<Int64>(0)

  // Only jobs of the loop use these.
  private let scheduler = Scheduler()
  private let network: MemoryNetwork
  private var random: SeededRandom
  private var target: Int64 = 0
  private var advances: [(target: Int64, finish: () -> Void)] = []
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

  /// Moves the time forward, and runs what becomes due on the way. It returns when no job of the
  /// loop is due any more.
  ///
  /// Tasks that do not run on the loop may still work. A test that awaits their effect follows a
  /// sequence of the client.
  public func advance(by duration: Duration) async {
    await withCheckedContinuation { continuation in
      perform { [self] in
        let (sum, overflow) = max(target, scheduler.now)
          .addingReportingOverflow(duration.wholeMicroseconds)
        target = overflow ? .max : sum
        advances.append((target, { continuation.resume() }))
      }
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
      finishAdvances()
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
    defer { elapsed.store(scheduler.now, ordering: .relaxed) }
    return scheduler.runNext(upTo: max(target, scheduler.now))
  }

  private func finishAdvances() {
    scheduler.follow(target)
    elapsed.store(scheduler.now, ordering: .relaxed)
    let finished = advances
    advances = []
    for advance in finished { advance.finish() }
  }
}

import ConnectionLoops
import Protocols
import ScenarioEngine
import ScenarioPlan
import Synchronization
import VirtualTime
import World

/// The loop of an object's clients: it works on the thread of the run, in virtual time, and its
/// network leads to the endpoints of the scenario.
///
/// Jobs wait until the run begins. When the run is over, the loop is stopped.
final class ScenarioLoop: WorldLoop, @unchecked Sendable {
  private enum Job: Sendable {
    case ofExecutor(UnownedJob)
    case closure(@Sendable () -> Void)
  }

  private enum Phase { case waiting, running, over }

  private struct Inbox {
    var phase = Phase.waiting
    var jobs: [Job] = []
    /// The jobs that other threads gave while the run was under way. They have no place in it.
    var outside: [Job] = []
    var isDraining = false
  }

  private let inbox = Mutex(Inbox())
  /// The part that the object plays.
  private let part: String

  // Only the thread of the run uses these.
  private var environment: SubjectEnvironment?
  private var random: SeededRandom
  private let stopJobs = StopJobs()

  init(for part: String, _ random: SeededRandom) {
    self.part = part
    self.random = random
  }

  /// True if another thread gave a job while the run was under way.
  var wasUsedFromOutside: Bool { inbox.withLock { !$0.outside.isEmpty } }

  /// Lets the jobs run, also those that were given before.
  func begin(on environment: SubjectEnvironment) {
    self.environment = environment
    let count = inbox.withLock { inbox in
      inbox.phase = .running
      return inbox.jobs.count
    }
    for _ in 0..<count { environment.add { [self] in runNext() } }
  }

  /// Stops the clients. What they did not finish ends with the error `loopStopped`.
  func end() {
    inbox.withLock { inbox in
      inbox.phase = .over
      inbox.isDraining = true
      inbox.jobs += inbox.outside
    }
    for job in stopJobs.takeAll() { job() }
    drain()
    environment = nil
  }
}

// The network.
extension ScenarioLoop {
  var calendarTime: Int? { environment.map { $0.calendarTime.seconds } }
  var keepsConnections: Bool { false }

  func transport(to server: ServerAddress) -> any Transport {
    guard let environment else { return RefusedTransport { [self] in later($0) } }
    if let endpoint = environment.endpoint(at: server.hostHeader) {
      return environment.connect(to: endpoint, by: part)
    }
    environment.fail(.unknownServer(server.hostHeader, of: part, in: environment.plan))
    return environment.refuseConnection()
  }

  /// Removes the prefix that the endpoint's URL puts before all paths, since the routes of the
  /// scenario do not have it.
  func addressed(_ request: HTTPRequest, to server: ServerAddress) -> HTTPRequest {
    guard let endpoint = environment?.endpoint(at: server.hostHeader),
      let written = environment?.plan.endpoints[endpoint].url,
      case .success(let url) = AbsoluteURL.read(written), url.hostHeader == server.hostHeader,
      !url.path.isEmpty, request.target.hasPrefix(url.path)
    else { return request }
    let rest = request.target.dropFirst(url.path.count)
    guard rest.isEmpty || rest.first == "/" || rest.first == "?" else { return request }
    var request = request
    request.target = rest.first == "/" ? String(rest) : "/" + rest
    return request
  }

  private func later(_ job: @escaping () -> Void) {
    let place = RunConfined(job)
    perform { place.value() }
  }
}

// The executor.
extension ScenarioLoop {
  var isStopped: Bool { inbox.withLock { $0.phase == .over } }

  func enqueue(_ job: consuming ExecutorJob) { add(.ofExecutor(UnownedJob(job))) }

  func perform(_ job: @escaping @Sendable () -> Void) { add(.closure(job)) }

  func checkIsolated() {
    precondition(VirtualExecutor.shared.isActive, "this is not the thread of the run")
  }

  func isIsolatingCurrentContext() -> Bool? { VirtualExecutor.shared.isActive }

  func schedule(after delay: Duration, _ job: @escaping () -> Void) -> () -> Void {
    guard let environment else { return {} }
    let (due, isNever) = environment.now.addingReportingOverflow(delay.wholeMicroseconds)
    let timer = environment.schedule(at: isNever ? .max : due) {
      job()
      VirtualExecutor.shared.afterJob()
    }
    return { [weak self] in self?.environment?.cancel(timer) }
  }

  func randomBits() -> UInt64 { random.next() }

  func whenStopped(_ job: @escaping () -> Void) -> () -> Void { stopJobs.add(job) }

  /// Queues a job of this instant. After the run it runs at once, where it was given.
  private func add(_ job: Job) {
    let isInside = VirtualExecutor.shared.isActive
    let phase = inbox.withLock { inbox -> Phase? in
      switch inbox.phase {
      case .running where !isInside: inbox.outside.append(job)
      case .waiting, .running: inbox.jobs.append(job)
      case .over:
        inbox.jobs.append(job)
        if inbox.isDraining { return nil }
        inbox.isDraining = true
      }
      return inbox.phase
    }
    switch phase {
    case .running: if isInside { environment?.add { [self] in runNext() } }
    case .over: drain()
    case .waiting, nil: break
    }
  }

  private func runNext() {
    guard let job = inbox.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) else {
      return
    }
    run(job)
    VirtualExecutor.shared.afterJob()
  }

  private func drain() {
    while true {
      let jobs = inbox.withLock { inbox in
        defer { inbox.jobs = [] }
        inbox.isDraining = !inbox.jobs.isEmpty
        return inbox.jobs
      }
      if jobs.isEmpty { return }
      for job in jobs { run(job) }
    }
  }

  private func run(_ job: Job) {
    switch job {
    case .ofExecutor(let job): job.runSynchronously(on: asUnownedSerialExecutor())
    case .closure(let job): job()
    }
  }
}

/// A value that only the thread of the run uses.
private struct RunConfined<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

extension VirtualActivity: WaitCounter {
  package func waitBegan() { waits += 1 }
  package func waitEnded() { waits -= 1 }
}

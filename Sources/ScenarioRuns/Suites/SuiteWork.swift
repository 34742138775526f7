import Glibc
import LiveWorld
import ScenarioEngine
import ScenarioPlan
import Values
import Verdicts

/// A suite under way: the queue that its workers share, and the runs that they do.
final class SuiteWork: @unchecked Sendable {
  private let suite: Suite
  private let monitor = Monitor()
  // Every access holds the monitor.
  private var queue: SuiteQueue
  private var threads: [pthread_t] = []
  /// False once the system had no thread for a worker.
  private var mayStart = true
  /// The number of workers that wait for others.
  private var idle = 0
  private let traceNames: TraceNames
  /// The names of traces beside scenarios, where a good run may have been recorded.
  private let goodNames: TraceNames

  /// The longest time without a report, in microseconds. A report for each scenario as it ends
  /// would take a processor from the workers.
  private static let reportInterval = 20_000

  init(_ suite: Suite) {
    self.suite = suite
    (traceNames, goodNames) = suite.traceNames
    queue = SuiteQueue(suite, processors: processorCount())
  }

  /// Starts the workers for which there is something to do; false if the system has no thread left.
  func start() -> Bool {
    monitor.locked {
      startWorkers(for: queue.jobsToBegin)
      return !threads.isEmpty
    }
  }

  /// Starts workers for jobs that nobody else takes, if there may be so many. The start of a thread
  /// takes as long as a small scenario. The caller holds the monitor.
  private func startWorkers(for jobs: Int) {
    let wanted = min(queue.sideBySide.most, threads.count + jobs)
    while mayStart, threads.count < wanted {
      let worker = threads.count
      let thread = startThread { self.work(as: worker) }
      if let thread { threads.append(thread) } else { mayStart = false }
    }
  }

  /// Waits for all workers, when all is done.
  func join() {
    for thread in monitor.locked({ threads }) { pthread_join(thread, nil) }
  }

  /// Does jobs until none is left.
  func work(as worker: Int) {
    while let job = nextJob() {
      switch job {
      case .load(let range): load(range)
      case .run(let chunk):
        var lag: Microseconds?
        for run in chunk.runs {
          let place = SuiteQueue.Place(file: chunk.file, run: run)
          if let own = self.run(place, worker) { lag = max(lag ?? 0, own) }
        }
        monitor.locked {
          queue.end(chunk, lag: lag)
          startWorkers(for: queue.jobsToBegin - idle - 1)
        }
      }
      monitor.locked {
        if idle > 0 { monitor.wakeWorkers() }
        if queue.isFinished { monitor.wakeReporter() }
      }
    }
  }

  private func nextJob() -> SuiteQueue.Job? {
    monitor.locked {
      while true {
        stopIfInterrupted()
        switch queue.takeJob() {
        case .job(let job): return job
        case .nothing: return nil
        case .later:
          idle += 1
          monitor.awaitLoading()
          idle -= 1
        }
      }
    }
  }

  private func load(_ range: Range<Int>) {
    let files = suite.files[range].map { file in
      var runs = FileRuns(suite.load(file), of: file)
      if Supervision.isRestarted { runs.takeEarlier(suite) }
      return suite.shuffleSeed.map { runs.shuffled(by: $0) } ?? runs
    }
    monitor.locked {
      for (index, file) in zip(range, files) { queue.add(file, at: index) }
      queue.endLoading()
      // This worker takes a job as well.
      startWorkers(for: queue.jobsToBegin - idle - 1)
    }
  }

  /// Runs a scenario, and returns how late the machine was; nil if that was not measured.
  private func run(_ place: SuiteQueue.Place, _ worker: Int) -> Microseconds? {
    let begun = monitor.locked {
      stopIfInterrupted()
      return queue.begin(place, worker: worker)
    }
    guard let (file, run) = begun, let plan = run.plan.map({ file.head.plans[$0] }) else {
      return nil
    }
    let seed = suite.seed(of: plan.plan)
    var inputs = suite.run
    (inputs.seed, inputs.row) = (seed, run.row)
    if let reads = suite.files[place.file].reads { inputs.willRead = { reads.willRead($0) } }
    if let reason = suite.configurations.reasonNotToRun(file.head.path) {
      let result = ScenarioResult(
        plan, run.row, seed: seed, Verdict(.skipped(reason: reason)), wallMicroseconds: 0)
      monitor.locked { queue.finish(place, worker: worker, result) }
      return nil
    }
    let work = plan.plan.work(run.row, in: file.head.path)
    let result = Supervision.underWay(work) {
      repeated(suite.repetitions, from: seed, isInterrupted: suite.run.isInterrupted) {
        inputs.seed = $0
        return inputs.limited(to: suite.maxTime, then: suite.finallyTime) { inputs in
          SuiteRun(
            plan, inputs, suite, file, at: place, traces: traceNames, good: goodNames
          ).judged()
        }
      }
    }.naming(suite.deadline)
    if suite.kept != nil, !plan.plan.isSameEachTime(in: suite.world) {
      suite.kept?.keep(result, file.head)
    } else {
      Supervision.addDone(work)
    }
    monitor.locked { queue.finish(place, worker: worker, result) }
    return result.lag
  }

  /// Stops the queue after an interruption. The caller holds the monitor.
  private func stopIfInterrupted() {
    if suite.run.isInterrupted() { queue.stop() }
  }
}

// What the thread that reports sees.
extension SuiteWork {
  /// Returns what can be reported next, or nothing after a short time. Nil means that nothing
  /// follows: all is done, or after an interruption no scenario is under way any more.
  func nextReports() -> [SuiteReport]? {
    monitor.locked {
      stopIfInterrupted()
      if suite.run.isInterrupted() { monitor.wakeWorkers() }
      let reports = queue.takeReports()
      if !reports.isEmpty { return reports }
      if queue.isFinished || queue.isAbandoned { return nil }
      monitor.awaitWorkers(atMost: SuiteWork.reportInterval)
      return []
    }
  }

  var status: SuiteStatus { monitor.locked { queue.status } }
  /// The most scenarios in real time that were under way at the same time.
  var mostInRealTime: Int { monitor.locked { queue.sideBySide.mostInRealTime } }
  /// The number of files that were not loaded.
  var unread: Int { monitor.locked { queue.unread } }
  /// True if files are still being loaded for which nobody waits.
  var isAbandoned: Bool { monitor.locked { queue.isAbandoned } }
}

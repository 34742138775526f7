import ScenarioPlan
import Values

/// The work of a suite that is still to do, and the results that are not reported yet.
///
/// It only decides: which files are loaded next, which scenarios run, and what is reported. Each
/// decision depends on the order of files and scenarios, so that the reports are the same with any
/// number of jobs.
struct SuiteQueue {
  /// A scenario, or one row of it, among all of a suite. The order is that of the reports.
  struct Place: Comparable, Hashable {
    var file: Int
    var run: Int

    static func < (one: Place, other: Place) -> Bool {
      (one.file, one.run) < (other.file, other.run)
    }
  }

  /// Scenarios of one file that run one after the other.
  struct Chunk {
    var file: Int
    var runs: [Int]
    var needs: RunNeeds
  }

  /// A piece of work: loading files, or running scenarios of a file.
  enum Job {
    case load(Range<Int>)
    case run(Chunk)
  }

  /// The answer to a worker that asks for a job.
  enum Answer {
    case job(Job)
    /// Others work, so that there may be a job later.
    case later
    case nothing
  }

  /// The most scenarios of a chunk.
  static let largestChunk = 64
  /// The longest run in real time that is not announced before it begins.
  static let longRun: Microseconds = 60_000_000

  private let files: Int
  private let batch: Int
  private let jobs: Int
  private let keepsOrder: Bool
  private let failsFast: Bool
  private let world: WorldKind
  private var nextFile = 0
  private var filesLoading = 0
  /// The chunks that wait, by what they need.
  private var chunks: [RunNeeds.Kind: Chunks] = [:]
  /// The running scenarios, and those that may run beside them.
  private(set) var sideBySide: SideBySide
  /// The files that were loaded and are not reported yet, each at its place among all files.
  private var loaded: [FileRuns?]
  private var firstFailure: Place?
  private var nextReport = Place(file: 0, run: 0)
  private var isStopped = false
  /// The scenarios that have begun and take long, and have not been reported yet.
  private var longRuns: [SuiteReport] = []
  /// The place at which each worker is.
  private var workers: [Place?]
  /// The number of scenarios of the loaded files, and of those that are done.
  private(set) var planned = 0
  private(set) var done = 0

  /// - Parameter processors: The processors of the machine.
  init(_ suite: Suite, processors: Int) {
    files = suite.files.count
    loaded = [FileRuns?](repeating: nil, count: files)
    jobs = max(1, suite.jobs)
    sideBySide = SideBySide(jobs: jobs, isFixed: suite.hasFixedJobs, onMachine: processors / 2)
    workers = [Place?](repeating: nil, count: sideBySide.most)
    failsFast = suite.failsFast
    world = suite.world
    keepsOrder = !suite.hasFixedJobs
    // Small suites are shared out evenly; in large ones the last batches are too few to matter.
    batch = max(1, min(Suite.largestBatch, files / (4 * jobs)))
  }

  /// Returns the next job. Loaded scenarios come first, so that few files are in memory at once;
  /// among them, those in real time.
  mutating func takeJob() -> Answer {
    let kinds: [RunNeeds.Kind] = [.servers, .machine, .processor]
    for kind in kinds where sideBySide.room(for: kind) > 0 {
      guard let chunk = chunks[kind]?.takeFirst(where: { sideBySide.admits($0.needs) }) else {
        continue
      }
      sideBySide.begin(chunk.needs)
      return .job(.run(chunk))
    }
    if nextFile < files, !isStopped, sideBySide.room(for: .processor) > 0 {
      let range = nextFile..<min(nextFile + batch, files)
      nextFile = range.upperBound
      filesLoading += range.count
      sideBySide.begin(RunNeeds())
      return .job(.load(range))
    }
    return isAllBegun ? .nothing : .later
  }

  /// True if nothing is left to begin, now or when files are loaded.
  private var isAllBegun: Bool {
    (isStopped || (nextFile == files && filesLoading == 0))
      && chunks.values.allSatisfy { $0.count == 0 }
  }

  /// The number of jobs that may begin now.
  var jobsToBegin: Int {
    let batches = isStopped ? 0 : (files - nextFile + batch - 1) / batch
    return RunNeeds.Kind.allCases.map { kind in
      let count = (chunks[kind]?.count ?? 0) + (kind == .processor ? batches : 0)
      return max(0, min(count, sideBySide.room(for: kind)))
    }.reduce(0, +)
  }

  /// Notes that a batch of files is loaded.
  mutating func endLoading() { sideBySide.end(RunNeeds()) }

  /// Adds a loaded file, with its scenarios in their order.
  mutating func add(_ file: FileRuns, at index: Int) {
    filesLoading -= 1
    loaded[index] = file
    planned += file.runs.count
    done += file.runs.count { $0.result != nil }
    for chunk in file.chunks(of: index, jobs: jobs, in: world, keepsOrder: keepsOrder) {
      chunks[chunk.needs.kind, default: Chunks()].append(chunk)
    }
    if let broken = file.runs.firstIndex(where: { $0.result?.isFailure == true }) {
      noteFailure(at: Place(file: index, run: broken))
    }
  }

  /// Returns the scenario at a place if it is to run; nil if the suite has stopped before it.
  mutating func begin(_ place: Place, worker: Int) -> (LoadedSuiteFile, PlannedRun)? {
    if isStopped || isBehindFailure(place) {
      done += 1
      return nil
    }
    workers[worker] = place
    guard let file = loaded[place.file] else { return nil }
    noteDuration(of: file.runs[place.run], in: file.file)
    return (file.file, file.runs[place.run])
  }

  /// Notes that a scenario takes long, since it has begun and there is nothing to see of it.
  private mutating func noteDuration(of run: PlannedRun, in file: LoadedSuiteFile) {
    guard let index = run.plan, file.head.plans[index].plan.runsInRealTime(in: world) else {
      return
    }
    let plan = file.head.plans[index].plan
    let duration = plan.reasonToSkip(in: world) == nil ? plan.leastDuration : 0
    guard duration > SuiteQueue.longRun else { return }
    longRuns.append(.takesLong(file.name(of: run), duration))
  }

  mutating func finish(_ place: Place, worker: Int, _ result: ScenarioResult) {
    done += 1
    workers[worker] = nil
    loaded[place.file]?.runs[place.run].result = result
    if result.isFailure { noteFailure(at: place) }
  }

  /// - Parameter lag: How late the machine was; nil if that was not measured.
  mutating func end(_ chunk: Chunk, lag: Microseconds?) { sideBySide.end(chunk.needs, lag: lag) }

  /// Stops the suite: nothing that has not begun will begin.
  mutating func stop() { isStopped = true }

  /// True if nothing is left to do.
  var isFinished: Bool { (nextFile >= files || isStopped) && filesLoading == 0 && done == planned }

  /// True if the suite was stopped, and no scenario is under way any more. Nobody waits for files
  /// that are still being loaded.
  var isAbandoned: Bool { isStopped && workers.allSatisfy { $0 == nil } }

  /// The progress, with the scenarios under way in the order of the reports.
  var status: SuiteStatus {
    let places = workers.compactMap(\.self).sorted()
    let names = places.compactMap { place in
      loaded[place.file].map { $0.file.name(of: $0.runs[place.run]) }
    }
    return SuiteStatus(
      done: done, planned: planned, isComplete: nextFile >= files && filesLoading == 0,
      running: names)
  }

  /// The number of files that were not loaded.
  var unread: Int { isStopped ? files - nextFile + filesLoading : 0 }

  private mutating func noteFailure(at place: Place) {
    if failsFast { firstFailure = min(firstFailure ?? place, place) }
  }

  private func isBehindFailure(_ place: Place) -> Bool {
    firstFailure.map { $0 < place } ?? false
  }

  /// Returns what can be reported next, in the order of the files and their scenarios. Scenarios
  /// that will not run any more are left alone.
  mutating func takeReports() -> [SuiteReport] {
    var reports = longRuns
    longRuns = []
    while nextReport.file < nextFile {
      guard var file = loaded[nextReport.file].take() else {
        guard isAbandoned else { return reports }
        nextReport.file += 1
        continue
      }
      guard takeReports(of: &file, &reports) else {
        loaded[nextReport.file] = file
        return reports
      }
      nextReport = Place(file: nextReport.file + 1, run: 0)
    }
    return reports
  }

  /// Adds what can be reported of a file, and returns whether that was the last of it. Results that
  /// are reported are not kept.
  private mutating func takeReports(of file: inout FileRuns, _ reports: inout [SuiteReport]) -> Bool
  {
    if nextReport.run == 0, !file.hasBegun {
      file.hasBegun = true
      reports.append(.began(file.file, nextReport.file))
    }
    while nextReport.run < file.runs.count {
      if let result = file.runs[nextReport.run].result, !isBehindFailure(nextReport) {
        reports.append(.ran(result))
        file.runs[nextReport.run].result = nil
      } else if isAbandoned || isBehindFailure(nextReport) {
        let isStoppedAtFailure = isBehindFailure(nextReport)
        reports.append(.leftAlone(isStoppedAtFailure ? file.leftAlone(nextReport.run) : nil))
      } else {
        return false
      }
      nextReport.run += 1
    }
    reports.append(.ended)
    return true
  }
}

/// A part of a suite's report, in the order of the files.
enum SuiteReport {
  /// A scenario has begun that takes at least so long.
  case takesLong(String, Microseconds)
  case began(LoadedSuiteFile, Int)
  case ran(ScenarioResult)
  /// A scenario did not run; after a failure that stopped the suite, with what reports have of it.
  case leftAlone(ScenarioResult?)
  case ended
}

/// Chunks that wait, first in, first out.
private struct Chunks {
  private var chunks: [SuiteQueue.Chunk] = []
  private var next = 0

  /// The most chunks that are looked at. One behind those that may not begin yet may go before.
  private static let mostLookedAt = 64

  var count: Int { chunks.count - next }

  mutating func append(_ chunk: SuiteQueue.Chunk) { chunks.append(chunk) }

  mutating func takeFirst(where mayBegin: (SuiteQueue.Chunk) -> Bool) -> SuiteQueue.Chunk? {
    guard let place = chunks[next...].prefix(Chunks.mostLookedAt).firstIndex(where: mayBegin) else {
      return nil
    }
    let chunk = chunks[place]
    if place > next { chunks[(next + 1)...place] = chunks[next..<place] }
    next += 1
    if next == chunks.count { (chunks, next) = ([], 0) }
    return chunk
  }
}

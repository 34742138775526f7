import Diagnostics
import LiveWorld
import ScenarioPlan
import Synchronization
import TraceRecording
import Values
import Verdicts
import World

/// A file that is loaded, with its scenarios in the order of the text.
struct FileRuns {
  let file: LoadedSuiteFile
  var runs: [PlannedRun]
  var hasBegun = false
}

/// A scenario, or one row of its table, that was selected.
struct PlannedRun {
  /// The place of the plan in its file; nil for a scenario with errors.
  var plan: Int?
  var row: RowPlan?
  var result: ScenarioResult?
}

/// The parts of a loaded file that its runs share.
final class LoadedSuiteFile: Sendable {
  let head: FileResult
  private let titles = Mutex<TraceTitles?>(nil)

  /// The files of the headers of traces.
  let tracedFiles: TracedFiles
  let tracedSteps: TracedSteps

  init(_ head: FileResult) {
    self.head = head
    tracedFiles = TracedFiles(head.sources)
    tracedSteps = TracedSteps(head.sources)
  }

  /// The titles in the names of traces. Most runs need none, so they are made when they are wanted.
  var traceTitles: TraceTitles {
    titles.withLock { titles in
      let made = titles ?? TraceTitles(head.plans.map(\.plan))
      titles = made
      return made
    }
  }

  /// Returns the place and the name of a scenario, which no other has.
  func place(of run: PlannedRun) -> String {
    guard let plan = run.plan.map({ head.plans[$0].plan }) else { return head.path }
    return Supervision.name(of: plan, run.row, in: head.path, head.sources, head.mask)
  }

  /// Returns the name of a scenario under way: `chat.scenario.yaml  Title [row]`.
  func name(of run: PlannedRun) -> String {
    let title = run.plan.map { head.plans[$0].plan.title } ?? ""
    return head.mask.masked("\(head.path)  \(title)" + (run.row.map { " [\($0.id)]" } ?? ""))
  }
}

extension FileRuns {
  init(_ loaded: Result<LoadedFile, FileProblem>, of file: SuiteFile) {
    var head = FileResult(path: file.path)
    var runs: [PlannedRun] = []
    switch loaded {
    case .failure(let problem): head.problem = problem
    case .success(let loaded):
      head.sources = loaded.sources
      head.diagnostics = file.wantedDiagnostics(of: loaded)
      head.mask = loaded.mask
      head.plans = loaded.plans.map(SharedPlan.init)
      head.hasBroken = !loaded.broken.isEmpty
      head.variableNames = loaded.plans.flatMap { $0.variableNames + $0.columns.map(\.name) }
      var broken = loaded.broken[...]
      for (index, plan) in loaded.plans.enumerated() {
        while let next = broken.first, next.outline.extent.start < plan.extent.start {
          runs += broken.removeFirst().results(in: file, loaded.sources)
        }
        let rows: [RowPlan?] = plan.columns.isEmpty ? [nil] : plan.rows
        for row in rows where file.wants(plan, row, loaded.sources) {
          runs.append(PlannedRun(plan: index, row: row))
        }
      }
      for next in broken { runs += next.results(in: file, loaded.sources) }
    }
    self.init(file: LoadedSuiteFile(head), runs: runs)
  }

  /// Returns the scenarios that are to run, in chunks.
  ///
  /// In virtual time several small ones are a chunk. In real time each is one, because most of its
  /// time is waiting. Scenarios that share something run one after the other: a database on disk,
  /// or `keepsOrder`, a real server.
  func chunks(
    of index: Int, jobs: Int, in world: WorldKind, keepsOrder: Bool
  ) -> [SuiteQueue.Chunk] {
    let plans = file.head.plans
    let needs = plans.map { $0.plan.needs(in: world) }
    let isApart =
      plans.contains { $0.plan.databases.contains(where: \.isOnDisk) }
      || keepsOrder && needs.contains { $0.kind == .servers }
    let size = max(1, min(SuiteQueue.largestChunk, runs.count / (4 * jobs)))
    var chunks: [SuiteQueue.Chunk] = []
    for (place, run) in runs.enumerated() {
      guard run.result == nil, let plan = run.plan else { continue }
      if let last = chunks.last,
        isApart
          || (max(last.needs.kind, needs[plan].kind) == .processor && last.runs.count < size)
      {
        chunks[chunks.count - 1].runs.append(place)
        chunks[chunks.count - 1].needs.add(needs[plan])
      } else {
        chunks.append(SuiteQueue.Chunk(file: index, runs: [place], needs: needs[plan]))
      }
    }
    return chunks
  }
}

extension DatabasePlan {
  /// True if the database may be a file, which other scenarios see.
  fileprivate var isOnDisk: Bool {
    if case .constant(.string(":memory:")) = path.content { false } else { true }
  }
}

extension BrokenScenario {
  /// Returns the results of a scenario with errors, one for each selected row.
  fileprivate func results(in file: SuiteFile, _ sources: SourceMap) -> [PlannedRun] {
    let plan = SharedPlan(outline)
    return file.wantedRows(of: self, sources).map { row in
      let verdict = Verdict(couldNotRunBecauseOf: .scenario, failures: errors)
      let result = ScenarioResult(plan, row, seed: 0, verdict, wallMicroseconds: 0)
      return PlannedRun(row: row, result: result)
    }
  }
}

extension FileRuns {
  /// Returns the result of a scenario that did not run because the suite stopped at a failure.
  func leftAlone(_ place: Int) -> ScenarioResult? {
    let run = runs[place]
    let verdict = Verdict(.skipped(reason: "not run, since the run stopped at a failure"))
    if var result = run.result {
      result.verdict = verdict
      return result
    }
    return run.plan.map {
      ScenarioResult(file.head.plans[$0], run.row, seed: 0, verdict, wallMicroseconds: 0)
    }
  }

  /// Returns the file with its scenarios in another order. Rows of one table stay together, because
  /// they are reported as one.
  func shuffled(by seed: Int) -> FileRuns {
    var random = SeededRandom(seed: UInt64(bitPattern: Int64(seed))).stream(file.head.path)
    var tables: [[PlannedRun]] = []
    for run in runs {
      if let plan = run.plan, let last = tables.last?.last, last.plan == plan {
        tables[tables.count - 1].append(run)
      } else {
        tables.append([run])
      }
    }
    tables.shuffle(using: &random)
    var shuffled = self
    shuffled.runs = tables.flatMap(\.self)
    return shuffled
  }
}

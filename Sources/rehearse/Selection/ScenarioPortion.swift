import Diagnostics
import Reports
import ScenarioPlan
import ScenarioRuns
import Synchronization
import Values
import Verdicts

/// The part of the selected scenarios that remains: by title, by shard, and by the last failures.
struct ScenarioPortion: Sendable {
  private var titles = TitleFilter()
  private var division: SuiteDivision?
  private var failed: Set<String>?
  /// Makes the portion of a choice. What it depends on is in the environment and in files.
  static func make(
    _ choice: ScenarioChoice, _ environment: ValueMap
  ) -> Diagnosed<ScenarioPortion> {
    var portion = ScenarioPortion()
    var problems: [Diagnostic] = []
    portion.titles = choice.titles
    if let shard = choice.shard {
      switch shard.shard(in: environment) {
      case .failure(let problem): problems.append(problem.diagnostic)
      case .success(let shard):
        do {
          let earlier = try choice.durations.map { path throws(ReportProblem) in
            try PastRun.last(at: path)
          }
          portion.division = SuiteDivision(shard, durations: earlier?.durations ?? [:])
        } catch {
          problems.append(error.diagnostic)
        }
      }
    }
    if choice.failed == .only { portion.failed = LastFailures.read() }
    return Diagnosed(portion, problems)
  }

  /// Returns what leaves a scenario out; nil if it belongs to the portion.
  func reasonToLeaveOut(
    _ plan: ScenarioPlan, _ row: RowPlan?, in path: String
  ) -> LeftOut.Reason? {
    guard plan.hasUnreadTitle || titles.admits(plan, row) else { return .grep }
    if division == nil, failed == nil { return nil }
    let mask = plan.secretMask(of: row)
    let name = runName(mask.masked(plan.title), row: row.map { mask.masked($0.id) }, in: path)
    guard failed?.contains(name) != false else { return .failed }
    guard let division, !division.contains(name) else { return nil }
    return .shard
  }
}

/// The scenarios and rows that a choice has left out, each counted once.
final class LeftOutScenarios: Sendable {
  private let places = Mutex<[LeftOut.Reason: Set<String>]>([:])

  func note(_ plan: ScenarioPlan, _ row: RowPlan?, of path: String, by reason: LeftOut.Reason) {
    let place = "\(path):\(plan.range.start):\(row?.range.start ?? 0):\(row?.id ?? "")"
    places.withLock { _ = $0[reason, default: []].insert(place) }
  }

  var count: LeftOut {
    places.withLock { places in
      var count = LeftOut()
      for (reason, scenarios) in places { count[reason] = scenarios.count }
      return count
    }
  }
}

/// The order of `--failed`.
enum FailedChoice: String, CaseIterable {
  /// Only what failed last runs.
  case only
  /// The files in which something failed last come first.
  case first
}

import Diagnostics
import ScenarioPlan
import ScenarioRuns
import Synchronization
import Values

/// The part of the selected scenarios that remains: by title, by shard, and by the last failures.
struct ScenarioPortion: Sendable {
  private var titles = TitleFilter()
  private var division: SuiteDivision?
  private var failed: Set<String>?
  /// Notes that other shards have scenarios that this choice selects.
  let others = OtherShards()

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
        switch durations(choice.durations) {
        case .failure(let problem): problems.append(problem.diagnostic)
        case .success(let durations):
          portion.division = SuiteDivision(shard, durations: durations)
        }
      }
    }
    if choice.failed == .only { portion.failed = LastFailures.read() }
    return Diagnosed(portion, problems)
  }

  private static func durations(
    _ path: String?
  ) -> Result<[String: Microseconds], ReportProblem> {
    path.map { ReportedRuns.read($0).map(\.durations) } ?? .success([:])
  }

  func admits(_ plan: ScenarioPlan, _ row: RowPlan?, in path: String) -> Bool {
    guard plan.hasUnreadTitle || titles.admits(plan, row) else { return false }
    if division == nil, failed == nil { return true }
    let mask = plan.secretMask(of: row)
    let name = runName(mask.masked(plan.title), row: row.map { mask.masked($0.id) }, in: path)
    guard failed?.contains(name) != false else { return false }
    guard let division, !division.contains(name) else { return true }
    others.noteScenario()
    return false
  }
}

/// A note of whether the other parts of a divided suite have scenarios.
final class OtherShards: Sendable {
  private let have = Atomic(false)

  /// True if another part has a scenario that is selected.
  var haveScenarios: Bool { have.load(ordering: .relaxed) }

  func noteScenario() { have.store(true, ordering: .relaxed) }
}

/// The order of `--failed`.
enum FailedChoice: String, CaseIterable {
  /// Only what failed last runs.
  case only
  /// The files in which something failed last come first.
  case first
}

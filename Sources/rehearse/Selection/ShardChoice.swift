import Diagnostics
import ScenarioRuns
import Values

/// The part of a suite that `--shard` asks for.
enum ShardChoice: Equatable {
  case part(SuiteShard)
  /// The part that the environment of a build server has.
  case environment
}

extension ShardChoice {
  /// Reads `2/5` or `auto`.
  init?(_ text: String) {
    if text == "auto" {
      self = .environment
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]),
      let shard = SuiteShard(index, of: count)
    else { return nil }
    self = .part(shard)
  }

  /// The variables with which build servers number parallel jobs, and the number of the first job.
  /// They are those of GitLab, CircleCI, Buildkite, and of an indexed Job of Kubernetes, whose
  /// manifest has to set the second one.
  static let variables: [(index: String, count: String, first: Int)] = [
    ("CI_NODE_INDEX", "CI_NODE_TOTAL", 1),
    ("CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0),
    ("BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0),
    ("JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", 0),
  ]

  /// Returns the shard, or the complaint that the environment has none.
  func shard(in environment: ValueMap) -> Result<SuiteShard, ShardProblem> {
    guard case .environment = self else {
      if case .part(let shard) = self { return .success(shard) }
      return .failure(ShardProblem(text: nil))
    }
    if let text = environment["REHEARSE_SHARD"]?.plainText, !text.isEmpty {
      guard case .part(let shard)? = ShardChoice(text) else {
        return .failure(ShardProblem(text: "REHEARSE_SHARD=\(text)"))
      }
      return .success(shard)
    }
    for names in ShardChoice.variables {
      guard let index = environment[names.index]?.plainText,
        let count = environment[names.count]?.plainText
      else { continue }
      let number = Int(index).map { $0 + 1 - names.first }
      guard let number, let total = Int(count), let shard = SuiteShard(number, of: total) else {
        return .failure(
          ShardProblem(text: "\(names.index)=\(index) and \(names.count)=\(count)"))
      }
      return .success(shard)
    }
    return .failure(ShardProblem(text: nil))
  }
}

/// Returns the line about a part of a suite to which no scenario belongs.
func emptyShardLine(_ choice: ScenarioChoice) -> String {
  let part = if case .part(let part)? = choice.shard { " \(part.index)/\(part.count)" } else { "" }
  return "this part\(part) of the suite is empty: the selected scenarios belong to other parts"
}

/// The reason why the environment has no shard: the text that is none, or nothing at all.
struct ShardProblem: Error {
  var text: String?

  var diagnostic: Diagnostic {
    Diagnostic(
      "no-shard",
      text.map { "`--shard auto` finds \($0), which is no part of a whole" }
        ?? "`--shard auto` finds no variable that numbers the jobs of this build",
      help: "write `--shard 2/5`, or set REHEARSE_SHARD=2/5")
  }
}

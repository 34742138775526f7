import ScenarioRuns
import Testing
import Values

@testable import rehearse

@Suite struct SuiteArgumentsTests {
  private func run(_ line: String) -> RunArguments? {
    guard case .success(.run(let arguments)) = parseArguments(["run"] + words(line)) else {
      return nil
    }
    return arguments
  }

  @Test(arguments: [
    ("", true), ("--log -", false), ("--log json=-", false), ("--log events.json", true),
    ("--format ndjson", false), ("--format ndjson=a --format junit", true), ("-q", false),
  ])
  func `no status line stands on a terminal that others write lines to`(
    line: String, isShown: Bool
  ) throws {
    let arguments = try #require(run(line))
    #expect(arguments.mayShowStatus(outputIsTerminal: true) == isShown)
  }

  @Test func `options say which part of a suite runs, how often and for how long`() throws {
    let arguments = try #require(
      run(
        "--grep a.b -g c --shard 2/5 --durations r.json --failed=first --repeat 3 --shuffle=9 "
          + "--dry-run --max-time 30s --deadline 10m --fail-on warnings --fail-on flaky"))
    #expect(arguments.scenarios.titles.texts == ["a.b", "c"])
    #expect(arguments.scenarios.shard == .part(try #require(SuiteShard(2, of: 5))))
    #expect(arguments.scenarios.durations == "r.json")
    #expect(arguments.scenarios.failed == .first)
    #expect(arguments.repetitions == 3)
    #expect(arguments.shuffle == .seed(9))
    #expect(arguments.isDryRun)
    #expect(arguments.maxTime == 30_000_000)
    #expect(arguments.deadline == 600_000_000)
    #expect(arguments.failsOn.warnings && arguments.failsOn.flaky)
  }

  @Test func `an optional value may be left out`() throws {
    let arguments = try #require(run("--failed --shuffle --shard auto"))
    #expect(arguments.scenarios.failed == .only)
    #expect(arguments.shuffle == .anew)
    #expect(arguments.scenarios.shard == .environment)
  }

  @Test(arguments: [
    ("--shard 0/5", "`0/5` is no part of a whole"),
    ("--shard 6/5", "`6/5` is no part of a whole"),
    ("--shard 5", "`5` is no part of a whole"),
    ("--durations r.json", "durations balance the parts of `--shard`, which is not given"),
    ("--grep (", "this pattern is not valid: missing closing parenthesis, at character 2"),
    ("--repeat 0", "`--repeat` takes a whole number from 1 to 1000000"),
    ("--deadline soon", "`soon` is not a duration"),
  ])
  func `a value of the wrong kind is refused`(line: String, message: String) {
    guard case .failure(let problem) = parseArguments(["run"] + words(line)) else {
      Issue.record("`\(line)` was taken")
      return
    }
    #expect(problem.diagnostic.message == message)
  }

  @Test(arguments: [
    (["REHEARSE_SHARD": "2/3"], 2, 3),
    (["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "4"], 1, 4),
    (["CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "4"], 1, 4),
    (["BUILDKITE_PARALLEL_JOB": "3", "BUILDKITE_PARALLEL_JOB_COUNT": "4"], 4, 4),
    (["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "1"], 1, 1),
    (["REHEARSE_SHARD": "5/5", "CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "4"], 5, 5),
  ])
  func `a build server numbers its jobs`(
    variables: [String: String], index: Int, count: Int
  ) throws {
    let shard = try ShardChoice.environment.shard(in: environment(variables)).get()
    #expect(shard == SuiteShard(index, of: count))
  }

  @Test(arguments: [
    [:], ["CI_NODE_INDEX": "1"], ["CI_NODE_INDEX": "9", "CI_NODE_TOTAL": "4"],
    ["REHEARSE_SHARD": "auto"],
  ])
  func `an environment that numbers no jobs is no shard`(variables: [String: String]) {
    #expect(throws: ShardProblem.self) {
      try ShardChoice.environment.shard(in: environment(variables)).get()
    }
  }

  private func environment(_ variables: [String: String]) -> ValueMap {
    var map = ValueMap()
    for (name, value) in variables.sorted(by: { $0.key < $1.key }) { map[name] = .string(value) }
    return map
  }
}

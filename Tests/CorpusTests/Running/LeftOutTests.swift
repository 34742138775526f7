import TestKit
import Testing

/// What a run leaves out is in its reports: a green run says nothing about it.
@Suite struct LeftOutTests {
  private static let suite = """
    scenario: Slow
    tags: [slow]
    steps: [{ check: 1 == 1 }]
    ---
    scenario: Fast
    steps: [{ check: 1 == 1 }]
    ---
    scenario: Is skipped
    skip: an example
    steps: []

    """
  private static let failing = """
    scenario: Fails
    steps: [{ check: 1 == 2 }]
    ---
    scenario: Comes later
    cases: [{ id: one, n: 1 }, { id: two, n: 2 }]
    steps: [{ check: n > 0 }]

    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try #require(folder.write("a.scenario.yaml", Self.suite))
  }

  private func said(_ line: String, code: Int32 = 0) throws -> String {
    let command = try #require(SpawnedCommand(shell: "\"$R\" \(line)", in: folder))
    #expect(command.exitCode() == code, "\(command.said)")
    return command.said
  }

  @Test(arguments: [
    ("--tag '!slow'", "1 passed, 1 skipped, 1 left out by tags"),
    ("--grep slow", "1 passed, 2 left out by --grep"),
    ("--shard 1/3", "left out by --shard"),
    ("--tag slow --grep fast", "0 passed, 2 left out by tags, 1 left out by --grep"),
    ("", "2 passed, 1 skipped (virtual 0ms)"),
  ])
  func `the last line counts what was left out, by what did so`(
    _ options: String, _ summary: String
  ) throws {
    let isNothing = summary.hasPrefix("0 passed")
    let text = try said("run . \(options) --no-wall-times", code: isNothing ? 4 : 0)
    #expect(text.contains(summary), "\(text)")
  }

  @Test func `the tags of a configuration are named, with their place`() throws {
    try #require(folder.write("rehearse.yaml", "tags: [\"!slow\"]\n"))
    #expect(try said("run . --no-wall-times").contains("1 left out by rehearse.yaml (virtual"))
    #expect(try said("list .").contains("1 left out by rehearse.yaml\n"))
    let line = try said("run a.scenario.yaml:1", code: 4)
    #expect(line.contains("because of the tags `!slow` at `rehearse.yaml:1`"), "\(line)")
    #expect(!line.contains("--tag !slow"))
    #expect(try said("run a.scenario.yaml:1 --tag slow").contains("1 passed"))
  }

  @Test func `each report with a sum has what was left out`() throws {
    let reports = [
      "json": "\"leftOut\":{\"tags\":1}", "ndjson": "\"leftOut\":{\"tags\":1}",
      "ctrf": "\"extra\":{\"leftOut\":{\"tags\":1}}", "tap": "\n# 1 left out by tags\n",
      "junit": "<property name=\"leftOut.tags\" value=\"1\"/>",
      "human": "1 left out by tags", "html": "1 left out by tags",
    ]
    for (format, words) in reports {
      _ = try said("run . --tag '!slow' --no-wall-times --format \(format)=report")
      #expect(try #require(folder.text("report")).contains(words), "\(format)")
    }
  }

  @Test func `a run in which everything was skipped says that nothing was run`() throws {
    let text = try said("run 'a.scenario.yaml::Is skipped' --no-wall-times")
    #expect(text.contains("0 passed, 1 skipped: nothing was run (virtual 0ms)"))
  }

  @Test(arguments: ["json", "junit", "ctrf", "tap", "ndjson"])
  func `what comes after the failure that stops a run is skipped in reports`(
    _ format: String
  ) throws {
    try #require(folder.write("b.scenario.yaml", Self.failing))
    let text = try said("run b.scenario.yaml --fail-fast --no-wall-times", code: 1)
    #expect(text.contains("0 passed, 1 failed, 2 not run (virtual 0ms)"))
    _ = try said("run b.scenario.yaml --fail-fast --jobs 1 --format \(format)=report", code: 1)
    let report = try #require(folder.text("report"))
    let reason = "not run, since the run stopped at a failure"
    #expect(report.ranges(of: reason).count == 2, "\(report)")
  }

  @Test func `a merged report has what its parts left out and did not run`() throws {
    try #require(folder.write("b.scenario.yaml", Self.failing))
    let options = "run . --tag '!slow' --no-wall-times --fail-fast"
    for shard in 1...2 {
      let command = SpawnedCommand(
        shell: "\"$R\" \(options) --shard \(shard)/2 --format ndjson=\(shard).ndjson", in: folder)
      _ = try #require(command).exitCode()
    }
    let merge = try #require(
      SpawnedCommand(shell: "\"$R\" report merge 1.ndjson 2.ndjson", in: folder))
    _ = merge.exitCode()
    #expect(merge.said.contains(", 1 left out by tags"), "\(merge.said)")
    #expect(!merge.said.contains("--shard"))
  }

  @Test func `files whose names are nearly those of scenarios get one line`() throws {
    for name in ["x.scenarios.yaml", "X.Scenario.YAML", "y.scenario.ymal", "scenario.yaml"] {
      try #require(folder.write(name, Self.suite))
    }
    for name in ["x.yaml", "b.component.yaml", "c.steps.yaml", "a.scenario.yaml~"] {
      try #require(folder.write(name, "a: 1\n"))
    }
    let line = """
      note[near-file-name]: `./X.Scenario.YAML`, `./scenario.yaml`, `./x.scenarios.yaml` \
      and 1 more are not read
      """
    for verb in ["run", "list", "validate", "sweep"] {
      // None of them has anything that a sweep could disturb.
      #expect(try said("\(verb) .", code: verb == "sweep" ? 4 : 0).contains(line), "\(verb)")
    }
    #expect(!(try said("run . -q").contains("near-file-name")))
    let named = try said("run . x.scenarios.yaml X.Scenario.YAML y.scenario.ymal scenario.yaml")
    #expect(!named.contains("near-file-name"))
  }

  @Test func `a scenario that was renamed is no failure any more`() throws {
    let failures = ".rehearse/last-failures.json"
    try #require(folder.write("b.scenario.yaml", Self.failing))
    _ = try said("run b.scenario.yaml", code: 1)
    #expect(try #require(folder.text(failures)).contains("b.scenario.yaml::Fails"))
    let renamed = Self.failing.replacing("Fails", with: "Holds").replacing("1 == 2", with: "1 == 1")
    try #require(folder.write("b.scenario.yaml", renamed))
    _ = try said("run a.scenario.yaml")
    #expect(folder.text(failures)?.contains("Fails") == true)
    _ = try said("run b.scenario.yaml")
    #expect(folder.text(failures) == nil)
    #expect(try said("run --failed b.scenario.yaml --no-wall-times").contains("3 passed"))
  }

  @Test func `a failure in a file that is gone is forgotten, and one behind an error is kept`()
    throws
  {
    let failures = ".rehearse/last-failures.json"
    try #require(folder.write("b.scenario.yaml", Self.failing))
    _ = try said("run b.scenario.yaml", code: 1)
    try #require(folder.write("b.scenario.yaml", "scenario: Fails\nstepz: []\n"))
    _ = try said("run b.scenario.yaml", code: 2)
    #expect(try #require(folder.text(failures)).contains("b.scenario.yaml::Fails"))
    _ = try #require(SpawnedCommand(shell: "rm b.scenario.yaml", in: folder)).exitCode()
    #expect(try said("run --failed .").contains("2 passed"))
    #expect(folder.text(failures) == nil)
  }
}

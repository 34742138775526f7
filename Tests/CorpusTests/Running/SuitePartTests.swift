import Diagnostics
import ScenarioPlan
import TestKit
import Testing
import Values
import Verdicts

@testable import ScenarioRuns

/// Which part of a suite runs, as a shell runs it.
@Suite struct SuitePartTests {
  private static let suite = """
    scenario: Counts
    graph: { n: 0 }
    steps: [{ set: { n: 2 } }, { check: n == 2 }]
    ---
    scenario: Fails
    graph: { n: 0 }
    steps: [{ check: n == 3 }]
    ---
    scenario: Rows
    cases: [{ id: one, v: 1 }, { id: two, v: 2 }, { id: three, v: 3 }]
    steps: [{ check: v < 3 }]

    """

  private func said(_ options: String, in folder: TemporaryFolder) throws -> String {
    let line = "cd '\(folder.path)' && '\(SpawnedCommand.built("rehearse"))' \(options)"
    let command = try #require(SpawnedCommand(["-c", line], program: "bash"))
    _ = command.exitCode()
    return command.said
  }

  @Test func `what failed last runs again, until it passes`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.scenario.yaml", Self.suite))
    #expect(try said("run . -q", in: folder).contains("3 passed, 2 failed"))
    let again = try said("run . --failed", in: folder)
    #expect(again.contains("0 passed, 2 failed"))
    #expect(
      try said("run a.scenario.yaml --failed -g row", in: folder).contains("0 passed, 1 failed"))
    #expect(folder.write("a.scenario.yaml", Self.suite.replacingFirst("n == 3", with: "n == 0")))
    #expect(try said("run . --failed", in: folder).contains("1 passed, 1 failed"))
    #expect(try said("run . --failed", in: folder).contains("0 passed, 1 failed"))
    #expect(folder.text(".rehearse/.gitignore") == "*\n")
    #expect(folder.write("a.scenario.yaml", "scenario: Rows\nsteps: []\n"))
    #expect(try said("run . --failed=first", in: folder).contains("1 passed"))
  }

  @Test func `a choice that nothing fits names the options that chose, and lateness is no choice`()
    throws
  {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.scenario.yaml", Self.suite))
    #expect(folder.write("failure.yaml", "scenario: Fails\nsteps: [{ check: 1 == 2 }]\n"))
    #expect(try said("run failure.yaml", in: folder).contains("0 passed, 1 failed"))
    let failed = try said("run . --failed -g nowhere", in: folder)
    #expect(failed.contains("no scenario was selected by `.` with `--grep nowhere`, `--failed`"))
    #expect(failed.contains("`.rehearse/last-failures.json` has what failed"))
    let late = try said("run a.scenario.yaml --deadline 1us", in: folder)
    #expect(!late.contains("nothing-selected"))
  }

  @Test(arguments: [1, 2, 3, 7])
  func `each scenario belongs to exactly one part`(_ count: Int) throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.scenario.yaml", Self.suite))
    for durations in ["", " --durations report.json"] {
      if !durations.isEmpty { _ = try said("run . --format json=report.json", in: folder) }
      let parts = try (1...count).map {
        try said("list a.scenario.yaml --shard \($0)/\(count)\(durations)", in: folder)
          .split(separator: "\n").filter { $0.hasPrefix("a.scenario.yaml:") }
      }
      #expect(
        parts.joined().sorted() == [
          "a.scenario.yaml:1  Counts", "a.scenario.yaml:10  Rows [one]",
          "a.scenario.yaml:10  Rows [three]", "a.scenario.yaml:10  Rows [two]",
          "a.scenario.yaml:5  Fails",
        ])
    }
  }

  @Test func `known durations are divided evenly, the longest first`() throws {
    let durations: [String: Microseconds] = ["a": 8, "b": 7, "c": 6, "d": 5, "e": 4]
    let parts = try (1...2).map { index in
      let division = SuiteDivision(try #require(SuiteShard(index, of: 2)), durations: durations)
      return durations.keys.filter(division.contains).sorted()
    }
    #expect(parts == [["a", "d", "e"], ["b", "c"]])
  }

  @Test func `a random order is repeated by its seed, and changes no result`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.scenario.yaml", Self.suite))
    let orders = try (1...5).map { seed in
      let once = try said("run . -v --no-wall-times --shuffle=\(seed)", in: folder)
      #expect(try said("run . -v --no-wall-times --shuffle=\(seed) --jobs 1", in: folder) == once)
      #expect(once.contains("3 passed, 2 failed"))
      #expect(once.contains("--shuffle=\(seed) repeats it"))
      return once
    }
    #expect(Set(orders.map { String($0.drop { $0 != "\n" }) }).count > 1)
  }

  @Test func `a repeated scenario takes the next seed each time, and stops at its first failure`()
    throws
  {
    let plan = SharedPlan(try #require(Loading("scenario: Sometimes\nsteps: []\n").plan))
    var seeds: [Int] = []
    let isInterrupted = { false }
    let result = repeated(10, from: 3, isInterrupted: isInterrupted) { seed in
      seeds.append(seed)
      let verdict = Verdict(
        seed == 5 ? .failed : .passed, failures: seed == 5 ? [Diagnostic("check-failed", "no")] : []
      )
      return ScenarioResult(plan, nil, seed: seed, verdict, wallMicroseconds: 7)
    }
    #expect(seeds == [3, 4, 5])
    #expect(result.seed == 5)
    #expect(result.wallMicroseconds == 21)
    #expect(result.verdict.failures.first?.notes.map { $0.text } == ["3 of 10"])
  }

  @Test func `limits of time end a scenario and a run, after finally`() throws {
    let folder = try TemporaryFolder()
    let text = """
      scenario: Long
      time: wall
      graph: { n: 0 }
      steps: [{ wait: 60s }]
      finally: [{ check: n == 1 }]
      ---
      scenario: After
      steps: []

      """
    #expect(folder.write("a.scenario.yaml", text))
    let slow = try said("run . --max-time 50ms", in: folder)
    #expect(slow.contains("error[max-time]: the scenario took longer than `--max-time 50ms`"))
    #expect(slow.contains("error[check-failed]: "))
    #expect(slow.contains("1 passed, 1 failed"))
    let late = try said("run . --deadline 50ms --jobs 1; echo exit $?", in: folder)
    #expect(late.contains("error[deadline]: "))
    #expect(late.contains("the time of `--deadline` is over: 1 scenario was not run"))
    #expect(late.contains("exit 3"))
  }

  @Test func `a dry run lists and runs nothing`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.scenario.yaml", Self.suite))
    let listed = try said("run . --dry-run -g fails", in: folder)
    #expect(listed == "./a.scenario.yaml:5  Fails\n4 left out by --grep\n")
    #expect(try said("run . --dry-run --format json", in: folder).hasPrefix("[\n"))
    let refused = try said("run . --dry-run --format junit; echo exit $?", in: folder)
    #expect(refused.contains("a dry run prints a list") && refused.contains("exit 2"))
  }

  @Test func `a part without scenarios passes, and says that it is empty`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.scenario.yaml", "scenario: One\nsteps: [{ check: 1 == 1 }]\n"))
    for verb in ["run", "list"] {
      let parts = try (1...3).map {
        try said("\(verb) . --shard \($0)/3; echo exit $?", in: folder)
      }
      #expect(parts.allSatisfy { $0.contains("exit 0") })
      let line = "of the suite is empty: the selected scenarios belong to other parts"
      #expect(parts.count { $0.contains(line) } == 2)
      let none = try said("\(verb) . --shard 1/3 -g nowhere; echo exit $?", in: folder)
      #expect(none.contains("nothing-selected") && none.contains("exit 4"))
    }
  }

  @Test func `a row is listed at its own line, as its report has it`() throws {
    let folder = try TemporaryFolder()
    let text = """
      scenario: Rows
      cases:
        - { id: one, v: 1 }
        - { id: two, v: 3 }
      steps: [{ check: v < 3 }]

      """
    #expect(folder.write("a.scenario.yaml", text))
    #expect(
      try said("list a.scenario.yaml", in: folder)
        == "a.scenario.yaml:3  Rows [one]\na.scenario.yaml:4  Rows [two]\n")
    let ran = try said("run a.scenario.yaml", in: folder)
    #expect(ran.contains("FAIL a.scenario.yaml:4  Rows [two]"))
  }

  @Test func `warnings may fail a run`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.scenario.yaml", "scenario: Empty\nsteps: []\n"))
    #expect(try said("run . ; echo exit $?", in: folder).contains("exit 0"))
    let failed = try said("run . --fail-on warnings; echo exit $?", in: folder)
    #expect(failed.contains("the run fails by `--fail-on warnings`: 1 warning\n"))
    #expect(failed.contains("exit 1"))
    _ = try said("run . --format ndjson=part.ndjson", in: folder)
    let merged = try said("report merge part.ndjson --fail-on warnings; echo exit $?", in: folder)
    #expect(merged.contains("the run fails by `--fail-on warnings`: 1 warning\nexit 1"))
  }

  @Test(arguments: [
    ("counter.component.yaml", "component: Counter\ngraph: { n: 0 }\n", "is a component"),
    ("login.steps.yaml", "steps: [{ wait: 1s }]\n", "holds steps"),
    ("rehearse.yaml", "timeout: 1s\n", "is a configuration"),
  ])
  func `a file that holds no scenario is called by what it is`(
    name: String, text: String, what: String
  ) throws {
    let folder = try TemporaryFolder()
    #expect(folder.write(name, text))
    let told = try said("run \(name); echo exit $?", in: folder)
    #expect(told.contains("`\(name)` \(what)") && told.contains("exit 4"), "\(told)")
  }
}

extension String {
  func replacingFirst(_ text: String, with other: String) -> String {
    guard let range = firstRange(of: text) else { return self }
    return replacingCharacters(in: range, with: other)
  }

  private func replacingCharacters(in range: Range<Index>, with other: String) -> String {
    self[..<range.lowerBound] + other + self[range.upperBound...]
  }
}

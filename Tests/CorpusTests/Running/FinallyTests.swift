import Glibc
import ScenarioEngine
import ScenarioRuns
import TestKit
import Testing
import Verdicts

/// `finally` runs after any end of the steps.
@Suite struct FinallyTests {
  private static let endings: [(String, String, String, logLimit: Int?)] = [
    ("invariants: [{ always: a == 0 }]", "{ set: { a: 1 } }", "invariant-broken", nil),
    ("", "{ repeat: 1000, steps: [{ log: a }] }", "limit-exceeded", 10_000),
  ]
  /// A minute of work each for a debug build.
  private static let longEndings: [(String, String, String, logLimit: Int?)] = [
    ("", "{ send: r.go }", "limit-exceeded", nil),
    (
      "streams: { ticks: { interval: 1us } }", "{ never: { ticks: { $lt: 0 } }, for: 100s }",
      "limit-exceeded", nil
    ),
  ]

  @Test(arguments: endings + (Corpus.everyTenth ? [] : longEndings))
  func `a broken invariant and a limit do not keep finally from running all its steps`(
    _ stage: String, _ step: String, _ id: String, logLimit: Int?
  ) throws {
    let loading = Loading(
      """
      scenario: Cleans up
      graph: { a: 0, b: 0 }
      reactors:
        r: { state: { n: 0 }, actions: { go: [{ set: { n: "${n + 1}" } }, { send: r.go }] } }
      \(stage)
      steps: [\(step)]
      finally: [{ set: { b: 1 } }, { wait: 1ms }, { set: { b: 2 } }, { check: b == 3 }]

      """
    )
    var inputs = RunInputs(seed: 1)
    inputs.options.logLimit = logLimit
    let verdict = runScenario(try #require(loading.plan), inputs: inputs).verdict
    #expect(verdict.failures.map(\.id.rawValue) == [id, "check-failed"])
    let place = try #require(verdict.failures.first?.labels.first?.range)
    let line = loading.file.sources.file(of: place)?.place(of: Int(place.start)).line
    #expect(try #require(line) < 7, "it is not the doing of `finally`")
    #expect(verdict.failures.last?.facts.contains { $0.text.contains("2") } == true)
  }

  @Test func `an interrupted scenario runs its finally, as long as there is time`() throws {
    let loading = Loading(
      """
      scenario: A year of ticks
      graph: { b: 0 }
      streams: { ticks: { interval: 1ms } }
      steps: [{ wait: 365d }]
      finally: [{ set: { b: 1 } }, { wait: 1s }, { check: b == 2 }]

      """)
    for (isOutOfTime, last) in [(false, "check-failed"), (true, "interrupted")] {
      var inputs = RunInputs(seed: 1, isInterrupted: { true })
      inputs.isOutOfTime = { isOutOfTime }
      let run = runScenario(try #require(loading.plan), inputs: inputs)
      #expect(run.verdict.failures.map(\.id.rawValue) == ["interrupted", last])
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends the steps, and not finally`(_ signal: Int32) throws {
    let command = try Interruptible("{ wait: 10ms }, { check: 1 == 2 }").started()
    command.interrupt(by: signal)
    #expect(command.exitCode() == 128 + signal)
    #expect(command.said.contains("error[interrupted]: "))
    #expect(command.said.contains("error[check-failed]: "))
    #expect(command.said.contains("1 scenario was not run"))
  }

  @Test(arguments: [["--finally-time", "100ms"], []])
  func `the time of finally, or a second signal, ends it`(_ options: [String]) throws {
    let command = try Interruptible("{ wait: 60s }").started(options)
    command.interrupt(by: SIGINT)
    if options.isEmpty {
      usleep(300_000)
      command.interrupt(by: SIGINT)
    }
    #expect(command.exitCode() == 130)
    #expect(command.said.contains("0 passed, 1 failed") == !options.isEmpty)
  }

  @Test func `the report of an earlier run is gone when a run begins`() throws {
    let scenario = try Interruptible("{ wait: 60s }")
    let report = scenario.folder.path + "/report.json"
    #expect(writeFile(report, "old") == nil)
    let command = try scenario.started(["--format", "json=\(report)"])
    command.interrupt(by: SIGTERM)
    usleep(100_000)
    command.interrupt(by: SIGTERM)
    #expect(command.exitCode() == 143)
    #expect(access(report, F_OK) != 0)
  }
}

/// A scenario that waits in real time until a signal ends it.
private struct Interruptible {
  let folder: TemporaryFolder
  private let path: String

  init(_ finally: String) throws {
    folder = try TemporaryFolder()
    path = folder.path + "/a.yaml"
    let text = """
      scenario: Waits
      time: wall
      steps: [{ wait: 60s }]
      finally: [\(finally)]
      ---
      scenario: Later
      steps: []

      """
    #expect(writeFile(path, text) == nil)
  }

  /// Starts a run, and waits until its scenario is under way.
  func started(_ options: [String] = []) throws -> SpawnedCommand {
    let command = try #require(SpawnedCommand(["run", path, "--jobs", "1"] + options))
    usleep(400_000)
    return command
  }
}

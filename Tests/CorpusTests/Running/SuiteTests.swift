import Glibc
import ScenarioEngine
import ScenarioRuns
import Synchronization
import TestKit
import Testing
import Values
import Verdicts

/// Suites whose scenarios run at once.
@Suite struct SuiteTests {
  private static let waits = (1...4).map {
    "scenario: W\($0)\ntime: wall\nsteps: [{ wait: 300ms }]\n"
  }.joined(separator: "---\n")

  @Test func `scenarios of one file run at once, also in real time`() throws {
    let began = wallClock()
    let results = try results(of: [Self.waits]) { suite in
      (suite.jobs, suite.hasFixedJobs) = (4, true)
    }
    #expect(results == ["W1", "W2", "W3", "W4", "0 left"])
    #expect(wallClock() - began < 900_000)
  }

  @Test func `the first failure by the order of the text ends a suite, with any number of jobs`()
    throws
  {
    let files = (0..<3).map { file in
      (0..<40).map { number in
        "scenario: S\(file).\(number)\nsteps: [{ check: \(number) != \(file == 1 ? 17 : 99) }]\n"
      }.joined(separator: "---\n")
    }
    let alone = try results(of: files) { ($0.failsFast, $0.jobs) = (true, 1) }
    #expect(alone.count == 40 + 18 + 3)
    #expect(alone.suffix(3) == ["S1.17", "22 left", "40 left"])
    for jobs in [2, 4, 16] {
      #expect(try results(of: files) { ($0.failsFast, $0.jobs) = (true, jobs) } == alone)
    }
  }

  @Test func `scenarios that share a database on disk run one after the other`() throws {
    let file = (1...8).map { number in
      """
      scenario: D\(number)
      databases:
        d:
          sqlite: shared.db
          setup: |
            CREATE TABLE IF NOT EXISTS t (a);
            CREATE TRIGGER IF NOT EXISTS inOrder BEFORE INSERT ON t
            WHEN NEW.a <> (SELECT count(*) + 1 FROM t)
            BEGIN SELECT RAISE(ABORT, 'out of order'); END;
      steps:
        - sql: { d: INSERT INTO t VALUES (\(number)) }

      """
    }.joined(separator: "---\n")
    let watcher = Watcher()
    try run([file], watcher) { $0.jobs = 4 }
    #expect(watcher.outcomes == [Verdict.Outcome](repeating: .passed, count: 8))
  }

  @Test func `an interrupted suite waits for no file that is being loaded`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.yaml"
    #expect(writeFile(path, "scenario: A\nsteps: []\n") == nil)
    let isInterrupted = Flag()
    // The choice of scenarios is a part of loading.
    let slow = SuiteFile(path: path) { _, _, _ in
      isInterrupted.raise()
      usleep(2_000_000)
      return true
    }
    let suite = Suite(files: [slow, slow], jobs: 1, isInterrupted: { isInterrupted.isRaised })
    let began = wallClock()
    #expect(runSuite(suite, watcher: Watcher()) == 2)
    #expect(wallClock() - began < 1_500_000)
  }

  private func results(
    of files: [String], _ change: (inout Suite) -> Void
  ) throws -> [String] {
    let watcher = Watcher()
    try run(files, watcher, change)
    return watcher.results
  }

  private func run(
    _ files: [String], _ watcher: Watcher, _ change: (inout Suite) -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let paths = files.indices.map { "\(folder.path)/\($0).scenario.yaml" }
    for (path, text) in zip(paths, files) { #expect(writeFile(path, text) == nil) }
    var suite = Suite(files: paths.map { SuiteFile(path: $0) })
    change(&suite)
    #expect(runSuite(suite, watcher: watcher) == 0)
  }
}

/// A flag that a thread raises for others.
private final class Flag: Sendable {
  private let value = Atomic(false)

  var isRaised: Bool { value.load(ordering: .relaxed) }

  func raise() { value.store(true, ordering: .relaxed) }
}

private final class Watcher: SuiteWatcher {
  private(set) var results: [String] = []
  private(set) var outcomes: [Verdict.Outcome] = []

  func began(_ file: FileResult) {}

  func ran(_ scenario: ScenarioResult) {
    results.append(scenario.plan.title)
    outcomes.append(scenario.verdict.outcome)
  }

  func ended(_ file: FileResult) { results.append("\(file.leftAlone) left") }
  func takesLong(_ scenario: String, _ duration: Microseconds) {}
  func working(_ status: SuiteStatus) {}
}

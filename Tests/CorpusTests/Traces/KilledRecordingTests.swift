import Glibc
import ScenarioRuns
import TestKit
import Testing
import Traces
import Values

/// Recordings that end in the middle, and recordings that are repeated.
@Suite struct KilledRecordingTests {
  /// How many recordings are killed; a larger number is given for a longer search.
  private static let kills =
    getenv("TRACE_KILLS").flatMap { Int(String(cString: $0)) } ?? 4

  private static let counting = """
    scenario: A counter counts
    graph: { count: 0, text: { computed: "'ä' + string(count)" } }
    steps:
      - repeat: 400000
        steps:
          - set: { count: "${count + 1}" }
      - check: count == 400000

    """

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let isWritten = folder.write("count.scenario.yaml", Self.counting)
    try #require(isWritten)
    return folder
  }

  @Test func `what a killed run recorded is readable up to its last complete line`() throws {
    let folder = try folder()
    let path = folder.file("traces/count.a-counter-counts.trace.jsonl.partial")
    var killed = 0
    // A fast machine may end a run before it is killed. Then another one is begun.
    for attempt in 1...(Self.kills * 10) where killed < Self.kills {
      let command = try #require(
        SpawnedCommand(["run", folder.file("count.scenario.yaml"), "--record"]))
      // Wait until it records, and then a time that is another one for each.
      for _ in 0..<5_000 where !hasBegun(path) { usleep(1_000) }
      usleep(UInt32(attempt * 7_919 % 50_000))
      command.interrupt(by: SIGKILL)
      guard command.exitCode() == nil, access(path, R_OK) == 0 else { continue }
      killed += 1
      try expectPrefix(path)
      unlink(path)
    }
    #expect(killed == Self.kills)
  }

  private func hasBegun(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size > 0
  }

  /// All complete lines can be read, their numbers rise by one, and the verdict is missing.
  private func expectPrefix(_ path: String) throws {
    let trace = try ReadTrace(openTrace(path).get())
    #expect(trace.problems.isEmpty)
    let run = try #require(trace.onlyRun)
    #expect(!run.isComplete)
    let numbers = run.entries.indices.map { run.entries.number(of: $0) }
    #expect(numbers == Array(1..<(numbers.count + 1)))
    let shown = try #require(SpawnedCommand(["trace", "show", path, "--kind", "verdict"]))
    #expect(shown.exitCode() == 0)
    // The run may have been killed right behind the end of a line.
    let said =
      run.cut.map { "cut: line \($0.line) has no end" } ?? "cut: the trace ends before the run did"
    #expect(shown.said.contains(said), "\(shown.said.suffix(200))")
  }

  @Test func `a trace is the same with any number of jobs`() throws {
    let folder = try folder()
    let files = ["shop", "prices", "chat"].map { "\($0).scenario.yaml" }
    for (number, file) in files.enumerated() {
      let text = """
        scenario: A table of \(number)
        cases: [{ id: a, n: 1 }, { id: b, n: 2 }, { id: c, n: 3 }]
        graph: { x: 0 }
        steps:
          - set: { x: "${n + \(number)}" }
          - expect: { x: "${n + \(number)}" }

        """
      #expect(folder.write(file, text))
    }
    var all: Set<[String]> = []
    for jobs in [1, 2, 4, 8, 1, 4] {
      var suite = Suite(files: files.map { SuiteFile(path: folder.file($0)) }, jobs: jobs)
      suite.records.traces = .all
      runSuite(suite) { _ in }
      let traces = ["shop.a-table-of-0", "prices.a-table-of-1", "chat.a-table-of-2"].flatMap {
        name in
        ["a", "b", "c"].map { folder.text("traces/\(name).\($0).trace.jsonl") ?? "" }
      }
      #expect(traces.allSatisfy { $0.contains("\"verdict\"") })
      all.insert(traces)
    }
    #expect(all.count == 1)
  }
}

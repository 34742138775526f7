import TestKit
import Testing
import Verdicts

@testable import ScenarioRuns

/// Scenarios in real time that run side by side.
@Suite struct SideBySideTests {
  private func needs(_ kind: RunNeeds.Kind, _ connections: [String: Int] = [:]) -> RunNeeds {
    RunNeeds(kind: kind, connections: connections)
  }

  /// Begins scenarios with these needs until one is not admitted, and returns their number.
  private func count(_ needs: RunNeeds, in slots: inout SideBySide) -> Int {
    var count = 0
    while count < 50, slots.admits(needs) {
      slots.begin(needs)
      count += 1
    }
    return count
  }

  @Test(
    arguments: [
      ([:], 8), (["a": 1], 6), (["a": 2], 3), (["a": 4], 1), (["a": 20], 1), (["a": 1, "b": 3], 2),
    ] as [([String: Int], Int)])
  func `eight scenarios wait for servers, with at most six connections to a host`(
    connections: [String: Int], expected: Int
  ) {
    var slots = SideBySide(jobs: 2, isFixed: false, onMachine: 1)
    #expect(count(needs(.servers, connections), in: &slots) == expected)
    #expect(slots.admits(needs(.servers, ["c": 1])) == (expected < 8))
    #expect(slots.mostInRealTime == expected)
  }

  @Test func `a number of jobs that was chosen stands for all scenarios`() {
    var slots = SideBySide(jobs: 20, isFixed: true, onMachine: 1)
    #expect(count(needs(.servers, ["a": 1]), in: &slots) == 20)
    #expect(!slots.admits(needs(.processor)))
  }

  @Test func `a machine that is never late takes more, and a late one fewer`() {
    var slots = SideBySide(jobs: 2, isFixed: false, onMachine: 1)
    func run(_ lag: Int64?) -> Int {
      slots.begin(needs(.machine))
      slots.end(needs(.machine), lag: lag)
      return slots.onMachine
    }
    #expect([100, 999, nil, 1_000, 5_000].map(run) == [2, 3, 3, 3, 3])
    #expect([5_001, 80_000, 80_000, 80_000].map(run) == [2, 1, 1, 1])
    for _ in 0..<20 { _ = run(0) }
    #expect(slots.onMachine == 8)
  }

  @Test func `scenarios in virtual time leave room for one in real time`() {
    var slots = SideBySide(jobs: 2, isFixed: false, onMachine: 1)
    #expect(count(needs(.processor), in: &slots) == 2)
    #expect(slots.admits(needs(.machine)) && slots.admits(needs(.servers)))
    slots.end(needs(.processor))
    slots.begin(needs(.machine))
    #expect(!slots.admits(needs(.processor)))
  }

  private static let server = """
    scenario: The server
    endpoints: { api: { http: [{ get: /, respond: { text: hi, after: 60ms } }] } }
    steps: [{ wait: 20s }]
    """

  private func mostAtOnce(files: Int, scenarios: Int) throws -> Int {
    let server = try #require(RehearsedServer(SideBySideTests.server))
    defer { server.stop() }
    let text = """
      scenario: TITLE
      vars: { base: "http://127.0.0.1:\(server.port)" }
      endpoints: { api: { url: "${base}" } }
      steps: [{ request: { endpoint: api, get: /, expect: { text: hi } } }]

      """
    return try mostAtOnce(text, files: files, scenarios: scenarios, in: .real(RealWorldSettings()))
  }

  private func mostAtOnce(
    _ text: String, files: Int, scenarios: Int, in world: WorldKind
  ) throws -> Int {
    let folder = try TemporaryFolder()
    let paths = (0..<files).map { "\(folder.path)/\($0).scenario.yaml" }
    for path in paths {
      let texts = (0..<scenarios).map { text.replacing("TITLE", with: "S\($0)") }
      #expect(writeFile(path, texts.joined(separator: "---\n")) == nil)
    }
    var suite = Suite(files: paths.map { SuiteFile(path: $0) }, jobs: 2)
    suite.world = world
    let watcher = CountingWatcher()
    #expect(runSuite(suite, watcher: watcher) == 0)
    #expect(watcher.passed == files * scenarios)
    return watcher.sideBySide
  }

  @Test func `files with a real server run side by side, and the scenarios of one in order`()
    throws
  {
    #expect(try mostAtOnce(files: 16, scenarios: 1) == 8)
    #expect(try mostAtOnce(files: 1, scenarios: 4) == 1)
  }

  /// Another test may keep the machine busy for a while, and then it admits no more.
  @Test func `files whose mocks are on sockets run side by side once the machine was in time`()
    throws
  {
    let text = """
      scenario: TITLE
      endpoints: { api: { http: [{ get: /, respond: { text: hi, after: 50ms } }] } }
      steps: [{ request: { endpoint: api, get: /, expect: { text: hi } } }]

      """
    let start = max(1, processorCount() / 2)
    var most = 0
    for _ in 0..<20 where most <= start {
      most = try mostAtOnce(text, files: 12, scenarios: 1, in: .sockets)
    }
    #expect(most > start || start >= 8)
    #expect(most <= max(start, 8))
  }
}

private final class CountingWatcher: SuiteWatcher {
  private(set) var passed = 0
  private(set) var sideBySide = 0

  func began(_ file: FileResult) {}
  func ran(_ scenario: ScenarioResult) { if scenario.verdict.outcome == .passed { passed += 1 } }
  func ended(_ file: FileResult) {}
  func takesLong(_ scenario: String, _ duration: Int64) {}
  func working(_ status: SuiteStatus) {}
  func ranSideBySide(_ count: Int) { sideBySide = count }
}

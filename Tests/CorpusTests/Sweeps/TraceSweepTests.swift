import TestKit
import Testing

/// `rehearse sweep --trace`: what may go wrong over a recording, without its server.
@Suite struct TraceSweepTests {
  private static let prices =
    "scenarios/traces/prices.a-price-feed-drops-backs-off-and-resumes-where-it-was.trace.jsonl"

  @Test func `a recording has the places of its mocks`() throws {
    let ofMocks = try said(["sweep", "--list", "scenarios/live/prices.scenario.yaml"])
    let ofTrace = try said(["sweep", "--list", "--trace", Self.prices])
    #expect(ofTrace.said == ofMocks.said)
    #expect(ofTrace.said.split(separator: "\n").count == 65)
  }

  /// The wrong client and its right twin in a scenario of `scenarios/sweep`, by their lines.
  @Test(arguments: [
    ("feed", right: 2, wrong: 44), ("jobs", right: 2, wrong: 44), ("banner", right: 2, wrong: 42),
    ("search", right: 2, wrong: 37),
  ])
  func `a wrong client is found over a recording, and its right twin is not blamed`(
    name: String, right: Int, wrong: Int
  ) throws {
    let held = try swept("scenarios/sweep/\(name).scenario.yaml:\(right)")
    #expect(held.code == 0, "\(held.said)")
    #expect(held.said.contains("held, 0 failed, 0 not judged, 0 unclear"), "\(held.said)")
    let failed = try swept("scenarios/sweep/\(name).scenario.yaml:\(wrong)")
    #expect(failed.code == 1, "\(failed.said)")
    let rerun = try #require(failed.said.split(separator: "\n").first { $0.contains("= rerun") })
    #expect(rerun.contains("--against trace:"), "\(rerun)")
  }

  @Test func `the command of a failure repeats its course`() throws {
    let folder = try TemporaryFolder()
    let scenario = "scenarios/sweep/feed.scenario.yaml:44"
    let trace = try recorded(scenario, in: folder)
    let course = "cut after event 1 of server, connection 1"
    let repeated = try said(["run", scenario, "--disturb", course, "--against", "trace:" + trace])
    #expect(repeated.code == 1, "\(repeated.said)")
    #expect(repeated.said.contains("disturbed  \(course)"), "\(repeated.said)")
  }

  @Test(arguments: [
    (["--trace", "nowhere.jsonl"], "`nowhere.jsonl` cannot be read"),
    (["--trace", "scenarios/traces/cart.trace.jsonl"], "names no scenario"),
    (["--trace", prices, "--against", "mock"], "two options contradict each other"),
    (["--trace", prices, "--pin"], "two options contradict each other"),
    (
      ["scenarios/sweep/orders.scenario.yaml", "--trace", prices],
      "no endpoint of the scenario has a request in"
    ),
  ])
  func `a recording that cannot be swept is refused`(words: [String], text: String) throws {
    let (code, said) = try said(["sweep"] + words)
    #expect(code != 0, "\(said)")
    #expect(said.contains(text), "\(said)")
  }

  private func recorded(_ scenario: String, in folder: TemporaryFolder) throws -> String {
    #expect(try said(["run", scenario, "--record=" + folder.file("t")]).code == 0)
    let names = filePaths(below: folder.file("t")).filter { $0.hasSuffix(".trace.jsonl") }
    return try #require(names.first)
  }

  private func swept(_ scenario: String) throws -> (code: Int32?, said: String) {
    let folder = try TemporaryFolder()
    return try said(["sweep", "--trace", recorded(scenario, in: folder)])
  }

  private func said(_ words: [String]) throws -> (code: Int32?, said: String) {
    let command = try #require(SpawnedCommand(words))
    return (command.exitCode(), command.said)
  }
}

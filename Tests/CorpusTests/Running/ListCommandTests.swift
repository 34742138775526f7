import TestKit
import Testing
import Values

/// `rehearse list --format ndjson`, and the ids by which programs find results.
@Suite struct ListCommandTests {
  private static let good = """
    scenario: Good
    tags: [quick]
    cases: [{ id: a, n: 1 }, { id: b, n: 2 }]
    steps: [{ check: n == 1 }]
    ---
    scenario: Other
    steps: [{ check: 1 == 1 }]

    """

  private static func lines(_ command: SpawnedCommand) throws -> [Value] {
    try command.said.split(separator: "\n").filter {
      $0.hasPrefix("{\"id") || $0.hasPrefix("{\"path")
    }
    .map { try parseJSON(String($0)).get() }
  }

  @Test func `each scenario and row is a line, and so is a file that does not load`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.scenario.yaml", ListCommandTests.good))
    #expect(folder.write("b.scenario.yaml", "endpoints: {}\n"))
    let files = "a.scenario.yaml b.scenario.yaml"
    let list = try #require(SpawnedCommand(shell: "$R list \(files) --format ndjson", in: folder))
    #expect(list.exitCode() == 2)
    let lines = try ListCommandTests.lines(list)
    #expect(
      lines.map { $0["id"]?.plainText } == [
        "a.scenario.yaml::Good::a", "a.scenario.yaml::Good::b", "a.scenario.yaml::Other",
        "b.scenario.yaml::", nil,
      ])
    #expect(lines[0]["tags"] == ["quick"] && lines[0]["line"] == 3 && lines[2]["line"] == 6)
    #expect(lines[4]["path"] == "b.scenario.yaml")
    guard case .list(let diagnostics)? = lines[4]["diagnostics"] else { return }
    #expect(diagnostics.first?["text"]?.plainText.hasPrefix("error[") == true)
  }

  @Test func `a report has the ids of the list, which select, and failures as people see them`()
    throws
  {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.scenario.yaml", ListCommandTests.good))
    let run = try #require(
      SpawnedCommand(
        shell: "$R run a.scenario.yaml::Good::b --format json=r.json", in: folder))
    #expect(run.exitCode() == 1)
    let report = try parseJSON(try #require(folder.text("r.json"))).get()
    guard case .list(let scenarios)? = report["scenarios"], scenarios.count == 1 else {
      Issue.record("\(report)")
      return
    }
    #expect(scenarios[0]["id"] == "a.scenario.yaml::Good::b")
    guard case .list(let failures)? = scenarios[0]["failures"] else { return }
    let text = failures.first?["text"]?.plainText ?? ""
    #expect(text.hasPrefix("error[check-failed]: ") && run.said.contains(text))
  }
}

import TestKit
import Testing

/// The page of a report, made by the command and looked at in a browser.
@Suite struct ReportPageTests {
  private static let driver = packageRoot + "/scenarios/reports/drive-page.py"
  private static let scenarios = #"""
    scenario: A counter </script><script>window.hacked = 1</script> counts
    tags: [graph, "<b>"]
    vars: { token: { value: s3cr3t-t0ken, secret: true } }
    graph: { count: 0, twice: { computed: count * 2 } }
    endpoints:
      api: { http: [{ get: /fact, respond: { json: { fact: "${token}" }, after: 200ms } }] }
    providers: { fact: { endpoint: api, get: /fact, value: "${response.json.fact}" } }
    reactors:
      facts:
        state: { fact: none }
        actions: { load: [{ load: { fact: fact } }] }
    steps:
      - set: { count: 2 }
      - expect: { count: 2, twice: 4 }
      - send: facts.load
      - expect:
          facts.fact: [loading, { loaded: other }]
    ---
    scenario: This one passes
    graph: { count: 0 }
    steps: [{ set: { count: 1 } }, { expect: { count: 1 } }]

    """#

  private static func has(_ program: String) -> Bool {
    SpawnedCommand(["--version"], program: program)?.exitCode() == 0
  }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try #require(folder.write("page.scenario.yaml", Self.scenarios))
  }

  /// Returns the path of a report.
  private func report(_ name: String = "report.html", _ options: [String] = []) throws -> String {
    let path = folder.file(name)
    let command = try #require(
      SpawnedCommand(
        ["run", folder.file("page.scenario.yaml"), "--no-wall-times", "--format", "html=\(path)"]
          + options))
    #expect(command.exitCode() == 1, "\(command.said)")
    return path
  }

  private func data(_ path: String) throws -> String {
    let command = try #require(
      SpawnedCommand([Self.driver, "--data", path], program: "python3", patience: 60_000_000))
    #expect(command.exitCode() == 0)
    return command.said
  }

  @Test(
    .enabled(
      if: has("python3") && has("chromium"), "python3 and chromium are not both installed"))
  func `a reader opens it, filters, steps, and follows a cause`() throws {
    for _ in 1...2 { _ = try report("report.html", ["--history", folder.file("runs.jsonl")]) }
    let command = try #require(
      SpawnedCommand(
        [Self.driver, folder.file("report.html")], program: "python3", patience: 120_000_000))
    #expect(command.exitCode() == 0, "\(command.said)")
  }

  @Test(.enabled(if: has("python3"), "python3 is not installed"))
  func `a history has the results of each run, and no secret, command or value of --var`() throws {
    let history = folder.file("runs.jsonl")
    for run in 1...3 {
      let data = try data(report("h.html", ["--history", history, "--var", "token=hidden-9"]))
      #expect(data.ranges(of: #"{"r":0,"o":"failed"}"#).count == (run == 1 ? 0 : 1))
      #expect(data.contains(#""b":{"o":"passed"}"#) == (run > 1))
    }
    let lines = try #require(fileText(history)).split(separator: "\n")
    #expect(lines.count == 3 && Set(lines).count == 1)
    #expect(!lines[0].contains("hidden-9") && !lines[0].contains("--var"))
  }

  @Test(.enabled(if: has("python3"), "python3 is not installed"))
  func `a run is compared with a JSON report, and a file that is none stays as it is`() throws {
    let earlier = folder.file("earlier.json")
    _ = try report("a.html", ["--format", "json=\(earlier)"])
    #expect(try data(report("b.html", ["--compare", earlier])).contains(#""b":{"o":"failed","#))
    let text = fileText(earlier)
    let scenarios = folder.file("page.scenario.yaml")
    for (options, said) in [
      (["--history", earlier, "--format", "html=c.html"], "is no history of runs"),
      (["--compare", scenarios, "--format", "html=c.html"], "no-report"),
      (["--compare", earlier], "only the HTML report compares two runs"),
    ] {
      let command = try #require(SpawnedCommand(["run", scenarios] + options))
      #expect(command.exitCode() == 2 && command.said.contains(said), "\(command.said)")
    }
    #expect(fileText(earlier) == text)
  }

  @Test(
    .enabled(
      if: has("python3") && has("chromium"), "python3 and chromium are not both installed"))
  func `the page of a sweep has its places, and each course beside the good run`() throws {
    let path = folder.file("sweep.html")
    let file = packageRoot + "/scenarios/sweep/feed.scenario.yaml"
    let sweep = try #require(SpawnedCommand(["sweep", file, "--format", "html=\(path)"]))
    #expect(sweep.exitCode() == 1, "\(sweep.said)")
    let command = try #require(
      SpawnedCommand([Self.driver, "--sweep", path], program: "python3", patience: 120_000_000))
    #expect(command.exitCode() == 0, "\(command.said)")
  }

  @Test func `two reports of one run are equal to the byte`() throws {
    let texts = try ["a.html", "b.html"].map { try #require(fileText(report($0))) }
    #expect(texts[0] == texts[1])
    #expect(texts[0].contains("<!DOCTYPE html>"))
  }

  @Test(.enabled(if: has("python3"), "python3 is not installed"))
  func `no secret is in it, neither in values nor in quoted lines`() throws {
    let data = try data(report("all.html", ["--html-events", "all"]))
    #expect(!data.contains("s3cr3t-t0ken"))
    #expect(data.contains("‹token›") && data.contains("***"))
  }

  @Test(
    .enabled(if: has("python3"), "python3 is not installed"),
    arguments: [("failed", 1), ("all", 2), ("none", 0)])
  func `timelines are kept as the option says`(_ choice: String, _ count: Int) throws {
    let data = try data(report("\(choice).html", ["--html-events", choice]))
    #expect(data.ranges(of: #""lines":[{"#).count == count)
  }
}

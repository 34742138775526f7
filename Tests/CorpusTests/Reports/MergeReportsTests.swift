import TestKit
import Testing

/// The reports of the parts of a suite, merged by the command.
@Suite struct MergeReportsTests {
  private static let scenarios = [
    "check-false", "control-characters", "differences-of-a-long-text",
    "differences-of-a-lost-element", "any-order-mismatch", "answered-twice",
    "capture-never-taken",
  ].map { "\(packageRoot)/scenarios/failing/\($0).yaml" }
  private static let more = [
    "\(packageRoot)/scenarios/state-graph", "\(packageRoot)/scenarios/http/routes.scenario.yaml",
  ]

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let broken = """
      scenario: A table
      vars: { token: { value: s3cr3t-t0ken, secret: true } }
      cases:
        - { id: two, n: 1 }
        - { id: one, n: 2 }
      steps: [{ check: "n == 1 && '${token}' != 's3cr3t-t0ken'" }]
      ---
      scenario: Is left out
      skip: it is only an example
      steps: []
      ---
      scenario: Is broken
      stepz: []

      """
    try #require(folder.write("table.scenario.yaml", broken))
  }

  private func rehearse(_ arguments: [String]) throws -> Int32? {
    let command = try #require(SpawnedCommand(arguments, patience: 120_000_000))
    return command.exitCode()
  }

  private func run(_ options: [String]) throws -> Int32? {
    try rehearse(
      ["run"] + ([folder.file("table.scenario.yaml")] + Self.scenarios + Self.more).sorted()
        + ["--no-wall-times", "--html-events", "failed", "--coverage"] + options)
  }

  private func parts() throws -> [String] {
    try (1...2).map { index in
      let path = folder.file("\(index).ndjson")
      _ = try run(["--shard", "\(index)/2", "--format", "ndjson=\(path)"])
      return path
    }
  }

  @Test func `reports of two shards are, merged, the reports of the whole suite`() throws {
    let formats = ["human", "junit", "json", "tap", "ctrf", "github", "html"]
    let wanted = formats.map { "\($0)=\(folder.file("whole.\($0)"))" }
    let code = try run(wanted.flatMap { ["--format", $0] })
    let merged = formats.map { "\($0)=\(folder.file("merged.\($0)"))" }
    #expect(
      try rehearse(
        ["report", "merge"] + parts().reversed() + merged.flatMap { ["--format", $0] }) == code)
    for format in formats {
      let whole = try #require(folder.text("whole.\(format)"))
      #expect(folder.text("merged.\(format)") == whole, "\(format)")
      #expect(!whole.contains("s3cr3t-t0ken"))
    }
    #expect(!(try #require(folder.text("1.ndjson")) + "").contains("s3cr3t-t0ken"))
  }

  @Test func `a part that is missing, cut off or there twice makes no green run`() throws {
    let parts = try parts()
    let text = try #require(folder.text("1.ndjson"))
    let lines = text.split(separator: "\n").dropLast().joined(separator: "\n")
    #expect(folder.write("cut.ndjson", lines + "\n{\"event\":\"scen"))
    let cases = [
      ([parts[0]], "missing-report-part"), (parts + [parts[1]], "scenario-in-two-parts"),
      ([folder.file("cut.ndjson"), parts[1]], "incomplete-report-part"),
      ([folder.file("table.scenario.yaml")], "bad-report-part"),
    ]
    for (paths, id) in cases {
      let command = try #require(SpawnedCommand(["report", "merge"] + paths))
      #expect(command.exitCode() == 3)
      #expect(command.said.contains("error[\(id)]"), "\(command.said)")
    }
  }

  @Test(arguments: [
    (
      "{\"event\":\"file\" \"path\":\"a\"}", 3, 17,
      "a comma or a closing bracket follows an element"
    ),
    ("[1]", 3, 1, "a line of a report has an `event`"),
    ("{\"event\":\"scenario\"}", 3, 1, "the event `scenario` has a `path` and an `outcome`"),
  ])
  func `a damaged part is quoted where it is damaged, with the reason`(
    _ damage: String, _ line: Int, _ column: Int, _ reason: String
  ) throws {
    _ = try parts()
    var lines = try #require(folder.text("1.ndjson"))
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines[2] = damage
    #expect(folder.write("damaged.ndjson", lines.joined(separator: "\n")))
    let path = folder.file("damaged.ndjson")
    let command = try #require(SpawnedCommand(["report", "merge", path]))
    #expect(command.exitCode() == 3)
    #expect(command.said.contains("--> \(path):\(line):\(column)\n"))
    #expect(command.said.contains("3 | \(damage)\n"))
    #expect(command.said.contains(reason))
  }

  @Test func `a part that is there twice is counted once`() throws {
    let parts = try parts()
    let summaries = try [parts, parts + [parts[1]]].map { paths in
      let command = try #require(SpawnedCommand(["report", "merge"] + paths))
      _ = command.exitCode()
      return command.said.split(separator: "\n").last.map(String.init)
    }
    #expect(summaries[0] == summaries[1] && summaries[0]?.contains("passed") == true)
  }

  @Test func `warnings and errors of one file come in the order of its lines`() throws {
    let text = """
      scenario: Has an error
      steps: [{ chekc: 1 == 1 }]
      ---
      scenario: Has a warning
      steps: [{ wait: 1s }]

      """ + (1...6).map { "---\nscenario: Holds \($0)\nsteps: [{ check: 1 == 1 }]\n" }.joined()
    #expect(folder.write("mixed.scenario.yaml", text))
    let file = folder.file("mixed.scenario.yaml")
    let whole = folder.file("whole.json")
    _ = try rehearse(["run", file, "--no-wall-times", "--format", "json=\(whole)"])
    let parts = try (1...4).map { index in
      let path = folder.file("part\(index).ndjson")
      _ = try rehearse(
        ["run", file, "--no-wall-times", "--shard", "\(index)/4", "--format", "ndjson=\(path)"])
      return path
    }
    let merged = folder.file("merged.json")
    _ = try rehearse(["report", "merge"] + parts.reversed() + ["--format", "json=\(merged)"])
    #expect(folder.text("merged.json") == folder.text("whole.json"))
  }
}

import Glibc
import ScenarioRuns
import TestKit
import Testing

/// What `rehearse run` reads and writes, as a shell runs it.
@Suite struct RunCommandTests {
  private static let scenario = "scenario: Fine\nsteps: []\n"

  @Test func `reports without times are equal, also of scenarios in real time`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.yaml"
    let text = """
      scenario: Passes
      time: wall
      steps: [{ wait: 5ms }]
      ---
      scenario: Fails
      time: wall
      steps: [{ wait: 5ms }, { check: 1 == 2 }]

      """
    #expect(writeFile(path, text) == nil)
    for format in ["json", "junit", "human"] {
      let reports = try (1...3).map { number in
        let report = "\(folder.path)/\(number)"
        let arguments = ["run", path, "-v", "--no-wall-times", "--format", "\(format)=\(report)"]
        let command = try #require(SpawnedCommand(arguments))
        #expect(command.exitCode() == 1)
        return try readFile(report).get()
      }
      #expect(reports.allSatisfy { $0 == reports[0] })
    }
  }

  @Test func `a scenario that could not run is not one that nobody selected`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.yaml"
    let text = """
      scenario: Passes on
      endpoints: { api: { http: [{ get: /a, proxy: "http://127.0.0.1:1" }] } }
      steps: [{ request: { endpoint: api, get: /a, expect: { status: 200 } } }]

      """
    #expect(writeFile(path, text) == nil)
    let command = try #require(SpawnedCommand(["run", path]))
    #expect(command.exitCode() == 2)
    #expect(command.said.contains("error[proxy-without-sockets]"))
    #expect(!command.said.contains("nothing-selected"))
  }

  @Test(arguments: [([], true), (["-q"], false)] as [([String], Bool)])
  func `a long wait in real time is announced when it begins`(
    options: [String], isSaid: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let text = """
      scenario: Long
      time: wall
      steps: [{ check: 1 == 2 }, { wait: 90s }]
      ---
      scenario: Short
      time: wall
      steps: [{ wait: 5ms }]
      ---
      scenario: Virtual
      steps: [{ wait: 90s }]

      """
    let path = folder.path + "/a.yaml"
    #expect(writeFile(path, text) == nil)
    let command = try #require(SpawnedCommand(["run", path] + options))
    #expect(command.exitCode() == 1)
    let said = command.said.split(separator: "\n").filter { $0.contains("takes at least") }
    #expect(said == (isSaid ? ["\(path)  Long: takes at least 1m30s"] : []))
  }

  @Test(arguments: [
    ["list"], ["validate"], ["run"], ["explain"], ["schema"], ["eval", "1"], ["--help"],
    ["--version"],
  ])
  func `a full standard output is reported`(_ arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.yaml"
    #expect(writeFile(path, Self.scenario) == nil)
    let files = ["list", "validate", "run"].contains(arguments[0]) ? [path] : []
    let command = try shell((arguments + files).joined(separator: " ") + " > /dev/full")
    #expect(command.exitCode() == 3)
    #expect(command.said.contains("error[unwritable-file]: `standard output` cannot be written"))
  }

  @Test(arguments: [
    ("json=a.yaml", "error[report-over-input]: ", Int32(2)),
    ("json=./x --format junit=x", "error[two-reports-in-one-file]: ", 2),
    ("json=a.yaml/x", "error[unwritable-file]: ", 3),
    ("json=-", "{\"report\":1,", 0),
  ])
  func `the path of a report is checked before the run`(
    _ format: String, _ words: String, _ code: Int32
  ) throws {
    let folder = try TemporaryFolder()
    #expect(writeFile(folder.path + "/a.yaml", Self.scenario) == nil)
    let command = try shell("run a.yaml --format \(format)", in: folder)
    #expect(command.exitCode() == code)
    #expect(command.said.contains(words))
    #expect(command.said.contains("1 passed") == (code == 0))
    #expect(try readFile(folder.path + "/a.yaml").get() == Array(Self.scenario.utf8))
  }

  @Test func `schema prints one schema, and writes all of them into a folder that it makes`() throws
  {
    let folder = try TemporaryFolder()
    let printed = try shell("schema", in: folder)
    #expect(printed.exitCode() == 0)
    #expect(printed.said.split(separator: "\n").count { $0 == "{" } == 1)
    #expect(try shell("schema --write build/schemas", in: folder).exitCode() == 0)
    #expect(folder.text("build/schemas/scenario.schema.json") == printed.said)
    #expect(folder.text("build/schemas/trace.schema.json") != nil)
  }

  @Test(arguments: ["run - < a.yaml", "run /dev/stdin < a.yaml", "run -:1 < a.yaml"])
  func `standard input is read like a file`(_ line: String) throws {
    let folder = try TemporaryFolder()
    #expect(writeFile(folder.path + "/a.yaml", Self.scenario) == nil)
    let command = try shell(line + " -v", in: folder)
    #expect(command.exitCode() == 0)
    #expect(command.said.contains("ok   -:1  Fine"))
  }

  @Test func `variables and the environment are read from pipes`() throws {
    let folder = try TemporaryFolder()
    let text = """
      scenario: Secrets stay off the disk
      vars: { name: none, key: "${env.KEY_OF_PIPE}" }
      steps: [{ check: name == 'given' && key == 'piped' }]

      """
    #expect(writeFile(folder.path + "/a.yaml", text) == nil)
    let command = try shell(
      "run a.yaml --vars-file <(echo name: given) --env-file <(echo KEY_OF_PIPE=piped)", in: folder)
    #expect(command.exitCode() == 0)
  }

  @Test func `a signal ends a report that nobody reads`() throws {
    let folder = try TemporaryFolder()
    #expect(writeFile(folder.path + "/a.yaml", Self.scenario) == nil)
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    let command = try shell("run a.yaml --format json=pipe", in: folder)
    #expect(command.says("1 passed"))
    usleep(100_000)
    command.interrupt(by: SIGTERM)
    #expect(command.exitCode() == nil)
  }

  /// Runs a command line of `rehearse` in a shell, in a folder.
  private func shell(_ line: String, in folder: TemporaryFolder? = nil) throws -> SpawnedCommand {
    try #require(SpawnedCommand(shell: "exec \"$R\" \(line)", in: folder))
  }
}

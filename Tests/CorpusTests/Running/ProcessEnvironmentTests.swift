import TestKit
import Testing

/// What the command takes from its process: words, variables and limits.
@Suite struct ProcessEnvironmentTests {
  private static let scenario = """
    scenario: Reads the environment
    steps:
      - check: env.A == 'process' && env.B == "of\\nthe file"

    """

  private static let mayUnmount =
    SpawnedCommand(shell: "unshare -m mount -t tmpfs none /proc")?.exitCode() == 0

  @Test(.enabled(if: mayUnmount, "file systems cannot be mounted here"))
  func `the words of the command line are known without proc`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.yaml", "scenario: Fine\nsteps: [{ check: 1 == 1 }]\n"))
    let script = "unshare -m sh -c \"mount -t tmpfs none /proc && '$R' run a.yaml\""
    let command = try #require(SpawnedCommand(shell: script, in: folder))
    #expect(command.exitCode() == 0)
    #expect(command.said.hasPrefix("1 passed"))
  }

  @Test(arguments: ["--format json=out", "--log=out", "--record=out"])
  func `a limit for the size of files ends a report with an error`(_ option: String) throws {
    let folder = try TemporaryFolder()
    let body = String(repeating: "long ", count: 1_000)
    #expect(folder.write("a.yaml", "scenario: \(body)\nsteps: [{ log: \(body) }]\n"))
    let script = "ulimit -f 1; \"$R\" run a.yaml \(option) >&2; echo \"code $?\" >&2"
    let command = try #require(SpawnedCommand(shell: script, in: folder))
    _ = command.exitCode()
    #expect(command.said.contains("error[unwritable-file]"))
    #expect(command.said.contains("File too large"))
    #expect(command.said.contains("code 3"))
  }

  @Test func `the environment takes precedence over a file, and a note says so`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.yaml", Self.scenario))
    #expect(folder.write("e.env", "A=s3cret-of-the-file\nB=\"of\\nthe file\"\nC=1\n"))
    let script = "A=process C=1 \"$R\" run a.yaml --env-file e.env"
    let command = try #require(SpawnedCommand(shell: script, in: folder))
    #expect(command.exitCode() == 0)
    let note =
      "note[kept-variable]: `A` keeps its value of the environment, "
      + "which takes precedence over `e.env`\n"
    #expect(command.said.hasPrefix(note))
    #expect(!command.said.contains("s3cret"))
  }
}

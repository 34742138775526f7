import TestKit
import Testing

/// `rehearse fmt` as a shell runs it.
@Suite struct FormatCommandTests {
  private static let draft = "scenario: A\nsteps:\n- set: {a: 1}\ngraph: {a: 0}\n"
  private static let form = "scenario: A\nsteps:\n  - set: { a: 1 }\ngraph: { a: 0 }\n"

  @Test func `files are written, listed or compared, and only then exit otherwise`() throws {
    let folder = try TemporaryFolder()
    let isWritten =
      folder.write("a.scenario.yaml", Self.draft) && folder.write("b.steps.yaml", Self.form)
    try #require(isWritten)
    let path = folder.file("a.scenario.yaml")
    let rounds: [([String], Int32, String)] = [
      (["--check"], 1, path), (["--diff"], 1, "-- set: {a: 1}"), ([], 0, "1 of 2 files formatted"),
      (["--check"], 0, "2 files in the one form"), (["--diff"], 0, "2 files in the one form"),
    ]
    for (options, code, said) in rounds {
      let command = try #require(SpawnedCommand(["fmt", folder.path] + options))
      #expect(command.exitCode() == code)
      #expect(command.said.contains(said), "\(command.said)")
    }
    #expect(folder.text("a.scenario.yaml") == Self.form)
  }

  @Test func `a folder without a file to format is no success`() throws {
    let folder = try TemporaryFolder()
    try #require(folder.write("notes.yaml", "a: 1\n"))
    let command = try #require(SpawnedCommand(["fmt", folder.path]))
    #expect(command.exitCode() == 4)
    #expect(command.said.contains("error[nothing-selected]"), "\(command.said)")
  }

  @Test(arguments: [
    ("a: [1\n", 2, "error["), ("%YAML 1.1\n---\na: 1\n", 0, "warning[not-formatted]"),
    ("", 2, "empty"), ("vars: { token: { value: hunter2, secret: true }", 2, "value: ***"),
    ("vars:\n  token:\n    secret: true\n    value: hunter2: x\n", 2, "error[needs-quotes]"),
  ])
  func `a file that cannot be formatted stays as it is`(
    text: String, code: Int32, said: String
  ) throws {
    let folder = try TemporaryFolder()
    let isWritten = folder.write("a.scenario.yaml", text)
    try #require(isWritten)
    let command = try #require(SpawnedCommand(["fmt", folder.file("a.scenario.yaml")]))
    #expect(command.exitCode() == code)
    #expect(command.said.contains(said), "\(command.said)")
    #expect(!command.said.contains("hunter2"), "\(command.said)")
    #expect(folder.text("a.scenario.yaml") == text)
  }

  @Test func `a path that does not exist is named`() throws {
    let command = try #require(SpawnedCommand(["fmt", "nowhere"]))
    #expect(command.exitCode() == 2)
    #expect(command.said.contains("there is no file or folder `nowhere`"))
  }
}

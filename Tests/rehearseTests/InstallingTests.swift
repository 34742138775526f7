import Diagnostics
import Glibc
import ScenarioRuns
import TestKit
import Testing

@testable import rehearse

/// What is printed for a shell and for `man`.
@Suite struct InstallingTests {
  @Test(arguments: [
    ("rep", ["replay", "report"]), ("run --col", ["--color"]),
    ("run --color a", ["auto", "always"]),
    ("import --ru", ["--run"]), ("fmt --c", ["--check", "--color"]), ("run --seed ", []),
  ])
  func `bash completes commands, options and their words`(typed: String, offered: [String]) throws {
    let folder = try TemporaryFolder()
    let words = typed.split(separator: " ", omittingEmptySubsequences: false).map { "'\($0)'" }
    let script = """
      \(Shell.bash.completions)
      COMP_LINE='rehearse \(typed)' COMP_POINT=\(typed.count + 9)
      COMP_WORDS=(rehearse \(words.joined(separator: " ")))
      COMP_CWORD=\(words.count)
      _rehearse
      echo "<${COMPREPLY[*]}>"

      """
    let isWritten = folder.write("try.sh", script)
    try #require(isWritten)
    let bash = try #require(SpawnedCommand([folder.file("try.sh")], program: "bash"))
    #expect(bash.exitCode() == 0)
    #expect(bash.said == "<\(offered.joined(separator: " "))>\n", "\(bash.said)")
  }

  @Test(
    arguments: [
      (Shell.zsh, ["zsh", "-n"]), (.fish, ["fish", "--no-execute"]), (.bash, ["bash", "-n"]),
    ].filter { isInstalled($0.1[0]) })
  func `the shells that are here read their completions without a complaint`(
    shell: Shell, command: [String]
  ) throws {
    let folder = try TemporaryFolder()
    let isWritten = folder.write("script", shell.completions)
    try #require(isWritten)
    let words = Array(command.dropFirst()) + [folder.file("script")]
    let run = try #require(SpawnedCommand(words, program: command[0]))
    #expect(run.exitCode() == 0, "\(run.said)")
  }

  @Test func `completions and the manual name every command and option`() {
    for verb in Verb.allCases {
      for option in verb.page.allOptions {
        for shell in Shell.allCases {
          #expect(shell.completions.contains(option.name.rawValue))
        }
        #expect(manualPage().contains(option.name.rawValue.replacing("-", with: "\\-")))
      }
    }
  }

  @Test(.enabled(if: isInstalled("groff"), "groff is missing"))
  func `the manual is read without a warning`() throws {
    let folder = try TemporaryFolder()
    let isWritten = folder.write("rehearse.1", manualPage())
    try #require(isWritten)
    let groff = try #require(
      SpawnedCommand(
        ["-man", "-ww", "-Tutf8", "-z", folder.file("rehearse.1")], program: "groff"))
    #expect(groff.exitCode() == 0)
    #expect(groff.said == "")
  }

  @Test(arguments: FirstPurpose.allCases)
  func `a first scenario for a purpose is a program and what it is tested by`(
    _ purpose: FirstPurpose
  ) throws {
    let folder = try TemporaryFolder()
    let made = try #require(
      SpawnedCommand(["init", "--for", purpose.rawValue, folder.file("suite")]))
    #expect(made.exitCode() == 0)
    #expect(purpose.files.map(\.purpose).prefix(2).sorted() == ["the program", "the scenario"])
    let checked = try #require(SpawnedCommand(["validate", folder.file("suite")]))
    #expect(checked.exitCode() == 0, "\(checked.said)")
  }

  @Test func `a command line without a command shows where to begin, and fails`() throws {
    let command = try #require(SpawnedCommand([]))
    #expect(command.exitCode() == ExitCode.badInput.rawValue)
    #expect(command.said == shortUsage())
  }

  @Test func `the first suite passes, has the one form, and shows one failure`() throws {
    let folder = try TemporaryFolder()
    let made = try #require(SpawnedCommand(["init", folder.file("suite")]))
    #expect(made.exitCode() == 0)
    let checks: [([String], Int32)] = [
      (["run", folder.file("suite")], 0), (["fmt", "--check", folder.file("suite")], 0),
      (["run", folder.file("suite/failure.yaml")], 1), (["init", folder.file("suite")], 3),
      (["run", folder.file("suite"), "--against", "sockets"], 0),
    ]
    for (words, code) in checks {
      let command = try #require(SpawnedCommand(words, patience: 60_000_000))
      #expect(command.exitCode() == code, "\(words) \(command.said)")
    }
    let script = try #require(fileText(folder.file("suite/ci.sh")))
    #expect(script.contains("exec rehearse run \(folder.file("suite")) --format human"))
  }
}

private func isInstalled(_ program: String) -> Bool {
  (environmentValue("PATH") ?? "").split(separator: ":").contains {
    access("\($0)/\(program)", X_OK) == 0
  }
}

private func environmentValue(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

import Glibc
import ScenarioRuns
import TestKit
import Testing

@testable import rehearse

/// Lines that are typed up to the cursor, and the arguments that the shell makes of them when Tab
/// is pressed. The folder has `Final.html`, `two words/price list.yaml` and `odd:name.yaml`.
private let typed: [(line: String, arguments: [String])] = [
  ("rehearse repl", ["replay"]),
  ("rehearse run --dea", ["--deadline"]),
  ("rehearse run --color al", ["--color", "always"]),
  ("rehearse run --color=al", ["--color=always"]),
  ("rehearse run --failed=on", ["--failed=only"]),
  ("rehearse run --format ju", ["--format", "junit"]),
  ("rehearse run --format=codeq", ["--format=codequality"]),
  ("rehearse run --format html=Fi", ["--format", "html=Final.html"]),
  ("rehearse run --format=html=Fi", ["--format=html=Final.html"]),
  ("rehearse run --format html=two\\ words/pr", ["--format", "html=two words/price list.yaml"]),
  ("rehearse run --against soc", ["--against", "sockets"]),
  ("rehearse run --against trace:Fi", ["--against", "trace:Final.html"]),
  ("rehearse run --against=api=trace:Fi", ["--against=api=trace:Final.html"]),
  ("rehearse run --vars-file Fi", ["--vars-file", "Final.html"]),
  ("rehearse run --vars-file=two\\ words/pr", ["--vars-file=two words/price list.yaml"]),
  ("rehearse run two\\ words/pr", ["two words/price list.yaml"]),
  ("rehearse run \"two words/pr", ["two words/price list.yaml"]),
  ("rehearse run odd", ["odd:name.yaml"]),
  ("rehearse run odd:na", ["odd:name.yaml"]),
]

/// What types the lines into a shell on a terminal, and prints what the shell made of them.
private let typist = #"""
  import os, pty, select, sys, time
  command, setup, lines = sys.argv[1].split(), sys.argv[2], sys.argv[3:]
  pid, terminal = pty.fork()
  if pid == 0:
      os.environ.update(TERM="dumb", PS1="", LC_ALL="C.UTF-8")
      os.execvp(command[0], command)

  def say(text, mark):
      os.write(terminal, text.encode())
      heard, end = b"", time.monotonic() + 20
      while mark not in heard and time.monotonic() < end:
          if select.select([terminal], [], [], 0.2)[0]:
              heard += os.read(terminal, 1 << 16)
      return heard.decode(errors="replace")

  say(setup + "\necho rea''dy\n", b"ready")
  for line in lines:
      heard = say(line + "\t\necho don''e\n", b"done")
      made = [text.strip() for text in heard.split("\n") if text.startswith("<")]
      print(line, "=>", made[0] if made else heard.encode())
  os.write(terminal, b"exit\n")
  """#

/// The completions in the shells themselves.
@Suite struct CompletionTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    mkdir(folder.file("two words"), 0o755)
    for name in ["Final.html", "two words/price list.yaml", "odd:name.yaml"] {
      let isWritten = folder.write(name, "")
      try #require(isWritten)
    }
  }

  private var expected: String {
    typed.map { entry in
      let verb = entry.line.hasPrefix("rehearse run") ? ["run"] : []
      return "\(entry.line) => " + (verb + entry.arguments).map { "<\($0)>" }.joined() + "\n"
    }.joined()
  }

  private func made(by shell: Shell, _ command: String, _ setup: String) throws -> String {
    let name = shell == .zsh ? "_rehearse" : "completions"
    let isWritten = folder.write(name, shell.completions) && folder.write("typist.py", typist)
    try #require(isWritten)
    let printer = "rehearse() { printf '<%s>' \"$@\"; echo; }"
    let words = [
      folder.file("typist.py"), command, "cd '\(folder.path)'; \(printer); \(setup)",
    ]
    let run = try #require(
      SpawnedCommand(words + typed.map(\.line), program: "python3", patience: 120_000_000))
    #expect(run.exitCode() == 0)
    return run.said
  }

  @Test(.enabled(if: has(["bash", "python3"]), "bash and python3 are not both installed"))
  func `bash completes values, files behind a sign, and names with spaces`() throws {
    let command = "bash --norc --noprofile -i"
    #expect(try made(by: .bash, command, "source completions") == expected)
  }

  @Test(.enabled(if: has(["zsh", "python3"]), "zsh and python3 are not both installed"))
  func `zsh completes values, files behind a sign, and names with spaces`() throws {
    let setup = "fpath=($PWD $fpath); autoload -U compinit; compinit -u -D"
    #expect(try made(by: .zsh, "zsh -f -i", setup) == expected)
  }

  @Test(.enabled(if: has(["fish"]), "fish is not installed"))
  func `fish completes values, files behind a sign, and names with spaces`() throws {
    var script = "cd '\(folder.path)'; source completions\n"
    // Fish is asked for what it would offer, which is the last word alone.
    let lines = typed.filter { !$0.line.contains("\"") }
    for entry in lines {
      let line = entry.line.replacing("\\", with: "\\\\")
      script += "echo '\(line)' '=>' (complete -C '\(line)' | string split -f 1 \\t)\n"
    }
    let isWritten = folder.write("completions", Shell.fish.completions)
    try #require(isWritten && folder.write("try.fish", script))
    let run = try #require(
      SpawnedCommand(
        ["--no-config", folder.file("try.fish")], program: "fish", patience: 60_000_000))
    #expect(run.exitCode() == 0)
    #expect(run.said == lines.map { "\($0.line) => \($0.arguments.last ?? "")\n" }.joined())
  }
}

private func has(_ programs: [String]) -> Bool {
  let path = getenv("PATH").map { String(cString: $0) } ?? ""
  return programs.allSatisfy { program in
    path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
  }
}

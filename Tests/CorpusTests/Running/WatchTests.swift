import Glibc
import ScenarioRuns
import TestKit
import Testing

/// `rehearse run --watch` as a shell runs it, while files are edited.
@Suite struct WatchTests {
  private static let files = [
    "rehearse.yaml": "vars: { limit: 1 }\n",
    "in/rehearse.yaml": "vars: { inner: 1 }\n",
    "in/a.scenario.yaml": "scenario: A\nsteps: [{ check: inner == 1 && limit == 1 }]\n",
    "uses.scenario.yaml": """
    scenario: Uses a component and steps
    use: [{ part.component.yaml: { as: part } }]
    steps:
      - include: check.steps.yaml
      - check: part.n == 1

    """,
    "part.component.yaml": "component: A part\ngraph: { n: 1 }\n",
    "check.steps.yaml": "steps: [{ check: 1 == 1 }]\n",
    "table.scenario.yaml": """
    scenario: Has a table
    cases: { file: rows.csv }
    steps: [{ check: v == 1 }]

    """,
    "rows.csv": "id,v\none,1\nmore,1\n",
    "schema.scenario.yaml": """
    scenario: Has a schema and a file
    endpoints:
      api: { http: [{ get: /, respond: { file: answer.json } }] }
    providers: { given: { file: given.json } }
    lists: { things: { from: given } }
    steps:
      - request: { endpoint: api, get: /, expect: { json: { $schema: s.json } } }

    """,
    "s.json": #"{ "type": "object" }"#, "answer.json": "{}", "given.json": "[]",
    "plain.scenario.yaml": "scenario: Plain\nsteps: [{ check: 1 == 1 }]\n",
  ]

  private final class Watched {
    let folder: TemporaryFolder
    let command: SpawnedCommand

    init(_ options: String = "") throws {
      folder = try TemporaryFolder()
      #expect(system("mkdir '\(folder.path)/in'") == 0)
      for (name, text) in files { #expect(folder.write(name, text)) }
      let line =
        "cd '\(folder.path)' && exec '\(SpawnedCommand.built("rehearse"))' run . --watch \(options)"
      command = try #require(SpawnedCommand(["-c", line], program: "bash"))
      #expect(command.says("Ctrl-C ends"), "\(command.said)")
    }

    func edit(_ name: String, _ text: String) -> String {
      said { #expect(folder.write(name, text)) }
    }

    func remove(_ name: String) -> String {
      said { #expect(unlink(folder.file(name)) == 0) }
    }

    /// Returns what the command says until it waits again.
    private func said(after change: () -> Void) -> String {
      let before = command.said.ranges(of: "Ctrl-C ends").count
      let start = command.said.count
      change()
      #expect(command.says("Ctrl-C ends", times: before + 1), "\(command.said)")
      return String(command.said.dropFirst(start))
    }

    func end() -> Int32? {
      command.interrupt(by: SIGINT)
      return command.exitCode()
    }
  }

  @Test(arguments: [
    ("plain.scenario.yaml", 1, 1), ("part.component.yaml", 1, 1), ("check.steps.yaml", 1, 1),
    ("rows.csv", 2, 1), ("s.json", 1, 1), ("answer.json", 1, 1), ("given.json", 1, 1),
    ("in/rehearse.yaml", 1, 1), ("rehearse.yaml", 6, 5),
  ])
  func `a change runs what it touches, and nothing else`(
    name: String, scenarios: Int, files: Int
  ) throws {
    let watched = try Watched()
    let said = watched.edit(name, (Self.files[name] ?? "") + (name.hasSuffix("yaml") ? "#\n" : " "))
    let count =
      "\(scenarios) scenario\(scenarios == 1 ? "" : "s") of "
      + "\(files) file\(files == 1 ? " " : "s ")"
    #expect(said.contains("\(name) has changed: \(count)"), "\(said)")
    #expect(said.contains("\(scenarios) passed"), "\(said)")
    #expect(watched.end() == 0)
  }

  @Test func `a new scenario runs, one that is gone does not, and the last run is the result`()
    throws
  {
    let watched = try Watched()
    let failing = "scenario: New\nsteps: [{ check: 1 == 2 }]\n"
    #expect(watched.edit("new.scenario.yaml", failing).contains("0 passed, 1 failed"))
    let gone = watched.remove("plain.scenario.yaml")
    #expect(gone.contains("plain.scenario.yaml is gone: no scenario runs again"), "\(gone)")
    #expect(watched.edit("new.scenario.yaml", failing + "#").contains("0 passed, 1 failed"))
    #expect(watched.end() == 1)
  }

  @Test func `a scenario in a folder that is made meanwhile runs`() throws {
    let watched = try Watched()
    mkdir(watched.folder.file("later"), 0o755)
    // The folder is noticed while it is empty.
    usleep(200_000)
    let said = watched.edit("later/new.scenario.yaml", Self.files["plain.scenario.yaml"] ?? "")
    #expect(said.contains("later/new.scenario.yaml has changed: 1 scenario of 1 file"), "\(said)")
    #expect(watched.end() == 0)
  }

  @Test func `what was missing runs when it is there, and a mistake is waited out`() throws {
    let watched = try Watched()
    let wrong = (Self.files["uses.scenario.yaml"] ?? "").replacingFirst(
      "part.component", with: "other.component")
    #expect(watched.edit("uses.scenario.yaml", wrong).contains("error[component-not-found]"))
    let right = Self.files["part.component.yaml"] ?? ""
    #expect(watched.edit("other.component.yaml", right).contains("1 passed"))
    #expect(watched.edit("rehearse.yaml", "var: {}\n").contains("error[unknown-key]"))
    #expect(watched.edit("new.scenario.yaml", "scenario: N\nsteps: []\n").contains("unknown-key"))
    #expect(watched.remove("new.scenario.yaml").contains("new.scenario.yaml is gone"))
    #expect(watched.edit("rehearse.yaml", "vars: { limit: 1 }\n").contains("6 passed"))
    #expect(watched.end() == 0)
  }
}

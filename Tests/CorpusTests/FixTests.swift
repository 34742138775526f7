import Diagnostics
import ScenarioRuns
import TestKit
import Testing

/// The corrections of `rehearse fix`: each mends its diagnostic, and nothing else changes.
@Suite struct FixTests {
  private func mended(_ text: String) -> MendedFile {
    mend(SourceFile(path: "a.scenario.yaml", text: text)) { loadScenarios($0) }
  }

  private static let corrections: [(wrong: String, right: String)] = [
    ("steps: [{ chek: 1 == 1 }]", "steps: [{ check: 1 == 1 }]"),
    (
      "graph: { count: 1 }\nsteps: [{ check: coumt == 1 }]",
      "graph: { count: 1 }\nsteps: [{ check: count == 1 }]"
    ),
    (
      "graph: { a: { computed: '[1].sice()' } }\nsteps: [{ check: a == 1 }]",
      "graph: { a: { computed: '[1].size()' } }\nsteps: [{ check: a == 1 }]"
    ),
    (
      "steps:\n  - check: [1, 2].size() == 2  # two",
      "steps:\n  - check: \"[1, 2].size() == 2\"  # two"
    ),
    (
      "graph: { a: 1 }\nsteps: [{ set: { a: 2 } }, { expct: { b: 2 } }]",
      "graph: { a: 1 }\nsteps: [{ set: { a: 2 } }, { expect: { b: 2 } }]"
    ),
    (
      "graph: { name: a }\nsteps: [{ set: { name: b } }, { expect: { nome: { $regx: b } } }]",
      "graph: { name: a }\nsteps: [{ set: { name: b } }, { expect: { name: { $regex: b } } }]"
    ),
    (
      "endpoints: { api: { http: [{ get: /a, respond: { stauts: 200 } }] } }",
      "endpoints: { api: { http: [{ get: /a, respond: { status: 200 } }] } }"
    ),
  ]

  @Test(arguments: FixTests.corrections)
  func `a certain correction is made, and its diagnostic is gone`(wrong: String, right: String) {
    let file = mended("scenario: A\n\(wrong)\n")
    #expect(String(decoding: file.bytes, as: UTF8.self) == "scenario: A\n\(right)\n")
    #expect(!file.mended.isEmpty)
    for (_, diagnostic) in file.mended {
      #expect(!file.loaded.diagnostics.contains { $0.message == diagnostic.message })
    }
  }

  @Test(arguments: [
    // The key is there already, nobody is near, or nothing is wrong.
    "endpoints: { api: { http: [{ get: /a, respond: { status: 200, stauts: 201 } }] } }",
    "steps: [{ check: somethingElse == 1 }]", "steps: [{ click: button }]",
    "graph: { page: 1 }\nsteps: [{ check: pages == 1 }]", "steps: [{ check: 1 == 1 }]",
    // The scenario runs, and would mean something else.
    "graph: { on: yes }\nsteps: [{ check: on != 1 }]",
  ])
  func `a file without a certain correction stays as it is`(text: String) {
    let file = mended("scenario: A\n\(text)\n")
    #expect(String(decoding: file.bytes, as: UTF8.self) == "scenario: A\n\(text)\n")
    #expect(file.mended.isEmpty)
  }

  @Test func `a correction never has the mask of a secret in it`() {
    let text = """
      scenario: A
      vars:
        token: { secret: true, value: hunter22 }
      graph: { hunter22: 1 }
      steps: [{ check: hunter2 == 1 }]

      """
    #expect(!String(decoding: mended(text).bytes, as: UTF8.self).contains("***"))
  }

  @Test func `the command shows a difference, and writes it if it is asked to`() throws {
    let folder = try TemporaryFolder()
    let wrong = "scenario: A\nsteps: [{ chek: 1 == 1 }]\n"
    try #require(folder.write("a.scenario.yaml", wrong))
    let shown = try #require(SpawnedCommand(["fix", folder.path]))
    #expect(shown.exitCode() == 0)
    #expect(shown.said.contains("+steps: [{ check: 1 == 1 }]"), "\(shown.said)")
    #expect(shown.said.contains("rehearse fix --write") && folder.text("a.scenario.yaml") == wrong)
    let written = try #require(SpawnedCommand(["fix", "--write", folder.path]))
    #expect(written.exitCode() == 0 && written.said.contains("1 mistake in 1 file mended"))
    #expect(folder.text("a.scenario.yaml") == "scenario: A\nsteps: [{ check: 1 == 1 }]\n")
    let again = try #require(SpawnedCommand(["fix", folder.path]))
    #expect(again.exitCode() == 0 && again.said.contains("no correction is certain"))
    try #require(folder.write("b.scenario.yaml", "scenario: B\nsteps: [{ check: nobody == 1 }]\n"))
    let left = try #require(SpawnedCommand(["fix", folder.path]))
    #expect(left.exitCode() == 2 && left.said.contains("1 error left"), "\(left.said)")
  }
}

import ScenarioRuns
import TestKit
import Testing

/// Scenarios that cannot run, beside others that can.
@Suite struct BrokenScenarioTests {
  private static let file = """
    scenario: One
    graph: { a: 1 }
    steps: [{ check: a == 1 }]
    ---
    scenario: "Two"
    graph: { a: [1 }
    steps: []
    ---
    scenario: Three
    grahp: { a: 1 }
    steps: []
    ---
    - a list
    ---
    scenario: Five
    cases: [{ id: a }, { id: b }]
    steps: [{ check: c == 1 }]

    """

  @Test func `each scenario with errors is known by its title, its rows and its own errors`() {
    let broken = Loading(Self.file).file.broken
    #expect(broken.map(\.outline.title) == ["Two", "Three", "untitled", "Five"])
    #expect(broken.map { $0.rows.map { $0?.id } } == [[nil], [nil], [nil], ["a", "b"]])
    #expect(
      broken.map { $0.errors.map(\.id.rawValue) } == [
        ["unclosed-bracket"], ["unknown-key"], ["wrong-type"], ["unknown-name"],
      ])
  }

  @Test func `a file of many scenarios is one file, however it is read`() {
    let documents = (0..<700).map { number in
      let value = number % 7 == 0 ? "nothing + \(number)" : "\(number)"
      let secret = number == 699 ? "vars: { key: { value: s3cret-699, secret: true } }\n" : ""
      return "scenario: Number \(number)\n\(secret)steps: [{ check: \(value) >= 0 }]\n"
    }
    let file = Loading(documents.joined(separator: "---\n")).file
    #expect(file.plans.count == 600)
    #expect(file.plans.allSatisfy { $0.secrets == ["s3cret-699"] })
    #expect(file.broken.map(\.outline.title) == (0..<100).map { "Number \($0 * 7)" })
    #expect(file.broken.allSatisfy { $0.errors.map(\.id) == ["unknown-name"] })
    #expect(file.broken.allSatisfy { $0.outline.secrets == ["s3cret-699"] })
  }

  @Test func `included steps may name a source with a mistake, and no further error follows`() {
    let text = """
      scenario: One
      streams: { tick: { marble: "--(" }, tack: { interval: 1s } }
      steps: [{ include: look.steps.yaml }]

      """
    let steps = "steps: [{ expect: { tick: 1 } }, { check: tick == 1 }, { expect: { tock: 1 } }]\n"
    let file = Loading(text, components: ["look.steps.yaml": steps]).file
    #expect(file.diagnostics.map(\.id) == ["bad-marble", "unknown-name"])
    #expect(file.diagnostics.last?.message.contains("`tock`") == true)
  }

  @Test func `an error in a file that two scenarios use belongs to both`() {
    let text = """
      scenario: One
      use: { part: part.component.yaml }
      steps: []
      ---
      scenario: Two
      use: { part: part.component.yaml }
      steps: []

      """
    let broken = Loading(
      text, components: ["part.component.yaml": "component: Part\ngrahp: {}\n"]
    ).file.broken
    #expect(broken.map(\.outline.title) == ["One", "Two"])
    #expect(broken.allSatisfy { !$0.errors.isEmpty })
  }

  @Test(arguments: [
    ("", "1 passed, 5 could not run", Int32(2)), (":1", "1 passed in", 0),
    ("::Three", "FAIL", 2), (":10", "0 passed, 1 could not run", 2),
  ])
  func `what could not run is counted by scenarios and rows, as far as it is selected`(
    _ place: String, _ words: String, _ code: Int32
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.yaml"
    #expect(writeFile(path, Self.file) == nil)
    let command = try #require(SpawnedCommand(["run", path + place]))
    #expect(command.exitCode() == code)
    #expect(command.said.contains(words))
  }

  @Test func `validate and list name them, and count them`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.yaml"
    #expect(writeFile(path, Self.file) == nil)
    let validate = try #require(SpawnedCommand(["validate", path]))
    #expect(validate.exitCode() == 2)
    #expect(validate.said.contains(":9  Three  (1 error)\n"))
    #expect(validate.said.contains("1 valid scenario, 4 with errors in 1 file\n"))
    let list = try #require(SpawnedCommand(["list", path]))
    #expect(list.exitCode() == 2)
    #expect(list.said.contains(":16  Five [b]  (1 error)\n"))
    #expect(list.said.contains("5 of 6 scenarios cannot run\n"))
  }

  @Test(arguments: [
    ("", "error[endpoint-without-url]: "),
    (", url: \"http://${env.NOT_SET_ANYWHERE}/v1\"", "error[unset-environment]: "),
  ])
  func `an endpoint that cannot be real ends the run with 2`(_ url: String, _ words: String) throws
  {
    let text = """
      scenario: A hook
      endpoints: { api: { http: [{ get: /, respond: { status: 200 } }]\(url) } }
      steps: []
      ---
      scenario: Nothing
      steps: []

      """
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.yaml"
    #expect(writeFile(path, text) == nil)
    let real = try #require(SpawnedCommand(["run", path, "--against", "real"]))
    #expect(real.exitCode() == 2)
    #expect(real.said.contains(words) && real.said.contains("1 passed, 1 could not run"))
    let mock = try #require(SpawnedCommand(["run", path]))
    #expect(mock.exitCode() == 0)
  }
}

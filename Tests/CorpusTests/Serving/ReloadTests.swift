import Glibc
import TestKit
import Testing

/// `rehearse serve --forever` while its files are edited.
@Suite struct ReloadTests {
  private static let scenario = """
    scenario: Tasks
    endpoints:
      api: { http: [{ get: /tasks, respond: { json: "${tasks}" } }] }

    """
  private static let again = "is served again"

  private func serve(_ files: [String: String]) throws -> (TemporaryFolder, SpawnedCommand) {
    let folder = try TemporaryFolder()
    for (name, text) in files { #expect(folder.write(name, text)) }
    let line =
      "cd '\(folder.path)' && exec '\(SpawnedCommand.built("rehearse"))' serve a.scenario.yaml "
      + "--forever --ports-file ports.json"
    let command = try #require(SpawnedCommand(["-c", line], program: "bash"))
    try #require(command.says("http://127.0.0.1:"), "\(command.said)")
    return (folder, command)
  }

  /// Returns whether the server soon answers so. During a reload the old version may still answer.
  private func answers(_ expected: String, _ folder: TemporaryFolder) -> Bool {
    for _ in 0..<500 {
      if answer(folder) == expected { return true }
      usleep(10_000)
    }
    return false
  }

  private func answer(_ folder: TemporaryFolder) -> String {
    for _ in 0..<2_000 {
      let ports = folder.text("ports.json") ?? ""
      let places = ports.split(separator: "127.0.0.1:").dropFirst()
      let digits = places.first?.prefix(while: \.isNumber)
      if let port = digits.flatMap({ UInt16($0) }), let client = PlainClient(port: port) {
        return String(client.get("/tasks").split(separator: "\r\n\r\n").last ?? "")
      }
      usleep(1_000)
    }
    return "no port"
  }

  @Test func `an edit of the scenario, or of its configuration, is served`() throws {
    let (folder, command) = try serve([
      "a.scenario.yaml": Self.scenario, "rehearse.yaml": "vars: { tasks: [1] }\n",
    ])
    #expect(answers("[1]", folder))
    #expect(folder.write("rehearse.yaml", "vars: { tasks: [1, 2] }\n"))
    #expect(command.says(Self.again), "\(command.said)")
    #expect(answers("[1,2]", folder))
    #expect(folder.write("a.scenario.yaml", Self.scenario + "vars: { tasks: [3] }\n"))
    #expect(command.says(Self.again, times: 2), "\(command.said)")
    #expect(answers("[3]", folder))
  }

  @Test func `a file that a broken edit names is watched, and the old version stays until then`()
    throws
  {
    let (folder, command) = try serve(["a.scenario.yaml": Self.scenario + "vars: { tasks: [1] }\n"])
    let edited = Self.scenario + "use: [{ t.component.yaml: { as: t } }]\nvars: { tasks: [2] }\n"
    #expect(folder.write("a.scenario.yaml", edited))
    #expect(command.says("has mistakes; the old version stays"), "\(command.said)")
    #expect(answers("[1]", folder))
    #expect(folder.write("t.component.yaml", "component: T\ngraph: { n: }}\n"))
    #expect(command.says("has mistakes; the old version stays", times: 2), "\(command.said)")
    #expect(folder.write("t.component.yaml", "component: T\ngraph: { n: 1 }\n"))
    #expect(command.says(Self.again), "\(command.said)")
    #expect(answers("[2]", folder))
  }

  @Test func `edits that follow each other at once are all seen`() throws {
    let (folder, command) = try serve(["a.scenario.yaml": Self.scenario + "vars: { tasks: [0] }\n"])
    for number in 1...30 {
      #expect(
        folder.write("a.scenario.yaml", Self.scenario + "vars: { tasks: [\(number)] }\n"))
      usleep(UInt32(number) * 5_000)
    }
    #expect(command.says(Self.again), "\(command.said)")
    #expect(answers("[30]", folder))
  }
}

import CTexts
import ScenarioSpec
import TextSearch

/// A file that `rehearse init` writes.
struct FirstFile: Sendable {
  var name: String
  /// The subject that it teaches, in a few words.
  var purpose: String
  /// The text, if it is part of a page; nil for a file of the first suite.
  var content: String?
  var isScript: Bool { name.hasSuffix(".sh") }

  /// The text for a folder, which stands for `FOLDER`. The schema is made from the tables.
  func text(_ folder: String) -> String {
    if let content { return content }
    return ctexts_first_file(name).map { String(cString: $0).replacing("FOLDER", with: folder) }
      ?? scenarioSchema()
  }
}

/// A small suite: each file is read in a minute and shows one thing.
let firstSuite = [
  FirstFile(
    name: "1-state.scenario.yaml", purpose: "values, and what follows from them"),
  FirstFile(
    name: "2-mock.scenario.yaml", purpose: "a mock of an HTTP endpoint, and requests"),
  FirstFile(
    name: "3-stream.scenario.yaml", purpose: "a stream that breaks, and a client that comes back"),
  FirstFile(
    name: "failure.yaml", purpose: "a scenario that fails, to see how a failure is shown"),
  FirstFile(
    name: "scenario.schema.json", purpose: "the schema by which editors help"),
  FirstFile(
    name: "ci.sh", purpose: "what a build server runs"),
]

/// The subject of a first scenario. Its files are those that a page of the documentation shows
/// before its first command.
enum FirstPurpose: String, CaseIterable {
  case client, server, llm, mcp, browser

  var page: DocumentationTopic {
    let path =
      switch self {
      case .client: "guides/testing-a-client.md"
      case .server: "guides/testing-a-server.md"
      case .llm: "components/openai.md"
      case .mcp: "components/mcp.md"
      case .browser: "jobs/mock-a-stream.md"
      }
    return DocumentationTopic.all.first { $0.path == path } ?? DocumentationTopic.all[0]
  }

  var files: [FirstFile] {
    var files: [FirstFile] = []
    var isOpen = false
    for line in (page.text ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```console" { break }
      if line.hasPrefix("```") {
        let name = fenceName(line)
        isOpen = name != nil && !files.contains { $0.name == name }
        guard isOpen, let name else { continue }
        let isScenario = name.hasSuffix(".yaml")
        files.append(
          FirstFile(
            name: name, purpose: isScenario ? "the scenario" : "the program",
            content: isScenario ? modeline + "\n" : ""))
      } else if isOpen {
        files[files.count - 1].content? += line + "\n"
      }
    }
    return files + firstSuite.filter { $0.name == "scenario.schema.json" }
  }
}

/// The first line, by which editors find the schema.
private let modeline = "# yaml-language-server: $schema=./scenario.schema.json"

import TestKit
import Testing

/// The pages for newcomers: each of their blocks runs in a folder of its own, in its order.
@Suite struct DocumentTests {
  @Test func `the pages that run are found`() {
    #expect(Self.pages.count > 10)
    #expect(Self.pages.allSatisfy { fileText($0) != nil })
  }

  @Test(arguments: pages)
  func `every block of a page runs, and prints what the page shows`(path: String) throws {
    let page = try #require(DocumentPage(path))
    let run = DocumentRun(folder: try TemporaryFolder())
    var made = page
    made.parts = try page.parts.map { part in
      guard case .block(let info, let text) = part else { return part }
      return .block(info: info, text: try run.run(info, text, of: path))
    }
    #expect(goldenText(path, made: made.text) == page.text || updatesGoldenTexts)
  }

  @Test func `the first commands of the page on traces run, and it shows what they record`()
    throws
  {
    var page = try #require(DocumentPage("docs/traces.md"))
    guard case .block("sh", let commands) = page.parts[1],
      case .block("json", let shown) = page.parts[3]
    else {
      Issue.record("the page does not begin with commands and lines of a trace")
      return
    }
    let run = DocumentRun(folder: try TemporaryFolder())
    let scenario = "scenarios/live/prices.scenario.yaml"
    _ = try run.output(of: "mkdir -p scenarios/live")
    #expect(run.folder.write(scenario, try #require(fileText(scenario))))
    let output = try run.output(of: "set -e\n\(commands)echo all")
    #expect(output.hasSuffix("all\n"), "\(output)")
    let lines = shown.split(separator: "\n").count
    page.parts[3] = .block(
      info: "json", text: try run.output(of: "head -n \(lines) traces/prices.*.trace.jsonl"))
    #expect(goldenText(page.path, made: page.text) == page.text || updatesGoldenTexts)
  }

  @Test(arguments: filePaths(below: "docs/coming-from"))
  func `every form of ours beside one of another tool is part of an example that runs`(
    path: String
  ) throws {
    let page = try #require(DocumentPage(path))
    #expect(page.formsInTables.count > 10)
    for form in page.formsInTables { #expect(page.code.contains(form), "\(path): \(form)") }
  }

  static let pages =
    ["README.md", "docs/tutorial.md", "docs/agents/SKILL.md"]
    + ["docs/jobs", "docs/components", "docs/guides", "docs/coming-from"].flatMap {
      filePaths(below: $0)
    }
}

/// The run of one page's blocks in a folder.
private struct DocumentRun {
  var folder: TemporaryFolder

  /// Runs a block, and returns its text with what was printed.
  func run(_ info: String, _ text: String, of path: String) throws -> String {
    switch DocumentBlock(info: info, text: text) {
    case .file(let name):
      #expect(folder.write(name, text))
    case .console:
      return try ConsoleCommand.commands(in: text).map { try run($0, of: path).text }.joined()
    case .scenario:
      #expect(folder.write("example.scenario.yaml", text))
      let output = try output(of: "rehearse run example.scenario.yaml")
      #expect(output.contains(#/^[0-9]+ passed in [^\n]*\n$/#), "\(path): \(text)\(output)")
    case .foreign:
      break
    case .unchecked:
      #expect(RepositoryCommands.all.contains(text), "\(path): nothing checks this block: \(text)")
    }
    return text
  }

  private func run(_ command: ConsoleCommand, of path: String) throws -> ConsoleCommand {
    let output = try output(of: command.line)
    if ConsoleCommand.areEqual(output, command.output) { return command }
    if !updatesGoldenTexts {
      Issue.record("\(path): \(command.line)\nexpected:\n\(command.output)\nactual:\n\(output)")
    }
    return ConsoleCommand(line: command.line, output: output)
  }

  /// Returns what a command prints in the folder, with the built `rehearse` on the path.
  fileprivate func output(of line: String) throws -> String {
    let built = SpawnedCommand.built("rehearse").split(separator: "/").dropLast()
    let path = "/" + built.joined(separator: "/")
    let script = "cd '\(folder.path)' && PATH='\(path)':$PATH; exec 2>&1 </dev/null; \(line)"
    let command = try #require(
      SpawnedCommand(["-c", script], program: "bash", patience: 60_000_000))
    #expect(command.exitCode() != nil, "\(line) hangs")
    return command.said
  }
}

/// The commands of the README that build. `.ci/run` runs them as they stand.
enum RepositoryCommands {
  static let all = [
    "./setup && swift run rehearse run scenarios\n", "./setup && swift test\n",
  ]
}

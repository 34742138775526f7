import CEL
import CTexts
import Diagnostics
import Explanations
import Glibc
import ScenarioPlan
import ScenarioRuns
import ScenarioSpec

/// Shows a page of the documentation, or lists all pages.
func docsVerb(_ arguments: DocsArguments) -> ExitCode {
  let style = Terminal.style(of: STDOUT_FILENO, color: arguments.color)
  guard let name = arguments.topic else {
    return Terminal.show(terminalText(ofMarkdown: listOfTopics(), style))
  }
  if let text = documentation(named: name) {
    return Terminal.show(terminalText(ofMarkdown: text, style))
  }
  Terminal.complain(render(.unknownTopic(name), in: SourceMap()))
  return .badInput
}

/// Returns the Markdown of a page, given by its name, or the explanation of a diagnostic.
func documentation(named name: String) -> String? {
  let wanted = name.hasSuffix(".md") ? String(name.dropLast(3)) : name
  guard let topic = DocumentationTopic.all.first(where: { $0.isNamed(wanted) }) else {
    let found = explanations(named: wanted)
    return found.isEmpty ? nil : found.joined(separator: "\n")
  }
  return GeneratedPage(path: "docs/" + topic.path)?.text
    ?? ctexts_documentation(topic.path).map { String(cString: $0) }
}

extension DocumentationTopic {
  /// Whether a word of the command line means this page: its name, or its path.
  fileprivate func isNamed(_ word: String) -> Bool {
    [name, String(path.dropLast(".md".count))].contains(word.lowercased())
  }
}

extension Diagnostic {
  static func unknownTopic(_ name: String) -> Diagnostic {
    let names = DocumentationTopic.all.map(\.name) + diagnosticPages.map(\.id.rawValue)
    let help =
      nearestName(to: name.lowercased(), among: names)
      .map { "did you mean `rehearse docs \($0)`?" } ?? "`rehearse docs` lists the pages"
    return Diagnostic("unknown-topic", "there is no page `\(name)`", help: help)
  }
}

/// The folder with the pages, to which the ids of diagnostics are links on a terminal.
enum DocumentationFolder {
  /// Nil for a program that was copied without its pages.
  static var found: String? {
    OwnProgram.path.flatMap { path in
      found(beside: path) { access($0 + "/language.md", R_OK) == 0 }
    }
  }

  /// Returns `share/rehearse/docs` of the prefix, or `docs` of the working copy that the program
  /// was built in.
  static func found(beside program: String, _ exists: (String) -> Bool) -> String? {
    let folders = program.split(separator: "/").dropLast().map(String.init)
    let prefixes = (0...folders.count).reversed().map { count in
      folders.prefix(count).reduce("") { $0 + "/" + $1 }
    }
    let installed = prefixes.dropFirst().prefix(1).map { $0 + "/share/rehearse/docs" }
    return (installed + prefixes.map { $0 + "/docs" }).first(where: exists)
  }
}

private func listOfTopics() -> String {
  let width = DocumentationTopic.all.map(\.name.count).max() ?? 0
  let groups = DocumentationTopic.Group.allCases.map { group in
    let lines = DocumentationTopic.all.filter { $0.group == group }.map { topic in
      let gap = String(repeating: " ", count: width - topic.name.count + 2)
      return "  \(topic.name)\(gap)\(topic.purpose)\n"
    }
    return "## \(group.rawValue)\n\n\(lines.joined())\n"
  }
  return groups.joined()
    + "`rehearse docs TOPIC` shows a page; TOPIC may also be the id of a diagnostic.\n"
}

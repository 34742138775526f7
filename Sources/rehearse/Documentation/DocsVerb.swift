import CEL
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
  switch documentation(named: name, in: DocumentationFolder.found) {
  case .success(let text): return Terminal.show(terminalText(ofMarkdown: text, style))
  case .failure(let complaint):
    Terminal.complain(render(complaint.diagnostic, in: SourceMap()))
    return complaint.diagnostic.id == "unknown-topic" ? .badInput : .couldNotRun
  }
}

/// Why there is no page to show.
struct DocumentationComplaint: Error {
  var diagnostic: Diagnostic
}

/// Returns the Markdown of a page, given by its name, or the explanation of a diagnostic.
func documentation(
  named name: String, in folder: String?
) -> Result<String, DocumentationComplaint> {
  let wanted = name.hasSuffix(".md") ? String(name.dropLast(3)) : name
  guard let topic = DocumentationTopic.all.first(where: { $0.isNamed(wanted) }) else {
    let found = explanations(named: wanted)
    return found.isEmpty ? .failure(.unknownTopic(name)) : .success(found.joined(separator: "\n"))
  }
  if let page = GeneratedPage(path: "docs/" + topic.path) { return .success(page.text) }
  guard let folder, case .success(let bytes) = readFile(folder + "/" + topic.path) else {
    return .failure(.missing(topic))
  }
  return .success(String(decoding: bytes, as: UTF8.self))
}

extension DocumentationTopic {
  /// Whether a word of the command line means this page: its name, or its path.
  fileprivate func isNamed(_ word: String) -> Bool {
    [name, String(path.dropLast(".md".count))].contains(word.lowercased())
  }
}

extension DocumentationComplaint {
  fileprivate static func unknownTopic(_ name: String) -> DocumentationComplaint {
    let names = DocumentationTopic.all.map(\.name) + diagnosticPages.map(\.id.rawValue)
    let help =
      nearestName(to: name.lowercased(), among: names)
      .map { "did you mean `rehearse docs \($0)`?" } ?? "`rehearse docs` lists the pages"
    return DocumentationComplaint(
      diagnostic: Diagnostic("unknown-topic", "there is no page `\(name)`", help: help))
  }

  fileprivate static func missing(_ topic: DocumentationTopic) -> DocumentationComplaint {
    DocumentationComplaint(
      diagnostic: Diagnostic(
        "documentation-missing",
        "the page `\(topic.name)` is not in `share/rehearse/docs`, beside the program's `bin`",
        help: "install with `./setup --install` or the package; `rehearse docs keys` is in the "
          + "program"))
  }
}

/// The folder with the pages.
enum DocumentationFolder {
  /// Nil for a program that was copied without its pages.
  static var found: String? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    return found(beside: String(cString: path)) { access($0 + "/language.md", R_OK) == 0 }
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

import CTexts
import Diagnostics
import Explanations
import Glibc

/// Shows a page of the documentation, the sections with some words, or a list of all pages.
func docsVerb(_ arguments: DocsArguments) -> ExitCode {
  let style = Terminal.style(of: STDOUT_FILENO, color: arguments.color)
  if let text = documentation(of: arguments.words) {
    return Terminal.show(terminalText(ofMarkdown: text, style))
  }
  let words = arguments.words.joined(separator: " ")
  Terminal.complain(render(.unknownTopic(words), in: SourceMap()))
  return .badInput
}

/// Returns the page with this name, else all that is known of the words; without words, the list of
/// all pages.
private func documentation(of words: [String]) -> String? {
  guard let first = words.first else { return listOfTopics() }
  if words.count == 1, let page = page(named: first) { return page }
  let found = explanations(named: words.joined(separator: " ")) + [foundSections(of: words)]
  let texts = found.compactMap { $0 }
  return texts.isEmpty ? nil : texts.joined(separator: "\n")
}

/// Returns the Markdown of a page, or of one section of it (`script#time`).
func page(named name: String) -> String? {
  let parts = name.split(separator: "#", maxSplits: 1).map(String.init)
  let named = DocumentationTopic.all.first { $0.isNamed(parts.first ?? "") }
  guard let topic = named, parts.count == 2 else { return named?.text }
  return PageSection.all(of: topic).first { $0.anchor == parts[1].lowercased() }?.text
}

extension DocumentationTopic {
  /// The page in Markdown. Nil if the program was built without it.
  var text: String? {
    GeneratedPage(path: "docs/" + path)?.text ?? componentPage(path)
      ?? ctexts_documentation(path).map { String(cString: $0) }
  }

  /// Whether a word of the command line means this page: its name, or its path.
  fileprivate func isNamed(_ word: String) -> Bool {
    let wanted = word.hasSuffix(".md") ? String(word.dropLast(3)) : word
    return [name, String(path.dropLast(".md".count))].contains(wanted.lowercased())
  }
}

extension Diagnostic {
  static func unknownTopic(_ name: String) -> Diagnostic {
    let names = DocumentationTopic.all.map(\.name) + diagnosticPages.map(\.id.rawValue)
    let help =
      nearestName(to: name.lowercased(), among: names)
      .map { "did you mean `rehearse docs \($0)`?" } ?? "`rehearse docs` lists the pages"
    return Diagnostic(
      "unknown-topic", "no page is named `\(name)`, and no section has these words", help: help)
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
    let topics = DocumentationTopic.all.filter { $0.group == group }
    let lines = columns(topics.map { ($0.name, $0.purpose) }, width: width, indent: "  ")
    return "## \(group.rawValue)\n\n\(lines)\n"
  }
  return groups.joined()
    + "`rehearse docs TOPIC` shows a page; TOPIC may also be the id of a diagnostic.\n"
    + "`rehearse docs WORD…` searches all pages.\n"
}

import CEL
import Diagnostics
import Explanations
import ScenarioPlan
import ScenarioSpec

/// Prints all that is known under a name: the page of a diagnostic, functions, steps, operators and
/// keys. Without a name it lists them.
func explainVerb(_ arguments: ExplainArguments) -> ExitCode {
  guard let name = arguments.name else { return Terminal.show(listOfNames()) }
  let found = explanations(named: name)
  if !found.isEmpty { return Terminal.show(found.joined(separator: "\n")) }
  if let term = page(named: "glossary#" + headingAnchor(of: name)) {
    return Terminal.show(terminalText(ofMarkdown: term, DiagnosticStyle()))
  }
  let problem = Diagnostic(
    "unknown-id", "there is nothing named `\(name)` to explain", help: helpInsteadOf(name))
  Terminal.complain(render(problem, in: SourceMap()))
  return .badInput
}

/// Returns the help for a word that nothing has: what to write for a word of another tool, else the
/// nearest name.
func helpInsteadOf(_ name: String) -> String {
  let names =
    diagnosticPages.map(\.id.rawValue) + functions.map(\.name) + explainedWords.flatMap(\.words)
  return helpForForeignWord(name)
    ?? nearestName(to: name, among: names).map { "did you mean `\($0)`?" }
    ?? "`rehearse docs \(name)` searches the pages of the documentation"
}

/// The table of functions.
private let functions = stageFunctions + FunctionTable.entries

/// Returns the explanations of everything with this name. Of a function, the last part is enough.
func explanations(named name: String) -> [String] {
  let pages = diagnosticPages.filter { $0.id.rawValue == name }.map(text)
  let plain = name.hasSuffix("()") ? String(name.dropLast(2)) : name
  let called = functions.filter { $0.name == plain || $0.name.hasSuffix("." + plain) }
  return pages + called.map(text) + explanations(of: name)
}

private func listOfNames() -> String {
  let ids = columns(diagnosticPages.map { ($0.id.rawValue, $0.title) })
  let names = [("Functions", Set(functions.map(\.name)).sorted())] + explainedWords
  let lists = names.map { "\n\($0.0):\n\n\(wrapped($0.1))\n" }
  return ids + lists.joined()
}

/// Returns words on indented lines of a readable length.
private func wrapped(_ words: [String]) -> String {
  var lines: [String] = []
  for word in words {
    if let last = lines.last, last.count + word.count < 90 {
      lines[lines.count - 1] = last + " " + word
    } else {
      lines.append("    " + word)
    }
  }
  return lines.joined(separator: "\n")
}

private func text(of function: FunctionEntry) -> String {
  let result = function.result.map { " → \($0)" } ?? ""
  let forms = function.forms.joined(separator: "\n") + result
  let example = function.example + (function.value == "true" ? "" : "\nis \(function.value)")
  return """
    \(function.name): a function of expressions (\(function.group.title))

    \(function.text)

    \(indented(forms))

    Example:

    \(indented(example))

    """
}

private func text(of page: DiagnosticPage) -> String {
  """
  \(page.id): \(page.title)

  \(page.text)

  Wrong:

  \(indented(page.wrong))

  Right:

  \(indented(page.right))

  """ + page.files.map { "\nWith `\($0.path)`:\n\n\(indented($0.text))\n" }.joined()
}

private func indented(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false)
    .map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
}

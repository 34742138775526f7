import Explanations
import TextSearch

/// Returns the reference of all diagnostics. Each id is a heading, and so an anchor.
func diagnosticsReferencePage() -> String {
  """
  # Diagnostics

  Every error, warning and failure has an id: `error[out-of-order]`. This page has all of them, made
  from the pages that `rehearse explain ID` shows. Each has lines that break the rule, and the same
  lines as they should be written.

  \(diagnosticPages.map(section).joined(separator: "\n"))
  """
}

private func section(of page: DiagnosticPage) -> String {
  let files = page.files.map { "\nWith `\($0.path)`:\n\n\(block($0.text))" }
  return """
    ## `\(page.id)`

    **\(page.title).**
    \(page.text)

    Wrong:

    \(block(page.wrong))
    Right:

    \(block(page.right))
    """ + files.joined()
}

private func block(_ text: String) -> String {
  let language = text.hasPrefix("rehearse ") ? "sh" : "text"
  return "```\(language)\n\(text.hasSuffix("\n") ? text : text + "\n")```\n"
}

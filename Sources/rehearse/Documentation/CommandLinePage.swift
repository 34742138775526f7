import TextSearch

/// Returns the reference of the command line, made from the table of commands and options.
func commandLinePage() -> String {
  let verbs = Verb.allCases.map(\.page)
  return """
    # Command line

    This page is made from the table that the program reads its options from. `rehearse COMMAND
    --help` shows the same in the terminal.

    | command | purpose |
    |---|---|
    \(verbs.map { row("[`\($0.verb.rawValue)`](#\($0.verb.rawValue))", $0.purpose) }.joined())
    ## Exit codes

    | code | meaning |
    |---|---|
    \(ExitCode.allCases.map { row("\($0.rawValue)", $0.meaning) }.joined())
    \(verbs.map(section).joined(separator: "\n"))
    """
}

private func section(of page: VerbPage) -> String {
  var text = "## \(page.verb.rawValue)\n\n\(page.purpose)\n\n```sh\n\(usageLine(of: page))\n```\n"
  if !page.operandLines.isEmpty {
    let rows = page.operandLines.map { row("`\($0.name)`", $0.purpose) }
    text += "\n| argument | meaning |\n|---|---|\n\(rows.joined())"
  }
  let options = page.allOptions.map { row("`\(optionForm($0))`", $0.purpose) }
  text += "\n| option | meaning |\n|---|---|\n\(options.joined())"
  let examples = page.examples.map { row("`\($0.line)`", $0.purpose) }
  return text + "\n| example | meaning |\n|---|---|\n\(examples.joined())"
}

/// Returns `-g, --grep PATTERN`.
private func optionForm(_ option: OptionEntry) -> String {
  let short = option.short.map { "-\($0), " } ?? ""
  let value = option.value.map { option.isOptional ? "[=\($0)]" : " \($0)" } ?? ""
  return "\(short)--\(option.name.rawValue)\(value)"
}

/// Returns a row of a table, with its line break. A bar would end the cell, even within code.
func row(_ cells: String...) -> String {
  "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
}

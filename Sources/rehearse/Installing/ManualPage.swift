import ScenarioRuns
import TextSearch

/// Prints the manual page, which `man` shows.
func manualVerb() -> ExitCode { Terminal.show(manualPage()) }

/// Returns the manual page, made from the table of commands and options.
func manualPage() -> String {
  """
  .TH REHEARSE 1 "" "rehearse \(programVersion)" "Rehearsal"
  .SH NAME
  rehearse \\- run scenarios for reactive clients and streaming endpoints
  .SH SYNOPSIS
  .B rehearse
  .I COMMAND
  [\\fIOPTION\\fR...] [\\fIOPERAND\\fR...]
  .SH DESCRIPTION
  Rehearsal runs YAML scenarios and reports where a run differs from what they expect.
  .SH COMMANDS
  \(Verb.allCases.map { section(of: $0.page) }.joined(separator: "\n"))
  .SH EXIT STATUS
  \(items(ExitCode.allCases.map { (String($0.rawValue), $0.meaning) }))
  .SH FILES
  \(items([
    ("scenarios", "the folder that commands look into if no path is given"),
    (".rehearse/last-failures.json", "what failed last, for --failed"),
  ]))
  """ + "\n"
}

private func section(of page: VerbPage) -> String {
  """
  .SS \(escaped(usageLine(of: page)))
  \(escaped(page.purpose))
  \(items(page.operandLines.map { ($0.name, $0.purpose) }))
  \(items(page.allOptions.map { (name(of: $0), $0.purpose) }))
  .PP
  \(page.examples.map { ".EX\n\(escaped($0.line))\n.EE" }.joined(separator: "\n"))
  """
}

private func name(of option: OptionEntry) -> String {
  let short = option.short.map { "-\($0), " } ?? ""
  let value = option.value.map { option.isOptional ? "[=\($0)]" : " \($0)" } ?? ""
  return short + "--" + option.name.rawValue + value
}

private func items(_ rows: [(String, String)]) -> String {
  rows.map { ".TP\n.B \(escaped($0.0))\n\(escaped($0.1))" }.joined(separator: "\n")
}

/// Returns text that roff prints as it is: dashes are not hyphens, and no line is a request.
private func escaped(_ text: String) -> String {
  let safe = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    .replacing("…", with: "...").replacing("`", with: "\\`")
  return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" + safe : safe
}

import Diagnostics
import TextSearch
import Verdicts

/// Returns the commands with which a workflow of GitHub marks lines of files: an error for each
/// failed scenario and each error of a file, a warning for each warning and a notice for each
/// note.
package func gitHubAnnotations(_ run: RunReport) -> String {
  run.markedDiagnostics.map(annotation).joined()
}

/// Returns the command for one diagnostic. Its text is the whole report of it, because the page of
/// a change shows nothing else.
private func annotation(_ mark: MarkedDiagnostic) -> String {
  let (diagnostic, file) = (mark.diagnostic, mark.file)
  var properties: [(String, String)] = []
  if let range = diagnostic.labels.first?.range, let source = file.sources.file(of: range) {
    let start = source.place(of: Int(range.start))
    let end = source.place(of: Int(max(range.start, range.end)))
    properties += [("file", source.path), ("line", "\(start.line)"), ("col", "\(start.column)")]
    // A range of columns is shown only within one line.
    if start.line == end.line { properties.append(("endColumn", "\(end.column)")) }
  } else {
    properties.append(("file", file.path))
  }
  properties.append(("title", mark.scenario ?? diagnostic.id.rawValue))
  let list = properties.map { "\($0.0)=\(escaped($0.1, isProperty: true))" }.joined(separator: ",")
  let command = command(for: diagnostic.severity)
  let text = page(of: [diagnostic], in: file, mark.mask)
  return "::\(command) \(list)::\(escaped(text.trimmingLines, isProperty: false))\n"
}

private func command(for severity: Diagnostic.Severity) -> String {
  switch severity {
  case .error: "error"
  case .warning: "warning"
  case .note: "notice"
  }
}

/// A property is one line, in which control characters are visible as they are in a page.
private func escaped(_ text: String, isProperty: Bool) -> String {
  let text = isProperty ? visibleText(text) : text
  return text.unicodeScalars.reduce(into: "") { result, scalar in
    switch scalar {
    case "%": result += "%25"
    case "\n": result += "%0A"
    case "\r": result += "%0D"
    case ":" where isProperty: result += "%3A"
    case "," where isProperty: result += "%2C"
    default: result.unicodeScalars.append(scalar)
    }
  }
}

/// The most bytes of a summary; GitHub shows no more of a step.
private let largestSummary = 1_000_000

/// Returns the summary of a step of a workflow, in Markdown: the counts, and the failures folded.
package func gitHubSummary(_ run: RunReport) -> String {
  var text = "### rehearse: " + humanSummary(run)
  var leftOut = 0
  for entry in run.files.lazy.flatMap(entries) {
    if text.utf8.count + entry.utf8.count > largestSummary {
      leftOut += 1
    } else {
      text += entry
    }
  }
  return leftOut == 0 ? text : text + "\nand \(leftOut) more\n"
}

/// Returns the folded failures of a file's scenarios, and of the file if it could not be read.
private func entries(of file: FileReport) -> [String] {
  let scenarios = file.scenarios.compactMap { scenario in
    let failures = scenario.verdict.failures + (scenario.verdict.tries.first ?? [])
    return failures.isEmpty ? nil : folded(scenario, failures, in: file)
  }
  if !file.couldNotRun { return scenarios }
  let page = page(of: file.diagnostics, in: file, file.mask)
  return scenarios + [
    "\n<details><summary>❌ \(markup(file.path))</summary>\n\n\(fenced(page))\n</details>\n"
  ]
}

private func folded(
  _ scenario: ScenarioReport, _ failures: [Diagnostic], in file: FileReport
) -> String {
  let sign = scenario.verdict.outcome == .flaky ? "⚠️" : "❌"
  let name = markup("\(file.path):\(scenario.line)  \(scenario.name)")
  let page = page(of: failures, in: file, scenario.mask)
  return "\n<details><summary>\(sign) \(name)</summary>\n\n\(fenced(page))\n</details>\n"
}

/// Returns a text as a block of code, whose fence is longer than any in the text.
private func fenced(_ text: String) -> String {
  var fence = "```"
  while text.contains(fence) { fence += "`" }
  return "\(fence)text\n\(text.trimmingLines)\n\(fence)\n"
}

private func markup(_ text: String) -> String {
  text.unicodeScalars.reduce(into: "") { result, scalar in
    switch scalar {
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "&": result += "&amp;"
    default: result.unicodeScalars.append(scalar)
    }
  }
}

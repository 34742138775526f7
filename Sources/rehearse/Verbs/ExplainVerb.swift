import CEL
import Diagnostics
import ScenarioPlan
import ScenarioRuns
import ScenarioSpec
import Traces
import Verdicts
import YAMLSyntax

/// The pages of all diagnostics, in the order of their ids.
let allPages: [DiagnosticPage] =
  (usagePages + commandPages + yamlPages + specPages + celPages + planPages + componentPages
  + includePages + tableFilePages + snapshotStorePages + verdictPages
  + tracePages + importPages + judgePages + recordingPages + replayPages + noisePages
  + traceWorldPages + endpointWorldPages + subjectPages + programWorldPages)
  .sorted { $0.id < $1.id }

/// Prints the page of one diagnostic, or lists all ids.
func explainVerb(_ arguments: ExplainArguments) -> ExitCode {
  guard let id = arguments.id else {
    let width = allPages.map(\.id.rawValue.count).max() ?? 0
    let lines = allPages.map {
      let id = $0.id.rawValue
      return id + String(repeating: " ", count: width - id.count + 2) + $0.title
    }
    return Terminal.show(lines.joined(separator: "\n") + "\n")
  }
  guard let page = allPages.first(where: { $0.id.rawValue == id }) else {
    let nearest = nearestName(to: id, among: allPages.map(\.id.rawValue))
    let help = nearest.map { "did you mean `\($0)`?" } ?? "`rehearse explain` lists all there are"
    Terminal.complain(
      render(
        Diagnostic("unknown-id", "there is no complaint with the id `\(id)`", help: help),
        in: SourceMap()))
    return .badInput
  }
  return Terminal.show(text(of: page))
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

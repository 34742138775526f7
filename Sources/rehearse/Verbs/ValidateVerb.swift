import Diagnostics
import Glibc
import ScenarioPlan
import ScenarioRuns
import Values

/// Reads all selected files, one after the other. Returns diagnostics about files that cannot be
/// read.
func loadAll(
  _ selected: SelectedFiles, inputs: PlanInputs, each: (SuiteFile, LoadedFile) -> Void
) -> [Diagnostic] {
  var problems = selected.problems
  for file in selected.files {
    switch file.read() {
    case .failure(let problem): problems.append(.unreadable(file.path, problem.message))
    case .success(let bytes):
      each(file, loadScenarios(SourceFile(path: file.path, bytes: bytes), inputs: inputs))
    }
  }
  return problems
}

/// Loads scenarios without running them, and prints their diagnostics.
func validateVerb(_ arguments: ValidateArguments) -> ExitCode {
  let selected = SelectedFiles(arguments.scenarios)
  let inputs = loadInputs()
  let style = Terminal.style(of: STDOUT_FILENO, color: arguments.color)
  var pages: [String] = []
  var scenarios = 0
  var components = 0
  var steps = 0
  var hasErrors = false
  var broken: [String] = []
  let problems = loadAll(selected, inputs: inputs.value) { file, loaded in
    broken += loaded.broken.map { brokenLine($0, file, loaded) }
    scenarios += loaded.plans.count
    if loaded.kind == .component, !loaded.diagnostics.hasErrors { components += 1 }
    if loaded.kind == .steps, !loaded.diagnostics.hasErrors { steps += 1 }
    hasErrors = hasErrors || loaded.diagnostics.hasErrors
    for diagnostic in loaded.diagnostics.sortedForReport() {
      pages.append(
        arguments.format == .json
          ? diagnosticJSON(diagnostic, in: loaded.sources)
          : render(diagnostic, in: loaded.sources, style: style, hiding: loaded.mask.places(in:)))
    }
  }
  for problem in problems {
    pages.append(
      arguments.format == .json
        ? diagnosticJSON(problem, in: SourceMap())
        : render(problem, in: SourceMap(), style: style))
  }
  let code = exitCode(
    problems, hasErrors: hasErrors,
    count: scenarios + components + steps + pages.count)
  let text = text(of: pages, broken, (scenarios, components, steps), arguments.format, selected)
  guard Terminal.show(text) == .passed else { return .couldNotRun }
  if code == .nothingSelected {
    Terminal.complain(render(.nothingSelected(by: arguments.scenarios), in: SourceMap()))
  }
  return code
}

private func exitCode(_ problems: [Diagnostic], hasErrors: Bool, count: Int) -> ExitCode {
  if hasErrors || !problems.isEmpty { return .badInput }
  return count == 0 ? .nothingSelected : .passed
}

private func text(
  of pages: [String], _ broken: [String], _ valid: (scenarios: Int, components: Int, steps: Int),
  _ format: ListingFormat,
  _ selected: SelectedFiles
) -> String {
  switch format {
  case .json:
    return "[" + pages.joined(separator: ",\n ") + "]\n"
  case .human:
    let texts = pages.map { $0 + ($0.hasSuffix("\n") ? "\n" : "\n\n") }
    let files = selected.files.count
    let components = valid.components > 0 ? ", \(counted(valid.components, "valid component"))" : ""
    let steps = valid.steps > 0 ? ", \(counted(valid.steps, "valid file")) of steps" : ""
    let wrong = broken.isEmpty ? "" : ", \(broken.count) with errors"
    return texts.joined() + broken.joined() + counted(valid.scenarios, "valid scenario") + wrong
      + components + steps + " in " + counted(files, "file") + "\n"
  }
}

/// Returns the line `chat.scenario.yaml:12  A title  (2 errors)`.
private func brokenLine(
  _ broken: BrokenScenario, _ file: SuiteFile, _ loaded: LoadedFile
) -> String {
  let line = loaded.sources.line(of: broken.outline.range)
  let title = visibleText(loaded.mask.masked(broken.outline.title))
  return "\(visibleText(file.path)):\(line)  \(title)  (\(counted(broken.errors.count, "error")))\n"
}

func counted(_ count: Int, _ thing: String) -> String {
  "\(count) \(thing)\(count == 1 ? "" : "s")"
}

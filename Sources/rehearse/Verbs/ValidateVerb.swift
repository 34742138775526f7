import Diagnostics
import Glibc
import ScenarioPlan
import ScenarioRuns

/// Reads all selected files, one after the other. Returns diagnostics about files that cannot be
/// read.
func loadAll(
  _ selected: SelectedFiles, inputs: PlanInputs, _ configurations: Configurations,
  each: (SuiteFile, LoadedFile) -> Void
) -> [Diagnostic] {
  var problems = selected.problems
  for file in selected.files {
    switch file.read() {
    case .failure(let problem): problems.append(.unreadable(file.path, problem.message))
    case .success(let bytes):
      let configuration = configurations.configuration(of: file.path)
      each(
        file,
        loadScenarios(
          SourceFile(path: file.path, bytes: bytes), inputs: inputs, components: file.components,
          configuration: configuration))
    }
  }
  return problems
}

/// Loads scenarios without running them, and prints their diagnostics.
func validateVerb(_ arguments: ValidateArguments) -> ExitCode {
  let inputs = loadInputs()
  let style = Terminal.style(of: STDOUT_FILENO, color: arguments.color)
  var choice = arguments.scenarios
  let (selected, configurations) = choice.select(inputs.value)
  var pages: [String] = []
  func add(_ diagnostic: Diagnostic, of loaded: LoadedFile) {
    pages.append(
      arguments.format != .human
        ? diagnosticJSON(diagnostic, in: loaded.sources)
        : render(diagnostic, in: loaded.sources, style: style, hiding: loaded.mask.places(in:)))
  }
  var valid = ValidParts()
  var hasErrors = configurations.haveErrors
  var broken: [String] = []
  for (diagnostic, file) in configurations.complaints { add(diagnostic, of: file) }
  var problems = configurations.unreadable.map {
    Diagnostic.unreadable($0.path, $0.problem.message)
  }
  // A configuration with errors would make scenarios wrong that are right.
  let files = configurations.haveErrors ? SelectedFiles() : selected
  problems += loadAll(files, inputs: inputs.value, configurations) { file, loaded in
    broken += loaded.broken.map { brokenLine($0, file, loaded) }
    valid.add(loaded)
    hasErrors = hasErrors || loaded.diagnostics.hasErrors
    for diagnostic in loaded.diagnostics.sortedForReport() { add(diagnostic, of: loaded) }
  }
  for problem in problems {
    pages.append(
      arguments.format != .human
        ? diagnosticJSON(problem, in: SourceMap())
        : render(problem, in: SourceMap(), style: style))
  }
  for note in selected.notes where arguments.format == .human {
    Terminal.complain(render(note, in: SourceMap(), style: style))
  }
  let code = exitCode(problems, hasErrors: hasErrors, count: valid.count + pages.count)
  let text = text(of: pages, broken, valid, arguments.format, files: selected.files.count)
  guard Terminal.show(text, as: arguments.format.form) == .passed else { return .couldNotRun }
  if code == .nothingSelected {
    Terminal.complain(render(.nothingSelected(by: choice), in: SourceMap()))
  }
  return code
}

private func exitCode(_ problems: [Diagnostic], hasErrors: Bool, count: Int) -> ExitCode {
  if hasErrors || !problems.isEmpty { return .badInput }
  return count == 0 ? .nothingSelected : .passed
}

/// The numbers of parts without errors.
private struct ValidParts {
  private var scenarios = 0
  private var components = 0
  private var steps = 0
  private var configurations = 0

  var count: Int { scenarios + components + steps + configurations }

  mutating func add(_ file: LoadedFile) {
    let part = file.diagnostics.hasErrors ? 0 : 1
    switch file.kind {
    // The others of a file with errors are valid.
    case .scenarios: scenarios += file.plans.count
    case .component: components += part
    case .steps: steps += part
    case .configuration: configurations += part
    }
  }

  func text(withErrors broken: Int) -> String {
    var parts = [counted(scenarios, "valid scenario")]
    if broken > 0 { parts.append("\(broken) with errors") }
    if components > 0 { parts.append(counted(components, "valid component")) }
    if steps > 0 { parts.append(counted(steps, "valid file") + " of steps") }
    if configurations > 0 { parts.append(counted(configurations, "valid configuration")) }
    return parts.joined(separator: ", ")
  }
}

private func text(
  of pages: [String], _ broken: [String], _ valid: ValidParts, _ format: ListingFormat,
  files: Int
) -> String {
  switch format {
  case .json:
    return "[" + pages.joined(separator: ",\n ") + "]\n"
  case .ndjson: return pages.map { $0 + "\n" }.joined()
  case .human:
    let texts = pages.map { $0 + ($0.hasSuffix("\n") ? "\n" : "\n\n") }
    return texts.joined() + broken.joined() + valid.text(withErrors: broken.count) + " in "
      + counted(files, "file") + "\n"
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

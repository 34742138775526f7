import Diagnostics
import Reports
import ScenarioPlan
import ScenarioRuns
import Secrets
import Values
import Verdicts

/// A scenario to serve.
struct ServedChoice: Sendable {
  /// The arguments with a single selector, by which the scenario is loaded again.
  var arguments: ServeArguments
  var path: String
  var loaded: LoadedFile
  var plan: ScenarioPlan
  var row: RowPlan?
  var variables: ValueMap
  /// The files that were read for it.
  var reads: FileReads

  var title: String { row.map { "\(plan.title) [\($0.id)]" } ?? plan.title }

  /// The id by which messages name the scenario.
  var id: String {
    runName(loaded.mask.masked(plan.title), row: row.map { loaded.mask.masked($0.id) }, in: path)
  }

  /// The text that no other scenario has: a file, a line and a row.
  fileprivate var identityText: String {
    "\(identity(of: path)):\(plan.range.start) \(row?.id ?? "")"
  }
}

/// The reason why nothing is served.
struct ServeRefusal: Error {
  var problems: [Diagnostic]
  /// True if all is well with the scenario, but it has no endpoints.
  var lacksEndpoints = false
  var code = ExitCode.badInput
  var sources = SourceMap()
  var mask = SecretMask([])

  /// The problems as the report of a file that could not be read.
  func report(of path: String) -> FileReport {
    FileReport(path: path, sources: sources, diagnostics: problems, scenarios: [], mask: mask)
  }

  func pages(_ style: DiagnosticStyle) -> [String] {
    problems.map {
      render(
        $0.masked(by: mask.masked(page:)), in: sources, style: style, hiding: mask.places(in:))
    }
  }
}

/// The scenarios to serve.
struct ServedScenarios {
  var served: [ServedChoice] = []
  /// The scenarios of folders and patterns that have no endpoints.
  var omitted = ServeRefusals()
}

/// Loads the scenarios to serve, one for each selected file, or the reasons why nothing is served.
///
/// A scenario without endpoints is left out if a folder or a pattern selects it, and others have
/// some.
func chooseScenarios(_ arguments: ServeArguments) -> Result<ServedScenarios, ServeRefusals> {
  let attempts = arguments.scenarios.selectors.flatMap { selector in
    selector.ofEachFile.map { own in
      var arguments = arguments
      arguments.scenarios.selectors = [own]
      return (arguments, arguments.readsOfInputs(), isNamed: own.text == selector.text)
    }
  }
  // They are read once, since one of their files may be a pipe.
  let inputs = loadInputs(arguments.inputs)
  var states = SetupStates()
  var scenarios = ServedScenarios()
  var refusals = ServeRefusals()
  var known: Set<String> = []
  for (own, reads, isNamed) in attempts {
    switch chooseScenario(own, reads, inputs, &states) {
    case .failure(let refusal):
      if refusal.lacksEndpoints, !isNamed {
        scenarios.omitted.all.append(refusal)
      } else {
        refusals.all.append(refusal)
      }
    case .success(let choice):
      if known.insert(choice.identityText).inserted { scenarios.served.append(choice) }
    }
  }
  if scenarios.served.isEmpty { refusals.all += scenarios.omitted.all }
  guard refusals.all.isEmpty else { return .failure(refusals) }
  scenarios.omitted.soften()
  return .success(scenarios)
}

/// The reasons of all selected files why nothing is served.
struct ServeRefusals: Error {
  var all: [ServeRefusal] = []

  var code: ExitCode { ExitCode.worst(of: all.map(\.code)) }

  /// Makes warnings of the complaints, since others are served.
  fileprivate mutating func soften() {
    for index in all.indices {
      for problem in all[index].problems.indices {
        all[index].problems[problem].severity = .warning
        all[index].problems[problem].help = "the others are served"
      }
    }
  }

  /// Writes each complaint once, also if several files have it.
  func complain(_ style: DiagnosticStyle) {
    var known: Set<String> = []
    for page in all.flatMap({ $0.pages(style) }) where known.insert(page).inserted {
      Terminal.complain(page)
    }
  }
}

/// Loads a new version of a scenario that is served, or the reason why the old one stays.
///
/// The reads are known in both cases: an edit of a file with mistakes is of interest too.
func chooseAgain(
  _ choice: ServedChoice
) -> (reads: FileReads, result: Result<ServedChoice, ServeRefusal>) {
  let reads = choice.arguments.readsOfInputs()
  var states = SetupStates()
  let inputs = loadInputs(choice.arguments.inputs)
  return (reads, chooseScenario(choice.arguments, reads, inputs, &states))
}

extension ServeArguments {
  /// Returns the states of the files of variables before they are read.
  fileprivate func readsOfInputs() -> FileReads {
    let reads = FileReads()
    for path in inputs.files where !isPiped(path) { reads.willRead(path) }
    return reads
  }
}

extension Selector {
  /// A selector for each file that is selected. A pipe is not opened, since it can be read once.
  fileprivate var ofEachFile: [Selector] {
    switch selection {
    case .line, .title, .row: return [self]
    case .path(let path) where isPiped(path): return [self]
    case .path, .pattern:
      let files = SelectedFiles(ScenarioChoice(selectors: [self], tags: TagFilter())).files
      if files.isEmpty { return [self] }
      return files.map { Selector(text: $0.path, selection: .path($0.path)) }
    }
  }
}

private func chooseScenario(
  _ arguments: ServeArguments, _ reads: FileReads, _ inputs: Diagnosed<PlanInputs>,
  _ states: inout SetupStates
) -> Result<ServedChoice, ServeRefusal> {
  var selected = SelectedFiles(arguments.scenarios)
  for index in selected.files.indices { selected.files[index].reads = reads }
  var choices: [ServedChoice] = []
  var mistakes: [Diagnostic] = []
  var refusal = ServeRefusal(
    problems: inputs.diagnostics + recordProblems(arguments.record, inputs.value)
      + credentialProblems(arguments.showsCredentials, inputs.value))
  var suite = Suite(files: selected.files, inputs: inputs.value)
  suite.configurations = Configurations(
    of: selected.files.map(\.path), inputs: inputs.value, files: reads.files)
  if let wrong = suite.configurations.refusal ?? suite.refusalOfSetups(&states) {
    return .failure(wrong)
  }
  refusal.problems += loadAll(selected, inputs: inputs.value, suite.configurations) {
    file, loaded in
    let missing = selected.missing(in: loaded.plans, of: file.path, loaded.sources)
    let errors = loaded.diagnostics.filter { $0.severity == .error }.sortedForReport()
    refusal.sources = loaded.sources
    refusal.mask = loaded.mask
    mistakes += errors + (errors.isEmpty ? missing : [])
    choices += wanted(of: file, loaded, inputs.value, arguments, reads)
  }
  // Mistakes elsewhere in the file do not matter to a scenario that was named.
  let isNamed = arguments.scenarios.selectors.allSatisfy(\.namesScenario)
  if choices.count != 1 || !isNamed { refusal.problems += mistakes }
  guard refusal.problems.isEmpty else { return .failure(refusal) }
  guard choices.count == 1, let choice = choices.first else {
    refusal.problems = [.notOneScenario(choices, arguments.scenarios.selectors)]
    refusal.code = choices.isEmpty ? .nothingSelected : .badInput
    return .failure(refusal)
  }
  return choice.refusal.map { .failure($0) } ?? .success(choice)
}

extension ServedChoice {
  /// The reason why the scenario cannot be served.
  fileprivate var refusal: ServeRefusal? {
    if let program = plan.programs.first, !arguments.isEndless, !plan.isServedWithoutEnd {
      return ServeRefusal(problems: [.programsNotServed(program)], sources: loaded.sources)
    }
    guard plan.servedEndpoints.isEmpty else { return nil }
    return ServeRefusal(
      problems: [.nothingToServe(plan)], lacksEndpoints: true, sources: loaded.sources,
      mask: loaded.mask)
  }
}

extension Configurations {
  /// The reason why nothing is served, if a configuration is wrong.
  fileprivate var refusal: ServeRefusal? {
    guard haveErrors else { return nil }
    let problems =
      [unknownEnvironment].compactMap { $0 }
      + unreadable.map { Diagnostic.unreadable($0.path, $0.problem.message) }
    guard let file = loaded.first(where: { $0.diagnostics.hasErrors }) else {
      return ServeRefusal(problems: problems)
    }
    return ServeRefusal(
      problems: problems + file.diagnostics.sortedForReport(), sources: file.sources,
      mask: file.mask)
  }
}

extension Suite {
  /// Runs the set-ups that have not run yet, and returns the reason why nothing is served if one
  /// fails.
  fileprivate mutating func refusalOfSetups(_ states: inout SetupStates) -> ServeRefusal? {
    configurations.adopt(states)
    let failures = SetupFailures()
    runSetups(failures)
    states.add(configurations.setupStates)
    return failures.all.first.map { file, problems in
      ServeRefusal(
        problems: problems, code: file.diagnostics.hasErrors ? .badInput : .failed,
        sources: file.sources, mask: file.mask)
    }
  }
}

private func wanted(
  of file: SuiteFile, _ loaded: LoadedFile, _ inputs: PlanInputs, _ arguments: ServeArguments,
  _ reads: FileReads
) -> [ServedChoice] {
  loaded.plans.flatMap { plan in
    let variables = ValueMap(inputs.variables.map { (.string($0.name), $0.value) })
    let rows: [RowPlan?] = plan.columns.isEmpty ? [nil] : plan.rows
    return rows.filter { file.wants(plan, $0, loaded.sources) }.map {
      ServedChoice(
        arguments: arguments, path: file.path, loaded: loaded, plan: plan, row: $0,
        variables: variables, reads: reads)
    }
  }
}

extension Diagnostic {
  fileprivate static func notOneScenario(
    _ choices: [ServedChoice], _ selectors: [Selector]
  ) -> Diagnostic {
    guard let first = choices.first else { return .nothingSelected(selectors) }
    let titles = choices.prefix(5).map(\.title)
    let more = choices.count > titles.count ? "\n…" : ""
    return Diagnostic(
      "not-one-scenario",
      "one scenario of a file is served, and \(choices.count) of `\(first.path)` are selected",
      notes: [.init("named", titles.joined(separator: "\n") + more)],
      help: "write `\(first.path):LINE`; `rehearse list \(first.path)` shows the lines")
  }

  fileprivate static func nothingToServe(_ plan: ScenarioPlan) -> Diagnostic {
    let what = plan.endpoints.isEmpty ? "no endpoints" : "only real endpoints"
    return Diagnostic(
      "nothing-to-serve", "`\(plan.title)` has \(what)",
      labels: [.init(plan.range)], help: "declare the mocks to serve under `endpoints`")
  }
}

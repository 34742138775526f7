import Diagnostics
import Glibc
import Reports
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Values
import Verdicts

/// Serves the endpoints of one scenario to clients from outside, and judges the scenario.
func serveVerb(_ arguments: ServeArguments) -> ExitCode {
  let style = Terminal.style(of: STDERR_FILENO, color: arguments.color)
  if let path = arguments.portsFile { removeOldFile(path) }
  switch chooseScenario(arguments, FileReads()) {
  case .failure(let refusal):
    complain(of: refusal, style)
    return refusal.code
  case .success(let choice):
    return serve(choice, arguments, style)
  }
}

/// The scenario to serve.
private struct ServedChoice {
  var path: String
  var loaded: LoadedFile
  var plan: ScenarioPlan
  var row: RowPlan?
  var variables: ValueMap
  /// What was read for it.
  var reads: FileReads
}

/// The reason why nothing is served.
private struct ServeRefusal: Error {
  var problems: [Diagnostic]
  var code = ExitCode.badInput
  var sources = SourceMap()
  var mask = SecretMask([])
}

private func chooseScenario(
  _ arguments: ServeArguments, _ reads: FileReads
) -> Result<ServedChoice, ServeRefusal> {
  var selected = SelectedFiles(arguments.scenarios)
  for index in selected.files.indices { selected.files[index].reads = reads }
  for path in arguments.variableFiles + arguments.environmentFiles where !isPiped(path) {
    reads.willRead(path)
  }
  let inputs = loadInputs(
    variables: arguments.variables, variableFiles: arguments.variableFiles,
    environmentFiles: arguments.environmentFiles)
  var choices: [ServedChoice] = []
  var mistakes: [Diagnostic] = []
  var refusal = ServeRefusal(
    problems: inputs.diagnostics + recordProblems(arguments.record, inputs.value))
  var suite = Suite(files: selected.files, inputs: inputs.value)
  suite.configurations = Configurations(
    of: selected.files.map(\.path), inputs: inputs.value, files: reads.files)
  if let wrong = suite.configurations.refusal ?? suite.refusalOfSetups() { return .failure(wrong) }
  refusal.problems += loadAll(selected, inputs: inputs.value, suite.configurations) {
    file, loaded in
    let missing = selected.missing(in: loaded.plans, of: file.path, loaded.sources)
    let errors = loaded.diagnostics.filter { $0.severity == .error }.sortedForReport()
    refusal.sources = loaded.sources
    refusal.mask = loaded.mask
    mistakes += errors + (errors.isEmpty ? missing : [])
    choices += wanted(of: file, loaded, inputs.value, reads)
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
  if let program = choice.plan.programs.first, !arguments.isEndless,
    !choice.plan.scripts[choice.plan.steps.script].steps.isEmpty
  {
    refusal.problems = [.programsNotServed(program)]
    refusal.sources = choice.loaded.sources
    return .failure(refusal)
  }
  guard choice.plan.endpoints.isEmpty else { return .success(choice) }
  refusal.problems = [.nothingToServe(choice.plan)]
  return .failure(refusal)
}

extension Configurations {
  /// The reason why nothing is served, if a configuration is wrong.
  fileprivate var refusal: ServeRefusal? {
    guard haveErrors else { return nil }
    let problems = unreadable.map { Diagnostic.unreadable($0.path, $0.problem.message) }
    guard let file = loaded.first(where: { $0.diagnostics.hasErrors }) else {
      return ServeRefusal(problems: problems)
    }
    return ServeRefusal(
      problems: problems + file.diagnostics.sortedForReport(), sources: file.sources,
      mask: file.mask)
  }
}

extension Suite {
  /// Runs the set-ups, and returns the reason why nothing is served if one fails.
  fileprivate mutating func refusalOfSetups() -> ServeRefusal? {
    let failures = SetupFailures()
    runSetups(failures)
    return failures.all.first.map { file, problems in
      ServeRefusal(
        problems: problems, code: file.diagnostics.hasErrors ? .badInput : .failed,
        sources: file.sources, mask: file.mask)
    }
  }
}

private func wanted(
  of file: SuiteFile, _ loaded: LoadedFile, _ inputs: PlanInputs, _ reads: FileReads
) -> [ServedChoice] {
  loaded.plans.flatMap { plan in
    let variables = ValueMap(inputs.variables.map { (.string($0.name), $0.value) })
    let rows: [RowPlan?] = plan.columns.isEmpty ? [nil] : plan.rows
    return rows.filter { file.wants(plan, $0, loaded.sources) }.map {
      ServedChoice(
        path: file.path, loaded: loaded, plan: plan, row: $0, variables: variables, reads: reads)
    }
  }
}

private func serve(
  _ choice: ServedChoice, _ arguments: ServeArguments, _ style: DiagnosticStyle
) -> ExitCode {
  var settings = ServingSettings()
  settings.isSecure = arguments.isSecure
  settings.host = arguments.host
  settings.allowsOtherOrigins = arguments.allowsOtherOrigins
  settings.timeout = arguments.timeout
  settings.isEndless = arguments.isEndless
  switch portsByName(arguments.ports, choice.plan.endpoints.map(\.name)) {
  case .failure(let problem):
    Terminal.complain(render(problem.diagnostic, in: SourceMap(), style: style))
    return .badInput
  case .success(let ports): settings.ports = ports
  }
  Interruption.listen(finallyTime: arguments.finallyTime)
  var choice = choice
  while true {
    let reloading = Reloading(of: choice, arguments, style)
    let console = makeConsole(for: choice, arguments)
    reloading.console = console
    guard console.prepareFiles(choice.variables) else { return .couldNotRun }
    console.warn()
    let outcome = serve(choice, settings, console, reloading)
    guard let next = reloading.next else { return console.finish(outcome) }
    // Clients find the endpoints where they were.
    for place in console.places { settings.ports[place.name] = place.port }
    choice = next
  }
}

private func seed(of choice: ServedChoice, _ arguments: ServeArguments) -> Int {
  arguments.seed.map { Int(truncatingIfNeeded: $0) } ?? choice.plan.seed ?? Suite.defaultSeed
}

private func makeConsole(for choice: ServedChoice, _ arguments: ServeArguments) -> ServeConsole {
  let title = choice.row.map { "\(choice.plan.title) [\($0.id)]" } ?? choice.plan.title
  return ServeConsole(
    arguments, choice.plan, choice.loaded, title: title, seed: seed(of: choice, arguments),
    row: choice.row)
}

private func serve(
  _ choice: ServedChoice, _ settings: ServingSettings, _ console: ServeConsole,
  _ reloading: Reloading
) -> ServingOutcome {
  var inputs = RunInputs(
    seed: seed(of: choice, reloading.arguments), row: choice.row,
    isInterrupted: { [reloading] in Interruption.wasAsked || reloading.hasNewVersion() })
  inputs.isOutOfTime = { Interruption.isOutOfTime }
  inputs.willRead = { [reads = choice.reads] in reads.willRead($0) }
  return serveScenario(
    choice.plan, inputs: inputs, sources: choice.loaded.sources, settings: settings,
    watcher: console, recorders: console.recorders)
}

/// The search for a new version of a scenario that is served until it is interrupted.
///
/// A broken version is reported, and the old one stays. A log or a trace is of one version, so with
/// one there is no search.
private final class Reloading: @unchecked Sendable {
  let arguments: ServeArguments
  private let style: DiagnosticStyle
  private let changes: FileChanges?
  /// The version that replaces the one that is served.
  private(set) var next: ServedChoice?
  /// The console of the version that is served.
  var console: ServeConsole?

  init(of choice: ServedChoice, _ arguments: ServeArguments, _ style: DiagnosticStyle) {
    self.arguments = arguments
    self.style = style
    let isEndless = arguments.isEndless || choice.plan.isServedWithoutEnd
    let isWatched = isEndless && arguments.log == nil && arguments.record == nil
    changes = isWatched ? FileChanges(choice.reads) : nil
  }

  func hasNewVersion() -> Bool {
    if next != nil { return true }
    guard changes?.haveChanged() == true else { return false }
    let reads = FileReads()
    switch chooseScenario(arguments, reads) {
    case .success(let choice):
      Terminal.complain("the file has changed, and is served again\n")
      next = choice
      console?.isReplaced = true
      return true
    case .failure(let refusal):
      changes?.add(reads)
      complain(of: refusal, style)
      Terminal.complain("the file has changed and has mistakes; the old version stays\n")
      return false
    }
  }
}

private func complain(of refusal: ServeRefusal, _ style: DiagnosticStyle) {
  for problem in refusal.problems {
    Terminal.complain(
      render(
        problem.masked(by: refusal.mask.masked(page:)), in: refusal.sources, style: style,
        hiding: refusal.mask.places(in:)))
  }
}

/// A wrong `--port`, which only the scenario's endpoints reveal.
struct PortProblem: Error, Equatable {
  var diagnostic: Diagnostic
}

/// Returns the requested ports by the names of their endpoints.
func portsByName(
  _ settings: [PortSetting], _ endpoints: [String]
) -> Result<[String: UInt16], PortProblem> {
  var ports: [String: UInt16] = [:]
  for setting in settings {
    guard let name = setting.endpoint ?? (endpoints.count == 1 ? endpoints.first : nil) else {
      return .failure(PortProblem(diagnostic: .portOfWhich(setting.port, endpoints)))
    }
    guard endpoints.contains(name) else {
      return .failure(PortProblem(diagnostic: .portOfNobody(name, endpoints)))
    }
    guard ports.updateValue(setting.port, forKey: name) == nil else {
      return .failure(PortProblem(diagnostic: .twoPorts(name)))
    }
  }
  return .success(ports)
}

extension Diagnostic {
  fileprivate static func notOneScenario(
    _ choices: [ServedChoice], _ selectors: [Selector]
  ) -> Diagnostic {
    guard let first = choices.first else { return .nothingSelected(selectors) }
    let titles = choices.prefix(5).map { choice in
      choice.row.map { "\(choice.plan.title) [\($0.id)]" } ?? choice.plan.title
    }
    let more = choices.count > titles.count ? "\n…" : ""
    return Diagnostic(
      "not-one-scenario", "one scenario is served at a time, and \(choices.count) are selected",
      notes: [.init("named", titles.joined(separator: "\n") + more)],
      help: "write `\(first.path):LINE`; `rehearse list \(first.path)` shows the lines")
  }

  fileprivate static func nothingToServe(_ plan: ScenarioPlan) -> Diagnostic {
    Diagnostic(
      "nothing-to-serve", "`\(plan.title)` has no endpoints",
      labels: [.init(plan.range)], help: "declare the mocks to serve under `endpoints`")
  }

  fileprivate static func portOfWhich(_ port: UInt16, _ names: [String]) -> Diagnostic {
    let examples = names.prefix(4).map { "`--port \($0)=PORT`" }.joined(separator: ", ")
    return Diagnostic(
      "port-of-no-endpoint",
      "there are \(names.count) endpoints, and \(port) does not say for which",
      help: "write \(examples)")
  }

  fileprivate static func portOfNobody(_ name: String, _ names: [String]) -> Diagnostic {
    let known = names.map { "`\($0)`" }.joined(separator: ", ")
    let nearest = nearestName(to: name, among: names).map { "did you mean `\($0)`?" }
    return Diagnostic(
      "port-of-no-endpoint", "there is no endpoint `\(name)`",
      help: nearest ?? "endpoints are \(known)")
  }

  fileprivate static func twoPorts(_ name: String) -> Diagnostic {
    Diagnostic(
      "port-of-no-endpoint", "`\(name)` is given two ports", help: "keep one of them")
  }
}

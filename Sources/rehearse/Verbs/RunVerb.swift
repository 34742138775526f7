import Diagnostics
import Glibc
import Reports
import ScenarioPlan
import ScenarioRuns
import Synchronization
import Values
import Verdicts

/// Runs scenarios and reports their verdicts.
func runVerb(_ arguments: RunArguments) -> ExitCode {
  let selected = SelectedFiles(arguments.scenarios)
  let inputs = loadInputs(
    variables: arguments.variables, variableFiles: arguments.variableFiles,
    environmentFiles: arguments.environmentFiles)
  let console = RunConsole(arguments, fileCount: selected.files.count)
  let problems =
    selected.problems + inputs.diagnostics + arguments.updateProblems(inputs.value)
    + arguments.world.fileProblems
  guard problems.isEmpty else {
    console.complain(problems)
    return .badInput
  }
  Interruption.listen()
  let began = wallClock()
  var outcome = RunOutcome(failsOnFlaky: arguments.failsOnFlaky)
  runSuite(arguments.suite(of: selected.files, inputs.value)) { file in
    let report = FileReport(file)
    let missing = selected.missing(in: file)
    outcome.add(file, report, missing)
    console.show(report, file.problem)
    console.complain(missing + file.snapshotProblems.map { .unwritable($0.path, $0.message) })
  }
  let wall = Microseconds(wallClock() - began)
  let report = RunReport(files: outcome.files, wall: arguments.showsWallTimes ? wall : nil)
  console.finish(report, outcome, given: inputs.value.variables)
  let isWritten = write(report, arguments, console)
  return outcome.exitCode(reportsWritten: console.wasShown() && isWritten)
}

extension RunArguments {
  /// The complaint about recording on a build server, where nobody reviews what is recorded.
  fileprivate func updateProblems(_ inputs: PlanInputs) -> [Diagnostic] {
    let server = inputs.environment["CI"]?.plainText ?? ""
    return update == .yes && !["", "0", "false"].contains(server) ? [.updateOnServer] : []
  }

  fileprivate func suite(of files: [SuiteFile], _ inputs: PlanInputs) -> Suite {
    var suite = Suite(
      files: files, inputs: inputs, seed: seed.map { Int(truncatingIfNeeded: $0) },
      jobs: jobs ?? processorCount(), failsFast: failsFast, retries: retries,
      updatesSnapshots: update != .no, world: world.withProxies(of: inputs.environment),
      realTimeConcurrency: jobs,
      isInterrupted: { Interruption.wasAsked })
    suite.repeated = repeated
    return suite
  }

  /// The options that say which values the scenarios see, and the way to real endpoints.
  private var repeated: RepeatedOptions {
    var repeated = RepeatedOptions()
    repeated.variables = variables.map { ($0.name, $0.value) }
    repeated.variableFiles = variableFiles
    repeated.environmentFiles = environmentFiles
    if case .real(let settings) = world { repeated.proxy = settings.proxies }
    return repeated
  }
}

extension WorldKind {
  /// The complaints about files that would otherwise come from each request.
  fileprivate var fileProblems: [Diagnostic] {
    guard case .real(let settings) = self, let problem = settings.fileProblem else { return [] }
    return [.unusableCertificate(problem)]
  }

  /// Returns the world with the proxies of the environment, unless the command line names one.
  fileprivate func withProxies(of environment: ValueMap) -> WorldKind {
    guard case .real(var settings) = self, settings.proxies == nil else { return self }
    settings.proxies = ProxySettings { name in
      if case .string(let text)? = environment[name] { text } else { nil }
    }
    return .real(settings)
  }
}

/// The result of a run, for the exit code and the summary.
struct RunOutcome {
  let failsOnFlaky: Bool
  private(set) var files: [FileReport] = []
  private(set) var leftAlone = 0
  private(set) var scenarioCount = 0
  private(set) var declaredVariables: Set<String> = []
  /// True if a title, row or line was selected that its file does not have.
  private(set) var hasMissing = false
  private var hasFailure = false
  private var hasBadSpec = false
  private var hasUnrecorded = false
  private(set) var hasUnreadableFile = false

  init(failsOnFlaky: Bool) { self.failsOnFlaky = failsOnFlaky }

  mutating func add(_ file: FileResult, _ report: FileReport, _ missing: [Diagnostic]) {
    hasMissing = hasMissing || !missing.isEmpty
    files.append(report)
    leftAlone += file.leftAlone
    scenarioCount += file.scenarios.count
    declaredVariables.formUnion(file.variableNames)
    hasFailure = hasFailure || file.scenarios.contains { isFailure($0.verdict.outcome) }
    hasBadSpec = hasBadSpec || file.diagnostics.hasErrors
    hasUnrecorded = hasUnrecorded || !file.snapshotProblems.isEmpty
    hasUnreadableFile = hasUnreadableFile || file.problem != nil
  }

  private func isFailure(_ outcome: Verdict.Outcome) -> Bool {
    outcome == .failed || (failsOnFlaky && outcome == .flaky)
  }

  /// Returns the exit code. An incomplete result takes precedence over the result itself.
  func exitCode(reportsWritten: Bool) -> ExitCode {
    let isWhole = !hasUnreadableFile && !hasUnrecorded && reportsWritten
    if !isWhole || Interruption.wasAsked { return .couldNotRun }
    if hasBadSpec { return .badInput }
    if hasFailure { return .failed }
    return scenarioCount == 0 || hasMissing ? .nothingSelected : .passed
  }
}

/// The wish to end a run, by Ctrl-C or a signal. The scenarios under way end, and the run so far is
/// reported. A second signal ends the program at once.
enum Interruption {
  private static let asked = Atomic(false)

  static var wasAsked: Bool { asked.load(ordering: .relaxed) }

  static func listen() {
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        if Interruption.asked.exchange(true, ordering: .relaxed) { _exit(128 + number) }
      }
    }
  }
}

/// Writes the requested reports, and returns whether all could be written.
private func write(
  _ report: RunReport, _ arguments: RunArguments, _ console: RunConsole
) -> Bool {
  var isWhole = true
  for request in arguments.reports {
    let text: String
    switch (request.format, request.path) {
    case (.human, nil): continue
    case (.human, _?): text = humanReport(report, detail: arguments.detail)
    case (.junit, _): text = junitReport(report)
    case (.json, _): text = jsonReport(report)
    }
    isWhole = put(text, request.path, console) && isWhole
  }
  return isWhole
}

private func put(_ text: String, _ path: String?, _ console: RunConsole) -> Bool {
  guard let path else {
    if Terminal.say(text) == .passed { return true }
    console.complain([.unwritable("standard output", lastSystemError())])
    return false
  }
  guard let problem = writeFile(path, text) else { return true }
  console.complain([.unwritable(path, problem.message)])
  return false
}

extension Diagnostic {
  fileprivate static let updateOnServer = Diagnostic(
    "update-on-a-server",
    "snapshots are not recorded if CI is set, since nobody reviews them there",
    help: "record them at your desk, or write `--update=force`")
}

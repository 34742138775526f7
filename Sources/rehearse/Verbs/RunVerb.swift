import Diagnostics
import Glibc
import LiveWorld
import Reports
import ScenarioPlan
import ScenarioRuns
import Traces
import Values
import Verdicts
import VirtualPrograms

/// Runs scenarios and reports their verdicts.
func runVerb(_ arguments: RunArguments) -> ExitCode {
  if arguments.isDryRun {
    let listing = ListArguments(
      scenarios: arguments.scenarios, format: arguments.listing, color: arguments.output.color)
    return listVerb(listing)
  }
  return arguments.watches ? watchRuns(arguments) : runOnce(arguments)
}

/// Runs the scenarios once; of a watched suite, those that a change touches.
func runOnce(_ arguments: RunArguments, watched: WatchedSuite? = nil) -> ExitCode {
  var arguments = arguments
  let traces = arguments.world.readTraces()
  watched?.beginReading(arguments.inputs.files)
  var inputs = loadInputs(arguments.inputs)
  inputs.value.hasMachineClock = arguments.hasMachineClock
  let style = arguments.output.color.complaintStyle
  let (found, configurations) = arguments.scenarios.select(
    inputs.value, files: watched?.common.files ?? .onDisk)
  var selected = found
  let mistakes = arguments.complete(by: configurations.configuration(of: "."))
  watched?.note(selected, by: arguments.scenarios, in: inputs.value.environment)
  if configurations.complain(style) { return .badInput }
  let console = RunConsole(arguments)
  let problems =
    mistakes + selected.problems + inputs.diagnostics + arguments.updateProblems(inputs.value)
    + arguments.world.fileProblems + arguments.problemsOfReports(beside: selected)
  guard problems.isEmpty else {
    console.complain(problems)
    return .badInput
  }
  // What is missing in a trace may be why a run of it fails, so warnings come before it.
  console.complain(traces.diagnostics, in: traces.sources)
  if traces.diagnostics.hasErrors { return .badInput }
  let unwritable = arguments.output.written.compactMap(Diagnostic.unwritableReport)
  guard unwritable.isEmpty else {
    console.complain(unwritable)
    return .couldNotRun
  }
  if arguments.output.detail != .quiet { console.complain(selected.notes) }
  watched?.begin(&selected)
  return run(selected, inputs.value, configurations, arguments, console, watched)
}

private func run(
  _ selected: SelectedFiles, _ inputs: PlanInputs, _ configurations: Configurations,
  _ arguments: RunArguments, _ console: RunConsole, _ watched: WatchedSuite?
) -> ExitCode {
  Interruption.listen(finallyTime: arguments.finallyTime)
  for path in arguments.output.paths { removeOldFile(path) }
  let began = Supervision.kept(.began, wallClock)
  let calendar = Supervision.kept(.calendar, calendarMilliseconds)
  let shown = Supervision.progress
  Terminal.isMuted = shown > 0
  let shard = arguments.scenarios.shard.flatMap { try? $0.shard(in: inputs.environment).get() }
    .map { ReportShard(index: $0.index, count: $0.count) }
  let watcher = RunWatcher(arguments, selected, console, shard: shard, shown: shown)
  let log = RunLog(arguments.log)
  let deadline = arguments.deadline.map {
    RunDeadline(of: $0, then: arguments.finallyTime, from: began)
  }
  var suite = arguments.suite(of: selected.files, inputs, log)
  suite.configurations = configurations
  if let deadline { suite.end(at: deadline) }
  suite.kept = .outlivingCrashes(for: suite)
  if let seed = suite.shuffleSeed { console.showShuffle(seed) }
  watcher.newSeed = suite.newSeed
  watcher.end(unread: runSuite(suite, watcher: watcher))
  var outcome = watcher.outcome
  outcome.isEmptyShard = outcome.scenarioCount == 0 && selected.isOfOtherShards
  outcome.isLate = deadline?.isReached == true && outcome.leftAlone + outcome.unread > 0
  Terminal.isMuted = false
  console.complain(Supervision.crashes.filter(\.name.isEmpty).map { .crashed($0) })
  LastFailures.update(
    failed: outcome.failedRuns, passed: outcome.passedRuns, gone: outcome.goneRuns)
  let wall = Microseconds(wallClock() - began)
  var report = RunReport(
    files: outcome.files, wall: arguments.showsWallTimes ? wall : nil, began: calendar)
  report.context = .current(environment: inputs.environmentName)
  report.coverage = watcher.coverage
  report.sideBySide = watcher.sideBySide
  report.leftOut = selected.leftOut
  console.finish(report, outcome, given: inputs.variables)
  let workflow = GitHubWorkflow(inputs.environment, arguments.output.requests)
  console.complain(workflow?.publish(report, arguments) ?? [])
  if watched == nil { Interruption.stopListening() }
  for file in outcome.files { watched?.note(file.scenarios.count, of: file.path) }
  let isLogged = log?.isWritten(console) ?? true
  let lost = watcher.end(with: report)
  console.complain(lost)
  let isWritten = arguments.output.write(report, withEvents: false) && isLogged && lost.isEmpty
  return outcome.exitCode(reportsWritten: console.wasShown() && isWritten)
}

extension RunArguments {
  /// The complaint about recording on a build server, where nobody reviews what is recorded.
  fileprivate func updateProblems(_ inputs: PlanInputs) -> [Diagnostic] {
    (update == .yes && inputs.isOnBuildServer ? [.updateOnServer] : [])
      + credentialProblems(options.showsCredentials, inputs)
      + recordProblems(record, inputs)
  }

  fileprivate func suite(
    of files: [SuiteFile], _ inputs: PlanInputs, _ log: RunLog?
  ) -> Suite {
    var suite = suite(of: files, inputs)
    suite.records.log = log?.suiteLog
    suite.records.timelines = timelines
    suite.records.options["against"] = world.text.isEmpty ? nil : .string(world.text)
    guard let record else { return suite }
    suite.records.traces = record.onlyFailures ? .failures : .all
    suite.records.folder = record.folder
    return suite
  }

  private func suite(of files: [SuiteFile], _ read: PlanInputs) -> Suite {
    var suite = Suite(
      files: files, inputs: read, seed: seed.map { Int(truncatingIfNeeded: $0) },
      jobs: jobs ?? processorCount(), failsFast: failsFast, retries: retries,
      world: world.withProxies(of: read.environment),
      hasFixedJobs: jobs != nil, isInterrupted: { Interruption.wasAsked })
    suite.run.isOutOfTime = { Interruption.isOutOfTime }
    suite.run.options = options
    suite.run.options.updatesSnapshots = update != .no
    suite.isStrict = failsOn.isStrict
    suite.repeated = inputs.repeated(proxy: world.settings.proxies)
    suite.repetitions = repetitions
    (suite.maxTime, suite.finallyTime) = (maxTime, finallyTime)
    // Servers keep what was sent to them, so each run sends other values.
    if world.asksRealEndpoints, seed == nil {
      suite.newSeed = Supervision.kept(.seed, newSeed)
    }
    switch shuffle {
    case nil: break
    case .seed(let seed)?: suite.shuffle(by: Int(truncatingIfNeeded: seed))
    case .anew?: suite.shuffle(by: Supervision.kept(.shuffle, wallClock))
    }
    return suite
  }
}

extension WorldKind {
  /// True if the command line chose the real endpoint for one endpoint or all.
  var asksRealEndpoints: Bool {
    switch self {
    case .real: true
    case .chosen(let choices):
      choices.others == .real || choices.choices.contains { $0.world == .real }
    case .mock, .sockets, .trace: false
    }
  }

  /// The complaints about files that would otherwise come from each request.
  var fileProblems: [Diagnostic] {
    settings.fileProblem.map { [.unusableCertificate($0)] } ?? []
  }

  /// Returns the world with the proxies of the environment, unless the command line names one.
  func withProxies(of environment: ValueMap) -> WorldKind {
    var settings = settings
    guard settings.proxies == nil else { return self }
    settings.proxies = ProxySettings { name in
      if case .string(let text)? = environment[name] { text } else { nil }
    }
    return withSettings(settings)
  }
}

/// The result of a run, for the exit code and the summary.
struct RunOutcome {
  private let conditions: FailureConditions
  private(set) var files: [FileReport] = []
  private(set) var leftAlone = 0
  /// The number of files that were not loaded because the run was interrupted.
  var unread = 0
  private(set) var scenarioCount = 0
  private(set) var declaredVariables: Set<String> = []
  /// True if a title, row or line was selected that its file does not have.
  private(set) var hasMissing = false
  private var hasFailure = false
  private var found = FailureConditions.Found()
  /// True if a file has errors, or if a scenario could not run as it is written.
  private(set) var hasBadSpec = false
  /// True if the system refused something that a scenario needs.
  private var lacksSystem = false
  private var hasUnrecorded = false
  private(set) var hasUnreadableFile = false
  /// True if scenarios did not run because the time of the whole run was over.
  var isLate = false
  /// True if the selected scenarios belong to other machines.
  var isEmptyShard = false
  /// The names of the runs that failed, and of those that did not.
  private(set) var failedRuns: [String] = []
  private(set) var passedRuns: [String] = []
  /// The names of runs that failed last and that their files do not have any more.
  private(set) var goneRuns: [String] = []
  private let lastFailures = LastFailures.read() ?? []

  init(_ conditions: FailureConditions) { self.conditions = conditions }

  mutating func add(_ file: FileResult, _ report: FileReport, _ missing: [Diagnostic]) {
    hasMissing = hasMissing || !missing.isEmpty
    files.append(report)
    leftAlone += file.leftAlone
    goneRuns += LastFailures.gone(from: file, among: lastFailures)
    scenarioCount += file.scenarios.count { !$0.isBroken }
    declaredVariables.formUnion(file.variableNames)
    hasFailure = hasFailure || file.scenarios.contains { $0.verdict.outcome == .failed }
    found.add(file.diagnostics, file.scenarios.map(\.verdict))
    for scenario in file.scenarios { note(scenario, in: file.path) }
    hasBadSpec =
      hasBadSpec || file.diagnostics.hasErrors || file.scenarios.contains(where: \.isBroken)
    lacksSystem =
      lacksSystem || file.scenarios.contains { $0.verdict.obstacle == .system }
    hasUnrecorded = hasUnrecorded || !file.snapshotProblems.isEmpty
    hasUnreadableFile = hasUnreadableFile || file.problem != nil
  }

  /// The reason why a run fails although no scenario does; nil if there is none.
  var reasonToFail: String? {
    hasFailure || hasBadSpec ? nil : conditions.reason(found)
  }

  private mutating func note(_ scenario: ScenarioResult, in path: String) {
    // A set-up runs with the scenarios that need it, so that only these are noted.
    if scenario.plan.setup != nil { return }
    let mask = scenario.mask
    let row = scenario.row.map { mask.masked($0.id) }
    let name = runName(mask.masked(scenario.plan.title), row: row, in: path)
    switch scenario.verdict.outcome {
    case .failed, .couldNotRun: failedRuns.append(name)
    case .passed, .flaky: passedRuns.append(name)
    case .skipped: break
    }
  }

  /// Returns the exit code. An incomplete result takes precedence over the result itself.
  func exitCode(reportsWritten: Bool) -> ExitCode {
    let isWhole =
      !hasUnreadableFile && !lacksSystem && !hasUnrecorded && !isLate && reportsWritten
    if let code = Interruption.exitCode { return code }
    if !isWhole { return .couldNotRun }
    if hasBadSpec { return .badInput }
    if hasFailure || reasonToFail != nil { return .failed }
    let isNothing = scenarioCount == 0 && !isEmptyShard
    return isNothing || hasMissing ? .nothingSelected : .passed
  }
}

extension FailureConditions {
  /// The numbers of them in a run.
  struct Found {
    private(set) var warnings = 0
    private(set) var flaky = 0
    private(set) var doubts = 0

    mutating func add(_ diagnostics: [Diagnostic], _ verdicts: [Verdict]) {
      let all = verdicts.flatMap(\.warnings)
      warnings += diagnostics.countBesidesNotes + all.count
      flaky += verdicts.count { $0.outcome == .flaky }
      doubts += all.count(where: \.isDoubt)
    }
  }

  /// Returns the line that says what `--fail-on` has found; nil if that is nothing.
  func reason(_ found: Found) -> String? {
    let reasons = [
      (warnings, "warnings", found.warnings, "warning"),
      (flaky, "flaky", found.flaky, "flaky scenario"), (doubts, "doubts", found.doubts, "doubt"),
    ].filter { $0.0 && $0.2 > 0 }.map { "`--fail-on \($0.1)`: \(counted($0.2, $0.3))" }
    return reasons.isEmpty ? nil : "the run fails by " + reasons.joined(separator: ", ")
  }
}

/// The log of a run, as the command line asks for it.
private struct RunLog {
  private let file: LogFile?
  private let path: String
  let suiteLog: SuiteLog

  init?(_ destination: LogDestination?) {
    switch destination {
    case nil: return nil
    case .output(json: false)? where isatty(STDOUT_FILENO) != 0:
      self.init(nil, "standard output", SuiteLog(folder: "", write: RunLog.show))
    case .output?:
      let file = LogFile { Terminal.write($0, as: .json) }
      self.init(file, "standard output", SuiteLog(folder: "") { RunLog.write($0, to: file) })
    case .file(let path)?:
      // The lines that a process before this one has written stay.
      let file = LogFile(path, appends: Supervision.isRestarted)
      self.init(
        file, path,
        SuiteLog(folder: enclosingFolder(of: path)) { RunLog.write($0, to: file) })
    }
  }

  private static func write(_ item: SuiteLog.Item, to file: LogFile) {
    if !Terminal.isMuted { file.write(item) }
  }

  private init(_ file: LogFile?, _ path: String, _ suiteLog: SuiteLog) {
    self.file = file
    self.path = path
    self.suiteLog = suiteLog
  }

  private static func show(_ item: SuiteLog.Item) {
    if case .line(let line) = item { Terminal.say(traceText(of: line, at: line.time ?? 0) + "\n") }
  }

  /// Complains if the log could not be written, and returns whether it was.
  func isWritten(_ console: RunConsole) -> Bool {
    guard let problem = file?.problem else { return true }
    console.complain([.unwritable(path, problem)])
    return false
  }
}

/// Returns the complaint about traces beside scenarios on a build server.
func recordProblems(_ record: RecordChoice?, _ inputs: PlanInputs) -> [Diagnostic] {
  guard let record, record.folder == nil, inputs.isOnBuildServer else { return [] }
  return [.recordOnServer]
}

extension PlanInputs {
  /// True if the environment has `CI`, as build servers do.
  var isOnBuildServer: Bool {
    !["", "0", "false"].contains(environment["CI"]?.plainText ?? "")
  }
}

extension Diagnostic {
  fileprivate static let recordOnServer = Diagnostic(
    "record-on-a-server",
    "traces are not recorded beside the scenarios if CI is set, since nobody reviews them there",
    help: "record them at your desk, or name a folder: `--record=DIR`")

  static let updateOnServer = Diagnostic(
    "update-on-a-server",
    "snapshots are not recorded if CI is set, since nobody reviews them there",
    help: "record them at your desk, or write `--update=force`")
}

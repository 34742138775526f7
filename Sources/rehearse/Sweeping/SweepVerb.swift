import Diagnostics
import Glibc
import Reports
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Values
import Verdicts

/// Runs scenarios once more for each place at which something can go wrong.
func sweepVerb(_ arguments: SweepArguments) -> ExitCode {
  let inputs = loadInputs(
    variables: arguments.variables, variableFiles: arguments.variableFiles,
    environmentFiles: arguments.environmentFiles)
  let selected = SelectedFiles(arguments.scenarios, environment: inputs.value.environment)
  var tally = SweepTally(
    baseline: SweepBaseline(at: arguments.baseline, isWritten: arguments.writesBaseline))
  let problems =
    selected.problems + inputs.diagnostics + tally.baseline.problems + arguments.world.fileProblems
  guard problems.isEmpty else {
    let style = Terminal.style(of: STDERR_FILENO, color: arguments.color)
    for problem in problems { Terminal.complain(render(problem, in: SourceMap(), style: style)) }
    return .badInput
  }
  Interruption.listen(finallyTime: 0)
  let sweep = SweptFiles(arguments, inputs.value)
  var files: [FileReport] = []
  var texts: [String] = []
  for file in selected.files {
    let (report, lines) = sweep.report(on: file, &tally)
    files.append(report)
    texts += lines
  }
  if arguments.lists {
    Interruption.stopListening()
    return list(texts, of: files, tally, arguments)
  }
  var whole = RunReport(files: files, wall: nil)
  whole.rules = tally.rules
  Interruption.stopListening()
  let output = ReportOutput(arguments.reports, arguments.detail, arguments.color)
  var isWritten = output.write(whole, showsResults: true)
  if arguments.reports.contains(where: { $0.format == .human && $0.path == nil }) {
    isWritten = Terminal.say(texts.joined()) == .passed && isWritten
  }
  isWritten = tally.baseline.write() && isWritten
  return tally.code(of: files, isWritten: isWritten, arguments)
}

/// What is counted over all files of a sweep.
private struct SweepTally {
  var baseline: SweepBaseline
  var rules: [RuleTally] = []
  /// The number of courses that were tried, or listed if that was asked for.
  var tried = 0
  /// The number of courses that the time was too short for.
  var left = 0

  /// Returns the exit code. A sweep that tried no course has shown nothing, so that a build server
  /// must not take it for a success.
  func code(of files: [FileReport], isWritten: Bool, _ arguments: SweepArguments) -> ExitCode {
    let code = exitCode(ofTraces: files, isWritten: isWritten)
    let isEmpty = files.allSatisfy(\.scenarios.isEmpty)
    guard code == .nothingSelected || code == .passed && tried == 0 else { return code }
    let problem: Diagnostic =
      isEmpty
      ? .nothingSelected(by: arguments.scenarios) : left > 0 ? .noTimeToSweep : .nothingSwept
    let style = Terminal.style(of: STDERR_FILENO, color: arguments.color)
    Terminal.complain(render(problem, in: SourceMap(), style: style))
    return .nothingSelected
  }
}

extension Diagnostic {
  fileprivate static let nothingSwept = Diagnostic(
    "nothing-swept", "no scenario has a place at which something can go wrong",
    help: "`rehearse sweep --list` shows the places; a scenario needs a client and an endpoint")
  fileprivate static let noTimeToSweep = Diagnostic(
    "nothing-swept", "the time of `--max-time` was over before the first course",
    help: "give more time; `rehearse sweep --list` shows the courses")
}

/// Prints the courses that were found, and on standard error why others were not.
private func list(
  _ texts: [String], of files: [FileReport], _ tally: SweepTally, _ arguments: SweepArguments
) -> ExitCode {
  let style = Terminal.style(of: STDERR_FILENO, color: arguments.color)
  for file in files {
    let text = humanReport(file: file, detail: .normal, style: style)
    if !text.isEmpty { Terminal.complain(text) }
  }
  let isWritten = Terminal.show(texts.joined()) == .passed
  return tally.code(of: files, isWritten: isWritten, arguments)
}

/// The files that are swept, one after the other; the runs of each scenario go side by side.
private struct SweptFiles {
  private let arguments: SweepArguments
  private let inputs: PlanInputs
  private let options: SweepOptions

  init(_ arguments: SweepArguments, _ inputs: PlanInputs) {
    self.arguments = arguments
    self.inputs = inputs
    var options = SweepOptions()
    options.jobs = arguments.jobs ?? processorCount()
    options.pairs = arguments.pairs
    options.allPlaces = arguments.allPlaces
    options.listsOnly = arguments.lists
    let world = arguments.world
    options.world = world.asksRealEndpoints ? world.withProxies(of: inputs.environment) : world
    options.repeated.proxy = options.world.settings.proxies
    options.repeated.variables = arguments.variables.map { ($0.name, $0.value) }
    options.repeated.variableFiles = arguments.variableFiles
    options.repeated.environmentFiles = arguments.environmentFiles
    let limit = arguments.maxTime.map { TimeLimit(of: $0, then: 0) }
    options.isInterrupted = { Interruption.wasAsked || limit?.isReached == true }
    self.options = options
  }

  /// Returns the options for one scenario. In real time, runs mostly wait, so that more of them go
  /// side by side than there are processors.
  private func options(for plan: ScenarioPlan, called name: String) -> SweepOptions {
    var options = options
    guard plan.runsInRealTime(in: arguments.world) else { return options }
    options.jobs = arguments.jobs ?? 2 * processorCount()
    let progress = SweepProgress(
      name, showsForecast: arguments.detail != .quiet,
      showsStatus: isatty(STDERR_FILENO) != 0 && arguments.detail != .quiet)
    options.onForecast = { progress.begin($0) }
    options.onRunEnded = { progress.countRun() }
    return options
  }

  func report(on file: SuiteFile, _ tally: inout SweepTally) -> (FileReport, lines: [String]) {
    switch file.read() {
    case .failure(let problem):
      let diagnostic = Diagnostic.unreadable(file.path, problem.message)
      let report = FileReport(
        path: file.path, sources: SourceMap(), diagnostics: [diagnostic], scenarios: [])
      return (report, [])
    case .success(let bytes):
      let loaded = loadScenarios(SourceFile(path: file.path, bytes: bytes), inputs: inputs)
      var report = FileReport(
        path: file.path, sources: loaded.sources,
        diagnostics: file.wantedDiagnostics(of: loaded).sortedForReport(), scenarios: [],
        mask: loaded.mask)
      var lines: [String] = []
      for plan in loaded.plans {
        let shared = SharedPlan(plan)
        let rows: [RowPlan?] = plan.columns.isEmpty ? [nil] : plan.rows
        for row in rows where file.wants(plan, row, loaded.sources) {
          let (scenario, line) = sweep(shared, row, file.path, loaded, &tally)
          report.scenarios.append(scenario)
          lines.append(line)
        }
      }
      return (report, lines)
    }
  }

  private func sweep(
    _ shared: SharedPlan, _ row: RowPlan?, _ path: String, _ loaded: LoadedFile,
    _ tally: inout SweepTally
  ) -> (ScenarioReport, String) {
    let plan = shared.plan
    let mask = loaded.mask.adding(plan.secretTexts(of: row))
    let line = loaded.sources.line(of: row?.range ?? plan.range)
    let seed =
      arguments.seed.map { Int(truncatingIfNeeded: $0) } ?? plan.seed ?? Suite.defaultSeed
    func report(_ verdict: Verdict) -> ScenarioReport {
      ScenarioReport(
        title: plan.title, line: line, row: row?.id, tags: plan.tags, seed: seed, verdict: verdict,
        mask: mask)
    }
    let name = visibleText(mask.masked("\(path):\(line)  \(plan.title)"))
    if let reason = plan.reasonNotToSweep(in: options.world) {
      let line = arguments.lists ? "" : "\(name): not swept: \(reason)\n"
      return (report(Verdict(.skipped(reason: reason))), line)
    }
    let options = options(for: plan, called: name)
    let result = sweepScenario(
      shared, inputs: RunInputs(seed: seed, row: row), sources: loaded.sources, options: options)
    guard result.good.outcome == .passed else { return (report(result.good), "") }
    tally.tried += result.places + result.listed.count
    tally.left += result.left
    if arguments.lists {
      var verdict = result.good
      verdict.warnings += result.warnings
      return (report(verdict), result.listed.map { $0.commandLine + "\n" }.joined())
    }
    tally.rules.add(
      result.rules.map {
        RuleTally($0.rule.rawValue, exercised: $0.exercised, broken: $0.broken)
      })
    let groups = tally.baseline.newGroups(result.groups, of: plan.title, row?.id, in: path)
    var verdict = Verdict(
      groups.isEmpty ? .passed : .failed, failures: groups.map(\.diagnostic),
      assertionsReached: result.places, assertionsMet: result.held,
      duration: result.good.duration, eventCount: result.good.eventCount)
    verdict.secrets = result.good.secrets
    verdict.warnings = result.warnings + plan.warningsOfSweep
    let pinned = pin(groups, of: plan, row, loaded, mask)
    verdict.warnings += pinned.warnings
    let known = result.groups.count - groups.count
    return (report(verdict), "\(name): \(result.summary(known: known))\n" + pinned.lines.joined())
  }

  /// Writes the courses that failed as scenarios, if that is wanted.
  private func pin(
    _ groups: [SweepGroup], of plan: ScenarioPlan, _ row: RowPlan?, _ loaded: LoadedFile,
    _ mask: SecretMask
  ) -> (lines: [String], warnings: [Diagnostic]) {
    guard arguments.pins, let file = loaded.sources.file(of: plan.range) else { return ([], []) }
    let seed = arguments.seed.map { Int(truncatingIfNeeded: $0) }
    return CoursePins(inputs: inputs, seed: seed).write(groups, of: plan, row, in: file, mask)
  }
}

extension SweepResult {
  /// Returns the line `23 places, 21 held, 2 failed`.
  fileprivate func summary(known: Int) -> String {
    let failed = places - held - unclear.count - flaky.count - missed.count
    var parts = [counted(places, "place"), "\(held) held"]
    if failed > 0 { parts.append("\(failed) failed for \(counted(groups.count, "cause"))") }
    if known > 0 { parts.append("\(counted(known, "cause")) known") }
    if !unclear.isEmpty {
      parts.append("\(unclear.count) unclear, since a mock or a step could not go on")
    }
    if !flaky.isEmpty { parts.append("\(flaky.count) failed once and held once") }
    if !missed.isEmpty { parts.append("\(missed.count) whose place no run came to") }
    if repeated > 0 { parts.append("\(repeated) of them made the same run as another delay") }
    if withoutNetwork > 0 {
      parts.append("\(counted(withoutNetwork, "connection")) left out, as there was no network")
    }
    if alike > 0 { parts.append("\(counted(alike, "place")) left out, as they are like others") }
    if left > 0 { parts.append("\(left) not tried, since the time was over") }
    if isCut { parts.append("others not tried, since there are too many") }
    if invariantsSampled > 0 {
      parts.append("invariants judged \(counted(invariantsSampled, "time"))")
    }
    return parts.joined(separator: ", ")
  }
}

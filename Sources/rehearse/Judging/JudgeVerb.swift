import Diagnostics
import Glibc
import LiveWorld
import Reports
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Secrets
import TextSearch
import TraceRecording
import Traces
import Verdicts

/// Holds a scenario against traces, and reports each trace as a case of its own.
func judgeVerb(_ arguments: JudgeArguments) -> ExitCode {
  let inputs = loadInputs(arguments.inputs)
  let style = arguments.output.color.complaintStyle
  let selected = SelectedFiles(arguments.scenario)
  var problems =
    selected.problems + inputs.diagnostics
    + credentialProblems(arguments.showsCredentials, inputs.value)
  if selected.files.count > 1 {
    problems.append(.judgesOneFile(selected.files.map(\.path), arguments.scenario))
  }
  func refuse(_ problems: [Diagnostic], _ code: ExitCode) -> ExitCode {
    Terminal.complain(problems, style)
    return code
  }
  guard problems.isEmpty else { return refuse(problems, .badInput) }
  guard let file = selected.files.first else {
    return refuse([.nothingSelected(by: arguments.scenario)], .nothingSelected)
  }
  switch file.read() {
  case .failure(let problem):
    return refuse([.unreadable(file.path, problem.message)], .badInput)
  case .success(let bytes):
    var given = inputs.value
    given.allowsUnsetSecrets = true
    let configurations = Configurations(of: [file.path], inputs: given)
    if configurations.complain(style) { return .badInput }
    let loaded = loadScenarios(
      SourceFile(path: file.path, bytes: bytes), inputs: given,
      configuration: configurations.configuration(of: file.path))
    var files = JudgedFiles(arguments, file, loaded)
    files.leftOut = selected.leftOut
    if !loaded.diagnostics.hasErrors, files.haveNoScenario {
      let missing = selected.missing(in: loaded.plans, of: file.path, loaded.sources)
      let nothing = Diagnostic.nothingSelected(by: arguments.scenario)
      return refuse(missing.isEmpty ? [nothing] : missing, .nothingSelected)
    }
    return files.report()
  }
}

extension Diagnostic {
  fileprivate static func judgesOneFile(_ paths: [String], _ choice: ScenarioChoice) -> Diagnostic {
    let named = choice.selectors.first?.text ?? "."
    return Diagnostic(
      "not-one-scenario-file",
      "`judge` takes one scenario file, and \(paths.count) are in `\(visibleText(named))`",
      help: "name one of them, such as `\(visibleText(paths[0]))`")
  }
}

/// A scenario file that traces are held against.
private struct JudgedFiles: Sendable {
  private let arguments: JudgeArguments
  private let loaded: LoadedFile
  private let plans: [ScenarioPlan]
  /// The sources of all scenarios of the file, by the names that traces give them.
  private let declared: Set<String>
  private let files: TracedFiles
  private let steps: TracedSteps
  /// The path of the scenario file.
  private let scenario: String
  /// The scenarios that the selection has left out.
  var leftOut = LeftOut()

  /// True if the command line chooses none of the scenarios of the file.
  var haveNoScenario: Bool { plans.isEmpty }

  init(_ arguments: JudgeArguments, _ file: SuiteFile, _ loaded: LoadedFile) {
    self.arguments = arguments
    self.loaded = loaded
    scenario = file.path
    files = TracedFiles(loaded.sources)
    steps = TracedSteps(loaded.sources)
    plans = loaded.plans.filter { file.wants($0, nil, loaded.sources) }
    declared = Set(loaded.plans.flatMap(\.namesInTraces.keys))
  }

  private func judge(_ path: String) -> FileReport {
    if let crash = Supervision.crash(of: .init(path)) {
      return report(path, loaded.sources, [.crashed(crash)], [])
    }
    return Supervision.underWay(.init(path)) { judgeAlone(path) }
  }

  /// Judges lines of standard input while they come.
  private func judgeFollowing(_ path: String) -> FileReport {
    var sources = loaded.sources
    let file = sources.add(SourceFile(path: path, text: ""))
    var log = ArrivingLog()
    var diagnostics: [Diagnostic] = []
    let scenarios = plans.prefix(1).map { plan in
      let followed = ScenarioRuns.judge(
        plan, following: file, inputs: RunInputs(seed: plan.seed ?? Suite.defaultSeed),
        sources: sources, read: { readPiece(&log) })
      diagnostics = followed.diagnostics
      return scenarioReport(plan, nil, followed.verdict, sources)
    }
    if let problem = log.problem { diagnostics.append(.unreadable(path, problem.message)) }
    return report(path, sources, diagnostics, diagnostics.hasErrors ? [] : scenarios)
  }

  private func judgeAlone(_ path: String) -> FileReport {
    if arguments.follows { return judgeFollowing(path) }
    switch openTrace(path).flatMap({ judge($0, at: path) }) {
    case .success(let report): return report
    case .failure(let problem):
      return report(path, loaded.sources, [.unreadable(path, problem.message)], [])
    }
  }

  private func judge(
    _ bytes: TraceBytes, at path: String
  ) -> Result<FileReport, FileProblem> {
    var sources = loaded.sources
    let isTrace = plans.contains { !$0.mapsLines }
    let whole = isTrace ? ReadTrace(bytes) : ReadTrace([])
    let file = sources.add(SourceFile(path: path, recording: bytes))
    var diagnostics = isTrace ? whole.problems.map { $0.diagnostic(in: file) } : []
    diagnostics += whole.warnings(in: file)
    guard !diagnostics.hasErrors else { return .success(report(path, sources, diagnostics, [])) }
    var scenarios: [ScenarioReport] = []
    for plan in plans {
      let mapping = plan.mapsLines ? MappedLog.map(bytes, by: plan, in: file) : nil
      if case .failure(let problem)? = mapping { return .failure(problem) }
      let mapped = try? mapping?.get()
      let trace = mapped?.trace ?? whole
      diagnostics += mapped?.warnings ?? []
      Supervision.note(Supervision.name(of: plan, nil, in: scenario, sources, loaded.mask))
      for (run, rows) in plan.cases(in: trace, besides: plans, steps) {
        let lines = MatchedLines(
          run, at: path, plan, files, until: arguments.until,
          placedBy: { mapped?.place(of: $0) ?? $0 }, body: { readBody($0, of: path) })
        if lines.lacksDate {
          let problem = Diagnostic.untilWithoutDate(run.place, in: file)
          return .success(report(path, sources, [problem], []))
        }
        var warnings = lines.warnings(plan, besides: declared, in: file)
        if run.header.scenario?.title != nil, run.lacksSteps {
          warnings.append(.traceWithoutSteps(run.place, in: file))
        }
        // Several scenarios of a file may find the same.
        diagnostics += warnings.filter { !diagnostics.contains($0) }
        scenarios += judge(plan, rows, run, lines, sources)
      }
    }
    return .success(report(path, sources, diagnostics, scenarios))
  }

  /// Returns the cases of one run, one for each row.
  private func judge(
    _ plan: ScenarioPlan, _ rows: [RowPlan?], _ run: TraceRun, _ lines: MatchedLines,
    _ sources: SourceMap
  ) -> [ScenarioReport] {
    var table = TableRows(of: plan, isStrict: arguments.failsOn.isStrict)
    var reports: [ScenarioReport] = []
    for (number, row) in rows.enumerated() {
      var report = judge(plan, row, run, lines, sources)
      table.take(report.verdict)
      report.verdict = table.verdict(report.verdict, isLast: number == rows.count - 1)
      reports.append(report)
    }
    return reports
  }

  private func judge(
    _ plan: ScenarioPlan, _ row: RowPlan?, _ run: TraceRun, _ lines: MatchedLines,
    _ sources: SourceMap
  ) -> ScenarioReport {
    let seed = run.header.seed ?? plan.seed ?? Suite.defaultSeed
    let place =
      Supervision.name(of: plan, row, in: scenario, sources, loaded.mask)
      + " by \(visibleText(lines.path))"
    var inputs = RunInputs(seed: seed, row: row)
    inputs.options.showsCredentials = arguments.showsCredentials
    let verdict =
      Supervision.verdict(on: .init(place), named: place, at: plan.range)
      ?? Supervision.underWay(.init(place)) { [inputs] in
        ScenarioRuns.judge(
          plan, by: lines, inputs: inputs, sources: sources,
          rerun: arguments.command(plan, sources, lines.path)
        ).verdict
      }
    Supervision.addDone(.init(place))
    return scenarioReport(plan, row, verdict, sources)
  }

  private func scenarioReport(
    _ plan: ScenarioPlan, _ row: RowPlan?, _ verdict: Verdict, _ sources: SourceMap
  ) -> ScenarioReport {
    ScenarioReport(
      title: plan.title,
      line: sources.file(of: plan.range)?.place(of: Int(plan.range.start)).line ?? 1,
      row: row?.id, tags: plan.tags, verdict: verdict,
      mask: loaded.mask.adding(plan.secretTexts(of: row)).adding(verdict.secrets)
        .hiding(credentials: verdict.credentials))
  }

  private func report(
    _ path: String, _ sources: SourceMap, _ diagnostics: [Diagnostic],
    _ scenarios: [ScenarioReport]
  ) -> FileReport {
    let credentials = scenarios.flatMap(\.verdict.credentials)
    var file = FileReport(
      path: path, sources: sources, diagnostics: diagnostics.sortedForReport(),
      scenarios: scenarios, mask: loaded.mask.hiding(credentials: credentials))
    file.showsCredentials = arguments.showsCredentials
    return file
  }

  /// Judges the traces, several at once, and reports them in their order.
  func report() -> ExitCode {
    // What is wrong with the scenario is reported once, and with errors nothing is judged.
    let diagnostics = loaded.diagnostics
    var files = diagnostics.isEmpty ? [] : [report(scenario, loaded.sources, diagnostics, [])]
    if !diagnostics.hasErrors {
      files += resultsInOrder(
        of: traceFiles(arguments.traces), jobs: arguments.jobs ?? processorCount(), judge)
    }
    var whole = RunReport(files: files, wall: nil)
    whole.leftOut = leftOut
    let isWritten = arguments.output.write(whole, showsResults: true)
    complainOfNothing(
      files, arguments.traces, "`*.trace.jsonl` that have runs of these scenarios",
      arguments.output.color)
    return exitCode(ofTraces: files, isWritten: isWritten, arguments.failsOn)
  }
}

extension JudgeArguments {
  /// Returns the command that judges a trace again.
  fileprivate func command(
    _ plan: ScenarioPlan, _ sources: SourceMap, _ trace: String
  ) -> String? {
    guard let file = sources.file(of: plan.range) else { return nil }
    let line = file.place(of: Int(plan.range.start)).line
    let operands = ["\(fileOperand(file.path)):\(line)", fileOperand(trace)].map(shellQuoted)
    let until = untilText.map { ["--until=\($0)"] } ?? []
    return (["rehearse", "judge"] + operands + until + inputs.repeated().words(for: plan))
      .joined(separator: " ")
  }
}

extension ScenarioPlan {
  /// Returns what is judged: the runs of this scenario, each with its rows.
  ///
  /// A run whose header names no row is judged by each row. If the file holds a single run, that
  /// one is judged, whatever scenario it is of, unless it is of another one that was chosen.
  fileprivate func cases(
    in trace: ReadTrace, besides chosen: [ScenarioPlan], _ steps: TracedSteps
  ) -> [(run: TraceRun, rows: [RowPlan?])] {
    let rows: [RowPlan?] = columns.isEmpty ? [nil] : self.rows
    let isAlone = trace.onlyRun.map { $0.scenario(among: chosen, steps) == nil } ?? false
    let runs = isAlone ? trace.runs : trace.runs.filter { $0.mayBe(of: self, among: chosen, steps) }
    return runs.map { run in
      let isOfThis = !isAlone && run.header.scenario?.title != nil
      return (run, isOfThis ? run.row(of: self).map { [$0] } ?? rows : rows)
    }
  }
}

extension TraceRun {
  /// False if the header names another scenario.
  fileprivate func mayBe(
    of plan: ScenarioPlan, among plans: [ScenarioPlan], _ steps: TracedSteps
  ) -> Bool {
    header.scenario?.title == nil || scenario(among: plans, steps)?.range == plan.range
  }
}

extension ReadTrace {
  /// The warnings about a trace that can be judged all the same.
  fileprivate func warnings(in file: Int32) -> [Diagnostic] {
    cut.map { [.cutTrace($0, in: file)] } ?? []
  }
}

/// Waits for bytes of standard input; nil at its end.
private func readPiece(_ log: inout ArrivingLog) -> [UInt8]? {
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(STDIN_FILENO, &piece, piece.count)
    if count < 0, errno == EINTR { continue }
    if count > 0, log.problem == nil { return log.expanded(Array(piece[..<count])) }
    log.finish()
    return nil
  }
}

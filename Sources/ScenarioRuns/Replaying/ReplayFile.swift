import Diagnostics
import LiveWorld
import ScenarioPlan
import Secrets
import Traces
import Verdicts

/// The options of a command line that each replay has.
package struct ReplayChoice: Sendable, Equatable {
  /// Where the scenario is now; nil stands for the place that the trace names.
  package var scenario: String?
  /// True if a trace that was cut passes if it holds up to its end.
  package var allowsCut = false
  /// True if credentials that nobody has declared are shown as they are.
  package var showsCredentials = false
  /// Another recording of the same flow, to learn noise from.
  package var learns: String?
  /// The number of the recorded event to stop at.
  package var until: Int?
  /// The file of steps to go on with from there.
  package var then: String?
  /// The answers that are to be others. From the first of them on nothing recorded is compared.
  package var answers: [AnswerChange] = []

  package init() {}
}

/// The settings of a command that replays traces.
package struct ReplayOptions: Sendable {
  /// The variables and the environment of the command line.
  package var inputs = PlanInputs()
  package var choice = ReplayChoice()
  package var updates = false
  /// The options that the command to repeat a replay has as well.
  package var repeated = RepeatedOptions()
  /// The files that a folder was searched for. Traces of other programs are left out of them.
  package var found: Set<String> = []
  /// The scenarios of the traces.
  let scenarios = LoadedScenarios()
  package var wants: @Sendable (ScenarioPlan) -> Bool = { _ in true }
  package var isInterrupted: @Sendable () -> Bool = { false }

  package init() {}
}

/// The result of replaying one run of a trace.
package struct ReplayedFile: Sendable {
  package var path: String
  package var sources = SourceMap()
  package var diagnostics: [Diagnostic] = []
  /// Hides the secrets of the scenario in the lines that the diagnostics quote.
  package var mask = SecretMask()
  /// Nil if the trace or its scenario cannot be read, or was not selected.
  package var result: ReplayedCase?
  /// The reason why the new trace could not be written.
  package var updateProblem: String?
  package var wasUpdated = false
  /// The number of places of noise that the trace has now, if noise was learned.
  package var learnedNoise: Int?
  /// The reason why the noise could not be written.
  package var noiseProblem: String?

  package init(path: String) { self.path = path }
}

/// A scenario that was replayed, or one row of it.
package struct ReplayedCase: Sendable {
  package var plan: ScenarioPlan
  package var row: RowPlan?
  package var seed: Int
  package var verdict: Verdict
  package var hasDiverged = false
  /// The stage where the replay stopped, or the courses with another answer, if that was asked for.
  package var shown: String?

  package var mask: SecretMask {
    plan.secretMask(of: row).adding(verdict.secrets).hiding(credentials: verdict.credentials)
  }
}

/// Replays each run of a file.
package func replayFile(_ path: String, _ options: ReplayOptions) -> [ReplayedFile] {
  var file = ReplayedFile(path: path)
  switch openTrace(path) {
  case .failure(let problem):
    file.diagnostics = [.unreadableTrace(path, problem.message)]
    return [file]
  case .success(let bytes):
    let text = SourceFile(path: path, recording: bytes)
    let trace = ReadTrace(bytes)
    let number = file.sources.add(text)
    file.diagnostics = trace.problems.map { $0.diagnostic(in: number) }
    if options.updates, !isPiped(path), let problem = updateProblem(of: trace, in: number) {
      file.diagnostics.append(problem)
    }
    if isPiped(path), options.updates || options.choice.learns != nil {
      file.diagnostics.append(.writesBesidePipe(path))
    }
    if options.choice.learns != nil, trace.runs.count != 1 {
      file.diagnostics.append(
        .learnsFromOneRun("`\(visibleText(path))` does not hold one complete run"))
    }
    if !options.choice.answers.isEmpty, trace.runs.count != 1 {
      file.diagnostics.append(.answersOfOneRun("`\(visibleText(path))` has \(trace.runs.count)"))
    }
    if file.diagnostics.hasErrors { return [file] }
    let isFound = options.found.contains(path) && options.choice.scenario == nil
    var replayed = trace.runs.filter { !isFound || $0.header.scenario?.path != nil }
      .map { run in replay(run, of: text, options) }
    if !replayed.isEmpty { replayed[0].warn(of: trace.problems) }
    return replayed
  }
}

extension ReplayedFile {
  /// Adds what is wrong with a trace that can be replayed all the same.
  fileprivate mutating func warn(of problems: [TraceProblem]) {
    warn { file in problems.map { $0.diagnostic(in: file) } }
  }

  /// Adds warnings about the trace.
  fileprivate mutating func warn(_ warnings: (Int32) -> [Diagnostic]) {
    guard let file = sources.files.lastIndex(where: { $0.path == path }) else { return }
    result?.verdict.warnings += warnings(Int32(file))
  }
}

private func updateProblem(of trace: ReadTrace, in file: Int32) -> Diagnostic? {
  if let cut = trace.runs.first(where: { !$0.isComplete }) {
    return .updateOfCutTrace(cut.cut ?? cut.place, in: file)
  }
  return trace.runs.count > 1 ? .updateOfLog(trace.runs[1].place, in: file) : nil
}

private func replay(
  _ run: TraceRun, of text: SourceFile, _ options: ReplayOptions
) -> ReplayedFile {
  var file = ReplayedFile(path: text.path)
  switch ScenarioOfTrace.find(run, beside: text.path, options) {
  case .failure(let problem):
    file.diagnostics = [problem.diagnostic(at: run.place, in: file.sources.add(text))]
  case .success(let scenario):
    file.sources = scenario.loaded.sources
    file.mask = scenario.loaded.mask
    let number = file.sources.add(text)
    guard let plan = scenario.plan else {
      file.diagnostics = scenario.problems(at: run.place, in: number)
      return file
    }
    guard options.wants(plan) else { return file }
    defer { file.warn { run.strayLines.warnings(in: $0) } }
    Supervision.note(
      Supervision.name(
        of: plan, nil, in: scenario.path, file.sources, file.mask))
    if let program = plan.programs.first, !run.saysWhatProgramsDid {
      file.diagnostics = [.replayOfPrograms(program, run.place, in: number)]
      return file
    }
    ReplayedTraceFile(run, scenario, plan, options, number).replay(into: &file)
  }
  return file
}

/// Replays files of traces, several at once. The results have the order of the files.
package func replayFiles(
  _ paths: [String], _ options: ReplayOptions, jobs: Int
) -> [ReplayedFile] {
  resultsInOrder(of: paths, jobs: jobs, isInterrupted: options.isInterrupted) { path in
    if let problem = Supervision.problem(of: path) {
      var file = ReplayedFile(path: path)
      file.diagnostics = [problem]
      return [file]
    }
    defer { Supervision.addDone(.init(path)) }
    return Supervision.underWay(.init(path)) { replayFile(path, options) }
  }.flatMap { $0 }
}

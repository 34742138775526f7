import Diagnostics
import Glibc
import Reports
import ScenarioPlan
import ScenarioRuns
import Traces

/// Replays traces, and reports each as a case of its own.
func replayVerb(_ arguments: ReplayArguments) -> ExitCode {
  let inputs = loadInputs(arguments.inputs)
  var problems = inputs.diagnostics
  if arguments.update == .yes, inputs.value.isOnBuildServer {
    problems.append(.updateOfTracesOnServer)
  }
  let files = traceFiles(arguments.traces)
  if arguments.choice.learns != nil, files.count != 1 {
    problems.append(.learnsFromOneRun("here are \(files.count)"))
  }
  if !arguments.choice.answers.isEmpty, files.count != 1 {
    problems.append(.answersOfOneRun("here are \(files.count) traces"))
  }
  problems += credentialProblems(arguments.choice.showsCredentials, inputs.value)
  guard problems.isEmpty else {
    Terminal.complain(problems, arguments.output.color.complaintStyle)
    return .badInput
  }
  Interruption.listen(finallyTime: Interruption.defaultFinallyTime)
  var options = arguments.options(inputs.value)
  options.found = Set(files).subtracting(arguments.traces)
  let replayed = replayFiles(
    files, options, jobs: arguments.jobs ?? processorCount())
  Interruption.stopListening()
  return report(replayed, arguments)
}

private func report(_ replayed: [ReplayedFile], _ arguments: ReplayArguments) -> ExitCode {
  for case let text? in replayed.map({ $0.result?.shown }) {
    if arguments.output.isShown { Terminal.say(text) } else { Terminal.complain(text) }
  }
  var files = replayed.map { FileReport($0, arguments.failsOn) }
  for index in files.indices { files[index].showsCredentials = arguments.choice.showsCredentials }
  var whole = RunReport(files: files, wall: nil)
  whole.leftOut[.tags] = replayed.count { $0.isLeftOut }
  var isWritten = arguments.output.write(whole, showsResults: true)
  for file in replayed where file.wasUpdated {
    Terminal.complain("updated \(visibleText(file.path))")
  }
  for file in replayed where file.learnedNoise != nil {
    isWritten = sayNoise(file, arguments.output.color) && isWritten
  }
  for file in replayed {
    guard let problem = file.updateProblem else { continue }
    Terminal.complain([.unwritable(file.path, problem)], arguments.output.color.complaintStyle)
    isWritten = false
  }
  complainOfNothing(
    files, arguments.traces, "`*.trace.jsonl`; `--tag` chooses among their scenarios",
    arguments.output.color)
  return exitCode(ofTraces: files, isWritten: isWritten, arguments.failsOn)
}

/// Says what noise a trace has now. Returns false if it could not be written.
private func sayNoise(_ file: ReplayedFile, _ color: ColorChoice) -> Bool {
  let path = noisePath(of: file.path)
  if let problem = file.noiseProblem {
    Terminal.complain([.unwritable(path, problem)], color.complaintStyle)
    return false
  }
  let count = file.learnedNoise ?? 0
  let places = count == 1 ? "1 place" : "\(count) places"
  Terminal.complain(
    count == 0 ? "no noise: both recordings are alike" : "\(visibleText(path)) has \(places)")
  return true
}

extension ReplayArguments {
  fileprivate func options(_ inputs: PlanInputs) -> ReplayOptions {
    var options = ReplayOptions()
    options.inputs = inputs
    options.choice = choice
    options.updates = update != .no
    options.repeated = self.inputs.repeated()
    options.wants = { [tags] plan in tags.admits(plan.tags) }
    options.isInterrupted = { Interruption.wasAsked }
    return options
  }
}

extension ReplayedFile {
  /// True if the tags of the command line do not choose its scenario.
  fileprivate var isLeftOut: Bool { result == nil && diagnostics.isEmpty }
}

extension FileReport {
  fileprivate init(_ file: ReplayedFile, _ conditions: FailureConditions) {
    self.init(
      path: file.path, sources: file.sources, diagnostics: file.diagnostics.sortedForReport(),
      scenarios: [], mask: file.mask)
    guard let result = file.result else { return }
    mask = result.mask
    let line = sources.line(of: result.row?.range ?? result.plan.range)
    var table = TableRows(of: result.plan, isStrict: conditions.isStrict)
    table.take(result.verdict)
    var report = ScenarioReport(
      title: result.plan.title, line: line, row: result.row?.id, tags: result.plan.tags,
      seed: result.seed, verdict: table.verdict(result.verdict, isLast: true), mask: result.mask)
    report.hasDiverged = result.hasDiverged
    scenarios = [report]
  }
}

extension Diagnostic {
  fileprivate static let updateOfTracesOnServer = Diagnostic(
    "update-on-a-server", "traces are not updated if CI is set, since nobody reviews them there",
    help: "update them at your desk, or write `--update=force`")
}

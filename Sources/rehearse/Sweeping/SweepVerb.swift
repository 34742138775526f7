import Diagnostics
import Glibc
import Reports
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Traces
import Values

/// Runs scenarios once more for each place at which something can go wrong.
func sweepVerb(_ given: SweepArguments) -> ExitCode {
  var arguments = given
  let style = arguments.output.color.complaintStyle
  let traces = arguments.world.readTraces()
  Terminal.complain(traces.diagnostics, in: traces.sources, style)
  if traces.diagnostics.hasErrors { return .badInput }
  if let trace = arguments.world.trace {
    if arguments.scenarios.isDefault, trace.scenarios.isEmpty {
      Terminal.complain([.traceNamesNoScenario(trace.path)], style)
      return .badInput
    }
    arguments.complete(by: trace)
  }
  var inputs = loadInputs(arguments.inputs)
  inputs.value.allowsUnsetSecrets = arguments.world.trace != nil
  let (selected, found) = arguments.scenarios.select(inputs.value)
  var configurations = found
  if configurations.complain(style) { return .badInput }
  let tally = SweepTally(
    baseline: SweepBaseline(at: arguments.baseline, isWritten: arguments.writesBaseline))
  let problems =
    selected.problems + inputs.diagnostics + tally.baseline.problems + arguments.world.fileProblems
    + credentialProblems(arguments.showsCredentials, inputs.value)
  guard problems.isEmpty else {
    Terminal.complain(problems, style)
    return .badInput
  }
  Terminal.complain(tally.baseline.warnings, style)
  Interruption.listen(finallyTime: 0)
  if let code = configurations.runSetups(for: selected.files, inputs.value, arguments, style) {
    return code
  }
  if arguments.output.detail != .quiet { Terminal.complain(selected.notes, style) }
  return sweep(selected, arguments, inputs.value, configurations, tally)
}

extension SweepArguments {
  /// Takes from a trace what the command line leaves out: the scenarios, and of a single run its
  /// variables and its seed.
  fileprivate mutating func complete(by trace: TraceWorld) {
    if scenarios.isDefault {
      scenarios.isDefault = false
      scenarios.selectors = trace.scenarios.map { path, title, row in
        let selection = row.map { Selection.row(path: path, title: title, row: $0) }
        return Selector(
          text: "\(path)::\(title)", selection: selection ?? .title(path: path, title))
      }
    }
    guard let header = trace.onlyHeader else { return }
    seed = seed ?? header.seed.map { UInt64(bitPattern: Int64($0)) }
    let given = inputs.variables.map(\.name) + header.secrets
    for (name, value) in header.vars where !given.contains(name.plainText) {
      let text = (header.spellings[name] ?? value).plainText
      inputs.variables.append(VariableSetting(name: name.plainText, value: text))
    }
  }
}

extension Diagnostic {
  fileprivate static func traceNamesNoScenario(_ path: String) -> Diagnostic {
    Diagnostic(
      "trace-without-scenario", "the header of `\(visibleText(path))` names no scenario",
      help: "name it: `rehearse sweep FILE --trace \(visibleText(path))`")
  }
}

extension Configurations {
  /// Runs the set-ups that the files need. Returns an exit code if one fails, and prints why.
  fileprivate mutating func runSetups(
    for files: [SuiteFile], _ inputs: PlanInputs, _ arguments: SweepArguments,
    _ style: DiagnosticStyle
  ) -> ExitCode? {
    var suite = Suite(files: files, inputs: inputs)
    suite.world = arguments.world.withProxies(of: inputs.environment)
    suite.run.isInterrupted = { Interruption.wasAsked }
    suite.run.options.showsCredentials = arguments.showsCredentials
    suite.configurations = self
    let failures = SetupFailures()
    suite.runSetups(failures)
    self = suite.configurations
    guard let (file, problems) = failures.all.first else { return nil }
    for problem in problems {
      Terminal.complain(
        render(problem, in: file.sources, style: style, hiding: file.mask.places(in:)))
    }
    return file.diagnostics.hasErrors ? .badInput : .failed
  }
}

private func sweep(
  _ selected: SelectedFiles, _ arguments: SweepArguments, _ inputs: PlanInputs,
  _ configurations: Configurations, _ tally: SweepTally
) -> ExitCode {
  let reports = SweepReports(arguments, inputs, configurations)
  let output = SweepOutput(reports, arguments, tally, files: selected.files.count)
  sweep(selected.files, arguments, inputs, configurations, output)
  output.progress.clear()
  Interruption.stopListening()
  let (files, ended, lines) = output.whole
  if arguments.scope.listsOnly { return list(lines, of: files, ended, arguments) }
  var whole = RunReport(files: files, wall: nil)
  whole.rules = ended.rules
  whole.leftOut = selected.leftOut
  var isWritten = arguments.output.write(whole)
  if output.isShown {
    isWritten = Terminal.say(output.conclusion(of: whole)) == .passed && isWritten
  }
  isWritten = ended.baseline.write() && isWritten
  return ended.code(of: files, isWritten: isWritten, arguments)
}

/// The counts over all files of a sweep.
struct SweepTally: Sendable {
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
    Terminal.complain([problem], arguments.output.color.complaintStyle)
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
  let style = arguments.output.color.complaintStyle
  for file in files {
    let text = humanReport(file: file, detail: .normal, style: style)
    if !text.isEmpty { Terminal.complain(text) }
  }
  let isWritten = Terminal.show(texts.joined()) == .passed
  return tally.code(of: files, isWritten: isWritten, arguments)
}

import Diagnostics
import Glibc
import ScenarioRuns
import TextSearch
import Values
import VirtualPrograms

/// Runs a command in virtual time, and returns its exit code, or one for what went wrong.
func timeVerb(_ arguments: TimeArguments) -> Int32 {
  let style = arguments.color.complaintStyle
  let began = wallClock()
  var run = TimedRun(arguments)
  let isMade: Bool
  do { isMade = try run.perform() } catch {
    Terminal.complain(render(error.diagnostic(), in: SourceMap(), style: style))
    return ExitCode.couldNotRun.rawValue
  }
  var doubts = CountedDoubts()
  for case .doubted(let doubt) in run.events.map(\.kind) { doubts.add(doubt) }
  run.problems += doubts.diagnostics
  for problem in run.problems {
    Terminal.complain(render(problem, in: SourceMap(), style: style))
  }
  if let path = arguments.log, let problem = writeFile(path, logText(of: run.events)) {
    Terminal.complain(render(.unwritable(path, problem.message), in: SourceMap(), style: style))
    return ExitCode.couldNotRun.rawValue
  }
  if isMade, !arguments.isQuiet {
    let real = durationText(Microseconds((wallClock() - began) / 1000 * 1000))
    Terminal.complain("\(durationText(run.now / 1000)) of virtual time in \(real)")
  }
  if run.code == 0, arguments.failsOnDoubts, !doubts.isEmpty {
    Terminal.complain("the run fails by `--fail-on doubts`: \(counted(doubts.count, "doubt"))")
    return ExitCode.failed.rawValue
  }
  return run.code
}

private func logText(of events: [WardenEvent]) -> String {
  events.map { event in
    var line = ValueMap()
    line["at"] = .double(Double(event.at) / 1e9)
    switch event.kind {
    case .exited(let program, let exit):
      (line["event"], line["program"]) = ("exit", .int(program))
      line["code"] = .int(Int(exit.shellCode))
    case .doubted(let doubt):
      line["event"] = "doubt"
      (line["kind"], line["detail"]) = (.string(doubt.kind.rawValue), .string(doubt.detail))
    case .waits(let thread):
      (line["event"], line["process"]) = ("waits", .string(thread.process))
      (line["thread"], line["detail"]) = (.int(thread.number), .string(thread.wait))
    case .wire(let text): (line["event"], line["detail"]) = ("wire", .string(text))
    }
    return Value.map(line).json() + "\n"
  }.joined()
}

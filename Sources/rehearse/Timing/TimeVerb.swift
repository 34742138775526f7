import Diagnostics
import Glibc
import LiveWorld
import ScenarioRuns
import TextSearch
import Values
import VirtualPrograms

/// Runs a command in virtual time, and returns its exit code, or one for what went wrong.
func timeVerb(_ arguments: TimeArguments) -> Int32 {
  let style = Terminal.style(of: STDERR_FILENO, color: arguments.color)
  let began = wallClock()
  var run = TimedRun(arguments)
  let isMade: Bool
  do { isMade = try run.perform() } catch {
    Terminal.complain(render(error.diagnostic, in: SourceMap(), style: style))
    return ExitCode.couldNotRun.rawValue
  }
  let doubts = countedDoubts(in: run.events)
  for (doubt, times) in doubts { run.problems.append(doubt.diagnostic(times: times)) }
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

/// Returns the doubts in the order in which they came up, each with its number of times.
private func countedDoubts(in events: [WardenEvent]) -> [(Doubt, Int)] {
  var found: [(Doubt, Int)] = []
  for case .doubted(let doubt) in events.map(\.kind) {
    if let place = found.firstIndex(where: { $0.0 == doubt }) {
      found[place].1 += 1
    } else {
      found.append((doubt, 1))
    }
  }
  return found
}

private func logText(of events: [WardenEvent]) -> String {
  events.map { event in
    var line = ValueMap()
    line["at"] = .double(Double(event.at) / 1e9)
    switch event.kind {
    case .exited(let program, let code):
      (line["event"], line["program"], line["code"]) = ("exit", .int(program), .int(Int(code)))
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

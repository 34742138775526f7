import CBuild
import CLinux
import Diagnostics
import Glibc
import LiveWorld
import ScenarioRuns

// A write to a closed pipe must return an error instead of ending the process.
signal(SIGPIPE, SIG_IGN)
// So must a write beyond the limit for the size of files, which has the text of an error then.
signal(SIGXFSZ, SIG_IGN)
Terminal.occupyClosedDescriptors()
keepFreedMemory()
let code = rehearse(ownArguments())
// Of an interrupted run, the signal says more.
exit(Supervision.isRestarted && code.rawValue < 128 ? ExitCode.couldNotRun.rawValue : code.rawValue)

/// Returns the words behind the name of the program.
private func ownArguments() -> [String] {
  (0..<clinux_argument_count()).dropFirst().compactMap { clinux_argument($0) }.map {
    String(cString: $0)
  }
}

/// Reads the command line and runs its command.
func rehearse(_ arguments: [String]) -> ExitCode {
  switch parseArguments(arguments) {
  case .failure(let problem):
    Terminal.complain(problem.rendered(style: ColorChoice.auto.complaintStyle))
    return .badInput
  case .success(let command):
    guard command.isSupervised else { return perform(command) }
    let code = Supervision.inChild { perform(command).rawValue }
    return ExitCode(rawValue: code) ?? .couldNotRun
  }
}

private func perform(_ command: Command) -> ExitCode {
  switch command {
  case .run(let arguments): runVerb(arguments)
  case .serve(let arguments): serveVerb(arguments)
  case .validate(let arguments): validateVerb(arguments)
  case .list(let arguments): listVerb(arguments)
  case .schema(let arguments): schemaVerb(arguments)
  case .explain(let arguments): explainVerb(arguments)
  case .initialize(let arguments): initVerb(arguments)
  case .eval(let arguments): evalVerb(arguments)
  case .judge(let arguments): judgeVerb(arguments)
  case .replay(let arguments): replayVerb(arguments)
  case .trace(let arguments): traceVerb(arguments)
  case .import(let arguments): importVerb(arguments)
  case .fmt(let arguments): formatVerb(arguments)
  case .fix(let arguments): fixVerb(arguments)
  case .docs(let arguments): docsVerb(arguments)
  case .completions(let shell): completionsVerb(shell)
  case .man: manualVerb()
  case .report(let arguments): reportVerb(arguments)
  case .config(let arguments): configVerb(arguments)
  case .sweep(let arguments): sweepVerb(arguments)
  case .check(let arguments): checkVerb(arguments)
  // Its code is that of the command, which may be any.
  case .time(let arguments): exit(timeVerb(arguments))
  case .help(let text): Terminal.show(text)
  case .usage: showUsage()
  case .version: Terminal.show("\(versionLine())\n")
  }
}

extension Command {
  /// True if one bad scenario must not cost the others: a parent survives its crash.
  fileprivate var isSupervised: Bool {
    switch self {
    case .run, .sweep, .replay, .judge, .serve: true
    case .validate, .list, .schema, .explain, .initialize, .eval, .trace, .import, .fmt, .fix,
      .docs,
      .completions, .man, .report, .config, .check, .time, .help, .usage, .version:
      false
    }
  }
}

/// Returns the version, with the tag, the commit and its date if this is a build of one.
private func versionLine() -> String {
  let commit = String(cString: cbuild_commit())
  return "rehearse \(programVersion) (\(commit.isEmpty ? "a working copy" : commit))"
}

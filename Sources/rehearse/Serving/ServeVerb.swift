import Diagnostics
import Glibc
import LiveWorld
import Reports
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Synchronization
import World

/// Serves the endpoints of scenarios to clients from outside, and judges the scenarios.
func serveVerb(_ arguments: ServeArguments) -> ExitCode {
  let style = arguments.color.complaintStyle
  // Its clients have connections to this process, which another one could not continue.
  Supervision.endWithCrash()
  if let path = arguments.portsFile { removeOldFile(path) }
  switch chooseScenarios(arguments) {
  case .failure(let refusals):
    if arguments.isForPrograms {
      let paths = arguments.scenarios.selectors.map(\.text)
      for refusal in refusals.all { refuse(refusal.report(of: paths.joined(separator: " "))) }
    } else {
      refusals.complain(style)
    }
    return refusals.code
  case .success(let choice):
    if !arguments.isQuiet { choice.omitted.complain(style) }
    return serve(choice.served, arguments, style)
  }
}

private func serve(
  _ choices: [ServedChoice], _ arguments: ServeArguments, _ style: DiagnosticStyle
) -> ExitCode {
  let names = ServedNames(scenarios: choices.map { ServedNames.Scenario($0) })
  switch settings(for: names, arguments) {
  case .failure(let problem):
    if arguments.isForPrograms {
      refuse(ServeRefusal(problems: [problem.diagnostic]).report(of: choices.first?.path ?? ""))
    } else {
      Terminal.complain(render(problem.diagnostic, in: SourceMap(), style: style))
    }
    return .badInput
  case .success(let settings):
    Interruption.listen(finallyTime: arguments.finallyTime)
    let group = ServingGroup(choices, names, arguments)
    let runs = zip(choices, settings).enumerated().map { index, run in
      ServedRun(index, of: group, run.0, run.1, style)
    }
    if arguments.isForPrograms {
      ServeCommands(
        targets: zip(choices, group.mailboxes).map { choice, mailbox in
          ServeCommands.Target(id: choice.id, plan: choice.plan, mailbox: mailbox)
        }
      ).listen()
    }
    return serveTogether(runs, group)
  }
}

/// Writes why nothing is served for the program that has started it.
private func refuse(_ file: FileReport) {
  Terminal.say(ServeMessage.refusal(file).line, as: .json)
}

/// Returns the settings of each scenario, or the reason why they cannot be served like this.
private func settings(
  for names: ServedNames, _ arguments: ServeArguments
) -> Result<[ServingSettings], PortProblem> {
  if let log = arguments.log, !names.isSingle {
    return .failure(PortProblem(diagnostic: .oneLogOfSeveral(log, names.scenarios.count)))
  }
  if !names.isSingle, arguments.coursesFile != nil || !arguments.disturbances.isEmpty {
    return .failure(PortProblem(diagnostic: .oneCourseOfSeveral(names.scenarios.count)))
  }
  if let sleep = arguments.disturbances.first(where: { $0.sleep != nil }) {
    return .failure(PortProblem(diagnostic: .sleepOfOthers(sleep)))
  }
  var settings = ServingSettings()
  settings.host = arguments.host
  settings.allowsOtherOrigins = arguments.allowsOtherOrigins
  settings.timeout = arguments.timeout
  settings.isEndless = arguments.isEndless
  settings.disturbances = arguments.disturbances
  settings.findsCourses = arguments.coursesFile != nil
  if arguments.isSecure {
    switch ServingIdentity.make(for: arguments.host) {
    case .failure(let problem): return .failure(PortProblem(diagnostic: problem.reason))
    case .success(let identity): settings.identity = identity
    }
  }
  return portsOfEach(arguments.ports, names).map { ports in
    ports.map {
      settings.ports = $0
      return settings
    }
  }
}

/// Serves scenarios on threads of their own, and returns the worst of their exit codes. This thread
/// waits for signals and new versions of files meanwhile.
private func serveTogether(_ runs: [ServedRun], _ group: ServingGroup) -> ExitCode {
  let codes = ExitCodes()
  let threads = runs.map { run in startThread { codes.add(run.serve()) } }
  for (run, thread) in zip(runs, threads) where thread == nil { codes.add(run.refuse()) }
  var watch = ServingWatch(group)
  watch.run()
  for case let thread? in threads { pthread_join(thread, nil) }
  return ExitCode.worst(of: codes.all)
}

/// The exit codes of scenarios that have ended on their threads.
private final class ExitCodes: Sendable {
  private let codes = Mutex<[ExitCode]>([])

  var all: [ExitCode] { codes.withLock { $0 } }

  func add(_ code: ExitCode) { codes.withLock { $0.append(code) } }
}

/// A scenario that is served, with the versions of its file that follow each other.
private final class ServedRun: @unchecked Sendable {
  private let index: Int
  private let group: ServingGroup
  private var choice: ServedChoice
  private var settings: ServingSettings
  private let style: DiagnosticStyle

  init(
    _ index: Int, of group: ServingGroup, _ choice: ServedChoice, _ settings: ServingSettings,
    _ style: DiagnosticStyle
  ) {
    self.index = index
    self.group = group
    self.choice = choice
    self.settings = settings
    self.style = style
  }

  /// Serves until the end of the last version, and returns its exit code.
  func serve() -> ExitCode {
    let loaded = choice.loaded
    let name = Supervision.name(
      of: choice.plan, choice.row, in: choice.path, loaded.sources, loaded.mask)
    return Supervision.underWay(.init(name)) { serveVersions() }
  }

  private func serveVersions() -> ExitCode {
    defer { group.ended(index) }
    while true {
      let reloading = Reloading(of: choice, in: group, index, style)
      let console = ServeConsole(choice, in: group, index, seed: seed)
      reloading.console = console
      guard console.prepareFiles(choice.variables) else { return .couldNotRun }
      console.warn()
      let outcome = serve(console, reloading)
      guard let next = reloading.next else { return console.finish(outcome) }
      // Clients find the endpoints where they were.
      for place in console.places { settings.ports[place.name] = place.port }
      choice = next
      group.replace(index, by: next)
    }
  }

  /// Ends all, since the system has no thread left for this one.
  func refuse() -> ExitCode {
    group.ended(index)
    Terminal.complain([.noThreadLeft], style)
    return .couldNotRun
  }

  private var seed: Int {
    choice.arguments.seed.map { Int(truncatingIfNeeded: $0) } ?? choice.plan.seed
      ?? Suite.defaultSeed
  }

  private func serve(_ console: ServeConsole, _ reloading: Reloading) -> ServingOutcome {
    var inputs = RunInputs(
      seed: seed, row: choice.row,
      isInterrupted: { [group, index, reloading] in
        Interruption.wasAsked || group.isOver(index) || reloading.hasNewVersion()
      })
    inputs.options.showsCredentials = choice.arguments.showsCredentials
    inputs.isOutOfTime = { Interruption.isOutOfTime }
    inputs.willRead = { [group, index, reads = choice.reads] in
      reads.willRead($0)
      group.watch([$0], of: index)
    }
    settings.bell = group.bells[index]
    if choice.arguments.isForPrograms { settings.commands = group.mailboxes[index] }
    return serveScenario(
      choice.plan, inputs: inputs, sources: choice.loaded.sources, settings: settings,
      watcher: console, recorders: console.recorders)
  }
}

/// The search for a new version of a scenario that is served until it is interrupted.
///
/// A broken version is reported, and the old one stays. A log or a trace is of one version, so with
/// one there is no search.
private final class Reloading: @unchecked Sendable {
  private let choice: ServedChoice
  private let group: ServingGroup
  private let style: DiagnosticStyle
  private let changes: FileChanges?
  private let index: Int
  /// The version that replaces the one that is served.
  private(set) var next: ServedChoice?
  /// The console of the version that is served.
  var console: ServeConsole?

  init(
    of choice: ServedChoice, in group: ServingGroup, _ index: Int, _ style: DiagnosticStyle
  ) {
    self.choice = choice
    self.group = group
    self.style = style
    let arguments = choice.arguments
    let isWatched =
      !choice.endsBySteps && arguments.log == nil && arguments.record == nil
      && !arguments.isForPrograms
    changes = isWatched ? FileChanges(choice.reads) : nil
    self.index = index
    if isWatched { group.watch(choice.reads.stamps.keys, of: index) }
  }

  func hasNewVersion() -> Bool {
    if next != nil { return true }
    guard changes?.haveChanged() == true else { return false }
    let (reads, result) = chooseAgain(choice)
    switch result {
    case .success(let choice):
      Terminal.complain("\(subject) has changed, and is served again\n")
      next = choice
      console?.isReplaced = true
      return true
    case .failure(let refusal):
      changes?.add(reads)
      group.watch(reads.stamps.keys, of: index)
      for page in refusal.pages(style) { Terminal.complain(page) }
      Terminal.complain("\(subject) has changed and has mistakes; the old version stays\n")
      return false
    }
  }

  private var subject: String {
    group.isSingle ? "the file" : "`\(visibleText(choice.path))`"
  }
}

extension Diagnostic {
  fileprivate static func oneLogOfSeveral(_ log: LogDestination, _ count: Int) -> Diagnostic {
    let value = if case .file(let path) = log { path } else { "-" }
    return Diagnostic(
      "log-of-several",
      "`--log \(value)` is the log of one scenario, and \(count) are served",
      help: "write `--record=DIR` for a trace of each while it runs")
  }

  fileprivate static func oneCourseOfSeveral(_ count: Int) -> Diagnostic {
    Diagnostic(
      "course-of-several", "a course is of one scenario, and \(count) are served",
      help: "serve one file with `--disturb` or `--courses`")
  }

  fileprivate static func sleepOfOthers(_ sleep: Disturbance) -> Diagnostic {
    Diagnostic(
      "network-of-others", "`\(sleep)` has no effect on clients from outside",
      help: "stop them yourself, with the signal STOP; or start them by `programs` in the scenario")
  }

  fileprivate static var noThreadLeft: Diagnostic {
    Diagnostic(
      "no-thread-left", "the system has no thread left for one of the scenarios",
      help: "serve fewer files with one command")
  }
}

import Diagnostics
import Events
import Glibc
import LiveWorld
import Reports
import ScenarioPlan
import ScenarioRuns
import Secrets
import TextSearch
import TraceRecording
import Traces
import Values
import Verdicts

/// The output of `serve`: where the endpoints are, the conversation, failures as they happen, and
/// the verdict.
final class ServeConsole: ServingWatcher {
  private let arguments: ServeArguments
  private let plan: ScenarioPlan
  private let loaded: LoadedFile
  private let title: String
  private let path: String
  private let group: ServingGroup
  /// The place of the scenario among those that are served.
  private let index: Int
  private var conversation: ConversationReport
  /// The mask for the file and all that is known of the run.
  private var mask: SecretMask
  private let style: DiagnosticStyle
  private let complaintStyle: DiagnosticStyle
  private let seed: Int
  private let row: RowPlan?
  private var log: LogFile?
  private var trace: TraceFile?
  /// The recorders of the log and of the trace.
  private(set) var recorders: [RunRecorder] = []
  /// True if some requested output could not be written.
  private var hasProblem = false
  /// The addresses of the endpoints, once there are any.
  private(set) var places: [ServedPlace] = []
  /// True if a new version of the file replaces this one, so that its end is not shown.
  var isReplaced = false
  /// True if standard output takes no more text.
  private var isMute = false
  /// The id of the scenario, by which messages name it.
  let id: String

  init(_ choice: ServedChoice, in group: ServingGroup, _ index: Int, seed: Int) {
    self.seed = seed
    self.group = group
    self.index = index
    row = choice.row
    arguments = choice.arguments
    plan = choice.plan
    loaded = choice.loaded
    title = choice.title
    path = choice.path
    let known = group.names
    var names: [Event.Source: String] = [:]
    for endpoint in plan.endpoints {
      let name = known.name(of: endpoint.name, in: index)
      // A title may hold anything.
      names[endpoint.source] = known.isSingle ? name : visibleText(name)
    }
    mask = loaded.mask
    id = choice.id
    conversation = ConversationReport(names: names, mask: mask)
    style = Terminal.style(of: STDOUT_FILENO, color: arguments.color)
    complaintStyle = arguments.color.complaintStyle
  }

  /// Opens the log and the trace, and returns false, with a complaint, if one cannot be opened.
  func prepareFiles(_ variables: ValueMap) -> Bool {
    switch arguments.log {
    case .file(let path)?: open(LogFile(path), from: enclosingFolder(of: path), variables)
    case .output?:
      open(LogFile { Terminal.write($0, as: .json) }, from: "", variables)
    case nil: break
    }
    if arguments.isForPrograms { openMessages(variables) }
    if let record = arguments.record { open(TraceFile(tracePath(record)), variables) }
    return reportFileProblems()
  }

  /// Writes what happens as messages. The addresses and the verdict have messages of their own.
  private func openMessages(_ variables: ValueMap) {
    add(
      from: "", variables, header: { _ in },
      line: { [unowned self] line in
        if line.isForClients { write(.event(line, scenario: id)) }
      })
  }

  private func write(_ message: ServeMessage) {
    if !isReplaced { put(message.line, as: .json) }
  }

  private func tracePath(_ record: RecordChoice) -> String {
    let path = loaded.sources.file(of: plan.range)?.path ?? ""
    let paths = group.isSingle ? [path] : group.paths
    return TraceNames(of: paths, in: record.folder)
      .path(of: plan, among: loaded.plans, row, in: loaded.sources)
  }

  private func open(_ file: LogFile, from folder: String, _ variables: ValueMap) {
    log = file
    add(
      from: folder, variables, header: { file.write(.header($0)) },
      line: { file.write(.line($0)) })
  }

  private func open(_ file: TraceFile, _ variables: ValueMap) {
    trace = file
    add(from: enclosingFolder(of: file.path), variables, header: file.write, line: file.write)
  }

  private func add(
    from folder: String, _ variables: ValueMap, header write: (TraceHeader) -> Void,
    line: @escaping (TraceLine) -> Void
  ) {
    // What clients send is not known to the scenario, and may be anybody's.
    var mask = TraceMask(
      plan.namedSecrets, findsTokens: true, side: .server,
      isPublic: OutsideParties(ofServed: plan, row, loaded.sources).isPublic)
    var facts = RunFacts(
      by: "rehearse \(programVersion)", row: row, seed: seed, world: "serve", isVirtual: false,
      side: .server, variables: variables, options: arguments.recordedOptions)
    facts.began = calendarClock()
    let files = TracedFiles(loaded.sources)
    var header = TraceHeader(plan, facts, files, from: folder, &mask)
    let steps = TracedSteps(loaded.sources).steps(of: plan)
    header.steps = steps.listed
    write(header)
    let places = PlaceTexts(files, folder, steps)
    recorders.append(
      RunRecorder(plan, header, mask, places: places, write: line))
  }

  /// Complains of files that could not be written. Returns whether there are none.
  private func reportFileProblems() -> Bool {
    let logPath = if case .file(let path)? = arguments.log { path } else { "standard output" }
    let tracePath = trace?.path ?? ""
    let problems = [
      log?.problem.map { (logPath, $0) }, trace?.problem.map { (tracePath, $0) },
    ]
    for case (let path, let problem)? in problems { complain(.unwritable(path, problem)) }
    return problems.allSatisfy { $0 == nil }
  }

  /// Warns, before anything is served, of steps that have no effect on clients from outside.
  func warn() {
    if index == 0, !isLoopback(arguments.host) { complain(.servedToOthers(arguments.host)) }
    guard !arguments.isQuiet, !arguments.isForPrograms, arguments.disturbances.isEmpty,
      arguments.coursesFile == nil,
      let warning = Diagnostic.networkOfOthers(in: plan)
    else { return }
    complain(warning)
  }

  func began(at places: [ServedPlace], certificate: [UInt8]?) -> Bool {
    guard group.mayBegin(index), write(certificate) else { return false }
    self.places = places
    let names = group.names
    let named = places.map { place in
      var place = place
      place.name = names.name(of: place.name, in: index)
      return place
    }
    if !arguments.isQuiet { say("serving  \(visibleText(mask.masked(title)))\n") }
    say(text(of: named, certificateFile: index == 0 ? arguments.certificateFile : nil))
    for place in places { note(line(of: place)) }
    if !arguments.isQuiet, group.isLast(index) { say(endText) }
    if arguments.isForPrograms { write(.ready(servedScenario(at: places))) }
    guard let problem = group.began(index, at: named) else { return true }
    complain(problem)
    hasProblem = true
    return false
  }

  private func servedScenario(at places: [ServedPlace]) -> ServedScenario {
    var endpoints = ValueMap()
    for place in places {
      var map = placeMap(place)
      let streams = plan.endpoints.first { $0.name == place.name }?.conversationKinds ?? []
      map["streams"] = .list(streams.map { .string($0.word) })
      endpoints[.string(place.name)] = .map(map)
    }
    return ServedScenario(id: id, title: mask.masked(title), endpoints: endpoints)
  }

  private var endText: String {
    guard group.endsBySteps else { return "Ctrl-C ends\n" }
    return "until \(group.isSingle ? "its" : "their") steps are done; Ctrl-C ends before\n"
  }

  private func write(_ certificate: [UInt8]?) -> Bool {
    guard index == 0, let certificate, let path = arguments.certificateFile else { return true }
    return save(String(decoding: certificate, as: UTF8.self), as: path)
  }

  private func save(_ text: String, as path: String) -> Bool {
    guard let problem = writeFile(path, text) else { return true }
    complain(.unwritable(path, problem.message))
    hasProblem = true
    return false
  }

  var showsEvents: Bool { !isReplaced && !arguments.isQuiet }

  func hide(by mask: SecretMask) {
    self.mask = mask
    conversation.mask = mask
  }

  func observe(_ event: Event) {
    noteRequest(event)
    guard showsEvents else { return }
    if let line = lineOfDisturbance(event) { say(line) }
    guard let entry = conversation.entry(for: event) else { return }
    say(entry.line + "\n")
  }

  /// Notes the request that is being answered, in case the program crashes then.
  private func noteRequest(_ event: Event) {
    switch event.kind {
    case .source(.emitted(_, let value)):
      guard let method = value["method"], let path = value["path"] else { return }
      Supervision.note(
        visibleText(mask.masked("\(method.plainText) \(path.plainText)")))
    case .network(.served): Supervision.note("")
    case .source, .network, .run, .script, .assertion: break
    }
  }

  /// Returns the line of something that went wrong because the command line says so.
  private func lineOfDisturbance(_ event: Event) -> String? {
    guard case .network(.faulted(let fault)) = event.kind, !arguments.disturbances.isEmpty else {
      return nil
    }
    let name = visibleText(plan.endpoints[fault.endpoint].name)
    let time = durationText(event.time / 1_000 * 1_000)
    return "\(time) \(name) disturbed (attempt \(fault.connection) to connect)\n"
  }

  func observe(_ failures: [Diagnostic], at time: Microseconds) {
    if isReplaced { return }
    for failure in failures {
      let failure = failure.masked(by: mask.masked(page:))
      say(page(of: failure, style) + "\n")
      for recorder in recorders { recorder.note(failure, in: loaded.sources, at: time) }
    }
  }

  /// Writes to standard output. The first failure is reported, and serving continues.
  ///
  /// Beside a log on standard output, people read standard error.
  private func say(_ text: String) {
    if arguments.isForPrograms { return }
    if case .output? = arguments.log { return Terminal.complain(text) }
    put(text, as: .text)
  }

  private func put(_ text: String, as form: OutputForm) {
    guard Terminal.say(text, as: form) != .passed, !isMute else { return }
    complain(.unwritable("standard output", lastSystemError()))
    isMute = true
    hasProblem = true
  }

  private func note(_ line: TraceLine) {
    for recorder in recorders { recorder.note(line) }
  }

  /// Writes the verdict, and returns the exit code.
  func finish(_ outcome: ServingOutcome) -> ExitCode {
    switch outcome {
    case .refused(let problem):
      // If another scenario cannot be served, the reason is that one's.
      guard let problem else { return group.isOver(index) && !hasProblem ? .passed : .couldNotRun }
      if arguments.isForPrograms {
        write(.refusal(file(with: [problem.masked(by: mask.masked(page:))])))
      } else {
        complain(problem)
      }
      return .badInput
    case .judged(let run, let wasInterrupted):
      for recorder in recorders { recorder.finish(run.verdict, [], in: loaded.sources) }
      let hasSecret = reportSecret(run.verdict)
      trace?.complete()
      if !reportFileProblems() { hasProblem = true }
      if let path = arguments.coursesFile {
        let lines = run.courses.map { $0.commandLine + "\n" }
        if !save(lines.joined(), as: path) { hasProblem = true }
      }
      // The lines of another scenario may not come between.
      let pending = pendingLines(run.verdict, mask).map { $0 + "\n" }.joined()
      let end = pending + servedVerdict(run.verdict, title: mask.masked(title))
      say(end)
      if arguments.isForPrograms { write(verdict(run.verdict, end)) }
      // Without a signal, something that all have in common has ended it.
      if wasInterrupted, let code = Interruption.exitCode { return code }
      if wasInterrupted, !arguments.isForPrograms { return .couldNotRun }
      if hasProblem { return .couldNotRun }
      return run.verdict.outcome == .passed && !hasSecret ? .passed : .failed
    }
  }

  private func file(with diagnostics: [Diagnostic]) -> FileReport {
    FileReport(
      path: path, sources: loaded.sources, diagnostics: diagnostics, scenarios: [],
      mask: loaded.mask)
  }

  private func verdict(_ verdict: Verdict, _ end: String) -> ServeMessage {
    var report = ScenarioReport(
      title: plan.title, line: loaded.sources.line(of: row?.range ?? plan.range), row: row?.id,
      tags: plan.tags, seed: seed, verdict: verdict, mask: mask)
    report.wall = verdict.duration
    let failures = verdict.failures.map { page(of: $0, DiagnosticStyle()) + "\n" }.joined()
    return .verdict(report, file(with: []), text: failures + end)
  }

  /// Searches the finished trace for secrets, and complains about one that is found.
  private func reportSecret(_ verdict: Verdict) -> Bool {
    guard let trace,
      let problem = secretProblem(in: trace, plan, verdict.secretsToSearch(with: plan))
    else { return false }
    complain(problem)
    return true
  }

  private func complain(_ diagnostic: Diagnostic) {
    Terminal.complain(page(of: diagnostic.masked(by: mask.masked(page:)), complaintStyle))
  }

  private func page(of diagnostic: Diagnostic, _ style: DiagnosticStyle) -> String {
    render(diagnostic, in: loaded.sources, style: style) { [mask, whole = loaded.mask] line in
      mask.places(in: line) + whole.places(in: line)
    }
  }
}

extension TraceLine {
  /// False for lines that only a replay needs, and for those that are messages of another type.
  fileprivate var isForClients: Bool {
    switch knownKind {
    case .read, .idle, .branch, .now, .listening, .verdict: false
    default: true
    }
  }
}

/// Returns whether only programs on this machine reach an address.
private func isLoopback(_ host: String) -> Bool {
  host.hasPrefix("127.") || host == "::1" || host == "localhost"
}

extension Diagnostic {
  fileprivate static func servedToOthers(_ host: String) -> Diagnostic {
    Diagnostic(
      "served-to-others", severity: .warning,
      "any machine that reaches \(host) may use the endpoints",
      help: "leave `--host` out to serve programs on this machine alone")
  }
}

/// Returns the line `passed  A title  3 assertions met in 1.2s`.
func servedVerdict(_ verdict: Verdict, title: String) -> String {
  let word = verdict.outcome == .passed ? "passed" : "FAILED"
  let assertions = verdict.assertionsMet == 1 ? "assertion" : "assertions"
  var figures = "\(verdict.assertionsMet) \(assertions) met"
  let failures = verdict.failures.count
  if failures > 0 { figures += ", \(failures) failure\(failures == 1 ? "" : "s")" }
  let time = durationText(verdict.duration / 1_000 * 1_000)
  return "\(word)  \(visibleText(title))  \(figures) in \(time)\n"
}

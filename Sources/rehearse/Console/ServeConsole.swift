import Diagnostics
import Events
import Glibc
import Reports
import ScenarioPlan
import ScenarioRuns
import Values
import Verdicts

/// The output of `serve`: where the endpoints are, the conversation, failures as they happen, and
/// the verdict.
final class ServeConsole: ServingWatcher {
  private let arguments: ServeArguments
  private let plan: ScenarioPlan
  private let loaded: LoadedFile
  private let title: String
  private var conversation: ConversationReport
  /// The mask for the file and all that is known of the run.
  private var mask: SecretMask
  private let style: DiagnosticStyle
  private let complaintStyle: DiagnosticStyle
  private var log: Int32 = -1
  /// True if some requested output could not be written.
  private var hasProblem = false
  /// True if standard output takes no more text.
  private var isMute = false

  init(
    _ arguments: ServeArguments, _ plan: ScenarioPlan, _ loaded: LoadedFile, title: String
  ) {
    self.arguments = arguments
    self.plan = plan
    self.loaded = loaded
    self.title = title
    var names: [Event.Source: String] = [:]
    for endpoint in plan.endpoints { names[endpoint.source] = endpoint.name }
    mask = loaded.mask
    conversation = ConversationReport(names: names, mask: mask)
    style = Terminal.style(of: STDOUT_FILENO, color: arguments.color)
    complaintStyle = Terminal.style(of: STDERR_FILENO, color: arguments.color)
  }

  deinit { if log >= 0 { close(log) } }

  /// Opens the log, and returns false, with a complaint, if it cannot be opened.
  func prepareFiles() -> Bool {
    guard let path = arguments.logFile else { return true }
    log = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    if log >= 0 { return true }
    complain(.unwritable(path, lastSystemError()))
    return false
  }

  /// Warns, before anything is served, of steps that have no effect on clients from outside.
  func warn() {
    guard !arguments.isQuiet, let warning = Diagnostic.networkOfOthers(in: plan) else { return }
    complain(warning)
  }

  func began(at places: [ServedPlace], certificate: [UInt8]?) -> Bool {
    guard write(certificate) else { return false }
    say(text(of: places, certificateFile: arguments.certificateFile))
    for place in places { write(line: json(of: place)) }
    guard let path = arguments.portsFile else { return true }
    return save(portsJSON(of: places), as: path)
  }

  private func write(_ certificate: [UInt8]?) -> Bool {
    guard let certificate, let path = arguments.certificateFile else { return true }
    return save(String(decoding: certificate, as: UTF8.self), as: path)
  }

  private func save(_ text: String, as path: String) -> Bool {
    guard let problem = writeFile(path, text) else { return true }
    complain(.unwritable(path, problem.message))
    return false
  }

  func hide(by mask: SecretMask) {
    self.mask = mask
    conversation.mask = mask
  }

  func observe(_ event: Event) {
    guard !arguments.isQuiet || log >= 0, let entry = conversation.entry(for: event) else { return }
    if !arguments.isQuiet { say(entry.line + "\n") }
    write(line: entry.json)
  }

  func observe(_ failures: [Diagnostic], at time: Microseconds) {
    for failure in failures {
      let failure = failure.masked(by: mask.masked(page:))
      say(page(of: failure, style) + "\n")
      write(line: conversationJSON(of: failure, at: time, in: loaded.sources))
    }
  }

  /// Writes to standard output. The first failure is reported, and serving continues.
  private func say(_ text: String) {
    guard Terminal.say(text) != .passed, !isMute else { return }
    complain(.unwritable("standard output", lastSystemError()))
    isMute = true
    hasProblem = true
  }

  private func write(line: String) {
    guard log >= 0 else { return }
    if writeAll(line + "\n", to: log) { return }
    complain(.unwritable(arguments.logFile ?? "", lastSystemError()))
    close(log)
    log = -1
    hasProblem = true
  }

  /// Writes the verdict, and returns the exit code.
  func finish(_ outcome: ServingOutcome) -> ExitCode {
    switch outcome {
    case .refused(let problem):
      guard let problem else { return .couldNotRun }
      complain(problem)
      return .badInput
    case .judged(let run, let wasInterrupted):
      write(line: conversationJSON(of: run.verdict, mask))
      for line in pendingLines(run.verdict, mask) { say(line + "\n") }
      say(servedVerdict(run.verdict, title: mask.masked(title)))
      if wasInterrupted { return Interruption.exitCode ?? .interrupted }
      if hasProblem { return .couldNotRun }
      return run.verdict.outcome == .passed ? .passed : .failed
    }
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

/// Returns a line for each endpoint: `api   http://127.0.0.1:41234  ws://127.0.0.1:41234`.
func text(of places: [ServedPlace], certificateFile: String?) -> String {
  let width = places.map(\.name.count).max() ?? 0
  let lines = places.map { place in
    let gap = String(repeating: " ", count: width - place.name.count + 2)
    return place.name + gap + place.url + (place.webSocketURL.map { "  " + $0 } ?? "") + "\n"
  }
  return lines.joined() + (certificateFile.map { "certificate  \(visibleText($0))\n" } ?? "")
}

/// Returns the endpoints by name: `{ "api": { "url": "http://127.0.0.1:41234", "port": 41234 } }`.
func portsJSON(of places: [ServedPlace]) -> String {
  var map = ValueMap()
  for place in places { map[.string(place.name)] = .map(placeMap(place)) }
  return Value.map(map).json(pretty: true) + "\n"
}

private func json(of place: ServedPlace) -> String {
  var map = ValueMap([(.string("kind"), "listening"), (.string("endpoint"), .string(place.name))])
  for (key, value) in placeMap(place) { map[key] = value }
  return Value.map(map).json()
}

private func placeMap(_ place: ServedPlace) -> ValueMap {
  var map = ValueMap()
  map["url"] = .string(place.url)
  map["port"] = .int(Int(place.port))
  if let url = place.webSocketURL { map["webSocket"] = .string(url) }
  return map
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

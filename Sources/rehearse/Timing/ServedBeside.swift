import Diagnostics
import Glibc
import LiveWorld
import ScenarioRuns
import Values
import VirtualPrograms

/// A scenario that is served beside a command, by a process on the same clock.
struct ServedBeside {
  private let path: String
  private let ports: [String]
  private let portsFile: String
  private(set) var problems: [Diagnostic] = []
  private(set) var code = ExitCode.couldNotRun.rawValue

  /// The virtual time after which a scenario that is not ready never will be, in nanoseconds.
  private static let patience: Warden.Instant = 30_000_000_000

  init(_ path: String, _ arguments: TimeArguments) {
    self.path = path
    ports = arguments.ports
    let folder = Terminal.environmentVariable("TMPDIR") ?? "/tmp"
    portsFile = "\(folder)/rehearse-\(getpid())-ports.json"
  }

  /// Starts to serve, and returns the addresses of the endpoints as variables for the command; nil
  /// if there are none.
  mutating func start(in warden: Warden) -> [(name: String, value: String)]? {
    let words =
      [OwnProgram.path ?? "rehearse", "serve", path, "--quiet", "--ports-file", portsFile]
      + ports.flatMap { ["--port", $0] }
    // A process with this number may have been killed before it could remove its file.
    unlink(portsFile)
    defer { unlink(portsFile) }
    let problem = warden.start(
      TimedRun.Part.scenario, words,
      environment: ProcessEnvironment(adding: [], hasVirtualTime: true).lines,
      files: (STDIN_FILENO, STDERR_FILENO, STDERR_FILENO))
    guard problem == nil else { return refuse(problem ?? "") }
    // A server that waits for clients is stuck in the sense of the warden, and ready.
    for second in 0... {
      let pause = warden.run(
        until: Warden.Instant(second) * 1_000_000_000, orEndOf: TimedRun.Part.scenario)
      if let variables = readPorts() { return variables }
      switch pause {
      case .ended:
        code = warden.exitCode(of: TimedRun.Part.scenario) ?? code
        return refuse("`rehearse serve` ended with \(code)")
      case .due where warden.now < Self.patience: break
      case .due, .stuck: return refuse("its endpoints did not begin")
      }
    }
    return nil
  }

  private mutating func refuse(_ reason: String) -> [(name: String, value: String)]? {
    problems.append(
      Diagnostic("served-not-ready", "`\(path)` is not served: \(reason)"))
    return nil
  }

  /// Returns the variables of the endpoints: `API_URL` is the address of `api`.
  private func readPorts() -> [(name: String, value: String)]? {
    guard let bytes = try? readFile(portsFile).get(),
      case .map(let endpoints) = try? parseJSON(bytes).get()
    else { return nil }
    let members = [("url", "URL"), ("port", "PORT"), ("webSocket", "WEBSOCKET_URL")]
    return endpoints.flatMap { key, places in
      guard case .string(let name) = key else { return [(name: String, value: String)]() }
      return members.compactMap { member, ending in
        switch places[member] {
        case .string(let text)?: (variableName(name, ending), text)
        case .int(let number)?: (variableName(name, ending), String(number))
        default: nil
        }
      }
    }
  }

  private func variableName(_ endpoint: String, _ ending: String) -> String {
    let letters = endpoint.uppercased().map { letter in
      letter.isASCII && (letter.isLetter || letter.isNumber) ? letter : "_"
    }
    return "\(String(letters))_\(ending)"
  }

  /// Lets the scenario come to its verdict, and returns its exit code.
  func end(in warden: Warden) -> Int32 {
    if warden.exitCode(of: TimedRun.Part.scenario) == nil,
      warden.run(orEndOf: TimedRun.Part.scenario) == .stuck
    {
      warden.send(signal: SIGINT, to: TimedRun.Part.scenario)
      _ = warden.run(orEndOf: TimedRun.Part.scenario)
    }
    return warden.exitCode(of: TimedRun.Part.scenario) ?? ExitCode.couldNotRun.rawValue
  }
}

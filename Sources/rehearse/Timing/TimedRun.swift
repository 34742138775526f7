import Diagnostics
import Glibc
import LiveWorld
import ScenarioRuns
import Values
import VirtualPrograms

/// A run of a command in virtual time, or two of them.
struct TimedRun {
  private let arguments: TimeArguments
  private let began: Int64
  /// The events of the first run.
  private(set) var events: [WardenEvent] = []
  var problems: [Diagnostic] = []
  private(set) var code: Int32 = 0
  private(set) var now: Warden.Instant = 0

  /// The numbers of the programs of a run.
  enum Part {
    static let scenario = 0
    static let command = 1
  }

  init(_ arguments: TimeArguments) {
    self.arguments = arguments
    let clock = arguments.clock ?? Timestamp(seconds: Int(calendarClock() / 1_000_000))
    began = Int64(clock.seconds) * 1_000_000_000 + Int64(clock.nanoseconds)
  }

  /// Runs the command. Returns false if it was not started.
  mutating func perform() throws(WardenObstacle) -> Bool {
    let first = try once(input: arguments.isTwice ? nullFile() : STDIN_FILENO, STDOUT_FILENO)
    guard let first else { return false }
    (events, now) = (first.events, first.now)
    guard arguments.isTwice else { return true }
    let null = nullFile()
    let (code, problems) = (code, problems)
    let second = try once(input: null, null)
    (self.code, self.problems) = (code, problems)
    if let second, let difference = WireDifference(first.events, second.events) {
      self.problems.append(difference.diagnostic)
      if code == 0 { self.code = ExitCode.failed.rawValue }
    }
    return true
  }

  /// Runs the command once, with these files, and returns what happened; nil if it was not started.
  private mutating func once(
    input: Int32, _ output: Int32
  ) throws(WardenObstacle) -> (events: [WardenEvent], now: Warden.Instant)? {
    let warden = try Warden(
      Warden.Settings(calendar: began, seed: arguments.seed ?? UInt64(Suite.defaultSeed)))
    let errors = output == STDOUT_FILENO ? STDERR_FILENO : output
    var variables: [(name: String, value: String)] = []
    var served = arguments.served.map { ServedBeside($0, arguments) }
    if served != nil {
      guard let found = served?.start(in: warden) else {
        problems += served?.problems ?? []
        code = served?.code ?? ExitCode.couldNotRun.rawValue
        return nil
      }
      variables = found
    }
    run(in: warden, variables, (input, output, errors))
    if let verdict = served?.end(in: warden), code == 0 { code = verdict }
    return (warden.events, warden.now)
  }

  private mutating func run(
    in warden: Warden, _ variables: [(name: String, value: String)],
    _ files: (input: Int32, output: Int32, errors: Int32)
  ) {
    warden.passSignals(to: Part.command)
    let problem = warden.start(
      Part.command, arguments.command,
      environment: ProcessEnvironment(adding: variables, hasVirtualTime: true).lines, files: files)
    if let problem {
      problems.append(Diagnostic("command-not-started", "the command was not started: \(problem)"))
      code = ExitCode.couldNotRun.rawValue
      return
    }
    let end = warden.now + arguments.timeout * 1000
    switch warden.run(until: end, orEndOf: Part.command) {
    case .ended: code = warden.exitCode(of: Part.command) ?? ExitCode.couldNotRun.rawValue
    case .due:
      problems.append(.overtime(arguments.timeout))
      code = ExitCode.failed.rawValue
    case .stuck:
      problems.append(.stuck(warden.events))
      code = ExitCode.failed.rawValue
    }
  }
}

private func nullFile() -> Int32 { open("/dev/null", O_RDWR | O_CLOEXEC) }

/// The first line in which two runs differ.
private struct WireDifference {
  private var first: String
  private var second: String

  init?(_ first: [WardenEvent], _ second: [WardenEvent]) {
    let (one, other) = (Self.lines(of: first), Self.lines(of: second))
    guard one != other else { return nil }
    let place = zip(one, other).prefix { $0 == $1 }.count
    self.first = one.indices.contains(place) ? one[place] : "nothing more"
    self.second = other.indices.contains(place) ? other[place] : "nothing more"
  }

  private static func lines(of events: [WardenEvent]) -> [String] {
    events.compactMap { event in
      switch event.kind {
      case .wire(let text): "\(durationText(event.at / 1000))  \(text)"
      case .exited(TimedRun.Part.command, let exit):
        "\(durationText(event.at / 1000))  the command ends with \(exit.shellCode)"
      case .exited, .doubted, .waits: nil
      }
    }
  }

  var diagnostic: Diagnostic {
    Diagnostic(
      "not-repeatable", "the second run of the command differs from the first one",
      facts: [.init("first", first), .init("second", second)],
      help: "look for chance that no seed decides: the number of a process, threads side by side")
  }
}

extension Diagnostic {
  static func overtime(_ limit: Microseconds) -> Diagnostic {
    Diagnostic(
      "command-over-time",
      "the command has not ended after \(durationText(limit)) of virtual time",
      help: "look for a loop that tries again for ever, or write `--timeout 365d`")
  }

  /// The most threads that a complaint names.
  private static let mostThreads = 8

  static func stuck(_ events: [WardenEvent]) -> Diagnostic {
    var waits: [WaitingThread] = []
    for case .waits(let thread) in events.map(\.kind) { waits.append(thread) }
    var notes = waits.prefix(mostThreads).map { thread in
      Fact("waits", thread.text)
    }
    if waits.count > mostThreads {
      notes.append(Fact("waits", "and \(waits.count - mostThreads) more threads"))
    }
    return Diagnostic(
      "program-stuck", "all programs wait, and nothing will ever happen", notes: notes,
      help: "give the wait a time-out, or find out what should have ended it")
  }
}

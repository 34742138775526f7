import Glibc
import LiveWorld
import ScenarioRuns
import Synchronization
import TextSearch
import Values

/// A request to end a run: Ctrl-C, a signal to end, or a terminal that was closed.
///
/// After the first signal the scenarios under way run their `finally`, and the run so far is
/// reported. A second signal ends the program at once.
enum Interruption {
  /// The number of the first signal; 0 if there was none.
  private static let signalNumber = Atomic<Int32>(0)
  /// The time of the first signal.
  private static let askedAt = Atomic(0)
  private static let finallyTime = Atomic(Int(Interruption.defaultFinallyTime))

  /// The time for the `finally` of all scenarios after an interruption.
  static let defaultFinallyTime: Microseconds = 5_000_000

  static var wasAsked: Bool { signalNumber.load(ordering: .acquiring) != 0 }

  /// True if an interrupted run has no more time for `finally`.
  static var isOutOfTime: Bool {
    wasAsked
      && wallClock() - askedAt.load(ordering: .relaxed) >= finallyTime.load(ordering: .relaxed)
  }

  /// The exit code of an interrupted run; nil if nothing has interrupted it.
  static var exitCode: ExitCode? {
    let number = signalNumber.load(ordering: .acquiring)
    return number == 0 ? nil : ExitCode(rawValue: 128 + number) ?? .interrupted
  }

  static func listen(finallyTime: Microseconds) {
    Interruption.finallyTime.store(Int(finallyTime), ordering: .relaxed)
    for number in signals {
      let wasIgnored = Supervision.handle(number) { number in
        if Interruption.wasAsked { _exit(128 + number) }
        Interruption.askedAt.store(wallClock(), ordering: .relaxed)
        Interruption.signalNumber.store(number, ordering: .releasing)
      }
      // `nohup` has asked for the run to survive its terminal.
      if number == SIGHUP, wasIgnored { signal(number, SIG_IGN) }
    }
  }

  /// Lets signals end the program again, since nothing is left that they could cut short.
  static func stopListening() {
    for number in signals { signal(number, SIG_DFL) }
  }

  private static let signals = [SIGINT, SIGTERM, SIGHUP]
}

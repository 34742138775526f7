import CLinux
import CWarden
import Glibc
import LiveWorld
import World

/// Programs of a run in virtual time, which an event loop starts, watches and ends as those of real
/// time: the warden takes the part of their guards.
package final class GuardedPrograms: ProgramClock {
  /// Nil once the run is over.
  private var warden: Warden?
  /// The guard's ends of the control sockets, by the number of their program.
  private var controls: [Int32] = []
  /// The number of events that were looked at.
  private var eventsSeen = 0
  /// True if this process has done something since all programs were at rest.
  private var hasActed = false
  package private(set) var doubts = CountedDoubts()
  package private(set) var now: Int64 = 0
  /// The time in which the programs slept, and their clock stood.
  private var slept: Int64 = 0
  /// The nanoseconds since 1970 at which the run begins.
  package let calendar: Int64

  package init(calendar: Int64, seed: UInt64) throws(WardenObstacle) {
    self.calendar = calendar
    warden = try Warden(.init(calendar: calendar, seed: seed), hasOutside: false)
  }

  deinit { end() }

  package func answer(_ answer: ConnectAnswer) {
    guard warden != nil else { return }
    switch answer {
    case .allowed: cwarden_answer(0)
    case .refused: cwarden_answer(ECONNREFUSED)
    case .unreachable: cwarden_answer(ENETUNREACH)
    }
  }

  package func own(port: UInt16) -> UInt16 { cwarden_own_port(port) }

  package func numberOfMachine(forPort port: UInt16) -> UInt16 { cwarden_port_of_machine(port) }

  package func wait(
    until instant: Int64?, _ isLimit: Bool, orFor descriptor: Int32
  ) -> PollOutcome {
    guard warden != nil else { return .due }
    hasActed = false
    for program in controls.indices { obeyCommands(to: program) }
    let pause = goOn(until: instant, isLimit, orFor: descriptor)
    let waits = takeEvents()
    switch pause {
    case cwarden_due: return .due
    case cwarden_stuck: return .stuck(waits)
    case cwarden_busy: return .busy
    case cwarden_asks: return .asked(port: cwarden_asked_port())
    default: return .woke
    }
  }

  private func goOn(
    until instant: Int64?, _ isLimit: Bool, orFor descriptor: Int32
  ) -> cwarden_pause {
    let (time, overflow) = ((instant ?? 0) - slept).multipliedReportingOverflow(by: 1_000)
    // The clock is a nanosecond behind the deadline of the last program that was woken.
    let until = instant == nil || overflow ? -1 : max(time, cwarden_now())
    let pause = cwarden_idle(until, isLimit ? 1 : 0, descriptor, -1)
    let reached = pause == cwarden_due ? instant ?? now : now
    now = max(reached, cwarden_instant() / 1_000 + slept)
    return pause
  }

  package func wake(after length: Int64, timersAreDue: Bool) {
    guard warden != nil else { return }
    let length = min(length, GuardedPrograms.longestSleep)
    cwarden_wake(length * 1_000, timersAreDue ? 1 : 0)
    if !timersAreDue { slept += length }
    now += length
  }

  /// A hundred years in microseconds, which the clocks of programs have room for.
  private static let longestSleep: Int64 = 100 * 365 * 86_400 * 1_000_000

  /// The most waits for programs that compute, before something else is done beside them.
  private static let mostBusyWaits = 100

  package func willAct() {
    defer { hasActed = true }
    guard hasActed, warden != nil else { return }
    for _ in 0..<GuardedPrograms.mostBusyWaits {
      if goOn(until: now, false, orFor: -1) != cwarden_busy { return }
    }
  }

  /// The most times that are asked for.
  private static let mostTimes = 64

  package var dueTimes: [Int64] {
    guard warden != nil else { return [] }
    var times = [Int64](repeating: 0, count: GuardedPrograms.mostTimes)
    let count = cwarden_deadlines(&times, Int32(times.count))
    return times[..<Int(count)].map { $0 / 1_000 + slept }
  }

  package func end() {
    warden = nil
    for control in controls where control >= 0 { close(control) }
    controls = []
  }

  /// Starts a program, as `clinux_start_program` does.
  package func start(
    _ path: String, _ arguments: [UnsafeMutablePointer<CChar>?],
    _ environment: [UnsafeMutablePointer<CChar>?], _ folder: String,
    _ program: inout clinux_program
  ) -> Int32 {
    var theirs: [Int32] = [-1, -1, -1, -1]
    let unopened = clinux_open_pipes(&program, &theirs)
    guard unopened == 0 else { return unopened }
    let problem = cwarden_start(
      Int32(controls.count), path, folder, arguments, environment, theirs)
    for descriptor in theirs[..<3] { close(descriptor) }
    guard problem == 0 else {
      close(theirs[3])
      clinux_close_pipes(&program)
      return problem
    }
    controls.append(theirs[3])
    return 0
  }

  /// Does what the owner of a program asks its guard for. An owner that leaves ends it.
  private func obeyCommands(to program: Int) {
    var command: UInt8 = 0
    while controls[program] >= 0 {
      let count = recv(controls[program], &command, 1, Int32(MSG_DONTWAIT))
      if count < 0 { return }
      let endsAll = count == 0 || Int(command) == clinux_program_kill_all
      cwarden_signal(Int32(program), endsAll ? SIGKILL : Int32(command), endsAll ? 1 : 0)
      if count == 0 {
        close(controls[program])
        controls[program] = -1
      }
    }
  }

  /// Reports the ends of programs, and returns what threads wait for.
  private func takeEvents() -> [String] {
    var waits: [String] = []
    for event in warden?.takeEvents() ?? [] {
      switch event.kind {
      case .exited(let program, let exit): report(exit, of: program)
      case .doubted(let doubt): doubts.add(doubt)
      case .waits(let thread): waits.append(thread.text)
      case .wire: continue
      }
    }
    return waits
  }

  private func report(_ exit: ProgramExit, of program: Int) {
    guard controls[program] >= 0 else { return }
    var report = clinux_program_report()
    switch exit {
    case .code(let code): (report.kind, report.value) = (Int32(clinux_program_exited), Int32(code))
    case .signal(let number):
      (report.kind, report.value) = (Int32(clinux_program_signalled), Int32(number))
    }
    _ = send(controls[program], &report, MemoryLayout<clinux_program_report>.size, 0)
  }
}

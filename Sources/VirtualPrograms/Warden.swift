import CWarden
import Glibc
import LiveWorld
import World

/// Programs in virtual time: the thread that makes a warden traces them, and their clock moves when
/// all of them are at rest.
///
/// One thread has one warden at a time, and uses it alone.
package final class Warden {
  /// The virtual time at which something happened, in nanoseconds since the warden began.
  package typealias Instant = Int64

  /// The reason why programs have stopped to go on.
  package enum Pause: Equatable {
    /// The time that was asked for has come.
    case due
    /// Nothing will ever happen.
    case stuck
    /// The program that was named has ended.
    case ended
  }

  package struct Settings {
    /// The nanoseconds since 1970 at which virtual time begins.
    package var calendar: Int64
    package var seed: UInt64

    package init(calendar: Int64, seed: UInt64) {
      self.calendar = calendar
      self.seed = seed
    }
  }

  /// All that happened, in its order.
  package private(set) var events: [WardenEvent] = []

  /// Begins, or says what this machine does not allow.
  ///
  /// - Parameter hasOutside: True if programs have the input and output of this process.
  package init(_ settings: Settings, hasOutside: Bool = true) throws(WardenObstacle) {
    var wanted = cwarden_settings()
    wanted.calendar = settings.calendar
    wanted.seed = settings.seed
    wanted.has_outside = hasOutside ? 1 : 0
    wanted.context = Unmanaged.passUnretained(self).toOpaque()
    wanted.notify = { context, event in
      guard let context, let event else { return }
      Unmanaged<Warden>.fromOpaque(context).takeUnretainedValue().add(event.pointee)
    }
    let found = cwarden_begin(&wanted)
    if let obstacle = WardenObstacle(found) { throw obstacle }
  }

  deinit { cwarden_end() }

  package var now: Instant { cwarden_now() }

  /// Starts a program that uses these descriptors as its first three. Returns the text of the
  /// system's error, if there is one; a program that cannot be executed says so itself.
  package func start(
    _ program: Int, _ arguments: [String], environment: [String],
    files: (input: Int32, output: Int32, errors: Int32)
  ) -> String? {
    let problem = withCStrings(arguments) { arguments in
      withCStrings(environment) { environment in
        cwarden_start(
          Int32(program), nil, nil, arguments, environment,
          [files.input, files.output, files.errors])
      }
    }
    return problem == 0 ? nil : String(cString: strerror(problem))
  }

  /// Lets the programs go on until one of them has ended, or until a time, at which they are at
  /// rest. If they wait for ever, they are stuck, and no time will change that.
  package func run(until time: Instant? = nil, orEndOf program: Int? = nil) -> Pause {
    while true {
      switch cwarden_idle(time ?? -1, 1, -1, Int32(program ?? -1)) {
      case cwarden_due: return .due
      case cwarden_ended: return .ended
      case cwarden_busy: continue
      default: return .stuck
      }
    }
  }

  /// Sends signals that this process receives to a program. Those of a terminal reach it anyway.
  package func passSignals(to program: Int) { cwarden_pass_signals(Int32(program)) }

  package func send(signal: Int32, to program: Int) { cwarden_signal(Int32(program), signal, 0) }

  /// Returns the exit code of a program that has ended, as a shell has it.
  package func exitCode(of program: Int) -> Int32? {
    for case .exited(program, let exit) in events.map(\.kind) { return exit.shellCode }
    return nil
  }

  /// Returns what happened, and forgets it.
  func takeEvents() -> [WardenEvent] {
    defer { events = [] }
    return events
  }

  private func add(_ event: cwarden_event) {
    guard let kind = WardenEvent.Kind(event) else { return }
    events.append(WardenEvent(at: event.now, kind: kind))
  }
}

/// Something that happened to programs in virtual time.
package struct WardenEvent: Equatable {
  package enum Kind: Equatable {
    case exited(program: Int, ProgramExit)
    case doubted(Doubt)
    /// A thread that waits, although nothing will ever happen.
    case waits(WaitingThread)
    /// Something that others see: a connection, or bytes that are sent.
    case wire(String)
  }

  package var at: Warden.Instant
  package var kind: Kind
}

/// A thread that waits for ever.
package struct WaitingThread: Equatable {
  package var process: String
  /// The number of the thread in its program, in the order in which they came.
  package var number: Int
  /// The call in which it sleeps, with the other side: `reads from …`.
  package var wait: String

  package var text: String { "\(process), thread \(number + 1): \(wait)" }
}

extension ProgramExit {
  /// The exit code as a shell has it: that of a signal is 128 and its number.
  package var shellCode: Int32 {
    switch self {
    case .code(let code): Int32(code)
    case .signal(let number): Int32(128 + number)
    }
  }
}

extension WardenEvent.Kind {
  fileprivate init?(_ event: cwarden_event) {
    let name = event.name.map { String(cString: $0) } ?? ""
    let detail = event.detail.map { String(cString: $0) } ?? ""
    switch event.kind {
    case cwarden_exited:
      let value = Int(event.value)
      self = .exited(program: Int(event.program), value < 0 ? .signal(-value) : .code(value))
    case cwarden_doubt:
      guard let kind = Doubt.Kind(rawValue: name) else { return nil }
      self = .doubted(Doubt(kind: kind, detail: detail))
    case cwarden_waits:
      self = .waits(WaitingThread(process: name, number: Int(event.value), wait: detail))
    default: self = .wire(detail)
    }
  }
}

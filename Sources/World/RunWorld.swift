/// The clock of runs with sockets: the machine's, or the one of programs in virtual time.
package protocol WallClock: AnyObject {
  /// Waits until something happens or the time has come, then sets the scheduler's clock. Without a
  /// time it waits for something to happen.
  ///
  /// - Parameter isLimit: True if nothing is due at that time but the end of the wait.
  @discardableResult
  func poll(until instant: Int64?, isLimit: Bool) -> PollOutcome

  /// True if the clock stands while programs work, and jumps when all of them are at rest.
  var isVirtual: Bool { get }

  /// The times at which programs in virtual time go on by themselves.
  var dueTimesOfPrograms: [Int64] { get }

  /// True if another thread is at work whose result will arrive.
  var awaitsThreads: Bool { get }

  /// The longest a job ran after it was due, or a wait lasted beyond its end.
  var longestLag: Int64 { get }

  /// Lets the clock go on after a sleep of the programs in virtual time, in which it stood.
  ///
  /// - Parameter timersAreDue: True if their timers count the sleep.
  func wakePrograms(after length: Int64, timersAreDue: Bool)

  /// Stops waiting and returns its resources to the system.
  func end()
}

extension WallClock {
  package func poll(until instant: Int64?) { poll(until: instant, isLimit: false) }
}

/// The end of a wait for something to happen.
package enum PollOutcome {
  /// Something may have happened, which has become jobs of the scheduler.
  case woke
  /// It is the time that was asked for; in virtual time, nothing else is left to do now.
  case due
  /// A program wants to connect to a port of this process, and waits for the answer.
  case asked(port: UInt16)
  /// Programs still compute, and nothing else may happen before they rest.
  case busy
  /// Nothing will ever happen: this is what each thread of the programs waits for.
  case stuck([String])
}

/// The world that a scenario runs in: its queue and clock, its network, and real time if there is
/// any.
package struct RunWorld {
  package let scheduler: Scheduler
  package let network: any Network
  /// The clock of real time. Without one, the scheduler's clock jumps to the next job.
  package let wall: (any WallClock)?
  /// A function that makes a name lead to a URL, if endpoints are real. It reports an unusable URL.
  package let reach: ((_ name: String, _ url: String) -> Result<RemotePlace, UnusableURL>)?
  /// A function of the same kind for mocks that pass requests on to real servers; nil where there
  /// are no sockets.
  package var reachBehind: ((_ name: String, _ url: String) -> Result<RemotePlace, UnusableURL>)?
  /// True if differences between real endpoints and their mocks are ignored.
  package var ignoresDrift = false
  /// The machine's calendar time at the scheduler's time 0, in microseconds since 1970; nil if the
  /// run does not depend on it.
  package var machineTime: Int64?
  /// Starts programs; nil where there are none.
  package var programs: (any ProgramLauncher)?
  /// The names of the endpoints that are real, if the others are mocks. Nil with `reach` means that
  /// all are real.
  package var realEndpoints: Set<String>?
  /// True if clients that are not the scenario's own may connect to its mocks.
  package var servesOthers = false
  /// Returns the host and port at which other programs reach a name; nil if nobody listens there.
  package var authority: ((_ name: String) -> String?)?

  package init(
    scheduler: Scheduler, network: any Network, wall: (any WallClock)? = nil,
    reach: ((_ name: String, _ url: String) -> Result<RemotePlace, UnusableURL>)? = nil
  ) {
    self.scheduler = scheduler
    self.network = network
    self.wall = wall
    self.reach = reach
  }

  /// Returns whether the endpoint with this name is real.
  package func isReal(_ endpoint: String) -> Bool {
    reach != nil && realEndpoints?.contains(endpoint) != false
  }

  /// Makes a world in memory and in virtual time.
  package static func simulated() -> RunWorld {
    let scheduler = Scheduler()
    return RunWorld(scheduler: scheduler, network: MemoryNetwork(on: scheduler))
  }
}

/// The reason why a URL cannot be used or reached.
package struct UnusableURL: Error, Equatable {
  package var message: String

  package init(_ message: String) { self.message = message }
}

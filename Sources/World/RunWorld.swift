/// Real time, for runs that keep to it.
package protocol WallClock: AnyObject {
  /// Waits until something happened or the time has come, and sets the scheduler's clock to when
  /// that was. Without a time it waits for something to happen.
  func poll(until instant: Int64?)

  /// Whether another thread is at work that will tell.
  var awaitsThreads: Bool { get }

  /// The longest a job ran after it was due, or a wait lasted beyond its end.
  var longestLag: Int64 { get }

  /// Gives back to the system what waiting takes; nothing is waited for any more.
  func end()
}

/// The world a scenario is run in: its queue and clock, its network, and whether time is real.
package struct RunWorld {
  package let scheduler: Scheduler
  package let network: any Network
  /// Without one, the clock jumps to whatever comes next.
  package let wall: (any WallClock)?
  /// Where endpoints are real: leads a name to where a URL says, or tells what is wrong with it.
  package let reach: ((_ name: String, _ url: String) -> Result<RemotePlace, UnusableURL>)?
  /// Whether nobody wants to know where real endpoints differ from their mocks.
  package var ignoresDrift = false

  package init(
    scheduler: Scheduler, network: any Network, wall: (any WallClock)? = nil,
    reach: ((_ name: String, _ url: String) -> Result<RemotePlace, UnusableURL>)? = nil
  ) {
    self.scheduler = scheduler
    self.network = network
    self.wall = wall
    self.reach = reach
  }

  /// A new world in memory and in virtual time.
  package static func simulated() -> RunWorld {
    let scheduler = Scheduler()
    return RunWorld(scheduler: scheduler, network: MemoryNetwork(on: scheduler))
  }
}

/// What is wrong with a URL, or why nothing can be reached under it.
package struct UnusableURL: Error, Equatable {
  package var message: String

  package init(_ message: String) { self.message = message }
}

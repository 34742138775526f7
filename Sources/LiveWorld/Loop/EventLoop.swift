import CLinux
import Glibc
import World

/// A loop that waits for sockets, other threads and points in time on one thread, and sets a
/// scheduler's clock to real time.
///
/// It does not handle what became ready while it waits: that becomes jobs of the scheduler.
package final class EventLoop: WallClock {
  /// The operations that a file descriptor is ready for.
  struct Readiness: OptionSet {
    let rawValue: UInt32
    static let readable = Readiness(rawValue: clinux_readable)
    static let writable = Readiness(rawValue: clinux_writable)
    /// An error, or the end of both directions; reading or writing shows which.
    static let broken = Readiness(rawValue: clinux_broken)
  }

  package let scheduler: Scheduler
  /// The longest a job ran after it was due, a wait lasted beyond its end, or the thread waited for
  /// a processor.
  package private(set) var longestLag: Int64 = 0
  private var processorWait = ProcessorWait()
  /// The time that the scheduler's clock leaves out.
  private var busyTime = BusyTime()
  /// True if the scheduler's clock leaves out the time in which programs wait for a processor.
  /// Limits then mean the same on a busy machine as on an idle one.
  package var leavesOutBusyTime = false

  /// The clock of programs in virtual time; nil for the machine's.
  package let programClock: (any ProgramClock)?

  let received = ReceivedBytes()
  private var epoll: Int32
  private var mailbox: Mailbox?
  private let start: Int64
  private var watchers: [Int32: Watcher] = [:]
  private var watcherCount = 0
  /// The answers to programs in virtual time before they connect, by port.
  var doors: [UInt16: () -> ConnectAnswer] = [:]
  /// The handlers of what other threads find out, by letter.
  private var awaited: [Int: () -> Void] = [:]
  private var letters = 0
  /// The bytes that were read since nothing was due, or since the last pause.
  private var bytesOfBurst = 0
  private var ready = [clinux_ready](repeating: clinux_ready(), count: EventLoop.readyAtOnce)

  private static let readyAtOnce = 64

  private struct Watcher {
    /// Its place in the order in which they came.
    var number: Int
    var handler: (Readiness) -> Void
  }

  /// Returns nil if the system has no file descriptors left.
  package init?(_ scheduler: Scheduler, _ programClock: (any ProgramClock)? = nil) {
    guard let mailbox = Mailbox() else { return nil }
    self.programClock = programClock
    self.scheduler = scheduler
    self.mailbox = mailbox
    start = monotonicClock() - scheduler.now * 1_000
    epoll = clinux_epoll_create()
    guard epoll >= 0 else { return nil }
    _ = clinux_epoll_add(epoll, mailbox.descriptor, clinux_readable)
  }

  deinit { end() }

  package func end() {
    programClock?.end()
    if epoll >= 0 { _ = Glibc.close(epoll) }
    epoll = -1
    mailbox = nil
    watchers = [:]
    doors = [:]
    awaited = [:]
  }

  /// The bytes that are read in a row before time passes.
  private static let bytesBetweenPauses = 1 << 18

  /// True if it has not ended.
  package var isOpen: Bool { epoll >= 0 }

  /// Waits until something happens or the time has come, then sets the scheduler's clock. Without a
  /// time it waits for something to happen.
  @discardableResult
  package func poll(until instant: Int64?, isLimit: Bool) -> PollOutcome {
    guard isOpen else { return .due }
    // A thread of this process works in real time, for which the clock of the programs stands.
    let outcome = awaitsThreads ? nil : programClock?.wait(until: instant, isLimit, orFor: epoll)
    if case .busy? = outcome { return .busy }
    let count = clinux_epoll_wait(
      epoll, &ready, Int32(EventLoop.readyAtOnce),
      programClock == nil ? nanoseconds(until: instant) : outcome == nil ? -1 : 0)
    if leavesOutBusyTime { busyTime.count(until: (monotonicClock() - start) / 1_000) }
    let stamp = elapsed
    // A poll between jobs does not end a burst: its next read is due before all that came later.
    if scheduler.isInstantDrained { bytesOfBurst = 0 }
    scheduler.follow(stamp)
    if programClock == nil { noteLag(instant, stamp) }
    if case .asked(let port)? = outcome { answer(port) }
    let handedOver = ready[..<Int(max(0, count))]
    for ready in programClock == nil ? handedOver : inOrder(handedOver) { hand(over: ready) }
    return outcome ?? .woke
  }

  /// Answers a program that wants to connect, as a job of its own.
  private func answer(_ port: UInt16) {
    scheduler.schedule(after: 0, phase: .source) { [weak self] in
      guard let self else { return }
      programClock?.answer(doors[port]?() ?? .allowed)
    }
  }

  /// The system has its own order, and uses numbers again.
  private func inOrder(_ ready: ArraySlice<clinux_ready>) -> ArraySlice<clinux_ready> {
    let order = { (ready: clinux_ready) in self.watchers[ready.descriptor]?.number ?? 0 }
    return ready.sorted { order($0) < order($1) }[...]
  }

  private func noteLag(_ instant: Int64?, _ stamp: Int64) {
    if let instant, instant < stamp { longestLag = max(longestLag, stamp - instant) }
    longestLag = max(longestLag, processorWait.length(at: stamp))
  }

  package var isVirtual: Bool { programClock != nil }

  package var dueTimesOfPrograms: [Int64] { programClock?.dueTimes ?? [] }

  /// Says that programs reach this process at a port. Returns the port as they call it.
  func own(port: UInt16) -> UInt16 { programClock?.own(port: port) ?? port }

  /// Returns the machine's number of a port, as programs call it.
  func numberOfMachine(forPort port: UInt16) -> UInt16 {
    programClock?.numberOfMachine(forPort: port) ?? port
  }

  package func wakePrograms(after length: Int64, timersAreDue: Bool) {
    programClock?.wake(after: length, timersAreDue: timersAreDue)
  }

  /// Says that something follows that programs notice.
  func willAct() { programClock?.willAct() }

  /// Returns the time until the next read. A peer that never stops sending would keep the instant
  /// from ending, so time passes after some bytes. Timers that are due by then come first.
  func pauseBeforeReading() -> Int64 {
    guard bytesOfBurst >= EventLoop.bytesBetweenPauses else { return 0 }
    bytesOfBurst = 0
    return max(1, elapsed - scheduler.now)
  }

  /// The time until the next read after many bytes. What was read has taken time that the
  /// scheduler's clock does not show yet; other jobs come before the next read.
  var pauseAfterBurst: Int64 {
    max(0, elapsed - scheduler.now) + EventLoop.pauseBetweenBursts
  }

  /// Watches a program, by the process that is the parent of all of its processes.
  func watch(programOf parent: pid_t) {
    if leavesOutBusyTime { busyTime.watch(descendantsOf: parent) }
  }

  func stopWatching(programOf parent: pid_t) { busyTime.stopWatching(parent) }

  /// The time on the scheduler's clock, as of now.
  private var elapsed: Int64 {
    programClock?.now ?? ((monotonicClock() - start) / 1_000 - busyTime.length)
  }

  private static let pauseBetweenBursts: Int64 = 1_000

  func hasRead(_ count: Int) { bytesOfBurst += count }

  /// True if another thread works for this loop.
  package var awaitsThreads: Bool { !awaited.isEmpty }

  private func nanoseconds(until instant: Int64?) -> Int64 {
    guard let instant else { return -1 }
    let (due, overflow) = instant.multipliedReportingOverflow(by: 1_000)
    return overflow ? -1 : max(0, due - (monotonicClock() - start) + busyTime.length * 1_000)
  }

  private func hand(over ready: clinux_ready) {
    if ready.descriptor == mailbox?.descriptor { return readMail() }
    // A watcher that was called before may have stopped watching this one.
    watchers[ready.descriptor]?.handler(Readiness(rawValue: ready.events))
  }

  private func readMail() {
    for letter in mailbox?.empty() ?? [] { awaited.removeValue(forKey: letter)?() }
  }
}

// Descriptors and threads.
extension EventLoop {
  /// Calls the handler whenever a descriptor becomes ready; false if there is no room for it.
  func watch(_ descriptor: Int32, _ handler: @escaping (Readiness) -> Void) -> Bool {
    let events = Readiness([.readable, .writable]).rawValue
    guard isOpen, clinux_epoll_add(epoll, descriptor, events) == 0 else { return false }
    watcherCount += 1
    watchers[descriptor] = Watcher(number: watcherCount, handler: handler)
    return true
  }

  /// Stops watching a descriptor, which must still be open.
  func stopWatching(_ descriptor: Int32) {
    guard watchers.removeValue(forKey: descriptor) != nil else { return }
    _ = clinux_epoll_remove(epoll, descriptor)
  }

  /// Runs slow work on a thread of its own, then calls `then` on this thread, from `poll`.
  func workElsewhere<Outcome: Sendable>(
    _ work: @escaping @Sendable () -> Outcome, then: @escaping (Outcome) -> Void
  ) {
    guard let mailbox else { return }
    letters += 1
    let letter = letters
    let slot = OutcomeSlot<Outcome>()
    awaited[letter] = { if let outcome = slot.outcome { then(outcome) } }
    let started = startDetachedThread {
      slot.outcome = work()
      mailbox.put(letter)
    }
    guard !started else { return }
    // Without a thread the work blocks this one, which is late but right.
    slot.outcome = work()
    mailbox.put(letter)
  }

  /// Returns a function that ends a wait of `poll` from any thread.
  package func makeWaker() -> @Sendable () -> Void {
    guard let mailbox else { return {} }
    return { mailbox.put(0) }
  }

  /// Ignores what other threads still find out.
  func stopAwaitingThreads() { awaited = [:] }
}

/// The clock of programs in virtual time.
package protocol ProgramClock: AnyObject {
  /// The microseconds since the run began.
  var now: Int64 { get }
  /// Lets the programs work until all of them are at rest and it is the time, or until a descriptor
  /// is ready.
  func wait(until instant: Int64?, _ isLimit: Bool, orFor descriptor: Int32) -> PollOutcome
  /// Says that a port belongs to this process, so that it has the same clock. Returns the port as
  /// programs call it, which is the same in each run.
  func own(port: UInt16) -> UInt16
  /// Returns the machine's number of a port, as programs call it.
  func numberOfMachine(forPort port: UInt16) -> UInt16
  /// Answers the program that wants to connect.
  func answer(_ answer: ConnectAnswer)
  /// Says that something follows that programs notice: they do first what follows from the last
  /// one, so that they have their order.
  func willAct()
  /// Lets the clock go on after a sleep in which it stood.
  func wake(after length: Int64, timersAreDue: Bool)
  /// The times at which programs go on by themselves.
  var dueTimes: [Int64] { get }
  /// Ends all programs.
  func end()
}

/// Returns the machine's calendar time in microseconds since 1970.
package func calendarClock() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
}

/// Returns the nanoseconds of a clock that only goes forward.
func monotonicClock() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

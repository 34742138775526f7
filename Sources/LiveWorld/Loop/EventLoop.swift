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

  let received = ReceivedBytes()
  private var epoll: Int32
  private var mailbox: Mailbox?
  private let start: Int64
  private var watchers: [Int32: (Readiness) -> Void] = [:]
  /// The handlers of what other threads find out, by letter.
  private var awaited: [Int: () -> Void] = [:]
  private var letters = 0
  /// The bytes that were read since nothing was due, or since the last pause.
  private var bytesOfBurst = 0
  private var ready = [clinux_ready](repeating: clinux_ready(), count: EventLoop.readyAtOnce)

  private static let readyAtOnce = 64

  /// Returns nil if the system has no file descriptors left.
  package init?(_ scheduler: Scheduler) {
    guard let mailbox = Mailbox() else { return nil }
    self.scheduler = scheduler
    self.mailbox = mailbox
    start = monotonicClock() - scheduler.now * 1_000
    epoll = clinux_epoll_create()
    guard epoll >= 0 else { return nil }
    _ = clinux_epoll_add(epoll, mailbox.descriptor, clinux_readable)
  }

  deinit { end() }

  package func end() {
    if epoll >= 0 { _ = Glibc.close(epoll) }
    epoll = -1
    mailbox = nil
    watchers = [:]
    awaited = [:]
  }

  /// The bytes that are read in a row before time passes.
  private static let bytesBetweenPauses = 1 << 18

  /// True if it has not ended.
  package var isOpen: Bool { epoll >= 0 }

  /// Waits until something happens or the time has come, then sets the scheduler's clock. Without a
  /// time it waits for something to happen.
  package func poll(until instant: Int64?) {
    guard isOpen else { return }
    let count = clinux_epoll_wait(
      epoll, &ready, Int32(EventLoop.readyAtOnce), nanoseconds(until: instant))
    if leavesOutBusyTime { busyTime.count(until: (monotonicClock() - start) / 1_000) }
    let stamp = elapsed
    // A poll between jobs does not end a burst: its next read is due before all that came later.
    if scheduler.isInstantDrained { bytesOfBurst = 0 }
    scheduler.follow(stamp)
    if let instant, instant < stamp { longestLag = max(longestLag, stamp - instant) }
    longestLag = max(longestLag, processorWait.length(at: stamp))
    guard count > 0 else { return }
    for place in 0..<Int(count) { hand(over: ready[place]) }
  }

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
  private var elapsed: Int64 { (monotonicClock() - start) / 1_000 - busyTime.length }

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
    watchers[ready.descriptor]?(Readiness(rawValue: ready.events))
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
    watchers[descriptor] = handler
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

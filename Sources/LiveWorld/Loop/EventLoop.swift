import CLinux
import Glibc
import World

/// Waits for sockets, for other threads and for points in time, on one thread, and moves the clock
/// of a scheduler along with the one on the wall.
///
/// What is ready is not handled while waiting: it becomes jobs of the scheduler.
package final class EventLoop: WallClock {
  /// What a file descriptor is ready for.
  struct Readiness: OptionSet {
    let rawValue: UInt32
    static let readable = Readiness(rawValue: clinux_readable)
    static let writable = Readiness(rawValue: clinux_writable)
    /// An error, or both directions over; reading or writing tells which.
    static let broken = Readiness(rawValue: clinux_broken)
  }

  package let scheduler: Scheduler
  /// The longest a job ran after it was due, or a wait lasted beyond its end.
  package private(set) var longestLag: Int64 = 0

  let received = ReceivedBytes()
  private var epoll: Int32
  private var mailbox: Mailbox?
  private let start: Int64
  private var watchers: [Int32: (Readiness) -> Void] = [:]
  /// By letter: what is to be done with what another thread finds out.
  private var awaited: [Int: () -> Void] = [:]
  private var letters = 0
  private var ready = [clinux_ready](repeating: clinux_ready(), count: EventLoop.readyAtOnce)

  private static let readyAtOnce = 64

  /// Fails when the system has no file descriptors left.
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

  /// False once it has ended.
  package var isOpen: Bool { epoll >= 0 }

  /// Waits until something happened or the time has come, and sets the scheduler's clock to when
  /// that was. Without a time it waits for something to happen.
  package func poll(until instant: Int64?) {
    guard isOpen else { return }
    let count = clinux_epoll_wait(
      epoll, &ready, Int32(EventLoop.readyAtOnce), nanoseconds(until: instant))
    let stamp = (monotonicClock() - start) / 1_000
    scheduler.follow(stamp)
    if let instant, instant < stamp { longestLag = max(longestLag, stamp - instant) }
    guard count > 0 else { return }
    for place in 0..<Int(count) { hand(over: ready[place]) }
  }

  /// Whether another thread is at work for this loop.
  package var awaitsThreads: Bool { !awaited.isEmpty }

  private func nanoseconds(until instant: Int64?) -> Int64 {
    guard let instant else { return -1 }
    let (due, overflow) = instant.multipliedReportingOverflow(by: 1_000)
    return overflow ? -1 : max(0, due - (monotonicClock() - start))
  }

  private func hand(over ready: clinux_ready) {
    if ready.descriptor == mailbox?.descriptor { return readMail() }
    // Whoever was told before may have stopped watching this one.
    watchers[ready.descriptor]?(Readiness(rawValue: ready.events))
  }

  private func readMail() {
    for letter in mailbox?.empty() ?? [] { awaited.removeValue(forKey: letter)?() }
  }
}

// Descriptors and threads.
extension EventLoop {
  /// Tells whenever a descriptor has become ready; false when there is no room for it.
  func watch(_ descriptor: Int32, _ handler: @escaping (Readiness) -> Void) -> Bool {
    let events = Readiness([.readable, .writable]).rawValue
    guard isOpen, clinux_epoll_add(epoll, descriptor, events) == 0 else { return false }
    watchers[descriptor] = handler
    return true
  }

  /// Must be called before the descriptor is closed.
  func stopWatching(_ descriptor: Int32) {
    guard watchers.removeValue(forKey: descriptor) != nil else { return }
    _ = clinux_epoll_remove(epoll, descriptor)
  }

  /// Does what takes its time on a thread of its own, and then goes on in this one, from `poll`.
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
    // Better late than never.
    slot.outcome = work()
    mailbox.put(letter)
  }

  /// What other threads still find out concerns nobody any more.
  func forgetThreads() { awaited = [:] }
}

/// Nanoseconds of a clock that only goes forward.
func monotonicClock() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

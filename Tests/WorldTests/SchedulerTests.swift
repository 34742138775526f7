import Testing

@testable import World

/// A record of the jobs that ran, in order.
final class Log {
  var lines: [String] = []
}

extension Scheduler {
  /// Runs all jobs that are left, letting time jump.
  func runAll() {
    while runNext(upTo: Scheduler.endOfTime) {}
  }

  func runThisInstant() {
    while runNext(upTo: now) {}
  }
}

struct `the scheduler` {
  let scheduler = Scheduler()
  let log = Log()

  func note(_ line: String) -> () -> Void {
    { [log] in log.lines.append(line) }
  }

  @Test func `a machine that is late keeps the order of what follows at once`() {
    let scheduler = Scheduler()
    var ran: [String] = []
    scheduler.schedule(after: 10, phase: .source) {
      ran.append("first")
      scheduler.schedule(after: 0, phase: .assertion) { ran.append("what follows") }
    }
    scheduler.schedule(after: 50, phase: .source) { ran.append("second") }
    scheduler.follow(70)
    while scheduler.runNext(upTo: scheduler.now) {}
    #expect(ran == ["first", "what follows", "second"])
    #expect(scheduler.now == 70)
  }

  @Test(arguments: [
    (false, ["world 5", "client 1008", "arrival 1000", "world 1002", "later client 1020"]),
    (true, ["world 5", "client 1000", "arrival 1000", "world 1002", "later client 1000"]),
  ])
  func `a machine that sleeps keeps what is left of its timers, or all are due at the waking`(
    timersAreDue: Bool, expected: [String]
  ) {
    func add(_ name: String, at due: Int64, _ side: Scheduler.Side) {
      scheduler.schedule(at: due, phase: .source, of: side) { [self] in
        log.lines.append("\(name) \(scheduler.now)")
      }
    }
    add("client", at: 8, .client)
    add("world", at: 5, .world)
    add("world", at: 1_002, .world)
    scheduler.sleep(for: 1_000, timersAreDue: timersAreDue)
    scheduler.runNext(upTo: 5)
    add("arrival", at: 7, .toClient)
    add("later client", at: 25, .client)
    scheduler.runAll()
    #expect(Set(log.lines) == Set(expected))
    #expect(scheduler.wakesAt == nil)
  }

  @Test func `timers that are due at the waking run in the order of their times`() {
    let last = scheduler.schedule(at: 30, phase: .source, of: .client, note("30"))
    for due in [20, 10] as [Int64] {
      scheduler.schedule(at: due, phase: .source, of: .client, note("\(due)"))
    }
    scheduler.sleep(for: 50, timersAreDue: true) { [log] in log.lines.append("wakes") }
    scheduler.cancel(last)
    scheduler.runAll()
    #expect(log.lines == ["wakes", "10", "20"])
    #expect(scheduler.now == 50 && scheduler.count == 0)
  }

  @Test func `what is due earlier runs first`() {
    for due in [30, 10, 20] as [Int64] {
      scheduler.schedule(at: due, phase: .source, note("\(due)"))
    }
    scheduler.runAll()
    #expect(log.lines == ["10", "20", "30"])
    #expect(scheduler.now == 30)
  }

  @Test func `at one instant phases run in their order, and ties in the order of scheduling`() {
    for phase in Scheduler.Phase.allCases.reversed() {
      scheduler.schedule(at: 5, phase: phase, note("\(phase) a"))
      scheduler.schedule(at: 5, phase: phase, note("\(phase) b"))
    }
    scheduler.runAll()
    #expect(
      log.lines == [
        "recorded a", "recorded b", "source a", "source b", "completion a", "completion b",
        "assertion a", "assertion b",
      ])
  }

  @Test func `a job made for this instant runs in it, before what is of a later phase`() {
    scheduler.schedule(at: 0, phase: .source) { [self] in
      log.lines.append("source")
      scheduler.schedule(at: 0, phase: .source, note("late source"))
    }
    scheduler.schedule(at: 0, phase: .assertion, note("assertion"))
    scheduler.schedule(at: 1, phase: .source, note("next instant"))
    scheduler.runThisInstant()
    #expect(log.lines == ["source", "late source", "assertion"])
    #expect(scheduler.isInstantDrained)
    #expect(scheduler.nextDue == 1)
  }

  @Test func `what is due in the past is due now`() {
    scheduler.advance(to: 100)
    scheduler.schedule(at: 7, phase: .source, note("past"))
    scheduler.schedule(after: -7, phase: .source, note("negative"))
    #expect(scheduler.nextDue == 100)
    scheduler.runThisInstant()
    #expect(log.lines == ["past", "negative"])
    #expect(scheduler.now == 100)
  }

  @Test func `time beyond the end of the clock is its end`() {
    scheduler.advance(to: 10)
    scheduler.schedule(after: .max, phase: .source, note("never"))
    #expect(scheduler.nextDue == Scheduler.endOfTime)
    #expect(scheduler.instant(after: .max) == Scheduler.endOfTime)
  }

  @Test func `the clock does not pass a job that waits, and never goes back`() {
    scheduler.schedule(at: 50, phase: .source, note("50"))
    #expect(scheduler.advance(to: 80) == 50)
    #expect(!scheduler.isInstantDrained)
    #expect(scheduler.advance(to: 20) == 50)
    #expect(!scheduler.runNext(upTo: 49))
  }

  @Test func `a cancelled job does not run and is not counted`() {
    let first = scheduler.schedule(at: 1, phase: .source, note("1"))
    let second = scheduler.schedule(at: 2, phase: .source, note("2"))
    #expect(scheduler.cancel(first))
    #expect(!scheduler.cancel(first))
    #expect(scheduler.nextDue == 2)
    #expect(scheduler.count == 1)
    scheduler.runAll()
    #expect(log.lines == ["2"])
    #expect(!scheduler.cancel(second))
  }

  @Test func `an id of a job that ran does not cancel the job that took its place`() {
    let first = scheduler.schedule(at: 0, phase: .source, note("first"))
    scheduler.runAll()
    scheduler.schedule(at: 0, phase: .source, note("second"))
    #expect(!scheduler.cancel(first))
    scheduler.runAll()
    #expect(log.lines == ["first", "second"])
  }

  @Test func `cancelling frees what the job captured at once`() {
    weak var captured: Log?
    let timer: Scheduler.TimerID
    do {
      let object = Log()
      captured = object
      timer = scheduler.schedule(at: 9, phase: .source) { object.lines.append("x") }
    }
    #expect(captured != nil)
    scheduler.cancel(timer)
    #expect(captured == nil)
  }

  @Test func `freeing a job may use the scheduler`() {
    final class Owner {
      let scheduler: Scheduler
      let other: Scheduler.TimerID
      init(_ scheduler: Scheduler, _ other: Scheduler.TimerID) {
        self.scheduler = scheduler
        self.other = other
      }
      deinit { scheduler.cancel(other) }
    }
    let other = scheduler.schedule(at: 5, phase: .source, note("other"))
    let owner = Owner(scheduler, other)
    let timer = scheduler.schedule(at: 9, phase: .source) { [owner] in _ = owner }
    _ = consume owner
    scheduler.cancel(timer)
    #expect(scheduler.count == 0)
    scheduler.schedule(at: 9, phase: .source) { [log = Log()] in _ = log }
    scheduler.discardAll()
    #expect(scheduler.nextDue == nil)
  }

  @Test func `jobs that keep making jobs at one instant are stopped and reported`() {
    let scheduler = Scheduler(jobsAtOneInstant: 1000)
    func again() { scheduler.schedule(at: scheduler.now, phase: .source, again) }
    again()
    scheduler.runThisInstant()
    #expect(scheduler.exceeded == .jobsAtOneInstant)
    #expect(!scheduler.runNext(upTo: .max))
    scheduler.discardAll()
  }

  @Test func `time that moves lifts the bound on one instant`() {
    let scheduler = Scheduler(jobsAtOneInstant: 10)
    for due in 0..<100 { scheduler.schedule(at: Int64(due / 10), phase: .source) {} }
    scheduler.runAll()
    #expect(scheduler.exceeded == nil)
    #expect(scheduler.now == 9)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `any mix of scheduling and cancelling runs in the order of a sorted list`(seed: UInt64) {
    var chance = SeededRandom(seed: seed)
    var expected: [(due: Int, phase: Int, number: Int, id: Scheduler.TimerID)] = []
    for number in 0..<5000 {
      let due = chance.int(in: 0...500)
      let phase = Scheduler.Phase(rawValue: UInt8(chance.int(in: 0...4))) ?? .source
      let id = scheduler.schedule(at: Int64(due), phase: phase, note("\(number)"))
      expected.append((due, Int(phase.rawValue), number, id))
      if chance.int(in: 0...2) > 0 {
        let victim = expected.remove(at: chance.int(in: 0...expected.count - 1))
        #expect(scheduler.cancel(victim.id))
      }
    }
    #expect(scheduler.count == expected.count)
    scheduler.runAll()
    expected.sort { ($0.due, $0.phase, $0.number) < ($1.due, $1.phase, $1.number) }
    #expect(log.lines == expected.map { "\($0.number)" })
  }

  @Test func `cancelled jobs do not pile up behind a job that stays`() {
    scheduler.schedule(at: 0, phase: .source, note("stays"))
    for _ in 0..<10_000 {
      scheduler.cancel(scheduler.schedule(at: 1_000_000, phase: .source) {})
    }
    #expect(scheduler.heapSize < 200)
    scheduler.runAll()
    #expect(log.lines == ["stays"])
  }
}

import Publishers
import Testing

@Suite struct SchedulerTests {
  @Test func `jobs run by due time, then in the order of scheduling`() {
    let log = Log<String>()
    let scheduler = VirtualScheduler()
    scheduler.schedule(after: 20) { log.add("b\(scheduler.now)") }
    scheduler.schedule(after: 10) { log.add("a\(scheduler.now)") }
    scheduler.schedule(after: 20) { log.add("c\(scheduler.now)") }
    let cancelled = scheduler.schedule(after: 15) { log.add("never") }
    cancelled.cancel()
    cancelled.cancel()
    #expect(scheduler.count == 3)
    #expect(scheduler.nextDue == 10)
    #expect(scheduler.run())
    #expect(log.entries == ["a10", "b20", "c20"])
  }

  @Test func `time stops where it is asked to`() {
    let log = Log<Int64>()
    let scheduler = VirtualScheduler()
    scheduler.schedule(after: 10) {
      log.add(scheduler.now)
      scheduler.schedule(after: 5) { log.add(scheduler.now) }
      scheduler.schedule(after: 6) { log.add(scheduler.now) }
    }
    scheduler.advance(to: 15)
    #expect(log.entries == [10, 15])
    #expect(scheduler.now == 15)
    scheduler.schedule(at: 3) { log.add(scheduler.now) }
    scheduler.advance(by: .microseconds(1))
    #expect(log.entries == [10, 15, 15, 16])
  }

  @Test func `jobs without end are given up`() {
    let scheduler = VirtualScheduler()
    let timer = TimerPublisher(every: .zero, scheduler: scheduler).autoconnect()
    let token = timer.sink { _ in }
    #expect(!scheduler.run(atMost: 100))
    token.cancel()
    #expect(scheduler.run(atMost: 100))
  }

  @Test func `times beyond the clock are its end`() {
    let scheduler = VirtualScheduler()
    scheduler.schedule(after: .max) {}
    scheduler.advance(to: 5)
    scheduler.schedule(after: .max) {}
    #expect(scheduler.count == 2)
    #expect(scheduler.nextDue == .max)
    let token = PassthroughSubject<Int, Never>()
      .timeout(.seconds(Int64.max), scheduler: scheduler).sink { _ in }
    #expect(scheduler.count == 3)
    token.cancel()
  }

  @Test func `cancelled jobs make room and the others keep their order`() {
    let log = Log<Int>()
    let scheduler = VirtualScheduler()
    let jobs = (0..<1000).map { number in
      scheduler.schedule(after: Int64(1000 - number)) { log.add(number) }
    }
    for (number, job) in jobs.enumerated() where number % 10 != 0 { job.cancel() }
    #expect(scheduler.count == 100)
    #expect(scheduler.run())
    #expect(log.entries == stride(from: 990, through: 0, by: -10).map { $0 })
  }

  @Test func `a job that holds its own timer is freed with the scheduler`() {
    final class Holder {
      var timer: (any Cancellable)?
    }
    weak var freed: Holder?
    var timer: (any Cancellable)?
    do {
      let scheduler = VirtualScheduler()
      let holder = Holder()
      freed = holder
      timer = scheduler.schedule(after: 1) { _ = holder }
      holder.timer = timer
    }
    #expect(freed == nil)
    timer?.cancel()
  }

  @Test func `a job moves, also to another scheduler, and runs there alone`() {
    let log = Log<String>()
    let (first, second) = (VirtualScheduler(), VirtualScheduler())
    let kept = first.schedule(after: 1) { log.add("kept") }
    let moved = first.schedule(after: 2) { log.add("cancelled") }
    let within = first.reschedule(moved, after: 3) { log.add("moved") }
    let across = second.reschedule(within, after: 4) { log.add("across") }
    #expect((first.count, second.count) == (1, 1))
    #expect(first.run() && second.run())
    #expect(log.entries == ["kept", "across"])
    withExtendedLifetime((kept, across)) {}
  }

  @Test func `an immediate scheduler runs at once`() {
    let log = Log<Int>()
    ImmediateScheduler().schedule(after: 1_000) { log.add(1) }
    #expect(log.entries == [1])
  }
}

import Publishers
import Testing

@Suite struct TimingTests {
  @Test(arguments: debouncing + throttling)
  func `fewer values than came`(_ line: MarbleCase) {
    #expect(line.observed() == line.expected)
  }

  @Test(arguments: delaying + timingOut + collectingByTime)
  func `later, or in groups`(_ line: MarbleCase) {
    #expect(line.observed() == line.expected)
  }

  @Test func `debounce restarts with each value`() {
    let lab = Lab()
    let subject = PassthroughSubject<Int, Never>()
    let token = subject.debounce(for: .milliseconds(500), scheduler: lab.scheduler).sink {
      lab.note("\($0)")
    }
    for (value, time) in [0, 250, 1000, 1250, 1500, 2000].enumerated() {
      lab.scheduler.advance(to: Int64(time) * 1000)
      subject.send(value)
    }
    #expect(lab.scheduler.run())
    token.cancel()
    #expect(lab.notes == ["750:1", "2000:4", "2500:5"])
  }

  @Test func `a field that is cleared and filled again is validated again`() {
    let lab = Lab()
    let field = PassthroughSubject<String, Never>()
    let typed = [("", 0), ("K", 1), ("K1", 2), ("K12", 20), ("K1", 21), ("", 40), ("K1", 60)]
    for (text, tick) in typed {
      lab.scheduler.schedule(after: Int64(tick) * 1000) { field.send(text) }
    }
    let text = lab.run(
      field.debounce(for: .milliseconds(10), scheduler: lab.scheduler).removeDuplicates().filter {
        $0 != ""
      })
    #expect(text == "12:K1 70:K1")
  }

  @Test func `what is scheduled is dropped by cancelling`() {
    let lab = Lab()
    let subject = PassthroughSubject<Int, Never>()
    var tokens = [
      subject.delay(for: .milliseconds(2), scheduler: lab.scheduler).sink {
        lab.note("delay \($0)")
      },
      subject.receive(on: lab.scheduler).sink { lab.note("receive \($0)") },
      subject.debounce(for: .milliseconds(2), scheduler: lab.scheduler).sink {
        lab.note("debounce \($0)")
      },
      subject.throttle(for: .milliseconds(2), scheduler: lab.scheduler, latest: true).sink {
        lab.note("throttle \($0)")
      },
      subject.timeout(.milliseconds(2), scheduler: lab.scheduler).sink {
        lab.note("timeout \($0)")
      },
      subject.collect(.byTime(lab.scheduler, .milliseconds(2))).sink { lab.note("collect \($0)") },
    ]
    subject.send(1)
    subject.send(2)
    tokens.removeAll()
    #expect(lab.scheduler.run())
    #expect(lab.notes == [])
  }

  @Test func `time operators on an immediate scheduler pass everything at once`() {
    let now = ImmediateScheduler()
    let log = Log<Int>()
    let token = [1, 2, 3].publisher.debounce(for: .seconds(1), scheduler: now)
      .throttle(for: .seconds(1), scheduler: now, latest: true)
      .delay(for: .seconds(1), scheduler: now).receive(on: now)
      .sink(receiveCompletion: { _ in log.add(-1) }, receiveValue: log.add)
    #expect(log.entries.first == 1)
    #expect(log.entries.last == -1)
    token.cancel()
  }
}

private func ms(_ count: Int) -> Duration { .milliseconds(count) }

private let debouncing = [
  MarbleCase("debounce drops what waits at the end", "5:2 9:|") {
    $0.hot("-1-2---3-|").debounce(for: ms(2), scheduler: $0.scheduler)
  },
  MarbleCase("debounce with flush yields what waits at the end", "5:2 9:3 9:|") {
    $0.hot("-1-2---3-|").debounce(for: ms(2), scheduler: $0.scheduler, flush: true)
  },
  MarbleCase("debounce drops what waits at a failure, flush or not", "1:#") {
    $0.hot("a#").debounce(for: ms(2), scheduler: $0.scheduler, flush: true)
  },
  MarbleCase("debounce of what has been yielded flushes nothing", "2:a 4:|") {
    $0.hot("a---|").debounce(for: ms(2), scheduler: $0.scheduler, flush: true)
  },
  MarbleCase("debounce loses a value nobody asks for", "2:a 8:|", demand: .max(1)) {
    $0.hot("a---b---|").debounce(for: ms(2), scheduler: $0.scheduler)
  },
]

private let throttling = [
  MarbleCase("throttle latest:false keeps the first of each interval", "1:1 4:2 7:5 10:7 11:|") {
    $0.hot("-12345----7|").throttle(for: ms(3), scheduler: $0.scheduler, latest: false)
  },
  MarbleCase("throttle latest:true keeps the newest", "1:1 4:4 7:7 12:|") {
    $0.hot("-1234567----|").throttle(for: ms(3), scheduler: $0.scheduler, latest: true)
  },
  MarbleCase("throttle yields the first of a burst at once", "0:1 2:3") {
    $0.hot("(123)").throttle(for: ms(2), scheduler: $0.scheduler, latest: true)
  },
  MarbleCase("throttle ends after what waits", "0:1 3:2 3:|") {
    $0.hot("12|").throttle(for: ms(3), scheduler: $0.scheduler, latest: true)
  },
  MarbleCase("throttle fails after what waits", "0:1 3:2 3:#") {
    $0.hot("12#").throttle(for: ms(3), scheduler: $0.scheduler, latest: true)
  },
  MarbleCase("throttle counts from the last emission", "0:1 5:2 8:3") {
    $0.hot("1----2-3").throttle(for: ms(3), scheduler: $0.scheduler, latest: true)
  },
  MarbleCase("throttle loses a value nobody asks for", "0:1 9:|", demand: .max(1)) {
    $0.hot("1----2---|").throttle(for: ms(3), scheduler: $0.scheduler, latest: true)
  },
]

private let delaying = [
  MarbleCase("delay shifts values and the end", "2:a 3:b 5:|") {
    $0.hot("ab-|").delay(for: ms(2), scheduler: $0.scheduler)
  },
  MarbleCase("delay shifts a failure as well", "2:a 3:#") {
    $0.hot("a#").delay(for: ms(2), scheduler: $0.scheduler)
  },
  MarbleCase("delay keeps the order of one instant", "2:a 2:b 2:|") {
    $0.hot("(ab|)").delay(for: ms(2), scheduler: $0.scheduler)
  },
  MarbleCase("delay passes demand through", "2:a 6:|", demand: .max(1)) {
    $0.hot("ab--|").delay(for: ms(2), scheduler: $0.scheduler)
  },
  MarbleCase("receive(on:) passes everything on in order", "0:a 0:b 1:|") {
    $0.hot("(ab)|").receive(on: $0.scheduler)
  },
]

private let timingOut = [
  MarbleCase("timeout finishes without an error of its own", "0:+a 1:a 4:xa 4:|") {
    $0.watched("a", "-a----b|").timeout(ms(3), scheduler: $0.scheduler)
  },
  MarbleCase("timeout fails with an error of its own", "1:a 4:#") {
    $0.hot("-a----b|").timeout(ms(3), scheduler: $0.scheduler) { Oops() }
  },
  MarbleCase("timeout counts from the subscription", "3:|") {
    $0.hot("----a|").timeout(ms(3), scheduler: $0.scheduler)
  },
  MarbleCase("a value at the very deadline is in time", "3:a 6:b 7:|") {
    $0.hot("---a--b|").timeout(ms(3), scheduler: $0.scheduler)
  },
  MarbleCase("a cold value at the very deadline is in time", "0:+a 3:a 4:|") {
    $0.watched("a", "---a|").timeout(ms(3), scheduler: $0.scheduler)
  },
  MarbleCase("timeout passes the end", "1:a 2:|") {
    $0.hot("-a|").timeout(ms(3), scheduler: $0.scheduler)
  },
  MarbleCase("timeout passes a failure", "1:a 2:#") {
    $0.hot("-a#").timeout(ms(3), scheduler: $0.scheduler)
  },
]

private let collectingByTime = [
  MarbleCase("byTime passes windows with something in them", #"4:["a", "b"] 12:["c"] 13:|"#) {
    $0.hot("-ab------c---|").collect(.byTime($0.scheduler, ms(4)))
  },
  MarbleCase("byTime passes the rest at the end", #"1:["a"] 1:|"#) {
    $0.hot("a|").collect(.byTime($0.scheduler, ms(4)))
  },
  MarbleCase("byTime drops the rest on failure", "1:#") {
    $0.hot("a#").collect(.byTime($0.scheduler, ms(4)))
  },
  MarbleCase("what comes at the end of a window belongs to it", #"4:["a", "b"] 8:["c"] 9:|"#) {
    $0.cold("-a--bc---|").collect(.byTime($0.scheduler, ms(4)))
  },
  MarbleCase(
    "byTimeOrCount passes as soon as there are enough", #"2:["a", "b"] 4:["c"] 8:["d"] 9:|"#
  ) {
    $0.hot("-abc-d---|").collect(.byTimeOrCount($0.scheduler, ms(4), 2))
  },
  MarbleCase("byTime keeps what nobody asks for", #"4:["a"]"#, demand: .max(1)) {
    $0.hot("-a----b-----|").collect(.byTime($0.scheduler, ms(4)))
  },
]

import Events
import Testing
import Values
import Verdicts

@Suite struct ExpectListTests {
  @Test func `entries happen in one order across sources`() {
    let run = Rehearsal("a", "b")
    run.expect(list: [.of("a", 1), .of("b", 2), .of("a", 3)])
    run.emit("a", 1)
    run.emit("b", 2)
    run.emit("a", 3)
    #expect(run.status() == .met)
  }

  @Test(arguments: [false, true])
  func `an event whose turn has not come is out of order`(isBuffered: Bool) {
    let run = Rehearsal("a", "b")
    let open = { run.expect(list: [.of("a", 1), .of("b", 2), .of("a", 3)]) }
    if !isBuffered { open() }
    run.emit("a", 1)
    let early = run.emit("a", 3)
    run.emit("b", 2)
    if isBuffered { open() }
    guard case .outOfOrder(let awaited, let event, let turn)? = run.failure?.kind else {
      Issue.record("\(run.judge.failures)")
      return
    }
    #expect(awaited.position == 2)
    #expect(event == early)
    #expect(turn == 3)
  }

  @Test func `an event of a source without entries left is kept for later`() {
    let run = Rehearsal("a", "b")
    run.emit("a", 1)
    run.emit("a", 2)
    run.emit("b", 1)
    run.expect(list: [.of("a", 1), .of("b", 1)])
    #expect(run.status() == .met)
    run.expect(list: [.of("a", 2)])
    #expect(run.status() == .met)
  }

  @Test func `an event that does not match is a failure even where a later entry would take it`() {
    let run = Rehearsal("a")
    run.expect(list: [.of("a", 1), .of("a", 2)])
    run.emit("a", 2)
    #expect(run.failureName == "mismatch")
  }

  @Test func `skip passes over events until one matches, and accounts for them`() {
    let run = Rehearsal("a", "b")
    run.expect(list: [.of("a", 3, skip: true), .of("b", 1)])
    run.emit("a", 1)
    run.emit("a", 2)
    run.emit("a", 3)
    run.emit("b", 1)
    #expect(run.status() == .met)
    run.end()
    #expect(run.judge.failures.isEmpty)
  }

  @Test(arguments: [false, true])
  func `skip passes over what comes before its turn and does not match`(isBuffered: Bool) {
    let run = Rehearsal("a", "b")
    let open = { run.expect(list: [.of("a", 1), .of("b", 2, skip: true)]) }
    if !isBuffered { open() }
    run.emit("b", 1)
    run.emit("a", 1)
    run.emit("b", 2)
    if isBuffered { open() }
    #expect(run.status() == .met)
    run.end()
    #expect(run.judge.failures.isEmpty)
  }

  @Test func `an event that matches an entry with skip before its turn is out of order`() {
    let run = Rehearsal("a", "b")
    run.expect(list: [.of("a", 1), .of("b", 2, skip: true)])
    run.emit("b", 1)
    run.emit("b", 2)
    run.emit("a", 1)
    #expect(run.failureName == "outOfOrder")
  }

  @Test func `skip before its turn is not for an entry without it that comes first`() {
    let run = Rehearsal("a", "b")
    run.expect(list: [.of("a", 1), .of("b", 1), .of("b", 2, skip: true)])
    run.emit("b", 7)
    #expect(run.failureName == "outOfOrder")
  }

  @Test func `skip in a later group passes over what comes before its turn`() {
    let run = Rehearsal("a", "b")
    run.expect(list: [
      .anyOrder([.of("a", 1), .of("a", 2)]), .anyOrder([.of("b", 2, skip: true), .of("a", 3)]),
    ])
    run.emit("b", 1)
    run.emit("a", 2)
    run.emit("b", 0)
    run.emit("a", 1)
    run.emit("a", 3)
    run.emit("b", 2)
    #expect(run.status() == .met)
    run.end()
    #expect(run.judge.failures.isEmpty)
  }

  @Test func `what skip would have passed over is left where its turn does not come`() {
    let run = Rehearsal("a", "b")
    run.expect(list: [.of("a", 1), .of("b", 2, skip: true)])
    let early = run.emit("b", 1)
    run.idle()
    run.end()
    #expect(run.failureName == "nothingLeft")
    #expect(run.judge.alsoUnaccounted.flatMap(\.events) == [early])
  }

  @Test func `times wants so many events in a row`() {
    let run = Rehearsal("a")
    run.expect(list: [.of("a", 1, times: 3)])
    run.emit("a", 1)
    run.emit("a", 1)
    #expect(run.status() != .met)
    run.emit("a", 1)
    #expect(run.status() == .met)
  }

  static let timeCases: [(after: Int64, at: Int64, outcome: String)] = [
    (200, 300, "met"), (200, 299, "wrongTime"), (200, 301, "wrongTime"), (0, 100, "met"),
  ]

  @Test(arguments: timeCases)
  func `after is exact, counted from the entry before`(
    after: Int64, at time: Int64, outcome: String
  ) {
    let run = Rehearsal("a")
    run.expect(list: [.of("a", 1), .of("a", 2, after: after)])
    run.emit("a", 1, at: 100)
    run.emit("a", 2, at: time)
    #expect(run.outcome == outcome)
  }

  @Test func `after counts for the first entry from the later of span and last accounted event`() {
    let run = Rehearsal("a")
    run.at(100)
    run.step()
    run.emit("a", 1, at: 150)
    run.expect(list: [.of("a", 1, after: 50)])
    run.emit("a", 2, at: 200)
    run.expect(list: [.of("a", 2, after: 50)])
    run.at(250)
    run.step()
    run.emit("a", 3, at: 260)
    run.expect(list: [.of("a", 3, after: 10)])
    #expect(run.status() == .met)
    #expect(run.judge.failures.isEmpty)
  }

  @Test func `since counts from the entry that is marked`() {
    let run = Rehearsal("a")
    run.expect(list: [
      .of("a", 1, mark: "m"), .of("a", 2), .of("a", 3, after: 100, since: "m"),
    ])
    run.emit("a", 1, at: 10)
    run.emit("a", 2, at: 60)
    run.emit("a", 3, at: 110)
    #expect(run.status() == .met)
  }

  @Test func `after extends the bound on waiting, and the late event is still seen`() {
    let run = Rehearsal("a")
    run.expect(list: [.of("a", 1, after: 60_000)])
    #expect(run.status() == .pending(until: 65_000_000))
    run.idle(at: 6000, next: 61_000)
    run.emit("a", 1, at: 61_000)
    #expect(run.outcome == "wrongTime")
  }

  @Test func `within on an entry judges events that came before as well`() {
    let run = Rehearsal("a")
    run.emit("a", 1, at: 0)
    run.emit("a", 2, at: 101)
    run.at(500)
    run.expect(list: [.of("a", 1), .of("a", 2, within: 100)])
    #expect(run.outcome == "tooLate")
  }

  @Test func `within on an entry replaces the bound on waiting`() {
    let run = Rehearsal("a")
    run.expect(list: [.of("a", 1), .of("a", 2, within: 30_000)])
    run.emit("a", 1, at: 100)
    #expect(run.status() == .pending(until: 30_100_000))
  }

  @Test func `events at the same instant keep the order of the log`() {
    let run = Rehearsal("a", "b")
    run.expect(list: [.of("a", 1), .of("b", 1, after: 0)])
    run.emit("a", 1, at: 5)
    run.emit("b", 1, at: 5)
    #expect(run.status() == .met)
    let other = Rehearsal("a", "b")
    other.emit("b", 1, at: 5)
    other.emit("a", 1, at: 5)
    other.expect(list: [.of("a", 1), .of("b", 1)])
    #expect(other.outcome == "outOfOrder")
  }

  @Test func `the report of a list that nothing can complete names the entry it came to`() {
    let run = Rehearsal("a", "b")
    run.expect(list: [.of("a", 1), .of("b", 2), .of("a", 3)])
    run.emit("a", 1, at: 40)
    run.idle(at: 40)
    guard case .nothingLeft(let awaited)? = run.failure?.kind else {
      Issue.record("\(run.judge.failures)")
      return
    }
    #expect(awaited.map(\.position) == [2])
    #expect(awaited.map(\.count) == [3])
  }

  @Test func `ten thousand events are matched one by one`() {
    let run = Rehearsal("a", "b")
    run.expect(list: [.of("a", 1, times: 5000), .of("b", 1, times: 5000)])
    for _ in 0..<5000 { run.emit("a", 1) }
    for _ in 0..<5000 { run.emit("b", 1) }
    #expect(run.status() == .met)
  }
}

@Suite struct AnyOrderTests {
  /// Values in the order of arrival, for a group of `$any`, 1 and 2, then 3.
  static let orders: [[Value]] = [
    [1, 2, 9, 3], [9, 2, 1, 3], [2, 9, 1, 3], [1, 1, 2, 3], [2, 1, 2, 3],
  ]

  @Test(arguments: orders)
  func `a matcher that takes anything never takes the place a specific one needs`(
    order: [Value]
  ) {
    let run = Rehearsal("a")
    let group = Entry.anyOrder([.of("a", ["$any": true]), .of("a", 1), .of("a", 2)])
    run.expect(list: [group, .of("a", 3)])
    for value in order { run.emit("a", value) }
    #expect(run.status() == .met)
  }

  @Test func `an event no entry of the group takes is a failure`() {
    let run = Rehearsal("a")
    run.expect(list: [.anyOrder([.of("a", 1), .of("a", 2)])])
    run.emit("a", 1)
    run.emit("a", 1)
    #expect(run.outcome == "mismatch")
  }

  @Test func `a source the group is done with is out of order while others are missing`() {
    let run = Rehearsal("a", "b")
    run.expect(list: [.anyOrder([.of("a", 1), .of("b", 1)]), .of("a", 2)])
    run.emit("a", 1)
    run.emit("a", 2)
    #expect(run.outcome == "outOfOrder")
  }

  @Test func `the entry after a group counts from the group's last event`() {
    let run = Rehearsal("a", "b")
    run.expect(list: [.anyOrder([.of("a", 1), .of("b", 1)]), .of("a", 2, after: 50)])
    run.emit("b", 1, at: 10)
    run.emit("a", 1, at: 100)
    run.emit("a", 2, at: 150)
    #expect(run.status() == .met)
  }

  @Test func `of two alike entries each takes the event that is due`() {
    let run = Rehearsal("a")
    run.expect(list: [.anyOrder([.of("a", 1, after: 20), .of("a", 1, after: 10)])])
    run.emit("a", 1, at: 10)
    run.emit("a", 1, at: 20)
    #expect(run.status() == .met)
  }

  @Test func `captures of a group are those of the final places`() {
    let run = Rehearsal("a")
    run.expect(list: [
      .anyOrder([.of("a", ["$as": "other"]), .of("a", ["$as": "one", "$match": 1])])
    ])
    run.emit("a", 1)
    run.emit("a", 7)
    #expect(run.status() == .met)
    #expect(run.captured("other") == 7)
    #expect(run.captured("one") == 1)
  }
}

extension Rehearsal {
  /// The case of the first failure; without one, `met` or `pending`.
  var outcome: String {
    failureName ?? (status() == .met ? "met" : "pending")
  }

  var failureName: String? {
    failure.map { String(describing: $0.kind).prefix { $0 != "(" } }.map(String.init)
  }

  func captured(_ name: String, in branch: BranchID = 0) -> Value? {
    plan.captures.firstIndex(of: name).flatMap { judge.capture($0, in: branch) }
  }
}

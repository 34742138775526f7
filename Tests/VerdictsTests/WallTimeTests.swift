import Events
import Testing
import Values
import Verdicts

/// The judgement of runs in real time.
@Suite struct WallTimeTests {
  private func inRealTime() -> Rehearsal {
    let run = Rehearsal("a", "b", "c")
    run.log(.run(.inRealTime))
    return run
  }

  @Test(arguments: [
    (100, 51, "met"), (100, 150, "met"), (100, 151, "wrongTime"), (100, 49, "wrongTime"),
    (1_000, 801, "met"), (1_000, 1_200, "met"), (1_000, 1_201, "wrongTime"),
    (1_000, 799, "wrongTime"),
  ])
  func `an event may be a fifth of its time away, at least 50ms`(
    after: Int64, time: Int64, outcome: String
  ) {
    let run = inRealTime()
    run.expect(list: [.of("a", 1, after: after)])
    run.emit("a", 1, at: time)
    #expect(run.outcome == outcome)
  }

  @Test func `in virtual time it may not`() {
    let run = Rehearsal("a")
    run.expect(list: [.of("a", 1, after: 100)])
    run.emit("a", 1, at: 101)
    #expect(run.outcome == "wrongTime")
  }

  @Test(arguments: [(50, "met"), (51, "outOfOrder")])
  func `what came a little before its turn is in order`(gap: Int64, outcome: String) {
    let run = inRealTime()
    run.expect(list: [.of("a", 1), .of("b", 2)])
    run.emit("b", 2, at: 10)
    #expect(run.status() == .pending(until: 60_000))
    run.emit("a", 1, at: 10 + gap)
    #expect(run.outcome == outcome)
  }

  @Test
  func `an event that came too early is reported when the time is over, without waiting for more`()
  {
    let run = inRealTime()
    run.expect(list: [.of("a", 1), .of("b", 2)])
    run.emit("b", 2, at: 10)
    run.idle(at: 60, next: 5_000)
    #expect(run.outcome == "outOfOrder")
  }

  @Test func `an event is never before the one that caused it`() {
    let run = inRealTime()
    run.expect(list: [.of("a", 1), .of("b", 2)])
    let early = run.emit("b", 2, at: 10)
    let between = run.emit("c", 0, at: 11, cause: early)
    run.emit("a", 1, at: 12, cause: between)
    run.idle(at: 60, next: 5_000)
    #expect(run.outcome == "outOfOrder")
  }

  @Test func `the events of one source keep their order, however close they are`() {
    let run = inRealTime()
    run.expect(list: [.of("a", 1), .of("a", 2)])
    run.emit("a", 2, at: 10)
    run.emit("a", 1, at: 11)
    #expect(run.outcome == "mismatch")
  }

  @Test func `a never without a time is over after 50ms in which nobody says anything`() {
    let run = inRealTime()
    run.never(["a": nil])
    run.idle(at: 0, next: 5_000)
    #expect(run.status() == .pending(until: 50_000))
    run.emit("b", 1, at: 30)
    run.idle(at: 50, next: 5_000)
    #expect(run.status() == .pending(until: 80_000))
    run.idle(at: 80, next: 5_000)
    #expect(run.outcome == "met")
  }

  @Test func `a never is over within the timeout, even where somebody never stops`() {
    let run = inRealTime()
    run.never(["a": nil])
    for time in stride(from: Int64(0), through: 5_000, by: 40) { run.emit("b", 1, at: time) }
    run.idle(at: 5_000, next: 5_040)
    #expect(run.outcome == "met")
  }

  @Test(arguments: [(40, "met"), (71, "marble")])
  func `a diagram's events may be as far away as others`(first: Int64, outcome: String) {
    let run = inRealTime()
    run.expect("a", marble: "--a-b-")
    run.emit("a", "a", at: first)
    run.emit("a", "b", at: 80)
    run.idle(at: 100, next: 5_000)
    #expect(run.outcome == outcome)
  }

  @Test(arguments: [(0, "wrongTime"), (60_000, "met"), (400_000, "met")])
  func `an event may be late by as much as the machine was`(lag: Int64, outcome: String) {
    let run = inRealTime()
    run.expect(list: [.of("a", 1, after: 100)])
    if lag > 0 { run.log(.run(.lagged(lag))) }
    run.emit("a", 1, at: 200)
    #expect(run.outcome == outcome)
  }

  @Test func `a machine is no excuse for an event that is much too late`() {
    let run = inRealTime()
    run.expect(list: [.of("a", 1, after: 100)])
    run.log(.run(.lagged(900_000)))
    run.emit("a", 1, at: 400)
    #expect(run.outcome == "wrongTime")
  }

  @Test func `a failure on a machine that was too slow says so`() {
    let run = inRealTime()
    run.expect(list: [.of("a", 1, after: 100)])
    run.emit("a", 1, at: 400)
    run.log(.run(.lagged(251_700)))
    run.end()
    let verdict = run.judge.verdict(on: run.log, sources: run.sources)
    let notes = verdict.failures.first?.notes ?? []
    #expect(notes.first { $0.name == "machine" }?.text == "too slow: something ran 251ms late")
  }
}

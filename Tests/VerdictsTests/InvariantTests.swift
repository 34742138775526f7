import Events
import Testing
import Values
import Verdicts

@Suite struct InvariantTests {
  @Test(arguments: [
    ("always", 1, true), ("always", 0, false), ("never", 0, true), ("never", 1, false),
  ])
  func `a condition is judged by the values it was sampled with`(
    verb: String, count: Int, holds: Bool
  ) {
    let run = Rehearsal("count")
    run.invariant(verb, "count > 0")
    run.set("count", .int(count))
    run.survey()
    #expect(run.judge.hasBrokenInvariant == !holds)
    #expect(run.failureName == (holds ? nil : "invariant"))
  }

  @Test func `a condition that gives no value is broken`() {
    let run = Rehearsal("user")
    run.invariant("never", "user.name == 'Ann'")
    run.set("user", [:])
    run.survey()
    #expect(run.judge.hasBrokenInvariant)
  }

  @Test func `the first violation is the one that is reported`() {
    let run = Rehearsal("count")
    run.invariant("always", "count == 0")
    run.set("count", 1)
    run.survey()
    run.set("count", 2)
    run.survey()
    #expect(run.judge.failures.count == 1)
  }

  @Test func `after the steps have ended nothing is judged`() {
    let run = Rehearsal("count")
    run.invariant("always", "count == 0")
    run.leadsTo(["count": "ask"], ["count": "answer"])
    run.end()
    run.set("count", 1)
    run.survey()
    run.emit("count", "ask")
    run.end()
    #expect(run.judge.failures.isEmpty)
  }

  @Test func `leftovers come second to a broken invariant`() {
    let run = Rehearsal("count")
    run.invariant("always", "count < 2")
    run.expect(["count": [1]])
    run.emit("count", 1)
    run.emit("count", 2)
    run.set("count", 2)
    run.survey()
    run.end()
    #expect(run.judge.failures.count == 1)
    #expect(run.failureName == "invariant")
    #expect(run.judge.alsoUnaccounted.count == 1)
  }

  @Test func `an invariant watches nothing and accounts for nothing`() {
    let run = Rehearsal("s")
    run.leadsTo(["s": "ask"], ["s": "answer"])
    run.emit("s", "ask")
    run.emit("s", "answer")
    run.expect(["s": ["ask", "answer"]])
    run.emit("s", "ask")
    run.emit("s", "answer")
    run.ignore("s")
    run.end()
    #expect(run.judge.failures.isEmpty)
  }
}

@Suite struct LeadsToTests {
  @Test func `what is answered in time is kept`() {
    let run = Rehearsal("s", "t")
    run.leadsTo(["s": "ask"], ["t": "answer"], within: 30)
    run.emit("s", "ask")
    run.emit("s", "ask", at: 20)
    run.emit("t", "answer", at: 30)
    run.emit("s", "other", at: 100)
    run.end()
    #expect(run.judge.failures.isEmpty)
  }

  @Test func `an answer must come after, and cannot be the question itself`() {
    let run = Rehearsal("s")
    run.leadsTo(["s": ["$any": true]], ["s": ["$any": true]])
    run.emit("s", 1)
    run.end()
    #expect(run.failureName == "unanswered")
  }

  @Test func `time that passes without an answer breaks it at the next event of any kind`() {
    let run = Rehearsal("s", "t")
    run.leadsTo(["s": "ask"], ["t": "answer"], within: 30)
    run.emit("s", "ask")
    run.idle(at: 30)
    #expect(!run.judge.hasBrokenInvariant)
    run.idle(at: 31)
    #expect(run.judge.hasBrokenInvariant)
  }

  @Test func `an answer that comes too late is none`() {
    let run = Rehearsal("s", "t")
    run.leadsTo(["s": "ask"], ["t": "answer"], within: 30)
    run.emit("s", "ask")
    run.emit("t", "answer", at: 31)
    #expect(run.failureName == "unanswered")
  }

  @Test func `without a limit there is time until the steps end`() {
    let run = Rehearsal("s", "t")
    run.leadsTo(["s": "ask"], ["t": "answer"])
    run.emit("s", "ask")
    run.idle(at: 100_000)
    #expect(!run.judge.hasBrokenInvariant)
    run.end()
    #expect(run.failureName == "unanswered")
  }

  @Test func `an error that ends a stream counts as its event`() {
    let run = Rehearsal("s", "t")
    run.leadsTo(["s": "error"], ["t": "answer"])
    run.finish("s", error: "gone")
    run.end()
    #expect(run.failureName == "unanswered")
  }

  @Test func `completion is no event that something could follow`() {
    let run = Rehearsal("s", "t")
    run.leadsTo(["s": ["$any": true]], ["t": "answer"])
    run.finish("s")
    run.end()
    #expect(run.judge.failures.isEmpty)
  }

  @Test func `an answer closes only what it belongs to`() {
    let run = Rehearsal("s", "t")
    _ = run.slot(.capture(run.capture("id")))
    run.leadsTo(["s": ["id": ["$as": "id"]]], ["t": ["id": "${id}"]])
    run.emit("s", ["id": 1])
    let second = run.emit("s", ["id": 2])
    run.emit("t", ["id": 1])
    run.end()
    #expect(run.failure?.event == second)
  }

  @Test func `after another failure nothing is added`() {
    let run = Rehearsal("s", "t")
    run.leadsTo(["s": "ask"], ["t": "answer"])
    run.emit("s", "ask")
    run.expect(["t": [1]])
    run.emit("t", 2)
    run.end()
    #expect(run.judge.failures.count == 1)
    #expect(run.failureName == "mismatch")
  }
}

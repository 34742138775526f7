import Events
import Testing
import Values
import Verdicts

@Suite struct NeverTests {
  @Test func `silence is met as soon as the clock would have to move`() {
    let run = Rehearsal("a")
    run.step()
    run.never(["a": nil])
    #expect(run.status() == .pending(until: 0))
    run.idle(next: 100)
    #expect(run.status() == .met)
  }

  @Test func `an event of the span that nothing accounted for breaks it, though it came before`() {
    let run = Rehearsal("a")
    run.step()
    run.emit("a", 1)
    run.never(["a": nil])
    #expect(run.outcome == "broken")
  }

  @Test func `events before the span and events accounted for do not break it`() {
    let run = Rehearsal("a")
    run.emit("a", 1)
    run.step()
    run.never(["a": nil])
    run.idle()
    #expect(run.status() == .met)
    run.step()
    run.emit("a", 2)
    run.expect(["a": [1, 2]])
    run.never(["a": nil])
    run.idle()
    #expect(run.status() == .met)
  }

  @Test func `of several events the first is reported`() {
    let run = Rehearsal("a")
    run.step()
    let first = run.emit("a", 1)
    run.emit("a", 2)
    run.never(["a": nil])
    #expect(run.failure?.event == first)
  }

  @Test func `with a matcher only what matches is forbidden`() {
    let run = Rehearsal("a")
    run.step()
    run.never(["a": ["$gt": 10]], duration: 5000)
    run.emit("a", 3, at: 10)
    #expect(run.outcome == "pending")
    run.emit("a", 11, at: 20)
    #expect(run.outcome == "broken")
  }

  @Test func `with a duration it closes when the time has passed since it was reached`() {
    let run = Rehearsal("a")
    run.step()
    run.at(1000)
    run.never(["a": nil], duration: 5000)
    #expect(run.status() == .pending(until: 6_000_000))
    run.idle(at: 5999, next: 7000)
    #expect(run.outcome == "pending")
    run.idle(at: 6000, next: 7000)
    #expect(run.status() == .met)
  }

  @Test func `with a duration it takes that long, even when nothing is left that could happen`() {
    let run = Rehearsal("a")
    run.never(["a": nil], duration: 5000)
    run.idle(next: nil)
    #expect(run.status() == .pending(until: 5_000_000))
    run.idle(at: 5000, next: nil)
    #expect(run.status() == .met)
  }

  @Test func `while it lasts, what its branch does next may be what another branch awaits`() {
    let run = Rehearsal("a", "b")
    run.log(.script(.branched(from: 0, first: 1, count: 2)))
    run.expect(["a": [1]], branch: 1)
    run.never(["b": nil], duration: 2000, branch: 2)
    run.idle(next: nil)
    #expect(run.judge.failures.isEmpty)
    run.idle(at: 2000, next: nil)
    #expect(run.status(in: 2) == .met)
    #expect(run.status(in: 1) != .failed)
    run.idle(at: 2000, next: nil)
    #expect(run.status(in: 1) == .failed)
  }

  @Test func `it makes nothing watched`() {
    let run = Rehearsal("a")
    run.never(["a": nil])
    run.idle()
    run.emit("a", 1)
    run.end()
    #expect(run.judge.failures.isEmpty)
  }

  @Test func `an expectation of another branch is not given up while a never is about to close`() {
    let run = Rehearsal("a", "b")
    run.log(.script(.branched(from: 0, first: 1, count: 2)))
    run.expect(["a": [1]], branch: 1)
    run.never(["b": nil], branch: 2)
    run.idle(next: nil)
    #expect(run.status(in: 2) == .met)
    run.step(branch: 2)
    run.emit("a", 1)
    #expect(run.status(in: 1) == .met)
  }
}

@Suite struct CheckTests {
  @Test func `a check holds when its expression is true`() {
    let run = Rehearsal("a")
    run.set("a", 1)
    run.look(run.check("a == 1"))
    #expect(run.status() == .met)
    run.set("a", 2)
    run.look(run.check("a == 1"))
    #expect(run.status() == .failed)
    guard case .state(.check(let look))? = run.failure?.kind else { return }
    #expect(look.values.map(\.value) == [2])
  }

  @Test func `a check of several conditions reports each that does not hold`() {
    let run = Rehearsal("a")
    run.set("a", 1)
    run.look(run.check("a == 1", and: ["a == 2", "a < 2", "a > 5"]))
    #expect(run.status() == .failed)
    #expect(run.judge.failures.count == 2)
    #expect(run.judge.assertionsReached == 1 && run.judge.assertionsMet == 0)
  }

  @Test func `a check that gives no bool fails`() {
    let run = Rehearsal("a")
    run.set("a", 1)
    run.look(run.check("a"))
    #expect(run.outcome == "check")
  }

  @Test func `eventually is met by the first look that holds`() {
    let run = Rehearsal("a")
    run.set("a", 1)
    let assertion = run.check("a == 2", "eventually")
    run.look(assertion)
    #expect(run.status() == .pending(until: 5_000_000))
    run.idle(next: 10)
    run.set("a", 2)
    run.at(10)
    run.look(assertion)
    #expect(run.status() == .met)
  }

  static let ends: [(within: Int64?, time: Int64, next: Int64?, outcome: String)] = [
    (nil, 4999, 9000, "pending"), (nil, 5000, 9000, "eventually"), (100, 100, 9000, "eventually"),
    (100, 50, nil, "eventually"),
  ]

  @Test(arguments: ends)
  func `eventually fails at its deadline, or when nothing is left`(
    within: Int64?, time: Int64, next: Int64?, outcome: String
  ) {
    let run = Rehearsal("a")
    run.set("a", 1)
    run.look(run.check("a == 2", "eventually", within: within))
    run.idle(at: time, next: next)
    #expect(run.outcome == outcome)
  }

  @Test func `an error while an eventually looks is only reported at its end`() {
    let run = Rehearsal("a")
    run.set("a", "text")
    let assertion = run.check("a > 1", "eventually")
    run.look(assertion)
    #expect(run.outcome == "pending")
    run.set("a", 2)
    run.look(assertion)
    #expect(run.status() == .met)
  }

  static let attempts: [(matcher: Value?, error: Value?, outcome: String)] = [
    (nil, "gone", "met"), (nil, nil, "stepSucceeded"), (["status": 503], ["status": 503], "met"),
    (["status": 503], ["status": 404], "errorMismatch"),
  ]

  @Test(arguments: attempts)
  func `a step under fails must fail, and as is said`(
    matcher: Value?, error: Value?, outcome: String
  ) {
    let run = Rehearsal("a")
    run.fails(matcher, error: error)
    #expect(run.outcome == outcome)
  }
}

@Suite struct BranchTests {
  @Test func `captures are local to a branch, and those before it are seen in it`() {
    let run = Rehearsal("a", "b", "c")
    run.expect(["a": [["$as": "x"]]])
    run.emit("a", 1)
    run.log(.script(.branched(from: 0, first: 1, count: 2)))
    run.expect(["b": [["$as": "y"]]], branch: 1)
    run.emit("b", 2)
    #expect(run.captured("x", in: 1) == 1)
    #expect(run.captured("y", in: 1) == 2)
    #expect(run.captured("y", in: 2) == nil)
    run.log(.script(.branchesJoined(into: 0)))
    #expect(run.captured("y") == nil)
  }

  @Test func `a capture can be used by a later matcher`() {
    let run = Rehearsal("a")
    run.expect(["a": [["id": ["$as": "x"]], ["ref": "${x}"]]])
    run.emit("a", ["id": 5])
    run.emit("a", ["ref": 5])
    #expect(run.status() == .met)
    run.expect(["a": [["ref": "${x}"]]])
    run.emit("a", ["ref": 6])
    #expect(run.outcome == "mismatch")
  }

  @Test func `a capture of an entry that did not match is not set`() {
    let run = Rehearsal("a")
    run.expect(["a": [["id": ["$as": "x"], "kind": "k"]]])
    run.emit("a", ["id": 5, "kind": "other"])
    #expect(run.captured("x") == nil)
  }

  @Test func `each branch waits on its own, from its own last step`() {
    let run = Rehearsal("a", "b")
    run.at(10)
    run.step()
    run.log(.script(.branched(from: 0, first: 1, count: 2)))
    run.expect(list: [.of("a", 1, after: 90)], branch: 1)
    run.at(50)
    run.step(branch: 2)
    run.expect(list: [.of("b", 1, after: 50)], branch: 2)
    run.emit("a", 1, at: 100)
    run.emit("b", 1)
    #expect(run.status(in: 1) == .met)
    #expect(run.status(in: 2) == .met)
  }

  @Test func `after joining, the span is that of the branch which acted last`() {
    let run = Rehearsal("a")
    run.log(.script(.branched(from: 0, first: 1, count: 2)))
    run.emit("a", 1)
    run.step(branch: 2)
    run.log(.script(.branchesJoined(into: 0)))
    run.never(["a": nil])
    run.idle()
    #expect(run.status() == .met)
  }
}

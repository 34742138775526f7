import Events
import Testing
import Values
import Verdicts

@Suite struct ExpectMapTests {
  @Test func `each source's next events are matched in their order`() {
    let run = Rehearsal("a", "b")
    run.step()
    run.expect(["a": [1, 2], "b": ["x"]])
    #expect(run.status() == .pending(until: 5_000_000))
    run.emit("b", "x", at: 10)
    run.emit("a", 1, at: 20)
    #expect(run.status() == .pending(until: 5_020_000))
    run.emit("a", 2, at: 30)
    #expect(run.status() == .met)
    run.end()
    #expect(run.judge.failures.isEmpty)
  }

  @Test func `events that came before the expectation are not lost to it`() {
    let run = Rehearsal("a")
    run.emit("a", 1)
    run.emit("a", 2)
    run.expect(["a": [1]])
    #expect(run.status() == .met)
    run.expect(["a": [2]])
    #expect(run.status() == .met)
  }

  @Test func `an event that is not the next one expected is a failure at once`() {
    let run = Rehearsal("a")
    run.expect(["a": [1, 2]])
    run.emit("a", 2)
    #expect(run.status() == .failed)
    guard case .expectation(.mismatch(let awaited, let found, let event))? = run.failure?.kind
    else {
      Issue.record("\(run.judge.failures)")
      return
    }
    #expect(awaited.position == 1)
    #expect(found.first.actual == 2)
    #expect(event == 1)
  }

  @Test func `an event beyond the sequence waits for a later expectation`() {
    let run = Rehearsal("a", "b")
    run.expect(["a": [1], "b": [1]])
    run.emit("a", 1)
    run.emit("a", 2)
    run.emit("b", 1)
    #expect(run.status() == .met)
    run.expect(["a": [2]])
    #expect(run.status() == .met)
  }

  @Test func `an event of a watched source that nothing expected fails at the end`() {
    let run = Rehearsal("a", "b")
    run.expect(["a": [1]])
    run.emit("a", 1)
    let left = run.emit("a", 2)
    run.emit("b", 3)
    #expect(run.judge.failures.isEmpty)
    run.end()
    #expect(run.leftovers == [[left]])
  }

  @Test func `leftovers are only mentioned when the scenario has failed before`() {
    let run = Rehearsal("a", "b")
    run.expect(["a": [1], "b": [1]])
    let left = [run.emit("a", 1), run.emit("a", 2)]
    run.emit("b", 2)
    run.end()
    #expect(run.judge.failures.count == 1)
    #expect(run.judge.alsoUnaccounted.map(\.events) == [[left[1]]])
  }

  @Test func `a source that is ignored needs no accounting, before or after`() {
    let run = Rehearsal("a")
    run.expect(["a": [1]])
    run.emit("a", 1)
    run.emit("a", 2)
    run.ignore("a")
    run.emit("a", 3)
    run.end()
    #expect(run.judge.failures.isEmpty)
  }

  @Test func `a source that was ignored is taken up again from the last acting step`() {
    let run = Rehearsal("a")
    run.ignore("a")
    run.emit("a", 1)
    run.step()
    run.emit("a", 2)
    run.expect(["a": [2]])
    #expect(run.status() == .met)
  }

  @Test func `the bound on waiting counts from the entry before`() {
    let run = Rehearsal("a")
    run.expect(["a": [1, 2]])
    run.emit("a", 1, at: 4000)
    run.idle(at: 8999, next: 20_000)
    #expect(run.status() == .pending(until: 9_000_000))
    run.idle(at: 9000, next: 20_000)
    #expect(run.status() == .failed)
    guard case .expectation(.timeout(let awaited, let limit, _))? = run.failure?.kind else {
      Issue.record("no timeout")
      return
    }
    #expect(awaited.position == 2)
    #expect(limit.span == 5_000_000)
  }

  @Test func `the bound on waiting does not judge events that came before`() {
    let run = Rehearsal("a")
    run.emit("a", 1, at: 0)
    run.emit("a", 2, at: 60_000)
    run.expect(["a": [1, 2]])
    #expect(run.status() == .met)
  }

  @Test func `within bounds the whole, from the beginning of the span`() {
    let run = Rehearsal("a")
    run.at(1000)
    run.step()
    run.expect(["a": [1, 2]], within: 100)
    #expect(run.status() == .pending(until: 1_100_000))
    run.emit("a", 1, at: 1090)
    #expect(run.status() == .pending(until: 1_100_000))
    run.emit("a", 2, at: 1101)
    guard case .expectation(.tooLate(_, _, let limit))? = run.failure?.kind else {
      Issue.record("not too late")
      return
    }
    #expect(limit.span == 100_000)
  }

  @Test func `when nothing is left that could happen the expectation fails at once`() {
    let run = Rehearsal("a", "b")
    run.expect(["a": [1], "b": [2]])
    run.emit("a", 1)
    run.idle(at: 10, next: nil)
    guard case .expectation(.nothingLeft(let awaited))? = run.failure?.kind else {
      Issue.record("not nothing left")
      return
    }
    #expect(awaited.map(\.source) == [1])
  }

  @Test func `finally sees only its own events and must account for them`() {
    let run = Rehearsal("a")
    run.expect(["a": [1]])
    run.emit("a", 1)
    run.log(.run(.stepsEnded))
    run.emit("a", 9)
    run.log(.run(.finallyBegan))
    run.emit("a", 2)
    run.expect(["a": [2]])
    #expect(run.status() == .met)
    let left = run.emit("a", 3)
    run.log(.run(.ended()))
    #expect(run.leftovers == [[left]])
  }
}

extension Rehearsal {
  var failure: Failure? { judge.failures.first }

  var leftovers: [[EventID]] {
    judge.failures.flatMap { failure -> [[EventID]] in
      if case .expectation(.unaccounted(let leftovers)) = failure.kind {
        leftovers.map(\.events)
      } else {
        []
      }
    }
  }
}

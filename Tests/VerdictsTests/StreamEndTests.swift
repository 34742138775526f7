import Events
import Testing
import Values
import Verdicts

@Suite struct StreamEndTests {
  @Test func `an error is an event that must be accounted for`() {
    let run = Rehearsal("s")
    run.expect(["s": [1]])
    run.emit("s", 1)
    run.finish("s", error: ["status": 503])
    run.end()
    #expect(run.outcome == "unaccounted")
  }

  @Test(arguments: [["error": ["status": 503]], "error"] as [Value])
  func `an error is matched by its value and by its kind`(matcher: Value) {
    let run = Rehearsal("s")
    run.expect(["s": [1, matcher]])
    run.emit("s", 1)
    run.finish("s", error: ["status": 503])
    #expect(run.outcome == "met")
  }

  @Test func `completion needs no accounting and breaks no silence`() {
    let run = Rehearsal("s")
    run.expect(["s": [1]])
    run.emit("s", 1)
    run.never(["s": nil], duration: 10)
    run.finish("s")
    run.idle(at: 10)
    run.end()
    #expect(run.outcome == "met")
  }

  @Test func `an error breaks silence`() {
    let run = Rehearsal("s")
    run.never(["s": nil], duration: 10)
    run.finish("s", error: "gone")
    #expect(run.outcome == "broken")
  }

  @Test func `completion is matched by a word`() {
    let run = Rehearsal("s")
    run.expect(["s": [1, "completed"]])
    run.emit("s", 1)
    #expect(run.outcome == "pending")
    run.finish("s")
    #expect(run.outcome == "met")
  }

  @Test func `completion came before the expectation and is matched all the same`() {
    let run = Rehearsal("s")
    run.finish("s")
    run.expect(["s": ["completed"]])
    #expect(run.outcome == "met")
  }

  @Test func `only the word itself matches completion`() {
    let run = Rehearsal("s")
    run.finish("s")
    run.expect(["s": [["$any": true]]])
    #expect(run.outcome == "streamEnded")
  }

  @Test func `what is awaited of a stream that has completed fails at once`() {
    let run = Rehearsal("s")
    run.expect(["s": [1, 2]])
    run.emit("s", 1, at: 10)
    run.finish("s", at: 20)
    #expect(run.outcome == "streamEnded")
  }

  @Test func `what is awaited after an error fails as soon as the error is matched`() {
    let run = Rehearsal("s")
    run.expect(["s": ["error", 2]])
    run.finish("s", error: "gone", at: 20)
    #expect(run.outcome == "streamEnded")
  }

  @Test func `a stream whose end is long past fails when more is expected of it`() {
    let run = Rehearsal("s")
    run.expect(["s": ["completed"]])
    run.finish("s")
    run.expect(["s": [1]])
    #expect(run.outcome == "streamEnded")
  }

  @Test func `completion has its turn in a list`() {
    let run = Rehearsal("s", "t")
    run.expect(list: [.of("s", 1), .of("s", "completed"), .of("t", 1)])
    run.emit("s", 1)
    run.finish("s")
    run.emit("t", 1)
    #expect(run.outcome == "met")
  }

  @Test func `completion before its turn is out of order`() {
    let run = Rehearsal("s", "t")
    run.expect(list: [.of("t", 1), .of("s", "completed")])
    run.finish("s")
    #expect(run.outcome == "outOfOrder")
  }

  @Test func `completion nobody asked for is passed over in a list`() {
    let run = Rehearsal("s", "t")
    run.expect(list: [.of("s", 1), .of("t", 1)])
    run.emit("s", 1)
    run.finish("s")
    run.emit("t", 1)
    run.end()
    #expect(run.outcome == "met")
  }

  @Test func `a list fails at once when an entry of it can never come`() {
    let run = Rehearsal("s", "t")
    run.expect(list: [.of("t", 1), .of("s", 1)])
    run.finish("s")
    #expect(run.outcome == "streamEnded")
  }

  @Test func `a group takes completion at any place`() {
    let run = Rehearsal("s", "t")
    run.expect(list: [.anyOrder([.of("t", 1), .of("s", "completed")])])
    run.finish("s")
    run.emit("t", 1)
    #expect(run.outcome == "met")
  }

  @Test func `a group fails at once when one of it can never come`() {
    let run = Rehearsal("s", "t")
    run.expect(list: [.anyOrder([.of("t", 1), .of("s", 1)])])
    run.finish("s")
    #expect(run.outcome == "streamEnded")
  }

  @Test func `an entry that skips cannot skip past the end`() {
    let run = Rehearsal("s")
    run.expect(list: [.of("s", 9, skip: true)])
    run.emit("s", 1)
    run.finish("s")
    #expect(run.outcome == "streamEnded")
  }

  @Test func `the timeline shows completion as a bar`() {
    let run = Rehearsal("s")
    run.expect(["s": [1, 2]])
    run.emit("s", 1, at: 10)
    run.finish("s", at: 20)
    let notes = Verdicts.judge(run.log, plan: run.plan).failures.flatMap(\.notes)
    #expect(notes.first?.text == "10ms 1 → 20ms | ✗")
  }
}

import Events
import Testing
import Values
import Verdicts

@Suite struct MarbleTests {
  @Test func `exactly these events at exactly these times are met at the last tick`() {
    let run = Rehearsal("s")
    run.expect("s", marble: "-a-b-")
    #expect(run.status() == .pending(until: 10_000))
    run.emit("s", "a", at: 10)
    #expect(run.status() == .pending(until: 30_000))
    run.emit("s", "b", at: 30)
    #expect(run.status() == .pending(until: 40_000))
    run.idle(at: 40)
    #expect(run.status() == .met)
    run.end()
    #expect(run.outcome == "met")
  }

  @Test func `the last tick must be drained`() {
    let run = Rehearsal("s")
    run.expect("s", marble: "-a")
    run.emit("s", "a", at: 10)
    #expect(run.outcome == "pending")
    run.emit("s", "b")
    run.idle()
    #expect(run.outcome == "marble")
  }

  @Test func `time counts from the last step before it`() {
    let run = Rehearsal("s")
    run.at(100)
    run.step()
    run.expect("s", marble: "-a")
    #expect(run.status() == .pending(until: 110_000))
    run.emit("s", "a", at: 110)
    run.idle()
    #expect(run.outcome == "met")
  }

  @Test func `a group happens at one tick, in its order`() {
    let run = Rehearsal("s")
    run.expect("s", marble: "-(ab)-c")
    run.emit("s", "a", at: 10)
    run.emit("s", "b", at: 10)
    run.emit("s", "c", at: 30)
    run.idle()
    #expect(run.outcome == "met")
  }

  @Test func `a group in another order is not the diagram`() {
    let run = Rehearsal("s")
    run.expect("s", marble: "-(ab)")
    run.emit("s", "b", at: 10)
    run.idle()
    #expect(run.outcome == "marble")
  }

  @Test(arguments: [("-a|", nil), ("-a#", "gone"), ("-a#", ["code": 1])] as [(String, Value?)])
  func `the end of a stream is part of the diagram`(diagram: String, error: Value?) {
    let run = Rehearsal("s")
    run.expect("s", marble: diagram)
    run.emit("s", "a", at: 10)
    run.finish("s", error: error, at: 20)
    run.idle()
    run.end()
    #expect(run.outcome == "met")
  }

  @Test func `a failure can be matched by what it carries`() {
    let run = Rehearsal("s")
    run.expect("s", marble: "#", error: ["code": 2])
    run.finish("s", error: ["code": 1])
    run.idle()
    #expect(run.outcome == "marble")
  }

  @Test(
    arguments: [
      [("b", 10)], [("a", 5)], [("a", 0)], [("a", 15)], [("a", 10), ("a", 10)],
      [("a", 10), ("b", 15)],
    ] as [[(Value, Int64)]])
  func `another event, or one at another time, fails`(events: [(Value, Int64)]) {
    let run = Rehearsal("s")
    run.expect("s", marble: "-a--")
    for event in events { run.emit("s", event.0, at: event.1) }
    run.idle()
    #expect(run.outcome == "marble")
  }

  @Test func `a diagram that differs goes on to its end, and then fails at its first difference`() {
    let run = Rehearsal("s")
    run.expect("s", marble: "-a-b--")
    run.emit("s", "b", at: 10)
    #expect(run.status() == .pending(until: 450_000))
    run.emit("s", "a", at: 30)
    #expect(run.outcome == "pending")
    run.idle(at: 449, next: 500)
    #expect(run.outcome == "pending")
    run.idle(at: 450, next: 500)
    #expect(run.outcome == "marble")
    #expect(run.failure?.time == 10_000)
  }

  @Test func `a stream that has ended is not looked at behind the diagram`() {
    let run = Rehearsal("s")
    run.expect("s", marble: "-a-b--")
    run.finish("s", at: 10)
    #expect(run.status() == .pending(until: 50_000))
  }

  @Test func `what differs is known when the steps end before the diagram does`() {
    let run = Rehearsal("s")
    run.expect("s", marble: "-a-b--")
    run.emit("s", "b", at: 10)
    run.end()
    #expect(run.outcome == "marble")
  }

  @Test func `each diagram that differs is a failure`() {
    let run = Rehearsal("s", "t")
    run.expect("s", marble: "-a", and: ["t": [1]])
    run.emit("s", "b", at: 10)
    run.emit("t", 2)
    #expect(run.judge.failures.count == 2)
    #expect(run.outcome == "marble")
  }

  @Test func `an event that is missing fails when the clock would move past its time`() {
    let run = Rehearsal("s")
    run.expect("s", marble: "-a--")
    run.idle(at: 5, next: 50)
    #expect(run.status() == .pending(until: 10_000))
    run.idle(at: 10, next: 50)
    #expect(run.status() == .pending(until: 430_000))
    run.idle(at: 430, next: 500)
    #expect(run.outcome == "marble")
  }

  @Test func `when nothing is left, what is awaited fails and silence does not`() {
    let silent = Rehearsal("s")
    silent.expect("s", marble: "a---")
    silent.emit("s", "a")
    silent.idle()
    #expect(silent.status() == .pending(until: 30_000))
    silent.idle(at: 30)
    #expect(silent.outcome == "met")
    let awaiting = Rehearsal("s")
    awaiting.expect("s", marble: "a---b")
    awaiting.emit("s", "a")
    awaiting.idle()
    #expect(awaiting.outcome == "marble")
  }

  @Test func `completion that is not drawn is not as in the diagram`() {
    let run = Rehearsal("s")
    run.expect("s", marble: "a---")
    run.emit("s", "a")
    run.finish("s", at: 10)
    run.idle()
    #expect(run.outcome == "marble")
  }

  @Test func `a diagram that lies in the past is held against what was kept`() {
    let run = Rehearsal("s")
    run.step()
    run.emit("s", "a", at: 10)
    run.emit("s", "late", at: 50)
    run.at(100)
    run.expect("s", marble: "-a-")
    #expect(run.outcome == "met")
    run.expect(["s": ["late"]])
    run.end()
    #expect(run.outcome == "met")
  }

  @Test func `a diagram in the past misses what came too late`() {
    let run = Rehearsal("s")
    run.emit("s", "a", at: 30)
    run.at(100)
    run.expect("s", marble: "-a-")
    run.idle()
    #expect(run.outcome == "marble")
  }

  @Test func `what was not accounted for before the first tick is no part of it`() {
    let run = Rehearsal("s")
    run.emit("s", "a", at: 10)
    run.at(20)
    run.step()
    run.expect("s", marble: "a")
    run.idle()
    #expect(run.outcome == "marble")
  }

  @Test func `completion before the first tick is passed over in silence`() {
    let run = Rehearsal("s")
    run.finish("s", at: 10)
    run.at(20)
    run.step()
    run.expect("s", marble: "--")
    run.idle(at: 30)
    #expect(run.outcome == "met")
    run.step()
    run.expect("s", marble: "-a")
    run.idle()
    #expect(run.outcome == "marble")
  }

  @Test func `captures and operators work in what a symbol stands for`() {
    let run = Rehearsal("s")
    _ = run.slot(.capture(run.capture("id")))
    run.expect("s", marble: "ab", values: ["a": ["id": ["$as": "id"]], "b": ["of": "${id}"]])
    run.emit("s", ["id": 7])
    run.emit("s", ["of": 7], at: 10)
    run.idle()
    #expect(run.outcome == "met")
    #expect(run.captured("id") == 7)
  }

  @Test func `other sources of the map have their own sequences`() {
    let run = Rehearsal("s", "t")
    run.expect("s", marble: "-a", and: ["t": [1, 2]])
    run.emit("t", 1)
    run.emit("s", "a", at: 10)
    run.idle(next: 30)
    #expect(run.outcome == "pending")
    run.emit("t", 2, at: 30)
    #expect(run.outcome == "met")
  }

  @Test func `silence to come in one branch is something another can wait for`() {
    let run = Rehearsal("s", "t")
    run.log(.script(.branched(from: 0, first: 1, count: 2)))
    run.expect("s", marble: "---", branch: 1)
    run.expect(["t": [1]], branch: 2)
    run.idle()
    #expect(run.failure == nil)
    run.idle(at: 20)
    #expect(run.status(in: 1) == .met)
    #expect(run.failure == nil)
    run.idle(at: 20)
    #expect(run.failureName == "nothingLeft")
  }
}

@Suite struct SubscriptionTests {
  @Test func `exactly these subscriptions are met at the last tick of their diagrams`() {
    let run = Rehearsal("s")
    run.expect("s", marble: nil, subscriptions: ["-^-!", "---^-"])
    run.subscribe("s", 1, at: 10)
    run.unsubscribe("s", 1, at: 30)
    run.subscribe("s", 2, at: 30)
    #expect(run.status() == .pending(until: 40_000))
    run.idle(at: 40)
    #expect(run.outcome == "met")
  }

  @Test(arguments: [[], ["^!"], ["^--!", "--^-"], ["-^-!"]])
  func `others, more or fewer are not`(diagrams: [String]) {
    let run = Rehearsal("s")
    run.subscribe("s", 1, at: 0)
    run.expect("s", marble: nil, subscriptions: diagrams)
    run.unsubscribe("s", 1, at: 30)
    run.idle(at: 100)
    #expect(run.outcome == "subscriptions")
  }

  @Test func `what is not about events watches none`() {
    let run = Rehearsal("s")
    run.subscribe("s", 1, at: 0)
    run.expect("s", marble: nil, subscriptions: ["^"])
    run.emit("s", 1)
    run.idle()
    run.end()
    #expect(run.outcome == "met")
  }

  @Test func `a duration in a diagram is as long as it says`() {
    let run = Rehearsal("s")
    run.expect("s", marble: nil, subscriptions: ["^ 100ms -"])
    run.subscribe("s", 1, at: 0)
    #expect(run.status() == .pending(until: 110_000))
  }

  @Test func `subscriptions beside a diagram are judged at the later of their ends`() {
    let run = Rehearsal("s")
    run.expect("s", marble: "-a--", subscriptions: ["^!"])
    run.subscribe("s", 1, at: 0)
    run.unsubscribe("s", 1, at: 10)
    run.emit("s", "a", at: 10)
    run.idle(at: 10)
    #expect(run.status() == .pending(until: 30_000))
    run.idle(at: 30)
    #expect(run.outcome == "met")
  }
}

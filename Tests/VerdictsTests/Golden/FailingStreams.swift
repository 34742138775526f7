import Events
import Values

extension FailingRuns {
  /// A diagram that is in the past when it is reached, so that the report can show the real time.
  static func marbleLate() -> Rehearsal {
    let run = Rehearsal("results")
    let step = run.step("send: x")
    run.emit("results", 1, at: 20, cause: step)
    run.emit("results", 2, at: 60, cause: step)
    run.at(100)
    run.expect("results", marble: "--a-b|", values: ["a": 1, "b": 2])
    run.idle()
    return run
  }

  /// A diagram in which each character of a group was meant to take a tick.
  static func marbleBehindGroup() -> Rehearsal {
    let run = Rehearsal("results")
    run.step("send: x")
    run.emit("results", "a", at: 10)
    run.emit("results", "b", at: 10)
    run.emit("results", "c", at: 50)
    run.at(100)
    run.expect("results", marble: "-(ab)c")
    run.idle()
    return run
  }

  static func marbleMissing() -> Rehearsal {
    let run = Rehearsal("results")
    run.at(1000)
    run.step("send: x")
    run.expect("results", marble: "--a-b|", values: ["a": 1, "b": 2])
    run.emit("results", 1, at: 1020)
    run.idle(at: 1040, next: 2000)
    run.idle()
    return run
  }

  static func marbleDiffers() -> Rehearsal {
    let run = Rehearsal("results")
    let step = run.step("send: x")
    run.expect(
      "results", marble: "--a-b|",
      values: [
        "a": 1, "b": ["id": 2, "venue": "a long name of a venue in the old town", "more": true],
      ])
    run.emit("results", 1, at: 20, cause: step)
    run.emit(
      "results", ["id": 7, "venue": "a long name of a venue in the old town", "more": true],
      at: 40, cause: step)
    run.idle()
    return run
  }

  static func marbleOffTick() -> Rehearsal {
    let run = Rehearsal("results")
    run.step("send: x")
    run.expect("results", marble: "--a-b|")
    run.emit("results", "a", at: 20)
    run.emit("results", "b", at: 35)
    run.finish("results", at: 45)
    run.idle()
    return run
  }

  static func marbleEarly() -> Rehearsal {
    let run = Rehearsal("results")
    run.at(500)
    run.step("send: x")
    run.expect("results", marble: "--a-b|")
    run.emit("results", "a", at: 520)
    run.emit("results", "b", at: 530)
    run.finish("results", at: 540)
    run.idle()
    return run
  }

  static func marbleBefore() -> Rehearsal {
    let run = Rehearsal("results")
    run.emit("results", ["id": 7], at: 5)
    run.at(10)
    run.step("send: x")
    run.expect("results", marble: "--a", values: ["a": ["id": 8]])
    run.idle()
    return run
  }

  static func marbleGroup() -> Rehearsal {
    let run = Rehearsal("results")
    run.step("send: x")
    run.expect("results", marble: "-a(bc)-d")
    run.emit("results", "a", at: 10)
    run.emit("results", "b", at: 20)
    run.emit("results", "d", at: 20)
    run.emit("results", "c", at: 20)
    run.idle()
    return run
  }

  static func marbleEnded() -> Rehearsal {
    let run = Rehearsal("results")
    run.step("send: x")
    run.expect("results", marble: "-a-b|")
    run.emit("results", "a", at: 10)
    run.finish("results", at: 20)
    run.idle()
    return run
  }

  static func marbleFailed() -> Rehearsal {
    let run = Rehearsal("results")
    run.step("send: x")
    run.expect("results", marble: "-a|")
    run.emit("results", "a", at: 10)
    run.finish("results", error: ["status": 503], at: 20)
    run.idle()
    return run
  }

  static func marbleOtherError() -> Rehearsal {
    let run = Rehearsal("results")
    run.step("send: x")
    run.expect("results", marble: "-#", error: ["status": 404])
    run.finish("results", error: ["status": 503], at: 10)
    run.idle()
    return run
  }

  static func marbleLong() -> Rehearsal {
    let run = Rehearsal("results")
    run.step("send: x")
    let silence = String(repeating: "-", count: 99)
    run.expect("results", marble: "a" + silence + "b" + silence + "c")
    run.emit("results", "a")
    run.emit("results", 41, at: 1000)
    run.idle()
    return run
  }

  static func subscriptionTimes() -> Rehearsal {
    let run = Rehearsal("results")
    run.step("send: x")
    run.expect("results", marble: nil, subscriptions: ["^--!", "---^--!"])
    run.subscribe("results", 1, at: 0)
    run.unsubscribe("results", 1, at: 30)
    run.subscribe("results", 2, at: 30)
    run.unsubscribe("results", 2, at: 50)
    run.idle(at: 60)
    return run
  }

  static func subscriptionCount() -> Rehearsal {
    let run = Rehearsal("results")
    run.step("send: x")
    run.expect("results", marble: nil, subscriptions: ["^---!"])
    run.subscribe("results", 1, at: 0)
    run.subscribe("results", 2, at: 20)
    run.unsubscribe("results", 1, at: 40)
    run.idle(at: 40)
    return run
  }

  static func noSubscription() -> Rehearsal {
    let run = Rehearsal("results")
    run.step("send: x")
    run.expect("results", marble: nil, subscriptions: ["^---!"])
    run.idle(at: 40)
    return run
  }

  static func streamEnded() -> Rehearsal {
    let run = Rehearsal("results")
    let step = run.step("send: x")
    run.expect(["results": [1, 2]])
    run.emit("results", 1, at: 10, cause: step)
    let last = run.emit("results", 2, at: 15, cause: step)
    run.expect(["results": [3]])
    run.log(.source(.finished(0, error: nil)), cause: last)
    return run
  }

  static func streamFailed() -> Rehearsal {
    let run = Rehearsal("results", "other")
    run.expect(list: [.of("results", "error"), .of("results", 2), .of("other", 1)])
    run.finish("results", error: ["status": 503], at: 20)
    return run
  }

  static func always() -> Rehearsal {
    let run = Rehearsal("count", "limit")
    run.invariant("always", "count <= limit")
    let step = run.step("set: { count: 4 }")
    run.set("count", 4)
    run.set("limit", 3)
    run.at(40)
    run.survey(cause: run.emit("count", 4, cause: step))
    return run
  }

  static func neverHolds() -> Rehearsal {
    let run = Rehearsal("count")
    run.invariant("never", "count == 4")
    run.expect(["count": [3]])
    run.emit("count", 3)
    run.emit("count", 4)
    run.set("count", 4)
    run.survey()
    run.end()
    return run
  }

  static func unanswered() -> Rehearsal {
    let run = Rehearsal("asked", "answered")
    run.leadsTo(["asked": "start"], ["answered": ["$regex": "^done"]], within: 30)
    let step = run.step("send: x")
    run.emit("asked", "start", at: 10, cause: step)
    run.idle(at: 100)
    return run
  }

  static func unansweredAtTheEnd() -> Rehearsal {
    let run = Rehearsal("asked", "answered")
    run.leadsTo(["asked": "start"], ["answered": "done", "asked": "error"])
    run.emit("asked", "start", at: 10)
    run.at(20)
    run.end()
    return run
  }
}

import Diagnostics
import Events
import Testing
import Values
import Verdicts

extension Rehearsal {
  /// What the reports of all failures would look like on a page.
  var page: String {
    let verdict = Verdicts.judge(log, plan: plan, sources: sources, rerun: "rehearse run made.yaml")
    return render(verdict.failures, in: sources)
  }
}

@Suite struct ReportTests {
  @Test func show() {
    for (name, make) in Self.cases { print("=== \(name)\n\(make().page)") }
  }

  static let cases: [(String, @Sendable () -> Rehearsal)] = [
    ("mismatch", mismatch), ("nested", nested), ("outOfOrder", outOfOrder),
    ("wrongTime", wrongTime), ("tooLate", tooLate), ("timeout", timeout),
    ("nothingLeft", nothingLeft), ("leftovers", leftovers), ("never", never), ("check", check),
    ("eventually", eventually), ("fails", fails),
  ]

  @Sendable static func mismatch() -> Rehearsal {
    let run = Rehearsal("chat")
    let step = run.step("send: chat.ask")
    run.expect(list: [
      .of("chat", "start"), .of("chat", ["delta": "H"]), .of("chat", ["delta": "Hello"]),
      .of("chat", "done"),
    ])
    run.emit("chat", "start", at: 0, cause: step)
    run.emit("chat", ["delta": "H"], at: 20)
    run.emit("chat", ["delta": "hello"], at: 40, cause: step)
    run.emit("chat", "done", at: 60)
    run.end()
    return run
  }

  @Sendable static func nested() -> Rehearsal {
    let run = Rehearsal("prices")
    run.expect(
      ["prices": [["data": ["price": 10, "currency": "EUR"], "kind": "tick"]]], turns: [3])
    run.emit(
      "prices",
      [
        "data": ["price": "10", "currency": "USD", "venue": "a long name of a venue somewhere"],
        "kind": "tick", "more": [1, 2, 3, 4, 5, 6, 7, 8, 9],
      ], at: 2000)
    return run
  }

  @Sendable static func outOfOrder() -> Rehearsal {
    let run = Rehearsal("a", "b")
    run.expect(list: [.of("a", 1), .of("b", 2), .of("a", 3)])
    run.emit("a", 1, at: 10)
    run.emit("a", 3, at: 20)
    return run
  }

  @Sendable static func wrongTime() -> Rehearsal {
    let run = Rehearsal("a")
    run.step()
    run.expect(list: [.of("a", 1), .of("a", 2, after: 200)])
    run.emit("a", 1, at: 200)
    run.emit("a", 2, at: 300)
    return run
  }

  @Sendable static func tooLate() -> Rehearsal {
    let run = Rehearsal("a")
    run.expect(["a": [1]], within: 100)
    run.emit("a", 1, at: 150)
    return run
  }

  @Sendable static func timeout() -> Rehearsal {
    let run = Rehearsal("a", "b")
    run.expect(["a": [1, 2], "b": [3]])
    run.emit("a", 1, at: 10)
    run.idle(at: 5000, next: 6000)
    return run
  }

  @Sendable static func nothingLeft() -> Rehearsal {
    let run = Rehearsal("a", "b")
    run.expect(["a": [1, 2], "b": [3]])
    run.emit("a", 1, at: 10)
    run.idle(at: 10)
    return run
  }

  @Sendable static func leftovers() -> Rehearsal {
    let run = Rehearsal("a", "b")
    run.step("set: { a: 1 }")
    run.expect(["a": [1], "b": [1]])
    run.emit("a", 1)
    run.emit("b", 1)
    let step = run.step("set: { a: 2 }", turns: [2])
    for value in 2...9 { run.emit("a", .int(value), at: Int64(value), cause: step) }
    run.emit("b", 2)
    run.end()
    return run
  }

  @Sendable static func never() -> Rehearsal {
    let run = Rehearsal("a")
    let step = run.step("set: { a: 11 }")
    run.emit("a", 11, cause: step)
    run.never(["a": ["$gt": 10]])
    return run
  }

  @Sendable static func check() -> Rehearsal {
    let run = Rehearsal("count", "total")
    run.set("count", 3)
    run.set("total", "three")
    run.look(run.check("count == 2 || total == 'two'"))
    return run
  }

  @Sendable static func eventually() -> Rehearsal {
    let run = Rehearsal("count")
    run.set("count", 3)
    run.look(run.check("count == 2", "eventually", within: 100))
    run.idle(at: 100, next: 200)
    return run
  }

  @Sendable static func fails() -> Rehearsal {
    let run = Rehearsal("a")
    run.fails(["status": 503], error: ["status": 404])
    return run
  }
}

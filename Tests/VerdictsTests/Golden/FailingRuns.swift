import Events
import Values
import Verdicts

@testable import ScenarioPlan

/// Runs that fail, each in one way.
enum FailingRuns {
  static func mismatch() -> Rehearsal {
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

  static func nested() -> Rehearsal {
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

  static func length() -> Rehearsal {
    let run = Rehearsal("tasks")
    run.expect(["tasks": [[1, 2]]])
    run.emit("tasks", [1, 2, 3])
    return run
  }

  static func skip() -> Rehearsal {
    let run = Rehearsal("a", "b")
    run.expect(list: [.of("a", 1), .of("b", 9, skip: true)])
    run.emit("b", 1, at: 10)
    run.emit("a", 1, at: 20)
    run.emit("b", 2, at: 30)
    run.idle(at: 30)
    return run
  }

  static func captureNeverTaken() -> Rehearsal {
    let run = Rehearsal("count")
    run.set("count", 3)
    _ = run.slot(.capture(run.capture("taken")))
    run.look(run.check("count == 3 && taken == 1"))
    return run
  }

  static func outOfOrder() -> Rehearsal {
    let run = Rehearsal("a", "b")
    run.expect(list: [.of("a", 1), .of("b", 2), .of("a", 3)])
    run.emit("a", 1, at: 10)
    run.emit("a", 3, at: 20)
    return run
  }

  static func wrongTime() -> Rehearsal {
    let run = Rehearsal("a")
    run.step()
    run.expect(list: [.of("a", 1), .of("a", 2, after: 200)])
    run.emit("a", 1, at: 200)
    run.emit("a", 2, at: 300)
    return run
  }

  static func tooLate() -> Rehearsal {
    let run = Rehearsal("a")
    run.expect(["a": [1]], within: 100)
    run.emit("a", 1, at: 150)
    return run
  }

  static func timeout() -> Rehearsal {
    let run = Rehearsal("a", "b")
    run.expect(["a": [1, 2], "b": [3]])
    run.emit("a", 1, at: 10)
    run.idle(at: 5000, next: 6000)
    return run
  }

  static func nothingLeft() -> Rehearsal {
    let run = Rehearsal("a", "b")
    run.expect(["a": [1, 2], "b": [3]])
    run.emit("a", 1, at: 10)
    run.idle(at: 10)
    return run
  }

  static func leftovers() -> Rehearsal {
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

  static func never() -> Rehearsal {
    let run = Rehearsal("a")
    let step = run.step("set: { a: 11 }")
    run.emit("a", 11, cause: step)
    run.never(["a": ["$gt": 10]])
    return run
  }

  static func check() -> Rehearsal {
    let run = Rehearsal("count", "total")
    run.set("count", 3)
    run.set("total", "three")
    run.look(run.check("count == 2 || total == 'two'"))
    return run
  }

  static func eventually() -> Rehearsal {
    let run = Rehearsal("count")
    run.set("count", 3)
    run.look(run.check("count == 2", "eventually", within: 100))
    run.idle(at: 100, next: 200)
    return run
  }

  static func fails() -> Rehearsal {
    let run = Rehearsal("a")
    run.fails(["status": 503], error: ["status": 404])
    return run
  }

  static func lateRequest() -> Rehearsal {
    let run = Rehearsal("api", "fact")
    run.contents.sources[0].kind = .endpoint(0)
    let step = run.step("send: catFacts.loadFact")
    run.expect(list: [.of("api", ["get": "/fact"]), .of("fact", ["loaded": "Cats"])])
    let request = run.emit(
      "api", ["get": "/fact", "method": "GET", "path": "/fact", "headers": [:]], at: 40, cause: step
    )
    run.emit("fact", ["error": ["status": 503]], at: 240, cause: request)
    return run
  }

  static func secret() -> Rehearsal {
    let run = Rehearsal("api")
    run.contents.secrets = ["s3cr3t/token"]
    run.expect(["api": [["key": "none"]]])
    run.emit(
      "api",
      ["key": "dXNlcjpzM2NyM3QvdG9rZW4=", "url": "/?t=s3cr3t%2Ftoken", "t": "s3cr3t/token"])
    return run
  }

  static func group() -> Rehearsal {
    let run = Rehearsal("a", "b")
    run.expect(list: [.anyOrder([.of("a", 1), .of("b", 1)]), .of("a", 2, times: 2)])
    run.emit("b", 1, at: 10)
    run.emit("a", 1, at: 20)
    run.emit("a", 2, at: 30)
    run.emit("a", 3, at: 40)
    return run
  }

  static func checkError() -> Rehearsal {
    let run = Rehearsal("user")
    run.set("user", ["id": 1])
    run.look(run.check("user.id == 1 && user.name == 'Ann'"))
    return run
  }

  static func problem(_ make: (Rehearsal) -> RunProblem) -> Rehearsal {
    let run = Rehearsal("a", "b")
    let step = run.step("send: x.load")
    run.contents.sources[0].kind = .endpoint(0)
    let place = run.range(of: "send: x.load")
    run.contents.endpoints = [EndpointPlan(name: "api", source: 0, range: place)]
    run.contents.endpoints[0].routes = [
      RoutePlan(
        method: "GET", path: "/facts", segments: [], when: nil, answers: .inTurn([]),
        localCount: 0, request: 0, range: place)
    ]
    run.contents.actions = [
      ActionPlan(
        name: "x.load", reactor: 0, policy: .plain, endsWithLifecycle: false,
        frame: FramePlan(script: 0, localCount: 0), payload: 0, parameters: [], range: place)
    ]
    run.log(.run(.failed(make(run))), cause: step)
    return run
  }

  static func unmatchedRequest() -> Rehearsal {
    problem {
      .unmatchedRequest(
        UnmatchedRequest(
          endpoint: 0, request: ["method": "GET", "path": "/fact", "query": [:]],
          closest: $0.range(of: "send: x.load"), differences: ["path: `/fact`, not `/facts`"]))
    }
  }

  static func actionFailed() -> Rehearsal {
    problem { .actionFailed(0, error: ["status": 503], range: $0.range(of: "x.load")) }
  }

  static func evaluation() -> Rehearsal {
    problem { run in
      let step = StepReference(
        verb: "send", range: run.range(of: "send: x.load"), branch: 0, turns: [2, 1])
      return .evaluation(
        EvaluationFailure(range: run.range(of: "Made"), message: "no such entry"), step: step)
    }
  }

  static func limit() -> Rehearsal {
    problem { _ in
      .limit(
        name: "stepsAtOneInstant", value: 100, message: "more than 100 steps at one instant")
    }
  }
}
